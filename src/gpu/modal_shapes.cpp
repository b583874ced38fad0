// SPDX-License-Identifier: Apache-2.0
#include "supple/gpu/modal_shapes.hpp"

#include "gpu/packed_shapes.hpp"

#include "supple/core/check.hpp"

namespace supple::gpu {
namespace {

constexpr GLuint kShapeAttributes = 8;

void bind_new(const Gl& gl, GLenum target, const Texture& texture) {
  gl.BindTexture(target, texture.id());
  gl.TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  gl.PixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

Result<void> check_limit(const Gl& gl, GLenum limit, std::size_t wanted, const std::string& what) {
  GLint most = 0;
  gl.GetIntegerv(limit, &most);
  if (wanted <= static_cast<std::size_t>(most)) return {};
  return bad_input(what + " needs a texture of " + std::to_string(wanted) +
                   " rows, columns or layers, but this GPU's limit is " + std::to_string(most) +
                   "; use fewer instances at a time or fewer modes");
}

supple_gpu_layout layout_of(const supple_asset* asset) {
  supple_gpu_layout layout{};
  SUPPLE_CHECK(supple_asset_gpu_layout(asset, &layout) == SUPPLE_OK);
  return layout;
}

}  // namespace

supple_asset_info info_of(const supple_asset* asset) {
  supple_asset_info info{};
  SUPPLE_CHECK(supple_asset_describe(asset, &info) == SUPPLE_OK);
  return info;
}

PackedShapes pack_shapes(const supple_asset* asset) {
  PackedShapes packed;
  packed.layout = layout_of(asset);
  packed.floats = info_of(asset).encoding_bits == 32;
  const std::size_t row = std::size_t{4} * packed.layout.width;
  packed.shapes.resize(row * packed.layout.shape_height * packed.layout.shape_layers *
                       (packed.floats ? sizeof(float) : sizeof(std::int16_t)));
  packed.table.resize(row * packed.layout.table_height);
  SUPPLE_CHECK(supple_asset_gpu_textures(asset, packed.shapes.data(), packed.table.data()) ==
               SUPPLE_OK);
  return packed;
}

Result<InstanceTexture> InstanceTexture::create(const Gl& gl, std::size_t texels,
                                                std::size_t instances) {
  SUPPLE_CHECK(texels > 0 && instances > 0);
  SUPPLE_TRY_VOID(check_limit(gl, GL_MAX_TEXTURE_SIZE, texels, "a row of numbers per instance"));
  SUPPLE_TRY_VOID(check_limit(gl, GL_MAX_TEXTURE_SIZE, instances, "a row of numbers per instance"));
  InstanceTexture made;
  made.m_gl = &gl;
  made.m_texture = Texture(gl);
  made.m_texels = texels;
  made.m_instances = instances;
  bind_new(gl, GL_TEXTURE_2D, made.m_texture);
  gl.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, static_cast<GLsizei>(texels),
                  static_cast<GLsizei>(instances));
  SUPPLE_TRY_VOID(check_gl(gl, "a texture of numbers per instance"));
  return made;
}

void InstanceTexture::upload(std::span<const float> rows, std::size_t first) const {
  SUPPLE_CHECK(rows.size() % floats_per_row() == 0);
  const std::size_t count = rows.size() / floats_per_row();
  SUPPLE_CHECK(first + count <= m_instances);
  m_gl->BindTexture(GL_TEXTURE_2D, m_texture.id());
  m_gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(first),
                      static_cast<GLsizei>(m_texels), static_cast<GLsizei>(count), GL_RGBA,
                      GL_FLOAT, rows.data());
}

void InstanceTexture::bind(GLuint unit) const {
  m_gl->ActiveTexture(GL_TEXTURE0 + unit);
  m_gl->BindTexture(GL_TEXTURE_2D, m_texture.id());
}

Result<ModalShapes> ModalShapes::create(const Gl& gl, const supple_asset* asset, ModalPath path) {
  ModalShapes made;
  made.m_gl = &gl;
  made.m_path = path;
  const supple_asset_info info = info_of(asset);
  made.m_float = info.encoding_bits == 32;
  made.m_vertex_count = info.vertex_count;
  made.m_coefficient_texels = layout_of(asset).coefficient_texels;
  if (path == ModalPath::Textures) SUPPLE_TRY_VOID(made.upload_textures(asset));
  if (path == ModalPath::Attributes) SUPPLE_TRY_VOID(made.upload_attributes(asset));
  return made;
}

Result<void> ModalShapes::upload_textures(const supple_asset* asset) {
  const supple_gpu_layout layout = layout_of(asset);
  SUPPLE_TRY_VOID(check_limit(*m_gl, GL_MAX_ARRAY_TEXTURE_LAYERS, layout.shape_layers,
                              "the flesh of this asset"));
  SUPPLE_TRY_VOID(
      check_limit(*m_gl, GL_MAX_TEXTURE_SIZE, layout.table_height, "the table of this asset"));
  const auto width = static_cast<GLsizei>(layout.width);
  const auto height = static_cast<GLsizei>(layout.shape_height);
  const auto layers = static_cast<GLsizei>(layout.shape_layers);
  const PackedShapes packed = pack_shapes(asset);

  m_shapes = Texture(*m_gl);
  bind_new(*m_gl, GL_TEXTURE_2D_ARRAY, m_shapes);
  m_gl->TexStorage3D(GL_TEXTURE_2D_ARRAY, 1, m_float ? GL_RGBA32F : GL_RGBA16I, width, height,
                     layers);
  m_gl->TexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, width, height, layers,
                      m_float ? GL_RGBA : GL_RGBA_INTEGER, m_float ? GL_FLOAT : GL_SHORT,
                      packed.shapes.data());
  m_table = Texture(*m_gl);
  bind_new(*m_gl, GL_TEXTURE_2D, m_table);
  const auto table_height = static_cast<GLsizei>(layout.table_height);
  m_gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32UI, width, table_height);
  m_gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, table_height, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                      packed.table.data());
  return check_gl(*m_gl, "the textures of the flesh");
}

Result<void> ModalShapes::upload_attributes(const supple_asset* asset) {
  if (layout_of(asset).attributes != kShapeAttributes) {
    return bad_input(
        "this asset does not fit vertex attributes (more than five modes per object, or two "
        "objects on a vertex); use textures");
  }
  std::vector<std::byte> numbers(std::size_t{4} * kShapeAttributes * m_vertex_count *
                                 (m_float ? sizeof(float) : sizeof(std::int16_t)));
  SUPPLE_CHECK(supple_asset_gpu_attributes(asset, 0, m_vertex_count, numbers.data()) == SUPPLE_OK);
  m_attributes = make_buffer(*m_gl, GL_ARRAY_BUFFER, std::span<const std::byte>(numbers));
  return check_gl(*m_gl, "the vertex attributes of the flesh");
}

void ModalShapes::add_to(ShaderSource& source) const {
  SUPPLE_CHECK(m_path != ModalPath::Compute);
  if (m_float) source.define("SUPPLE_FLOAT_SHAPES");
  source.chunk(m_path == ModalPath::Attributes ? "modal_attributes" : "modal_texture")
      .chunk("warping");
}

std::vector<std::pair<std::string, GLuint>> ModalShapes::shape_attributes() {
  std::vector<std::pair<std::string, GLuint>> places;
  places.reserve(kShapeAttributes);
  for (GLuint i = 0; i < kShapeAttributes; ++i) {
    places.emplace_back("supple_shape_" + std::to_string(i), kFirstAttribute + i);
  }
  return places;
}

void ModalShapes::enable_attributes(std::uint32_t first_vertex) const {
  SUPPLE_CHECK(m_path == ModalPath::Attributes);
  const std::size_t vector = 4 * (m_float ? sizeof(float) : sizeof(std::int16_t));
  const std::size_t stride = kShapeAttributes * vector;
  m_gl->BindBuffer(GL_ARRAY_BUFFER, m_attributes.id());
  for (GLuint i = 0; i < kShapeAttributes; ++i) {
    const std::size_t offset = first_vertex * stride + i * vector;
    m_gl->EnableVertexAttribArray(kFirstAttribute + i);
    m_gl->VertexAttribPointer(kFirstAttribute + i, 4, m_float ? GL_FLOAT : GL_SHORT, GL_FALSE,
                              static_cast<GLsizei>(stride), buffer_offset(offset));
  }
}

void ModalShapes::bind(const Program& program, GLuint first_unit) const {
  if (m_path != ModalPath::Textures) return;
  m_gl->ActiveTexture(GL_TEXTURE0 + first_unit);
  m_gl->BindTexture(GL_TEXTURE_2D_ARRAY, m_shapes.id());
  m_gl->ActiveTexture(GL_TEXTURE0 + first_unit + 1);
  m_gl->BindTexture(GL_TEXTURE_2D, m_table.id());
  m_gl->Uniform1i(program.uniform("supple_shapes"), static_cast<GLint>(first_unit));
  m_gl->Uniform1i(program.uniform("supple_table"), static_cast<GLint>(first_unit + 1));
}

}  // namespace supple::gpu
