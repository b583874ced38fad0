// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/gpu_measure.hpp"

#include "supple/core/check.hpp"
#include "supple/core/random.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace supple::bench {
namespace {

using gpu::Context;
using gpu::Gl;

constexpr double kRoundSeconds =
    0.005;                              // several calls, so that the launch overhead does not count
constexpr double kWarmUpSeconds = 0.1;  // until a GPU's clock is at its working speed
constexpr std::size_t kGpuRounds = 15;
constexpr int kTries = 60;  // if the GPU's clock keeps jumping; then the CPU's clock is used

double wall() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Time from an idle GPU to an idle GPU.
double wall_round(const Gl& gl, const std::function<void()>& call, int repeats) {
  gl.Finish();
  const double begin = wall();
  for (int i = 0; i < repeats; ++i) call();
  gl.Finish();
  return (wall() - begin) / repeats;
}

bool was_disjoint(const Gl& gl) {
  GLint disjoint = 0;
  gl.GetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);  // reading it also clears it
  return disjoint != 0;
}

/// Empty if the GPU's clock jumped meanwhile, as when it changes speed.
std::optional<double> query_round(const Gl& gl, const std::function<void()>& call, int repeats) {
  const gpu::Query query(gl);
  gl.Finish();
  was_disjoint(gl);
  gl.BeginQuery(GL_TIME_ELAPSED_EXT, query.id());
  for (int i = 0; i < repeats; ++i) call();
  gl.EndQuery(GL_TIME_ELAPSED_EXT);
  gl.Finish();
  GLuint64 nanoseconds = 0;
  gl.GetQueryObjectui64vEXT(query.id(), GL_QUERY_RESULT, &nanoseconds);
  if (was_disjoint(gl)) return {};
  return 1e-9 * static_cast<double>(nanoseconds) / repeats;
}

constexpr std::string_view kCopyShader = R"glsl(
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer source_buffer { vec4 source[]; };
layout(std430, binding = 1) writeonly restrict buffer target_buffer { vec4 target[]; };
void main() {
  uint i = gl_WorkGroupID.x * 1024u + gl_LocalInvocationIndex;
  vec4 a = source[i];
  vec4 b = source[i + 256u];
  vec4 c = source[i + 512u];
  vec4 d = source[i + 768u];
  target[i] = a;
  target[i + 256u] = b;
  target[i + 512u] = c;
  target[i + 768u] = d;
}
)glsl";
constexpr std::size_t kCopyGroupBytes = 1024 * 16;

}  // namespace

double gpu_seconds(const Context& context, const std::function<void()>& call) {
  const Gl& gl = context.gl();
  const double first = wall_round(gl, call, 1);
  const double once = std::min(first, wall_round(gl, call, 1));
  const int repeats = std::clamp(static_cast<int>(kRoundSeconds / once), 1, 64);
  if (!context.is_software()) {
    for (const double begin = wall(); wall() - begin < kWarmUpSeconds;) {
      wall_round(gl, call, repeats);
    }
  }
  const bool timer = context.has_extension("GL_EXT_disjoint_timer_query") &&
                     gl.GetQueryObjectui64vEXT != nullptr && !context.is_software();
  std::vector<double> seconds;
  seconds.reserve(kGpuRounds);
  for (int round = 0; timer && round < kTries && seconds.size() < kGpuRounds; ++round) {
    if (const auto time = query_round(gl, call, repeats)) seconds.push_back(*time);
  }
  while (seconds.size() < kGpuRounds) seconds.push_back(wall_round(gl, call, repeats));
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

Result<double> copy_bandwidth(const Context& context) {
  const Gl& gl = context.gl();
  const std::size_t bytes = std::size_t{context.is_software() ? 32U : 512U} << 20;
  const gpu::Buffer from = gpu::make_empty_buffer(gl, GL_COPY_READ_BUFFER, bytes);
  const gpu::Buffer to = gpu::make_empty_buffer(gl, GL_COPY_WRITE_BUFFER, bytes);
  SUPPLE_TRY_VOID(gpu::check_gl(gl, "two buffers to copy between"));
  double best = gpu_seconds(context, [&] {
    gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                         static_cast<GLsizeiptr>(bytes));
  });
  if (context.has_compute()) {
    SUPPLE_TRY(const gpu::Program program,
               gpu::Program::compute(gl, gpu::ShaderSource("copy", "310 es").text(kCopyShader)));
    program.use();
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, from.id());
    gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, to.id());
    const auto groups = static_cast<GLuint>(bytes / kCopyGroupBytes);
    best = std::min(best, gpu_seconds(context, [&] { gl.DispatchCompute(groups, 1, 1); }));
  }
  SUPPLE_TRY_VOID(gpu::check_gl(gl, "copying"));
  return 2 * static_cast<double>(bytes) / best;
}

Crowd::Crowd(const AssetSpec& spec, OpenAsset asset, std::uint32_t characters)
    : m_spec(spec),
      m_asset(std::move(asset)),
      m_characters(characters),
      m_positions(std::size_t{3} * spec.vertices),
      m_normals(std::size_t{3} * spec.vertices) {}

Result<Crowd> Crowd::make(const AssetSpec& spec, std::uint32_t characters) {
  SUPPLE_TRY(OpenAsset asset, OpenAsset::make(spec));
  Crowd crowd(spec, std::move(asset), characters);
  Random random(3);
  for (std::vector<float>* rest : {&crowd.m_positions, &crowd.m_normals}) {
    for (float& number : *rest) number = static_cast<float>(2 * random.uniform() - 1);
  }
  Eigen::Map<Eigen::Matrix3Xf>(crowd.m_normals.data(), 3, spec.vertices).colwise().normalize();
  crowd.play();
  return crowd;
}

/// One player runs through the motion; every character gets one of its frames.
void Crowd::play() {
  supple_gpu_layout layout{};
  SUPPLE_CHECK(supple_asset_gpu_layout(asset(), &layout) == SUPPLE_OK);
  const std::size_t row = std::size_t{4} * layout.coefficient_texels;
  m_coefficients.resize(row * m_characters);
  const Player player = make_player(m_asset);
  const std::vector<std::uint32_t> checked{0, m_characters / 2, m_characters - 1};
  supple_deformation deformation{};
  deformation.rest_positions = {m_positions.data(), 0};
  deformation.rest_normals = {m_normals.data(), 0};
  m_references.reserve(checked.size());
  for (std::uint32_t i = 0; i < m_characters; ++i) {
    float matrix[16];
    Swing().at(i / 60.0, matrix);
    for (std::uint32_t object = 0; object < m_spec.objects; ++object) {
      supple_player_set_bone_matrix(player.get(), object, matrix);
    }
    supple_player_step(player.get(), 1.0 / 60);
    supple_player_gpu_coefficients(player.get(), m_coefficients.data() + row * i);
    if (std::find(checked.begin(), checked.end(), i) == checked.end()) continue;
    Reference reference{i, std::vector<float>(std::size_t{6} * m_spec.vertices)};
    const std::size_t stride = 6 * sizeof(float);
    deformation.positions = {reference.vertices.data(), stride};
    deformation.normals = {reference.vertices.data() + 3, stride};
    SUPPLE_CHECK(supple_player_deform(player.get(), &deformation) == SUPPLE_OK);
    m_references.push_back(std::move(reference));
  }
}

gpu::RestMesh Crowd::rest() const {
  gpu::RestMesh rest;
  rest.positions = m_positions;
  rest.normals = m_normals;
  return rest;
}

double Crowd::bytes() const {
  const double shapes =
      static_cast<double>(m_spec.objects * m_spec.modes) * 6 * (m_spec.float32 ? 4 : 2);
  const double vertex = 6 * sizeof(float);
  return m_spec.vertices * (m_characters * vertex + vertex + shapes);
}

Result<double> Crowd::difference(const gpu::ModalMesh& mesh) const {
  double largest = 0;
  for (const Reference& reference : m_references) {
    SUPPLE_TRY(const std::vector<float> vertices, mesh.read(reference.character));
    SUPPLE_CHECK_OP(vertices.size(), ==, reference.vertices.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const double difference = std::abs(double{vertices[i]} - double{reference.vertices[i]});
      if (!(difference <= largest)) largest = difference;  // NaN counts as a difference
    }
  }
  return largest / std::sqrt(12.0);  // the diagonal of a cube of 2
}

Result<gpu::ModalMesh> upload(const Context& context, const Crowd& crowd, gpu::ModalPath path,
                              const std::optional<gpu::CrowdTuning>& tuning) {
  SUPPLE_TRY(gpu::ModalMesh mesh, gpu::ModalMesh::create(context, crowd.asset(), crowd.rest(),
                                                         {path, crowd.characters(), tuning}));
  mesh.set_coefficients(crowd.coefficients());
  return mesh;
}

}  // namespace supple::bench
