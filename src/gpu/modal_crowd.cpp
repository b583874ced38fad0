// SPDX-License-Identifier: Apache-2.0
// The path of the compute shader.
#include "supple/gpu/modal_mesh.hpp"

#include "gpu/packed_shapes.hpp"

#include "supple/core/check.hpp"

#include <algorithm>

namespace supple::gpu {
namespace {

constexpr std::size_t kBlock = 16;  // vertices that share an entry of the table
enum Binding : GLuint { Shapes, Table, Rest, Vertices };

std::size_t rounded_up(std::size_t number, std::size_t to) {
  return (number + to - 1) / to * to;
}

/// Limit of workgroups along one dimension.
GLuint groups(std::size_t work, std::size_t each) {
  return static_cast<GLuint>((work + each - 1) / each);
}

/// Rows of `stride` numbers, see modal_crowd.comp.
class RestRows {
 public:
  explicit RestRows(std::size_t stride) : m_stride(stride) {}

  /// Adds a row for each of the `width` numbers that a vertex has in `values`.
  template <class Number>
  void add(std::span<const Number> values, std::size_t width) {
    const std::size_t begin = m_numbers.size();
    m_numbers.resize(begin + width * m_stride);
    for (std::size_t i = 0; i < values.size(); ++i) {
      m_numbers[begin + i % width * m_stride + i / width] = static_cast<float>(values[i]);
    }
  }
  [[nodiscard]] std::span<const float> numbers() const { return m_numbers; }

 private:
  std::size_t m_stride;
  std::vector<float> m_numbers;
};

/// Every OpenGL ES 3.1 has 16 KiB of shared memory; staging is allocated first.
bool coefficients_fit(const Gl& gl, const CrowdTuning& tuning, std::size_t texels) {
  GLint bytes = 0;
  gl.GetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &bytes);
  const std::size_t stage = 6 * sizeof(float) * tuning.stage * tuning.threads;
  return stage + texels * 4 * sizeof(float) * tuning.tile <= static_cast<std::size_t>(bytes);
}

Result<void> check_storage(const Gl& gl, std::size_t bytes) {
  GLint64 most = 0;
  gl.GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
  if (bytes <= static_cast<std::size_t>(most)) return {};
  return bad_input("the crowd needs a buffer of " + std::to_string(bytes) +
                   " bytes, but this GPU's limit is " + std::to_string(most) +
                   "; compute fewer instances at a time");
}

/// The parameters that distinguish programs made from modal_crowd.comp.
struct CrowdKind {
  bool shells = false;
  bool linear = false;
};

Result<Program> link_crowd_program(const Gl& gl, const ModalShapes& shapes, const RestMesh& rest,
                                   const CrowdTuning& tuning, const CrowdKind& kind) {
  const std::size_t texels = shapes.coefficient_texels();
  const bool shared = tuning.shared_coefficients && coefficients_fit(gl, tuning, texels);
  ShaderSource source("modal_crowd", "310 es");
  source.define("SUPPLE_THREADS", static_cast<int>(tuning.threads))
      .define("SUPPLE_TILE", static_cast<int>(tuning.tile))
      .define("SUPPLE_REPEAT", static_cast<int>(tuning.repeat))
      .define("SUPPLE_STAGE", static_cast<int>(tuning.stage))
      .define("SUPPLE_COEFFICIENT_TEXELS", shared ? static_cast<int>(texels) : 0);
  if (shapes.has_float_shapes()) source.define("SUPPLE_FLOAT_SHAPES");
  if (!rest.tangents.empty()) source.define("SUPPLE_TANGENTS");
  source.chunk("surface");
  if (kind.shells) source.define("SUPPLE_SHELLS").chunk("warping");
  if (kind.linear) source.define("SUPPLE_LINEAR");
  if (rest.influences > 0) {
    source.define("SUPPLE_SKIN", static_cast<int>(rest.influences)).chunk("skinning");
  }
  return Program::compute(gl, source.chunk("modal_crowd"));
}

RestRows rest_rows(const RestMesh& rest, std::size_t stride) {
  RestRows rows(stride);
  rows.add(rest.positions, 3);
  rows.add(rest.normals, 3);
  if (!rest.tangents.empty()) rows.add(rest.tangents, 3);
  if (rest.influences > 0) {
    rows.add(rest.weights, rest.influences);
    rows.add(rest.joints, rest.influences);
  }
  return rows;
}

std::vector<supple_object_info> objects_of(const supple_asset* asset) {
  std::vector<supple_object_info> objects(info_of(asset).object_count);
  for (std::uint32_t i = 0; i < objects.size(); ++i) {
    SUPPLE_CHECK(supple_asset_object(asset, i, &objects[i]) == SUPPLE_OK);
  }
  return objects;
}

/// For one object.
std::size_t most_modes(const std::vector<supple_object_info>& objects) {
  std::size_t most = 0;
  for (const supple_object_info& object : objects) {
    most = std::max<std::size_t>(most, object.mode_count);
  }
  return most;
}

bool has_shells(const std::vector<supple_object_info>& objects) {
  return std::any_of(objects.begin(), objects.end(),
                     [](const supple_object_info& o) { return o.kind == SUPPLE_SHELL; });
}

}  // namespace

CrowdTuning default_crowd_tuning(std::size_t modes) {
  constexpr std::size_t kFew = 8;
  CrowdTuning tuning;
  if (modes > kFew) {  // reading the shapes takes longer than writing the result
    tuning.tile = 8;
    tuning.repeat = 1;
  }
  return tuning;
}

Result<void> ModalMesh::create_compute(const supple_asset* asset, const RestMesh& rest) {
  const Gl& gl = *m_gl;
  const std::vector<supple_object_info> objects = objects_of(asset);
  CrowdTuning& tuning = m_tuning;
  tuning = m_settings.crowd.value_or(default_crowd_tuning(most_modes(objects)));
  if (!rest.tangents.empty()) tuning.stage = 0;
  SUPPLE_CHECK(tuning.threads % kBlock == 0 && tuning.threads > 0 && tuning.repeat > 0);
  SUPPLE_CHECK(tuning.tile == 1 || tuning.tile == 2 || tuning.tile == 4 || tuning.tile == 8 ||
               tuning.tile == 16);
  SUPPLE_CHECK(tuning.stage == 0 || tuning.tile % tuning.stage == 0);
  m_stride = rounded_up(m_shapes.vertex_count(), kBlock);
  const std::size_t bytes = m_stride * m_floats * sizeof(float) * m_settings.instances;
  SUPPLE_TRY_VOID(check_storage(gl, bytes));

  SUPPLE_TRY(m_program, link_crowd_program(gl, m_shapes, rest, tuning,
                                           {has_shells(objects), m_settings.linear}));

  const PackedShapes packed = pack_shapes(asset);
  SUPPLE_TRY_VOID(check_storage(gl, packed.shapes.size()));

  constexpr GLenum kStorage = GL_SHADER_STORAGE_BUFFER;
  m_buffers.push_back(make_buffer(gl, kStorage, std::span<const std::byte>(packed.shapes)));
  m_buffers.push_back(make_buffer(gl, kStorage, std::span<const std::uint32_t>(packed.table)));
  m_buffers.push_back(make_buffer(gl, kStorage, rest_rows(rest, m_stride).numbers()));
  m_output = make_empty_buffer(gl, kStorage, bytes);
  return {};
}

void ModalMesh::evaluate_compute() const {
  const CrowdTuning& tuning = m_tuning;
  bind_textures();
  m_gl->Uniform1ui(m_program.uniform("supple_stride"), static_cast<GLuint>(m_stride));
  m_gl->Uniform1ui(m_program.uniform("supple_instances"), m_settings.instances);
  for (const Binding binding : {Shapes, Table, Rest}) {
    m_gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, m_buffers[binding].id());
  }
  m_gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, Vertices, m_output.id());
  m_gl->DispatchCompute(groups(m_stride, tuning.threads),
                        groups(m_settings.instances, std::size_t{tuning.tile} * tuning.repeat), 1);
  m_gl->MemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT |
                      GL_BUFFER_UPDATE_BARRIER_BIT);
}

}  // namespace supple::gpu
