// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/gpu/context.hpp"
#include "supple/gpu/modal_shapes.hpp"
#include "supple/gpu/objects.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

struct supple_asset;

namespace supple::gpu {

/// The bind pose of all vertices of an asset, x y z each, and their skin weights.
struct RestMesh {
  std::span<const float> positions;
  std::span<const float> normals;
  std::span<const float> tangents;  ///< may be empty: then the result has none either
  std::uint32_t influences = 0;     ///< 4 or 8 joints per vertex; 0: no skin
  std::span<const std::uint16_t> joints;
  std::span<const float> weights;
  std::uint32_t joint_count = 0;
};

/// How modal_crowd.comp divides its work, see there; the program gpu_crowd of benchmarks/ compares.
/// These values were the fastest in a sweep on an NVIDIA H200 with 5 modes.
struct CrowdTuning {
  std::uint32_t threads = 64;       ///< vertices of a workgroup, a multiple of 16
  std::uint32_t tile = 4;           ///< instances that share one read of the shapes: 1, 2, 4, 8, 16
  std::uint32_t repeat = 4;         ///< tiles of a workgroup
  std::uint32_t stage = 2;          ///< instances written together, a divisor of tile; 0: direct
  bool shared_coefficients = true;  ///< if they fit; otherwise read from the texture each time
};

/// For flesh whose objects have up to this many modes.
[[nodiscard]] CrowdTuning default_crowd_tuning(std::size_t modes);

struct ModalMeshSettings {
  ModalPath path = ModalPath::Textures;
  std::uint32_t instances = 1;
  std::optional<CrowdTuning> crowd;  ///< of ModalPath::Compute; none: default_crowd_tuning
  bool linear = false;  ///< shells stay unwarped, for comparison with plain linear modes
};

/// An asset's deformed vertices, computed on the GPU for one or many characters that share it:
/// modal sum, warping of shells, unit normals, tangents, then the skin if any. The vertices stay on
/// the GPU for drawing; read() copies them back for tests.
class ModalMesh {
 public:
  /// Errors: a path that this context or this asset does not support, sizes that do not fit the
  /// asset or this GPU. The context must outlive the mesh; the asset need not.
  [[nodiscard]] static Result<ModalMesh> create(const Context& context, const supple_asset* asset,
                                                const RestMesh& rest,
                                                const ModalMeshSettings& settings);

  /// Numbers per instance for set_coefficients, as written by supple_player_gpu_coefficients.
  [[nodiscard]] std::size_t coefficient_floats() const;
  /// All instances in sequence; supple_player_gpu_coefficients fills the part of one.
  void set_coefficients(std::span<const float> rows);
  /// All instances in sequence, joint_count column-major matrices each.
  void set_palettes(std::span<const float> matrices);

  /// Fills the buffer below.
  void evaluate() const;
  /// The same work for attributes and textures, as a draw of invisible points without the buffer:
  /// for measurement.
  void draw_unseen() const;

  /// Instance after instance, instance_stride() vertices each, floats_per_vertex() numbers per
  /// vertex: position, normal and, if present, tangent.
  [[nodiscard]] const Buffer& vertices() const { return m_output; }
  [[nodiscard]] std::size_t instance_stride() const { return m_stride; }
  [[nodiscard]] std::size_t floats_per_vertex() const { return m_floats; }
  /// The result of evaluate() for one instance, without the padding between instances.
  [[nodiscard]] Result<std::vector<float>> read(std::uint32_t instance) const;

 private:
  ModalMesh() = default;
  [[nodiscard]] Result<void> create_drawn(const RestMesh& rest);
  [[nodiscard]] Result<void> create_compute(const supple_asset* asset, const RestMesh& rest);
  void bind_textures() const;
  void draw(bool capture) const;
  void evaluate_compute() const;

  const Gl* m_gl = nullptr;
  ModalMeshSettings m_settings;
  CrowdTuning m_tuning;
  ModalShapes m_shapes;
  std::size_t m_stride = 0;
  std::size_t m_floats = 6;
  Program m_program;
  Buffer m_output;
  InstanceTexture m_coefficients;
  InstanceTexture m_palettes;  // of a skin
  VertexArray m_array;         // of the drawn paths,
  Renderbuffer m_pixel;        // which need a framebuffer even if nothing is drawn
  Framebuffer m_target;
  std::vector<Buffer> m_buffers;  // vertex attributes, or the inputs of the compute shader
};

}  // namespace supple::gpu
