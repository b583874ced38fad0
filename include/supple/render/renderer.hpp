// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/gpu/context.hpp"
#include "supple/io/image.hpp"
#include "supple/render/camera.hpp"
#include "supple/render/drawn_asset.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace supple::render {

/// The background. All kinds except Transparent are a floor that fades into a wall.
struct Backdrop {
  enum class Kind { Light, Dark, Colour, Transparent } kind = Kind::Light;
  Eigen::Vector3d colour = Eigen::Vector3d::Ones();  ///< of Kind::Colour, linear
};

struct Look {
  Backdrop backdrop;
  double key = 1.5;         ///< light reflected by a white matte surface facing the key light
  double sky = 0.5;         ///< roughly the same for the sky
  double softness = 0.085;  ///< tangent of the key light's apparent radius
  double openness =
      0.16;  ///< reach of the darkening at creases and contacts, times the subject's radius
  bool ground = true;
  bool tone_map = true;  ///< false: linear light, clipped at 1; for measurement
};

struct RendererSettings {
  int width = 1280;
  int height = 720;
  int samples = 4;
  int shadow_map = 2048;  ///< pixels per side
  Look look;
};

/// The subject of a picture and its view.
struct View {
  Camera camera;
  geometry::Vec3 key_direction = geometry::Vec3::UnitY();  ///< towards the light, unit
  geometry::Vec3 centre = geometry::Vec3::Zero();  ///< of a sphere that contains the subject
  double radius = 1;
  double floor = 0;             ///< height of the ground
  std::optional<double> water;  ///< height of the surface of water around the subject
};

/// The position of a portrait's key light: to the left of the camera, well above.
[[nodiscard]] geometry::Vec3 key_direction(const Direction& camera);

/// Draws scenes: shadow map, ambient obscurance, then the picture with multisampling.
class Renderer {
 public:
  /// Errors: a picture larger than the GPU's limit, shaders it rejects. The number of samples is
  /// reduced to the GPU's maximum. The context must outlive the renderer.
  [[nodiscard]] static Result<Renderer> create(const gpu::Context& context,
                                               const RendererSettings& settings);
  ~Renderer();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  /// Draws the scene in its current state.
  [[nodiscard]] Result<io::Image> draw(const DrawnAsset& scene, const View& view);
  /// How much of each pixel the scene covers, 0 to 255, rows from the top: for outlines. Needs
  /// neither light nor shadow and is much faster than a picture.
  [[nodiscard]] Result<std::vector<std::uint8_t>> coverage(const DrawnAsset& scene,
                                                           const View& view);
  /// Of the next pictures.
  void set_look(const Look& look);
  [[nodiscard]] int samples() const;  ///< in use

 private:
  struct State;
  explicit Renderer(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

}  // namespace supple::render
