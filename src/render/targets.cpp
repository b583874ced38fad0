// SPDX-License-Identifier: Apache-2.0
#include "render/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace supple::render {

Result<Targets> Targets::create(const gpu::Context& context, int width, int height, int samples,
                                int shadow_map) {
  const gpu::Gl& gl = context.gl();
  GLint largest = 0;
  gl.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
  if (width < 1 || height < 1 || width > largest || height > largest) {
    return Error(ErrorCode::Usage,
                 fmt::format("a picture of {} x {} pixels: this GPU can draw 1 x 1 to {} x {}",
                             width, height, largest, largest));
  }
  Targets targets;
  targets.m_gl = &gl;
  targets.m_width = width;
  targets.m_height = height;
  GLint most = 1;
  gl.GetInternalformativ(GL_RENDERBUFFER, GL_SRGB8_ALPHA8, GL_SAMPLES, 1, &most);
  targets.m_samples = std::clamp(samples, 1, std::max(1, static_cast<int>(most)));
  targets.m_shadow_size = std::min(shadow_map, static_cast<int>(largest));
  SUPPLE_TRY_VOID(targets.make_shadow());
  SUPPLE_TRY_VOID(targets.make_obscurance());
  SUPPLE_TRY_VOID(targets.make_picture());
  SUPPLE_TRY_VOID(gpu::check_gl(gl, fmt::format("making room for {} x {} pixels", width, height)));
  return targets;
}

gpu::Texture Targets::texture(GLenum format, int width, int height) const {
  gpu::Texture made(*m_gl);
  m_gl->BindTexture(GL_TEXTURE_2D, made.id());
  m_gl->TexStorage2D(GL_TEXTURE_2D, 1, format, width, height);
  m_gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  m_gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  m_gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  m_gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return made;
}

Result<void> Targets::check(const char* what) const {
  if (m_gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return {};
  return bad_input(fmt::format(
      "this GPU cannot draw into {}; set SUPPLE_GPU=software to draw on the processor", what));
}

Result<void> Targets::make_shadow() {
  m_shadow = texture(GL_DEPTH_COMPONENT24, m_shadow_size, m_shadow_size);
  // The same map is read in two ways: as depths, and as the share of neighbours that are farther.
  for (gpu::Sampler* sampler : {&m_compare, &m_plain}) {
    *sampler = gpu::Sampler(*m_gl);
    const GLint filter = sampler == &m_compare ? GL_LINEAR : GL_NEAREST;
    m_gl->SamplerParameteri(sampler->id(), GL_TEXTURE_MIN_FILTER, filter);
    m_gl->SamplerParameteri(sampler->id(), GL_TEXTURE_MAG_FILTER, filter);
    m_gl->SamplerParameteri(sampler->id(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    m_gl->SamplerParameteri(sampler->id(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  }
  m_gl->SamplerParameteri(m_compare.id(), GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  m_gl->SamplerParameteri(m_compare.id(), GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  m_shadow_frame = gpu::Framebuffer(*m_gl);
  m_gl->BindFramebuffer(GL_FRAMEBUFFER, m_shadow_frame.id());
  m_gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, m_shadow.id(), 0);
  const GLenum none = GL_NONE;
  m_gl->DrawBuffers(1, &none);
  m_gl->ReadBuffer(GL_NONE);
  return check("a shadow map");
}

Result<void> Targets::make_obscurance() {
  m_depth = texture(GL_DEPTH_COMPONENT24, m_width, m_height);
  m_normals = texture(GL_RGBA8, m_width, m_height);
  m_normals_frame = gpu::Framebuffer(*m_gl);
  m_gl->BindFramebuffer(GL_FRAMEBUFFER, m_normals_frame.id());
  m_gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, m_depth.id(), 0);
  m_gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m_normals.id(),
                             0);
  SUPPLE_TRY_VOID(check("a texture of normals"));
  for (std::size_t i = 0; i < m_openness.size(); ++i) {
    m_openness[i] = texture(GL_R8, m_width, m_height);
    m_openness_frames[i] = gpu::Framebuffer(*m_gl);
    m_gl->BindFramebuffer(GL_FRAMEBUFFER, m_openness_frames[i].id());
    m_gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                               m_openness[i].id(), 0);
    SUPPLE_TRY_VOID(check("a texture of one channel"));
  }
  return {};
}

Result<void> Targets::make_picture() {
  const auto attach = [&](gpu::Renderbuffer& buffer, GLenum place, GLenum format, int samples) {
    buffer = gpu::Renderbuffer(*m_gl);
    m_gl->BindRenderbuffer(GL_RENDERBUFFER, buffer.id());
    m_gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, m_width, m_height);
    m_gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer.id());
  };
  const int samples = m_samples > 1 ? m_samples : 0;
  m_picture_frame = gpu::Framebuffer(*m_gl);
  m_gl->BindFramebuffer(GL_FRAMEBUFFER, m_picture_frame.id());
  attach(m_colour, GL_COLOR_ATTACHMENT0, GL_SRGB8_ALPHA8, samples);
  attach(m_picture_depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, samples);
  SUPPLE_TRY_VOID(check("a picture with several samples per pixel"));
  m_resolved_frame = gpu::Framebuffer(*m_gl);
  m_gl->BindFramebuffer(GL_FRAMEBUFFER, m_resolved_frame.id());
  attach(m_resolved, GL_COLOR_ATTACHMENT0, GL_SRGB8_ALPHA8, 0);
  return check("a picture");
}

void Targets::begin(GLuint framebuffer, int width, int height) const {
  m_gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  m_gl->Viewport(0, 0, width, height);
}

void Targets::begin_shadow() const {
  begin(m_shadow_frame.id(), m_shadow_size, m_shadow_size);
  m_gl->DepthMask(GL_TRUE);
  m_gl->Clear(GL_DEPTH_BUFFER_BIT);
}

void Targets::begin_normals() const {
  begin(m_normals_frame.id(), m_width, m_height);
  m_gl->DepthMask(GL_TRUE);
  m_gl->ClearColor(0, 0, 0, 0);
  m_gl->Clear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
}

void Targets::begin_openness(std::size_t place) const {
  begin(m_openness_frames[place].id(), m_width, m_height);
}

void Targets::begin_picture() const {
  begin(m_picture_frame.id(), m_width, m_height);
  m_gl->DepthMask(GL_TRUE);
  m_gl->ClearColor(0, 0, 0, 0);
  m_gl->Clear(GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT);
}

Result<io::Image> Targets::read() const {
  m_gl->BindFramebuffer(GL_READ_FRAMEBUFFER, m_picture_frame.id());
  m_gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, m_resolved_frame.id());
  m_gl->BlitFramebuffer(0, 0, m_width, m_height, 0, 0, m_width, m_height, GL_COLOR_BUFFER_BIT,
                        GL_NEAREST);
  m_gl->BindFramebuffer(GL_READ_FRAMEBUFFER, m_resolved_frame.id());
  io::Image image{static_cast<std::size_t>(m_width), static_cast<std::size_t>(m_height), {}};
  const std::size_t row = 4 * image.width;
  std::vector<std::uint8_t> upside_down(row * image.height);
  m_gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
  m_gl->ReadPixels(0, 0, m_width, m_height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
  SUPPLE_TRY_VOID(gpu::check_gl(*m_gl, "reading a picture"));
  image.rgba.resize(upside_down.size());
  for (std::size_t y = 0; y < image.height; ++y) {
    std::memcpy(&image.rgba[y * row], &upside_down[(image.height - 1 - y) * row], row);
  }
  return image;
}

}  // namespace supple::render
