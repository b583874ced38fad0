// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/gpu/context.hpp"
#include "supple/gpu/objects.hpp"
#include "supple/io/image.hpp"

#include <array>
#include <cstddef>

namespace supple::render {

/// The render targets of the passes.
class Targets {
 public:
  [[nodiscard]] static Result<Targets> create(const gpu::Context& context, int width, int height,
                                              int samples, int shadow_map);

  void begin_shadow() const;
  void begin_normals() const;
  void begin_openness(std::size_t place) const;  ///< one of two textures
  void begin_picture() const;
  /// Averages the samples and reads the picture back, rows from the top. Colours are premultiplied
  /// by alpha.
  [[nodiscard]] Result<io::Image> read() const;

  [[nodiscard]] int width() const { return m_width; }
  [[nodiscard]] int height() const { return m_height; }
  [[nodiscard]] int samples() const { return m_samples; }
  [[nodiscard]] int shadow_size() const { return m_shadow_size; }
  [[nodiscard]] GLuint shadow() const { return m_shadow.id(); }
  [[nodiscard]] GLuint depth() const { return m_depth.id(); }
  [[nodiscard]] GLuint normals() const { return m_normals.id(); }
  [[nodiscard]] GLuint openness(std::size_t place) const { return m_openness[place].id(); }
  [[nodiscard]] GLuint compare_sampler() const { return m_compare.id(); }
  [[nodiscard]] GLuint depth_sampler() const { return m_plain.id(); }

 private:
  [[nodiscard]] Result<void> make_shadow();
  [[nodiscard]] Result<void> make_obscurance();
  [[nodiscard]] Result<void> make_picture();
  [[nodiscard]] gpu::Texture texture(GLenum format, int width, int height) const;
  [[nodiscard]] Result<void> check(const char* what) const;
  void begin(GLuint framebuffer, int width, int height) const;

  const gpu::Gl* m_gl = nullptr;
  int m_width = 0, m_height = 0, m_samples = 0, m_shadow_size = 0;
  gpu::Texture m_shadow, m_depth, m_normals;
  std::array<gpu::Texture, 2> m_openness;
  gpu::Sampler m_compare, m_plain;
  gpu::Framebuffer m_shadow_frame, m_normals_frame, m_picture_frame, m_resolved_frame;
  std::array<gpu::Framebuffer, 2> m_openness_frames;
  gpu::Renderbuffer m_colour, m_picture_depth, m_resolved;
};

}  // namespace supple::render
