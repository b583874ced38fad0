// SPDX-License-Identifier: Apache-2.0
#include "rotation_strain.hpp"

#include "detail.hpp"
#include "warp.hpp"

#include <cstring>

namespace supple::player {
namespace {

/// L L^T x = b in place, for kColumns right-hand sides at once.
template <std::size_t kColumns>
void substitute(const StrainView& view, double* values) {
  const std::uint32_t n = view.free_nodes;
  for (std::uint32_t j = 0; j < n; ++j) {
    const std::uint32_t first = view.starts[j];
    double* x = values + kColumns * j;
    const double inverse = 1 / view.values[first];
    for (std::size_t c = 0; c < kColumns; ++c) x[c] *= inverse;
    for (std::uint32_t i = first + 1; i < view.starts[j + 1]; ++i) {
      double* y = values + kColumns * view.rows[i];
      const double value = view.values[i];
      for (std::size_t c = 0; c < kColumns; ++c) y[c] -= value * x[c];
    }
  }
  for (std::uint32_t j = n; j-- > 0;) {
    const std::uint32_t first = view.starts[j];
    double* x = values + kColumns * j;
    for (std::uint32_t i = first + 1; i < view.starts[j + 1]; ++i) {
      const double* y = values + kColumns * view.rows[i];
      const double value = view.values[i];
      for (std::size_t c = 0; c < kColumns; ++c) x[c] -= value * y[c];
    }
    const double inverse = 1 / view.values[first];
    for (std::size_t c = 0; c < kColumns; ++c) x[c] *= inverse;
  }
}

/// M v, M symmetric.
Vec3 times(const Vec3 rows[3], Vec3 v) {
  return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
}

}  // namespace

RotationStrain::RotationStrain(const supple_player& player, const ShellState& shell,
                               const supple_stream_in& rest, bool in_frame)
    : m_asset(*player.asset),
      m_file(player.asset->objects[shell.file->object]),
      m_object(shell.file->object),
      m_view(strain_view(*player.asset, *shell.file)),
      m_rest(rest),
      m_in_frame(in_frame),
      m_p(shell.node_displacements),
      m_x(shell.node_positions),
      m_weights(shell.node_weights) {
  if (m_rest.stride == 0) m_rest.stride = 3 * sizeof(float);
}

SUPPLE_FOR_SIZE Vec3 RotationStrain::rest_of(std::uint32_t node) const {
  const std::size_t index = m_in_frame ? node : m_view.vertex_of_node[node];
  float x[3];
  std::memcpy(x, reinterpret_cast<const unsigned char*>(m_rest.data) + index * m_rest.stride,
              sizeof x);
  return {x[0], x[1], x[2]};
}

Vec3 RotationStrain::displacement_of(std::uint32_t node) const {
  const float* p = m_p + 3 * std::size_t{node};
  return {p[0], p[1], p[2]};
}

SUPPLE_FOR_SIZE Vec3 RotationStrain::place(std::uint32_t node) const {
  const double* x = m_x + 3 * std::size_t{node};
  return {x[0], x[1], x[2]};
}

void RotationStrain::put(std::uint32_t node, Vec3 v) {
  double* x = m_x + 3 * std::size_t{node};
  x[0] = v.x;
  x[1] = v.y;
  x[2] = v.z;
}

SUPPLE_FOR_SIZE void RotationStrain::add(std::uint32_t node, Vec3 v) {
  put(node, place(node) + v);
}

/// From the program's bind space.
SUPPLE_FOR_SIZE Vec3 RotationStrain::in_space(Vec3 displacement) const {
  if (!m_in_frame) return displacement;
  const std::array<double, 12>& m = m_file.frame_from_bind;
  const Vec3 v = (1 / m_asset.world.units_of_file) * m_asset.world.in(displacement);
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[4] * v.x + m[5] * v.y + m[6] * v.z,
          m[8] * v.x + m[9] * v.y + m[10] * v.z};
}

SUPPLE_FOR_SIZE VertexSum RotationStrain::sum_of(std::uint32_t node) const {
  const std::uint32_t vertex = m_view.vertex_of_node[node];
  const format::Entry* entry = entry_of(m_asset, vertex, m_object);
  if (entry == nullptr) return {};
  VertexSum sum = vertex_sum(m_asset, *entry, vertex % format::kBlock, m_q, m_modes);
  sum.displacement = in_space(sum.displacement);
  if (!m_in_frame) return sum;
  double scale = 1;
  sum.second = to_world(bind_rotation(m_file, scale), m_asset.world.turn_in(sum.second));
  return sum;
}

SUPPLE_FOR_SIZE void RotationStrain::displace(const double* q, std::size_t modes) {
  m_q = q;
  m_modes = modes;
  for (std::uint32_t node = 0; node < m_view.nodes; ++node) {
    set(m_p + 3 * std::size_t{node}, sum_of(node).displacement);
  }
}

/// A node that is held stands where warping has it, which for a fixed node is where it is at rest.
SUPPLE_FOR_SIZE void RotationStrain::solve() {
  std::memset(m_x, 0, 3 * std::size_t{m_view.nodes} * sizeof(double));
  for (std::uint32_t node = m_view.free_nodes; node < m_view.nodes; ++node) {
    const VertexSum sum = sum_of(node);
    const ExactWarp f = exact_warp(sum.second);
    put(node, rest_of(node) + turned(sum.second, f.b, f.c, sum.displacement));
  }
  for (std::uint32_t t = 0; t < m_view.triangles; ++t) add_triangle(t);
  substitute<3>(m_view, m_x);
}

void RotationStrain::write(const supple_stream_out& out) const {
  const std::size_t stride = out.stride == 0 ? 3 * sizeof(float) : out.stride;
  auto* bytes = reinterpret_cast<unsigned char*>(out.data);
  for (std::uint32_t i = 0; i < m_view.vertices; ++i) {
    float at[3];
    set(at, place(m_view.node_of_vertex[i]));
    std::memcpy(bytes + m_view.vertex[i] * stride, at, sizeof at);
  }
}

SUPPLE_FOR_SIZE RotationStrain::Corners RotationStrain::corners_of(std::uint32_t triangle) const {
  const std::uint32_t* nodes = m_view.corners + 3 * std::size_t{triangle};
  Corners c{};
  for (int i = 0; i < 3; ++i) {
    c.x[i] = rest_of(nodes[i]);
    c.u[i] = displacement_of(nodes[i]);
  }
  return c;
}

/// [CWK07 eq. 13].
SUPPLE_FOR_SIZE RotationStrain::Spin RotationStrain::spin_of(const Corners& c) {
  const Vec3 centre = (1.0 / 3) * (c.x[0] + c.x[1] + c.x[2]);
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  Spin spin{};
  for (int i = 0; i < 3; ++i) {
    const Vec3 r = spin.r[i] = c.x[i] - centre;
    xx += r.y * r.y + r.z * r.z;
    yy += r.x * r.x + r.z * r.z;
    zz += r.x * r.x + r.y * r.y;
    xy -= r.x * r.y;
    xz -= r.x * r.z;
    yz -= r.y * r.z;
  }
  const Vec3 rows[3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
  const double volume = dot(rows[0], cross(rows[1], rows[2]));
  if (!(volume > 0)) return spin;
  for (int i = 0; i < 3; ++i) {
    spin.rows[i] = (1 / volume) * cross(rows[(i + 1) % 3], rows[(i + 2) % 3]);
  }
  return spin;
}

SUPPLE_FOR_SIZE void RotationStrain::add_triangle(std::uint32_t t) {
  const std::uint32_t* nodes = m_view.corners + 3 * std::size_t{t};
  const Corners c = corners_of(t);
  const Spin spin = spin_of(c);
  Vec3 torque{};
  for (int i = 0; i < 3; ++i) torque = torque + cross(spin.r[i], c.u[i]);
  const Vec3 w = times(spin.rows, torque);
  const ExactWarp f = exact_warp(w);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const double weight = cotangent(t, 3 - i - j);
    const Vec3 edge = c.x[j] - c.x[i];
    const Vec3 strained = edge + (c.u[j] - c.u[i]) - cross(w, edge);
    const Vec3 pull = weight * turned(w, f.a, f.b, strained);
    add_end(nodes[i], nodes[j], weight, -1.0 * pull);
    add_end(nodes[j], nodes[i], weight, pull);
  }
}

/// Right-hand side of a free node; what is tied to a held one goes there too.
void RotationStrain::add_end(std::uint32_t node, std::uint32_t other, double weight, Vec3 pull) {
  if (!is_free(node)) return;
  add(node, pull);
  if (!is_free(other)) add(node, weight * place(other));
}

/// The place of a node is a sum of the turned edges y = R(w) s, with the weights g that one solve
/// with a load on the node gives: x = sum of cot (g_j - g_i) y + what held nodes add. A force F on
/// the node is then f = cot (g_j - g_i) F on each edge, and backwards from there,
///   dy = R ds + (Rt dw) x y,   ds = du_j - du_i - dw x e,   dw = M sum r x du.
SUPPLE_FOR_SIZE void RotationStrain::pull(std::uint32_t node, Vec3 force, std::size_t modes,
                                          double* modal) {
  if (!is_free(node)) {
    pull_warped(node, force, modes, modal);
    return;
  }
  std::memset(m_weights, 0, m_view.nodes * sizeof(double));
  m_weights[node] = 1;
  substitute<1>(m_view, m_weights);
  std::memset(m_x, 0, 3 * std::size_t{m_view.nodes} * sizeof(double));
  for (std::uint32_t t = 0; t < m_view.triangles; ++t) pull_triangle(t, force);
  for (std::uint32_t i = 0; i < m_view.nodes; ++i) {
    const std::uint32_t vertex = m_view.vertex_of_node[i];
    const format::Entry* entry = entry_of(m_asset, vertex, m_object);
    if (entry == nullptr) continue;
    const Vec3 bind = bind_force(m_asset, m_file, place(i));
    for (std::size_t k = 0; k < modes; ++k) {
      const VertexShape u = vertex_shape(m_asset, *entry, k, vertex % format::kBlock);
      modal[k] += dot(bind, {u.displacement[0], u.displacement[1], u.displacement[2]});
    }
  }
  pull_held(force, modes, modal);
}

SUPPLE_FOR_SIZE void RotationStrain::pull_triangle(std::uint32_t t, Vec3 force) {
  const std::uint32_t* nodes = m_view.corners + 3 * std::size_t{t};
  const Corners c = corners_of(t);
  const Spin spin = spin_of(c);
  Vec3 torque{};
  for (int i = 0; i < 3; ++i) torque = torque + cross(spin.r[i], c.u[i]);
  const Vec3 w = times(spin.rows, torque);
  const ExactWarp factors = exact_warp(w);
  const Vec3 back = -1.0 * w;
  Vec3 moment{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const double weight = cotangent(t, 3 - i - j) * (m_weights[nodes[j]] - m_weights[nodes[i]]);
    const Vec3 edge = c.x[j] - c.x[i];
    const Vec3 strained = edge + (c.u[j] - c.u[i]) - cross(w, edge);
    const Vec3 f = weight * force;
    const Vec3 local = turned(back, factors.a, factors.b, f);
    const Vec3 across = cross(turned(w, factors.a, factors.b, strained), f);
    moment = moment + turned(back, factors.b, factors.c, across) - cross(edge, local);
    add(nodes[i], -1.0 * local);
    add(nodes[j], local);
  }
  const Vec3 turning = times(spin.rows, moment);
  for (int i = 0; i < 3; ++i) add(nodes[i], cross(turning, spin.r[i]));
}

/// Held nodes that modes move carry those next to them along: one in each piece of a free shell.
SUPPLE_FOR_SIZE void RotationStrain::pull_held(Vec3 force, std::size_t modes, double* modal) {
  for (std::uint32_t t = 0; t < m_view.triangles; ++t) {
    const std::uint32_t* nodes = m_view.corners + 3 * std::size_t{t};
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const std::uint32_t a = is_free(nodes[i]) ? nodes[i] : nodes[j];
      const std::uint32_t b = is_free(nodes[i]) ? nodes[j] : nodes[i];
      if (is_free(a) && !is_free(b)) m_weights[b] += cotangent(t, 3 - i - j) * m_weights[a];
    }
  }
  for (std::uint32_t node = m_view.free_nodes; node < m_view.nodes; ++node) {
    pull_warped(node, m_weights[node] * force, modes, modal);
  }
}

SUPPLE_FOR_SIZE void RotationStrain::pull_warped(std::uint32_t node, Vec3 force, std::size_t modes,
                                                 double* modal) const {
  const std::uint32_t vertex = m_view.vertex_of_node[node];
  const format::Entry* entry = entry_of(m_asset, vertex, m_object);
  if (entry == nullptr) return;
  const VertexSum at = sum_of(node);
  const ExactWarp f = exact_warp(at.second);
  double scale = 1;
  const Rotation bind = bind_rotation(m_file, scale);
  for (std::size_t k = 0; k < modes; ++k) {
    const VertexShape shape = vertex_shape(m_asset, *entry, k, vertex % format::kBlock);
    const Vec3 u{shape.displacement[0], shape.displacement[1], shape.displacement[2]};
    const Vec3 w{shape.normal[0], shape.normal[1], shape.normal[2]};
    const Vec3 change = warped_change(at.second, at.displacement, f, in_space(u),
                                      to_world(bind, m_asset.world.turn_in(w)));
    modal[k] += dot(force, change);
  }
}

SUPPLE_FOR_SIZE std::uint32_t node_of(const supple_asset& asset, const ShellState& shell,
                                      std::uint32_t vertex) {
  if (shell.rest == nullptr) return format::kNone;
  const StrainView view = strain_view(asset, *shell.file);
  for (std::uint32_t i = 0; i < view.vertices; ++i) {
    if (view.vertex[i] == vertex) return view.node_of_vertex[i];
  }
  return format::kNone;
}

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
  const format::Object& file = player->asset->objects[object];
  double* shown = shell->commons->shown;
  for (uint32_t k = 0; k < file.mode_count; ++k) {
    shown[k] = player->coefficients[file.first_mode + k];
  }
  player::RotationStrain strain(*player, *shell, *rest_positions);
  strain.displace(shown, file.mode_count);
  strain.solve();
  strain.write(*positions);
  return SUPPLE_OK;
}
