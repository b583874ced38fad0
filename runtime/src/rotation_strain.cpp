// SPDX-License-Identifier: Apache-2.0
#include "detail.hpp"
#include "shapes.hpp"
#include "shell.hpp"
#include "warp.hpp"

#include <cstring>

namespace supple::player {
namespace {

/// Rest positions in, positions out, of one shell: every triangle's strained edges are turned by
/// the triangle's own rotation, and one Laplacian solve joins them (docs/shells.md).
class RotationStrain {
 public:
  RotationStrain(supple_player& player, const ShellState& shell, const supple_stream_in& rest)
      : m_asset(*player.asset),
        m_object(shell.file->object),
        m_view(strain_view(*player.asset, *shell.file)),
        m_coefficients(player.coefficients),
        m_p(shell.node_displacements),
        m_x(shell.node_positions),
        m_rest(rest) {}

  void solve() {
    std::memset(m_x, 0, 3 * std::size_t{m_view.nodes} * sizeof(double));
    for (std::uint32_t node = 0; node < m_view.nodes; ++node) displace(node);
    for (std::uint32_t t = 0; t < m_view.triangles; ++t) add_triangle(t);
    substitute();
  }

  void write(const supple_stream_out& out) const {
    const std::size_t stride = out.stride == 0 ? 3 * sizeof(float) : out.stride;
    auto* bytes = reinterpret_cast<unsigned char*>(out.data);
    for (std::uint32_t i = 0; i < m_view.vertices; ++i) {
      const double* x = m_x + 3 * std::size_t{m_view.node_of_vertex[i]};
      const float place[3] = {static_cast<float>(x[0]), static_cast<float>(x[1]),
                              static_cast<float>(x[2])};
      std::memcpy(bytes + m_view.vertex[i] * stride, place, sizeof place);
    }
  }

 private:
  [[nodiscard]] Vec3 rest_of(std::uint32_t node) const {
    const std::size_t stride = m_rest.stride == 0 ? 3 * sizeof(float) : m_rest.stride;
    float x[3];
    std::memcpy(
        x,
        reinterpret_cast<const unsigned char*>(m_rest.data) + m_view.vertex_of_node[node] * stride,
        sizeof x);
    return {x[0], x[1], x[2]};
  }
  [[nodiscard]] Vec3 p_of(std::uint32_t node) const {
    const float* p = m_p + 3 * std::size_t{node};
    return {p[0], p[1], p[2]};
  }
  void put(std::uint32_t node, Vec3 v) {
    double* x = m_x + 3 * std::size_t{node};
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
  }
  void add(std::uint32_t node, Vec3 v) {
    double* x = m_x + 3 * std::size_t{node};
    x[0] += v.x;
    x[1] += v.y;
    x[2] += v.z;
  }

  /// The linear displacement of a node; one that is held stands where warping has it, which for a
  /// fixed node is where it is at rest.
  void displace(std::uint32_t node) {
    const std::uint32_t vertex = m_view.vertex_of_node[node];
    const format::Object& object = m_asset.objects[m_object];
    const format::Entry* entry = entry_of(m_asset, vertex, m_object);
    const VertexSum sum = entry == nullptr
                              ? VertexSum{}
                              : vertex_sum(m_asset, *entry, vertex % format::kBlock,
                                           m_coefficients + object.first_mode, object.mode_count);
    const Vec3 w = sum.second;
    float* p = m_p + 3 * std::size_t{node};
    p[0] = static_cast<float>(sum.displacement.x);
    p[1] = static_cast<float>(sum.displacement.y);
    p[2] = static_cast<float>(sum.displacement.z);
    if (node < m_view.free_nodes) return;
    const ExactWarp f = exact_warp(w);
    put(node, rest_of(node) + turned(w, f.b, f.c, sum.displacement));
  }
  [[nodiscard]] Vec3 held_at(std::uint32_t node) const {
    const double* x = m_x + 3 * std::size_t{node};
    return {x[0], x[1], x[2]};
  }

  /// [CWK07 eq. 13]: with r the corners from their centre, (sum |r|^2 I - r r^T) w = sum r x u.
  [[nodiscard]] static Vec3 rotation(const Vec3 x[3], const Vec3 u[3]) {
    const Vec3 centre = (1.0 / 3) * (x[0] + x[1] + x[2]);
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    Vec3 torque{};
    for (int i = 0; i < 3; ++i) {
      const Vec3 r = x[i] - centre;
      xx += r.y * r.y + r.z * r.z;
      yy += r.x * r.x + r.z * r.z;
      zz += r.x * r.x + r.y * r.y;
      xy -= r.x * r.y;
      xz -= r.x * r.z;
      yz -= r.y * r.z;
      torque = torque + cross(r, u[i]);
    }
    const Vec3 a{xx, xy, xz};
    const Vec3 b{xy, yy, yz};
    const Vec3 c{xz, yz, zz};
    const double volume = dot(a, cross(b, c));
    if (!(volume > 0)) return {};
    return (1 / volume) *
           Vec3{dot(torque, cross(b, c)), dot(torque, cross(c, a)), dot(torque, cross(a, b))};
  }

  void add_triangle(std::uint32_t t) {
    const std::uint32_t* nodes = m_view.corners + 3 * std::size_t{t};
    Vec3 x[3];
    Vec3 u[3];
    for (int i = 0; i < 3; ++i) {
      x[i] = rest_of(nodes[i]);
      u[i] = p_of(nodes[i]);
    }
    const Vec3 w = rotation(x, u);
    const ExactWarp f = exact_warp(w);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const double weight =
          m_view.cotangents[3 * std::size_t{t} + static_cast<std::size_t>(3 - i - j)];
      const Vec3 edge = x[j] - x[i];
      const Vec3 strained = edge + (u[j] - u[i]) - cross(w, edge);
      const Vec3 pull = weight * turned(w, f.a, f.b, strained);
      add_end(nodes[i], nodes[j], weight, -1.0 * pull);
      add_end(nodes[j], nodes[i], weight, pull);
    }
  }

  /// Right-hand side of a free node; what is tied to a held one goes there too.
  void add_end(std::uint32_t node, std::uint32_t other, double weight, Vec3 pull) {
    if (node >= m_view.free_nodes) return;
    add(node, pull);
    if (other >= m_view.free_nodes) add(node, weight * held_at(other));
  }

  /// L L^T x = b in place, three columns at once.
  void substitute() {
    const std::uint32_t n = m_view.free_nodes;
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t first = m_view.starts[j];
      double* x = m_x + 3 * std::size_t{j};
      const double inverse = 1 / m_view.values[first];
      for (int c = 0; c < 3; ++c) x[c] *= inverse;
      for (std::uint32_t i = first + 1; i < m_view.starts[j + 1]; ++i) {
        double* y = m_x + 3 * std::size_t{m_view.rows[i]};
        const double value = m_view.values[i];
        for (int c = 0; c < 3; ++c) y[c] -= value * x[c];
      }
    }
    for (std::uint32_t j = n; j-- > 0;) {
      const std::uint32_t first = m_view.starts[j];
      double* x = m_x + 3 * std::size_t{j};
      for (std::uint32_t i = first + 1; i < m_view.starts[j + 1]; ++i) {
        const double* y = m_x + 3 * std::size_t{m_view.rows[i]};
        const double value = m_view.values[i];
        for (int c = 0; c < 3; ++c) x[c] -= value * y[c];
      }
      const double inverse = 1 / m_view.values[first];
      for (int c = 0; c < 3; ++c) x[c] *= inverse;
    }
  }

  const supple_asset& m_asset;
  std::uint32_t m_object;
  StrainView m_view;
  const float* m_coefficients;
  float* m_p;
  double* m_x;
  const supple_stream_in& m_rest;
};

}  // namespace
}  // namespace supple::player

using namespace supple;

extern "C" supple_status supple_player_rotation_strain(supple_player* player, uint32_t object,
                                                       const supple_stream_in* rest_positions,
                                                       const supple_stream_out* positions) {
  if (!player::has_object(player, object) || !player::given(rest_positions, "rest_positions") ||
      !player::given(positions, "positions") ||
      !player::given(rest_positions->data, "rest_positions.data") ||
      !player::given(positions->data, "positions.data")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  constexpr size_t kPacked = 3 * sizeof(float);
  if ((rest_positions->stride != 0 && rest_positions->stride < kPacked) ||
      (positions->stride != 0 && positions->stride < kPacked)) {
    return player::bad_argument("a stride is below 12 bytes");
  }
  const player::ShellState* shell = player::find_shell(*player, object);
  if (shell == nullptr || shell->file->strain == format::kNone) {
    return player::bad_argument("the object has no rotation-strain solve");
  }
  player::RotationStrain strain(*player, *shell, *rest_positions);
  strain.solve();
  strain.write(*positions);
  return SUPPLE_OK;
}
