// SPDX-License-Identifier: Apache-2.0
#include "shell_step.hpp"

#include "rotation_strain.hpp"
#include "shapes.hpp"
#include "shell_bound.hpp"
#include "warp.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr double kLargestKick = 1.5;  // of h^2 times stiffness; above 2.6 a step would feed
constexpr int kMostPieces = 8;        // of a step
constexpr double kUsualSway = 0.3;    // of the most
constexpr double kLargestTurn = 1e4;  // radians: beyond, floats do not know where a circle ends

/// Even, so that as many lie before the frame as after it and the look ahead has half.
int pieces_of(double kick) {
  int pieces = 1;
  while (kick > kLargestKick * pieces * pieces && pieces < kMostPieces)
    pieces += pieces > 1 ? 2 : 1;
  return pieces;
}

}  // namespace

void ShellStep::step(double dt) {
  double h = 0;
  switch (begin(dt, h)) {
    case Phase::Wait:
      return;
    case Phase::First:
      first_step(h);
      break;
    case Phase::Pause:
      pause(h);
      break;
    case Phase::Teleport:
      teleport();
      break;
    case Phase::Move:
      held() ? move_held(h) : move(h);
      break;
  }
  m_state.last_pose = m_object.pose;
  if (!held()) keep_within(h);
  // A shell that is held is shown as it is, or its handles would not be where they say.
  const supple_object_settings& settings = m_object.settings;
  const bool good = held() ? show(1, 0) : show(settings.gain, settings.limit_metres);
  finish(good && m_shell.largest_turn <= kLargestTurn);
}

/// Within its bounds: a shape beyond shrinks, and moves no further outwards. Weight needs no bound,
/// since it is a bounded potential: what it does to a soft shell is left to it.
void ShellStep::keep_within(double h) {
  const ShellBound bound(m_player, m_index);
  ModalState& o = m_state;
  if (!bound.acts()) return;
  const bool driven = o.was_pushed || in_medium() || has_field(m_player);
  double part = bound.measure(o.output);
  const double most = bound.reach(h);
  if (driven && part > most) {
    const double scale = bound.scale_within(o.output, most);
    double outwards = 0;
    double square = 0;
    for (std::size_t k = 0; k < modes(); ++k) {
      o.output[k] *= scale;
      o.q[k] *= scale;
      outwards += o.q[k] * o.q_dot[k];
      square += o.q[k] * o.q[k];
    }
    const double less = outwards > 0 ? outwards / square : 0;
    for (std::size_t k = 0; k < modes(); ++k) o.q_dot[k] -= less * o.q[k];
    part = most;
  }
  m_shell.strained = part;
}

/// A shell hangs as gravity, its handles and the bone's first motion have it.
void ShellStep::first_step(double h) {
  const Drive drive = begun(frame_of(m_player, m_index).rotation);
  set_target(drive, m_state.q);
  if (m_object.has_pose) {
    settle(0);
    hang(drive);
    keep_begun();
  }
  if (!held()) relax(h);
}

/// Nobody knows what a bent shell did meanwhile: it hangs.
void ShellStep::pause(double h) {
  const Drive drive = still(m_object.pose.rotation);
  set_target(drive, m_state.output);
  settle(m_state.settled);
  catch_up();
  drop_past();
  forget_drift();
  relax_for_pause(h);
  hang(drive);
}

void ShellStep::teleport() {
  const Drive drive = still(m_object.pose.rotation);
  set_target(drive, m_state.output);
  settle(0);
  hang(drive);
  drop_past();
  forget_drift();
  end_pushes();
  std::memcpy(m_state.output, m_state.q, m_state.lanes * sizeof(double));
}

/// As flesh moves, with the forces along the shell taken at the last frame.
void ShellStep::move(double h) {
  const Drive drive = moving(h);
  set_target(drive, m_state.output);
  if (!move_in_pieces(drive, h)) move_whole(h);
  end_pushes();
  keep_motion(h);
  m_state.behind = h / 2;
}

void ShellStep::move_whole(double h) {
  ModalState& o = m_state;
  const double length = o.behind + h / 2;
  const Span before{o.behind > 0 ? transition(o.behind) : nullptr, o.was_pushed, o.last_push};
  const Span after{transition(h / 2), o.pushed, o.push};
  brake(before, after, length);
  settle(o.settled);
  if (before.rows != nullptr) advance(before);
  advance(after);
  damp(length);
  look_ahead(after, o.q_dot);
}

/// By its handles, from frame to frame.
void ShellStep::move_held(double h) {
  catch_up();
  set_target(moving(h), m_state.q);
  settle(m_state.settled);
  solve_held(h);
  end_pushes();
  m_state.was_pushed = false;
  keep_motion(h);
}

void ShellStep::set_target(const Drive& drive, const double* q) {
  ModalState& o = m_state;
  ModalStep::set_target(drive);
  find_point_forces(m_player, m_index, m_motion, q, o.q_dot);
  for (std::size_t k = 0; k < modes(); ++k) {
    o.target[k] += m_shell.point_force[k] * m_constants[kCompliance * o.lanes + k];
  }
}

void ShellStep::forget_drift() {
  std::memset(m_shell.drift, 0, m_state.lanes * sizeof(double));
}

/// h^2 times the most stiffness that a shell's load gives one of its modes, as far as these are
/// softer than 2 / h: a stiffer one swings within the step and feels less of it.
double ShellStep::kick(double h) const {
  const ModalState& o = m_state;
  if (!warps()) return 0;
  double most = 0;
  for (std::size_t k = 0; k < modes(); ++k) {
    const double soft = 1 + h * h / 4 * m_constants[kStiffness * o.lanes + k];
    const double stiffness = m_shell.sway[k] / soft;
    if (stiffness > most) most = stiffness;
  }
  return h * h * m_shell.load * most;
}

/// A soft shell that hangs or is flung is stiff because of its load, which the filter does not know
/// of: the same step in pieces, each with the force in its own middle, and so is the look ahead.
bool ShellStep::move_in_pieces(const Drive& drive, double h) {
  ModalState& o = m_state;
  const double whole = o.behind + h / 2;
  const int pieces = pieces_of(kick(whole));
  if (pieces == 1) return false;
  settle(o.settled);
  const double length = whole / pieces;
  const Span before{transition(length / 2), o.was_pushed, o.last_push};
  const Span after{before.rows, o.pushed, o.push};
  for (int i = 0; i < pieces; ++i) move_piece(drive, length, i < pieces / 2 ? before : after);
  double* const states[3] = {o.q, o.q_dot, m_shell.drift};
  double* const kept[3] = {m_commons.kept.q, m_commons.kept.q_dot, m_commons.kept.drift};
  const std::size_t bytes = o.lanes * sizeof(double);
  for (std::size_t i = 0; i < 3; ++i) std::memcpy(kept[i], states[i], bytes);
  const Span ahead{transition(h / 2 / pieces), o.pushed, o.push};
  for (int i = 0; i < pieces / 2; ++i) move_piece(drive, h / pieces, ahead);
  std::memcpy(o.output, o.q, bytes);
  for (std::size_t i = 0; i < 3; ++i) std::memcpy(states[i], kept[i], bytes);
  return true;
}

/// `span` is half of it.
void ShellStep::move_piece(const Drive& drive, double h, const Span& span) {
  look_ahead(span, m_state.q_dot);
  set_target(drive, m_state.output);
  cut_target(h);
  brake(span, span, h);
  advance(span);
  advance(span);
  damp(h);
}

/// Loads for which the most pieces are too few, hundreds of times its weight on a sheet of paper.
void ShellStep::cut_target(double h) {
  const double scale = kLargestKick / kick(h);
  if (!(scale < 1)) return;
  for (std::size_t k = 0; k < modes(); ++k) m_state.target[k] *= scale;
}

void ShellStep::damp(double h) {
  if (in_medium()) calm();
  if (warps()) damp_sway(h);
}

/// A damping ratio is meant of the swinging that is seen. A load lets a soft shell swing faster
/// than its own stiffness, the only one that the filter knows: what that damps too little.
void ShellStep::damp_sway(double h) {
  ModalState& o = m_state;
  for (std::size_t k = 0; k < modes(); ++k) {
    const double* constants = m_constants + k;
    const double stiffer =
        1 + kUsualSway * m_shell.load * m_shell.sway[k] * constants[kCompliance * o.lanes];
    const double more = constants[kDecay * o.lanes] * (__builtin_sqrt(stiffer) - 1);
    o.q_dot[k] /= 1 + 2 * h * more;
  }
}

/// As a force. The step is looked at without it first, and with it alone from rest.
void ShellStep::brake(const Span& before, const Span& after, double tau) {
  if (!in_medium()) return;
  ModalState& o = m_state;
  const BrakeRows& rows = m_commons.brake;
  const double* compliance = m_constants + kCompliance * o.lanes;
  const std::size_t count = modes();
  std::memcpy(rows.speed, o.q, o.lanes * sizeof(double));
  std::memcpy(rows.force, o.q_dot, o.lanes * sizeof(double));
  std::memset(rows.gain, 0, o.lanes * sizeof(double));
  std::memset(rows.share, 0, o.lanes * sizeof(double));
  const auto look = [&](const Span& span) {
    kernels().advance(span.rows, o.lanes, count, pushed_target(span), rows.speed, rows.force);
    kernels().advance(span.rows, o.lanes, count, compliance, rows.gain, rows.share);
  };
  if (before.rows != nullptr) look(before);
  look(after);
  for (std::size_t k = 0; k < count; ++k) {
    rows.speed[k] = (rows.speed[k] - o.q[k]) / tau;
    rows.gain[k] = rows.gain[k] > 0 ? rows.gain[k] / tau : 0;
  }
  player::brake(m_player, m_index);
  for (std::size_t k = 0; k < count; ++k) o.target[k] += rows.force[k] * compliance[k];
}

/// A force that is constant over a step turns speeds around that a heavy brake would have taken
/// away early in it. What is left then is the mean speed, where that has less energy.
void ShellStep::calm() {
  ModalState& o = m_state;
  const BrakeRows& rows = m_commons.brake;
  for (std::size_t k = 0; k < modes(); ++k) {
    const double mean = rows.speed[k];
    if (mean * mean >= o.q_dot[k] * o.q_dot[k]) continue;
    o.q_dot[k] += rows.share[k] * rows.share[k] * (mean - o.q_dot[k]);
  }
}

void ShellStep::adjust() {
  m_player.bends[m_index] = warps() ? Bend::Warped : Bend::Linear;
  bear_gravity(m_shell.file->modelled_under_gravity != 0);
  retune();
}

void ShellStep::reset() {
  m_shell.largest_turn = m_shell.residual = m_shell.strained = 0;
  forget_drift();
  clear();
}

/// Q = J^T F, J the change of the reconstructed vertex with q: as weight acts, through the turns of
/// all that lies between the vertex and what holds it (docs/shells.md). A file without the nodes at
/// rest knows Q = Phi^T R^T F only: in the axes that turn with the vertex.
void ShellStep::push(const format::Entry& entry, std::uint32_t vertex, Vec3 force) {
  const std::uint32_t node = warps() ? node_of(*m_player.asset, m_shell, vertex) : format::kNone;
  if (node != format::kNone) {
    RotationStrain surface(m_player, m_shell);
    surface.displace(m_state.output, modes());
    surface.pull(node, frame_force(force), m_file.mode_count, m_state.push);
    m_state.pushed = true;
    return;
  }
  const std::size_t lane = vertex % format::kBlock;
  Vec3 bind = bind_force(force);
  if (warps()) {
    const Vec3 w = vertex_sum(*m_player.asset, entry, lane, m_state.output, modes()).second;
    const ExactWarp f = exact_warp(w);
    bind = turned(-1.0 * w, f.a, f.b, bind);
  }
  add_push(entry, lane, bind);
}

void prepare_modes(supple_player& player, std::size_t object) {
  ShellStep(player, object).prepare();
}

void adjust_shell(supple_player& player, std::size_t object) {
  ShellStep(player, object).adjust();
}

void reset_shell(supple_player& player, std::size_t object) {
  ShellStep(player, object).reset();
}

void push_shell(supple_player& player, const format::Entry& entry, std::uint32_t vertex,
                Vec3 force) {
  ShellStep(player, entry.object).push(entry, vertex, force);
}

void step_shell(supple_player& player, std::size_t object, double dt) {
  ShellStep(player, object).step(dt);
}

}  // namespace supple::player
