// SPDX-License-Identifier: Apache-2.0
#include "supple/gpu/modal_mesh.hpp"

#include "supple/core/check.hpp"

#include "supple.h"

#include <cstring>

namespace supple::gpu {
namespace {

Result<void> check_sizes(const RestMesh& rest, const supple_asset* asset) {
  supple_asset_info info{};
  SUPPLE_CHECK(supple_asset_describe(asset, &info) == SUPPLE_OK);
  const std::size_t floats = std::size_t{3} * info.vertex_count;
  if (info.vertex_count == 0) return bad_input("the asset moves no vertices");
  if (rest.positions.size() != floats || rest.normals.size() != floats ||
      (!rest.tangents.empty() && rest.tangents.size() != floats)) {
    return bad_input("the mesh has " + std::to_string(rest.positions.size() / 3) +
                     " positions and " + std::to_string(rest.normals.size() / 3) +
                     " normals, but the asset was made for " + std::to_string(info.vertex_count) +
                     " vertices; use the mesh from the bake");
  }
  const std::size_t influences = std::size_t{rest.influences} * info.vertex_count;
  SUPPLE_CHECK(rest.influences == 0 || rest.influences == 4 || rest.influences == 8);
  if (rest.joints.size() != influences || rest.weights.size() != influences) {
    return bad_input("the skin has " + std::to_string(rest.joints.size()) + " joints and " +
                     std::to_string(rest.weights.size()) + " weights where " +
                     std::to_string(influences) + " are needed");
  }
  return {};
}

}  // namespace

Result<ModalMesh> ModalMesh::create(const Context& context, const supple_asset* asset,
                                    const RestMesh& rest, const ModalMeshSettings& settings) {
  SUPPLE_CHECK(settings.instances > 0);
  SUPPLE_TRY_VOID(check_sizes(rest, asset));
  if (settings.path == ModalPath::Compute && !context.has_compute()) {
    return bad_input("the GPU '" + context.names().renderer +
                     "' has no compute shaders (OpenGL ES 3.1); use textures");
  }
  ModalMesh mesh;
  mesh.m_gl = &context.gl();
  mesh.m_settings = settings;
  mesh.m_floats = rest.tangents.empty() ? 6 : 9;
  SUPPLE_TRY(mesh.m_shapes, ModalShapes::create(*mesh.m_gl, asset, settings.path));
  SUPPLE_TRY(
      mesh.m_coefficients,
      InstanceTexture::create(*mesh.m_gl, mesh.m_shapes.coefficient_texels(), settings.instances));
  if (rest.influences > 0) {
    SUPPLE_TRY(
        mesh.m_palettes,
        InstanceTexture::create(*mesh.m_gl, std::size_t{4} * rest.joint_count, settings.instances));
  }
  if (settings.path == ModalPath::Compute) {
    SUPPLE_TRY_VOID(mesh.create_compute(asset, rest));
  } else {
    SUPPLE_TRY_VOID(mesh.create_drawn(rest));
  }
  SUPPLE_TRY_VOID(
      check_gl(*mesh.m_gl, "the vertices of " + std::to_string(settings.instances) + " instances"));
  return mesh;
}

std::size_t ModalMesh::coefficient_floats() const {
  return m_coefficients.floats_per_row();
}

void ModalMesh::set_coefficients(std::span<const float> rows) {
  SUPPLE_CHECK_OP(rows.size(), ==, coefficient_floats() * m_settings.instances);
  m_coefficients.upload(rows);
}

void ModalMesh::set_palettes(std::span<const float> matrices) {
  SUPPLE_CHECK_OP(matrices.size(), ==, m_palettes.floats_per_row() * m_settings.instances);
  m_palettes.upload(matrices);
}

void ModalMesh::bind_textures() const {
  m_program.use();
  m_shapes.bind(m_program, 0);
  m_coefficients.bind(ModalShapes::kUnits);
  m_gl->Uniform1i(m_program.uniform("supple_coefficients"), ModalShapes::kUnits);
  if (m_palettes.floats_per_row() > 0) {
    m_palettes.bind(ModalShapes::kUnits + 1);
    m_gl->Uniform1i(m_program.uniform("supple_palette"), ModalShapes::kUnits + 1);
  }
}

void ModalMesh::evaluate() const {
  if (m_settings.path == ModalPath::Compute) {
    evaluate_compute();
  } else {
    draw(true);
  }
}

Result<std::vector<float>> ModalMesh::read(std::uint32_t instance) const {
  SUPPLE_CHECK(instance < m_settings.instances);
  std::vector<float> numbers(m_floats * m_shapes.vertex_count());
  const std::size_t bytes = numbers.size() * sizeof(float);
  const std::size_t begin = instance * m_stride * m_floats * sizeof(float);
  // Through a separate buffer for reading: drivers move mapped buffers to CPU memory permanently.
  const Buffer copy = make_empty_buffer(*m_gl, GL_COPY_WRITE_BUFFER, bytes, GL_STREAM_READ);
  m_gl->BindBuffer(GL_COPY_READ_BUFFER, m_output.id());
  m_gl->CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(begin),
                          0, static_cast<GLsizeiptr>(bytes));
  const void* mapped = m_gl->MapBufferRange(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes),
                                            GL_MAP_READ_BIT);
  if (mapped == nullptr) {
    SUPPLE_TRY_VOID(check_gl(*m_gl, "reading vertices back"));
    return io_error("the driver cannot map the buffer of vertices");
  }
  std::memcpy(numbers.data(), mapped, bytes);
  m_gl->UnmapBuffer(GL_COPY_WRITE_BUFFER);
  return numbers;
}

}  // namespace supple::gpu
