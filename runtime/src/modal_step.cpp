// SPDX-License-Identifier: Apache-2.0
#include "modal_step.hpp"

#include "shapes.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr double kLongestPause = 1e6;  // seconds: nothing rings on

}  // namespace

void lay_out_often(Arena& arena, std::size_t lanes, ModalState& state) {
  state.lanes = lanes;
  for (double** row : {&state.q, &state.q_dot, &state.target, &state.output}) {
    *row = arena.take<double>(lanes);
  }
  for (double*& rows : state.transitions) rows = arena.take<double>(kTransitionRows * lanes);
}

void lay_out_seldom(Arena& arena, std::size_t lanes, ModalState& state) {
  for (double** row : {&state.shifted, &state.push, &state.last_push}) {
    *row = arena.take<double>(lanes);
  }
  state.own = arena.take<double>(kConstantRows * lanes);
}

void ModalStep::prepare() {
  m_state.stiffness = m_state.damping = -1;  // not tuned yet
  m_state.lengths[0] = m_state.lengths[1] = -1;
  m_state.last_pose.rotation = {0, 0, 0, 1};
  m_state.weight = 1;
}

void ModalStep::retune() {
  ModalState& o = m_state;
  const supple_object_settings& s = m_object.settings;
  if (s.stiffness == o.stiffness && s.damping == o.damping) return;
  o.stiffness = s.stiffness;
  o.damping = s.damping;
  const bool as_baked = s.stiffness == 1 && s.damping == 1;
  if (!as_baked) {
    fill_constants(m_file, m_player.asset->modes, s.stiffness, s.damping, o.own);
  }
  o.constants = m_constants = as_baked ? m_player.asset->constants_of(m_index) : o.own;
  for (int i = 0; i < 2; ++i) {
    if (o.lengths[i] < 0) continue;
    kernels().transition(m_constants, o.lanes, m_file.mode_count, o.lengths[i], o.transitions[i]);
  }
}

void ModalStep::bear_gravity(bool sags_at_rest) {
  m_state.borne = sags_at_rest ? to_frame(rest_rotation(m_file), m_player.gravity) : Vec3{};
}

void ModalStep::clear() {
  ModalState& o = m_state;
  const std::size_t bytes = o.lanes * sizeof(double);
  std::memset(o.q, 0, bytes);
  std::memset(o.q_dot, 0, bytes);
  std::memset(o.output, 0, bytes);
  std::memset(o.push, 0, bytes);
  std::memset(m_player.coefficients + m_file.first_mode, 0, m_file.mode_count * sizeof(float));
  o.past = Past::Nothing;
  o.pushed = o.was_pushed = false;
  o.owed = o.behind = o.half_step = 0;
  o.settled = 0;
  m_object.has_begun = false;
  publish(m_player, m_index);
}

/// F . (L u) = (L^T F) . u, and u in the file's bind space from the program's.
SUPPLE_FOR_SIZE Vec3 bind_force(const supple_asset& asset, const format::Object& object, Vec3 f) {
  const World& world = asset.world;
  const std::array<double, 12>& l = object.frame_from_bind;
  const Vec3 bind{l[0] * f.x + l[4] * f.y + l[8] * f.z, l[1] * f.x + l[5] * f.y + l[9] * f.z,
                  l[2] * f.x + l[6] * f.y + l[10] * f.z};
  return (1 / world.units_of_file) * world.out(bind);
}

/// Q = Phi^T F.
void ModalStep::add_push(const format::Entry& entry, std::size_t lane, Vec3 force) {
  for (std::size_t k = 0; k < m_file.mode_count; ++k) {
    const VertexShape u = vertex_shape(*m_player.asset, entry, k, lane);
    m_state.push[k] += dot(force, {u.displacement[0], u.displacement[1], u.displacement[2]});
  }
  m_state.pushed = true;
}

Drive ModalStep::still(Rotation rotation) {
  Drive drive{};
  m_motion.pose = {m_object.pose.position, rotation};
  m_motion.alpha = m_motion.spin = m_motion.velocity = {};
  add_gravity(rotation, drive);
  return drive;
}

Drive ModalStep::begun(Rotation rotation) {
  if (!m_object.has_begun) return still(rotation);
  const BoneMotion& bone = m_object.begun;
  m_motion.pose = {m_object.pose.position, rotation};
  m_motion.velocity = bone.velocity;
  return driven(rotation, to_frame(rotation, bone.acceleration), to_frame(rotation, bone.alpha),
                to_frame(rotation, bone.spin));
}

void ModalStep::keep_begun() {
  drop_past();
  if (!m_object.has_begun) return;
  m_object.has_begun = false;
  m_state.last_velocity = m_object.begun.velocity;
  m_state.last_spin = to_frame(m_object.pose.rotation, m_object.begun.spin);
  m_state.past = Past::Motion;
}

void ModalStep::catch_up() {
  if (!(m_state.behind > 0)) return;
  advance({transition(m_state.behind), m_state.was_pushed, m_state.last_push});
  m_state.behind = 0;
}

/// Two half steps, so that one transition serves.
void ModalStep::relax(double h) {
  const Span half{transition(h / 2), m_state.pushed, m_state.push};
  advance(half);
  advance(half);
  end_pushes();
  m_state.was_pushed = false;
  std::memcpy(m_state.output, m_state.q, m_state.lanes * sizeof(double));
}

void ModalStep::relax_for_pause(double h) {
  relax(h < kLongestPause ? h : kLongestPause);
}

const double* ModalStep::shifted_by(const double* push, const double* target) {
  for (std::size_t k = 0; k < m_state.lanes; ++k) {
    const bool moves = k < modes();
    m_state.shifted[k] =
        target[k] + (moves ? push[k] * m_constants[kCompliance * m_state.lanes + k] : 0.0);
  }
  return m_state.shifted;
}

void ModalStep::settle_some(std::size_t first) {
  ModalState& o = m_state;
  const std::size_t count = modes();
  for (std::size_t k = first; k < count; ++k) {
    o.q[k] = o.target[k];
    o.q_dot[k] = 0;
  }
  for (std::size_t k = count; k < o.lanes; ++k) {
    o.q[k] = o.q_dot[k] = o.target[k] = o.output[k] = 0;
  }
  o.settled = static_cast<std::uint32_t>(count);
}

void ModalStep::exchange_pushes() {
  ModalState& o = m_state;
  double* old = o.last_push;
  o.last_push = o.push;
  o.push = old;
  std::memset(o.push, 0, o.lanes * sizeof(double));
  o.pushed = false;
}

/// Numbers beyond all sense, from settings that allow any acceleration.
void ModalStep::begin_anew() {
  ++m_player.diagnostics.numeric_resets;
  m_object.kind->reset(m_player, m_index);
}

}  // namespace supple::player
