// SPDX-License-Identifier: Apache-2.0
#include "render/drawn_asset_data.hpp"

#include "supple/core/log.hpp"

#include <algorithm>

namespace supple::render {
namespace {

GLint wrap_code(io::GltfWrap wrap) {
  switch (wrap) {
    case io::GltfWrap::Clamp:
      return GL_CLAMP_TO_EDGE;
    case io::GltfWrap::Mirror:
      return GL_MIRRORED_REPEAT;
    case io::GltfWrap::Repeat:
      break;
  }
  return GL_REPEAT;
}

GLsizei mip_levels(std::size_t width, std::size_t height) {
  GLsizei levels = 1;
  for (std::size_t side = std::max(width, height); side > 1; side /= 2) ++levels;
  return levels;
}

}  // namespace

TextureStore::TextureStore(const gpu::Context& context, const io::GltfMaterials& materials)
    : m_context(context),
      m_gl(context.gl()),
      m_source(materials),
      m_uploaded(materials.images.size(), {0, 0}) {}

GLuint TextureStore::upload(std::size_t image, bool srgb) {
  GLuint& known = m_uploaded[image][srgb ? 1 : 0];
  const io::Image& picture = m_source.images[image];
  if (known != 0 || picture.width == 0) return known;
  GLint largest = 0;
  m_gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (std::max(picture.width, picture.height) > static_cast<std::size_t>(largest)) {
    log::warn("an image of {} x {} pixels is shown white: this GPU's limit is {}", picture.width,
              picture.height, largest);
    return 0;
  }
  gpu::Texture texture(m_gl);
  m_gl.BindTexture(GL_TEXTURE_2D, texture.id());
  m_gl.TexStorage2D(GL_TEXTURE_2D, mip_levels(picture.width, picture.height),
                    srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8, static_cast<GLsizei>(picture.width),
                    static_cast<GLsizei>(picture.height));
  m_gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(picture.width),
                     static_cast<GLsizei>(picture.height), GL_RGBA, GL_UNSIGNED_BYTE,
                     picture.rgba.data());
  m_gl.GenerateMipmap(GL_TEXTURE_2D);
  known = texture.id();
  m_textures.push_back(std::move(texture));
  return known;
}

SceneTexture TextureStore::texture(const std::optional<io::GltfTexture>& use, bool srgb) {
  SceneTexture result;
  if (!use) return result;
  result.used = true;
  result.transform = use->transform;
  result.texture = upload(use->image, srgb);
  result.sampler = gpu::Sampler(m_gl);
  const GLuint sampler = result.sampler.id();
  m_gl.SamplerParameteri(sampler, GL_TEXTURE_WRAP_S, wrap_code(use->wrap_u));
  m_gl.SamplerParameteri(sampler, GL_TEXTURE_WRAP_T, wrap_code(use->wrap_v));
  m_gl.SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  m_gl.SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, use->nearest ? GL_NEAREST : GL_LINEAR);
  if (m_context.has_extension("GL_EXT_texture_filter_anisotropic") && !use->nearest) {
    constexpr float kAnisotropy = 8;
    m_gl.SamplerParameterf(sampler, GL_TEXTURE_MAX_ANISOTROPY_EXT, kAnisotropy);
  }
  return result;
}

std::vector<SceneMaterial> TextureStore::materials() {
  std::vector<SceneMaterial> result;
  result.reserve(m_source.materials.size() + 1);
  for (const io::GltfMaterial& look : m_source.materials) {
    SceneMaterial& material = result.emplace_back();
    material.look = look;
    material.textures[BaseColour] = texture(look.base_colour_texture, true);
    material.textures[MetallicRoughness] = texture(look.metallic_roughness_texture, false);
    material.textures[NormalMap] = texture(look.normal_texture, false);
    material.textures[Occlusion] = texture(look.occlusion_texture, false);
    material.textures[Emissive] = texture(look.emissive_texture, true);
    // An unreadable normal map is dropped; white would tilt every normal.
    if (material.textures[NormalMap].texture == 0) material.textures[NormalMap].used = false;
  }
  // Without a material: clay. glTF's own default is rough metal, which shows little of the shape,
  // and white would hide the shape of the lit side.
  SceneMaterial& clay = result.emplace_back();
  clay.look.base_colour = Eigen::Vector4d(0.38, 0.365, 0.35, 1);
  clay.look.metallic = 0;
  clay.look.roughness = 0.65;
  return result;
}

}  // namespace supple::render
