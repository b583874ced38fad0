// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/gpu/context.hpp"
#include "supple/gpu/objects.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

struct supple_asset;

namespace supple::gpu {

/// Where the modal sum is computed and where its shapes come from.
enum class ModalPath {
  Attributes,  ///< vertex shader, shapes from eight vertex attributes: at most five modes per
               ///< vertex
  Textures,    ///< vertex shader, shapes from a texture: any number of modes
  Compute      ///< compute shader for crowds (modal_crowd.comp)
};

/// RGBA32F texels in rows, one row per instance: coefficients (supple_coefficients) or joint
/// matrices (supple_palette).
class InstanceTexture {
 public:
  InstanceTexture() = default;
  [[nodiscard]] static Result<InstanceTexture> create(const Gl& gl, std::size_t texels,
                                                      std::size_t instances);
  /// Whole rows, starting with the row of instance `first`.
  void upload(std::span<const float> rows, std::size_t first = 0) const;
  void bind(GLuint unit) const;
  [[nodiscard]] std::size_t floats_per_row() const { return 4 * m_texels; }

 private:
  const Gl* m_gl = nullptr;
  Texture m_texture;
  std::size_t m_texels = 0;
  std::size_t m_instances = 0;
};

/// The GPU data of an asset's vertices, uploaded once and shared by everything that draws it.
///
/// A drawing host (the program then has supple_modal_sum and supple_warp; see runtime/shaders):
///     shapes.add_to(source);                          // before its own text
///     options.attributes = ... + shape_attributes();  // ModalPath::Attributes only
///     shapes.enable_attributes(first_vertex);         // the same, into the bound vertex array
///     program.use();
///     shapes.bind(program, unit);                     // takes kUnits texture units from `unit` on
///     coefficients.bind(unit + 2); gl.Uniform1i(program.uniform("supple_coefficients"), unit + 2);
class ModalShapes {
 public:
  static constexpr GLuint kUnits = 2;
  /// The eight shape attributes take this location and the seven after it.
  static constexpr GLuint kFirstAttribute = 8;

  ModalShapes() = default;
  /// Uploads the data that `path` reads; Compute: nothing, because ModalMesh owns its buffers.
  [[nodiscard]] static Result<ModalShapes> create(const Gl& gl, const supple_asset* asset,
                                                  ModalPath path);

  void add_to(ShaderSource& source) const;
  /// For Program::Options: names and locations.
  [[nodiscard]] static std::vector<std::pair<std::string, GLuint>> shape_attributes();
  /// Vertex 0 of the bound vertex array is `first_vertex` of the asset.
  void enable_attributes(std::uint32_t first_vertex = 0) const;
  void bind(const Program& program, GLuint first_unit) const;

  [[nodiscard]] ModalPath path() const { return m_path; }
  [[nodiscard]] bool has_float_shapes() const { return m_float; }
  /// Texels in a row of coefficients.
  [[nodiscard]] std::size_t coefficient_texels() const { return m_coefficient_texels; }
  [[nodiscard]] std::uint32_t vertex_count() const { return m_vertex_count; }

 private:
  [[nodiscard]] Result<void> upload_textures(const supple_asset* asset);
  [[nodiscard]] Result<void> upload_attributes(const supple_asset* asset);

  const Gl* m_gl = nullptr;
  ModalPath m_path = ModalPath::Textures;
  bool m_float = false;
  std::size_t m_coefficient_texels = 0;
  std::uint32_t m_vertex_count = 0;
  Texture m_shapes;
  Texture m_table;
  Buffer m_attributes;
};

}  // namespace supple::gpu
