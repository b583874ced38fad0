// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/gpu/context.hpp"
#include "supple/io/gltf_character.hpp"
#include "supple/io/image.hpp"
#include "supple/pictures/handles.hpp"
#include "supple/pictures/subject.hpp"
#include "supple/plot/drawing.hpp"
#include "supple/render/camera.hpp"
#include "supple/render/renderer.hpp"

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace supple::pictures {

/// View, size and content of a picture.
struct Shot {
  render::Direction direction;
  int width = 640;
  int height = 480;
  std::vector<geometry::Vec3> frame;  ///< points that must fit; empty: the whole model
};

/// A handle in a picture; the matrix includes its size.
struct PlacedHandle {
  HandleLook look;
  Eigen::Matrix4d world = Eigen::Matrix4d::Identity();
};

/// One GPU for all pictures of a command: opening it and compiling its shaders takes longer than a
/// picture. Use it only on the thread that created it.
class Studio {
 public:
  /// The error says which GPU is missing and how to draw without one.
  [[nodiscard]] static Result<Studio> create();

  [[nodiscard]] const gpu::Context& context() const { return *m_context; }
  /// Reuses the renderer for pictures of the same size. Valid until the next call.
  [[nodiscard]] Result<render::Renderer*> renderer(const render::RendererSettings& settings);
  [[nodiscard]] Result<render::DrawnAsset> make_scene(const Subject& subject) const;

  /// The model at rest.
  [[nodiscard]] Result<io::Image> draw(const io::SkinnedModel& model, const Shot& shot,
                                       const std::vector<PlacedHandle>& handles = {});
  /// Several times of a motion, all from one camera; `frame` of the shot is not used.
  [[nodiscard]] Result<std::vector<io::Image>> draw(const Subject& subject,
                                                    const std::vector<double>& times,
                                                    const Shot& shot);

 private:
  // In this order: a renderer is destroyed before its context.
  std::unique_ptr<const gpu::Context> m_context;
  render::RendererSettings m_settings;
  std::unique_ptr<render::Renderer> m_renderer;
};

/// A picture as part of a sheet.
[[nodiscard]] Result<plot::Drawing> tile_of(const io::Image& image);

}  // namespace supple::pictures
