// SPDX-License-Identifier: Apache-2.0
#include "coriolis.hpp"
#include "elementary.hpp"
#include "shell.hpp"
#include "size.hpp"

#include <cstring>

namespace supple::player {

void publish(supple_player& player, std::size_t object) {
  const format::Object& file = player.asset->objects[object];
  std::uint32_t active = 0;
  for (std::uint32_t k = 0; k < file.mode_count; ++k) {
    const std::size_t mode = file.first_mode + k;
    const float c = player.coefficients[mode];
    player.scaled[2 * mode] = c * player.asset->modes[mode].position_scale;
    player.scaled[2 * mode + 1] = c * player.asset->modes[mode].normal_scale;
    if (c != 0) active = k + 1;
  }
  player.active[object] = active;
}

namespace {

constexpr double kShortestStep = 1e-9;   // seconds: below is saved up
constexpr double kLongestStep = 0.25;    // seconds: beyond is a pause
constexpr double kLongestPause = 1e6;    // seconds: nothing rings on
constexpr double kLargestOutput = 1e30;  // a float can hold it
constexpr int kSettlingPasses = 600;     // towards where gravity holds a shell
constexpr int kLoadingPasses = 50;       // the first of them, while the load grows
constexpr double kSettled = 1e-7;        // of what is left to go, relative
constexpr double kLargestTurn = 1e4;     // radians: beyond, floats do not know where a circle ends
constexpr double kLargestKick = 1.5;     // of h^2 times stiffness; above 2.6 a step would feed
constexpr int kMostPieces = 8;           // of a step
constexpr double kUsualSway = 0.3;       // of the most
constexpr int kHandleIterations = 3;

/// One step of one object, with what all its stages need.
class Stepper {
 public:
  Stepper(supple_player& player, std::size_t index)
      : m_player(player),
        m_index(index),
        m_state(player.objects[index]),
        m_file(player.asset->objects[index]),
        m_constants(m_state.constants),
        m_kernels(filter_of(player)) {}

  void step(double dt);
  SUPPLE_FOR_SIZE void reset();
  SUPPLE_FOR_SIZE void retune();

 private:
  /// Part of a step: its transition, and the push that acts meanwhile.
  struct Span {
    const double* rows;
    bool pushed;
    const double* push;
  };

  SUPPLE_FOR_SIZE void first_step(double h);
  SUPPLE_FOR_SIZE void pause(double h);
  SUPPLE_FOR_SIZE void teleport();
  void move(double h);
  SUPPLE_FOR_SIZE void move_held(double h);

  void drop_past();
  [[nodiscard]] Drive still(Rotation rotation);
  [[nodiscard]] Drive moving(double h);
  void keep_motion(double h);
  void add_gravity(Rotation rotation, Drive& drive);
  void set_target(const Drive& drive, const double* q);
  [[nodiscard]] SUPPLE_FOR_SIZE double kick(double h) const;
  SUPPLE_FOR_SIZE void cut_target(double h);
  SUPPLE_FOR_SIZE void damp_sway(double h);
  SUPPLE_FOR_SIZE void move_in_pieces(const Drive& drive, double h, int pieces);
  SUPPLE_FOR_SIZE void move_piece(const Drive& drive, double h, const Span& span);
  SUPPLE_FOR_SIZE void brake_step(const Span& before, const Span& after, double tau);
  SUPPLE_FOR_SIZE void calm();
  void brake_held(double h, const double* gamma, double* free);
  [[nodiscard]] bool in_medium() const {
    return m_state.shell != nullptr && m_state.shell->density > 0;
  }
  SUPPLE_FOR_SIZE void settle(std::size_t first);
  SUPPLE_FOR_SIZE void settle_shell(const Drive& drive);
  [[nodiscard]] bool held() const { return m_state.shell != nullptr && m_state.shell->held > 0; }
  const double* transition(double h);
  const double* pushed_target(bool pushed, const double* push);
  void advance(const Span& span);
  SUPPLE_FOR_SIZE void relax(double h);
  SUPPLE_FOR_SIZE void end_pushes();
  void write();

  supple_player& m_player;
  std::size_t m_index;
  ObjectState& m_state;
  const format::Object& m_file;
  const double* m_constants;
  const FilterKernels& m_kernels;
  // Not set to 0 in vain every step: still() and moving() fill what the others read.
  FrameMotion m_motion;     ///< for a shell's points
  Vec3 m_velocity, m_spin;  ///< from the last frame to this one
};

/// Cuts a vector to a length; 0 means any. True if it had to.
bool cut(Vec3& v, double longest) {
  const double square = dot(v, v);
  if (!(longest > 0) || square <= longest * longest) return false;
  v = (longest / __builtin_sqrt(square)) * v;
  return true;
}

/// Even, so that as many lie before the frame as after it and the look ahead has half.
int pieces_of(double kick) {
  int pieces = 1;
  while (kick > kLargestKick * pieces * pieces && pieces < kMostPieces)
    pieces += pieces > 1 ? 2 : 1;
  return pieces;
}

void Stepper::step(double dt) {
  ObjectState& o = m_state;
  if (o.settings.enabled == 0) return;
  const double h = dt + o.owed;
  if (o.bad_pose || h < kShortestStep) {
    o.bad_pose = false;
    o.owed = h;
    return;
  }
  o.owed = 0;
  const Vec3 way = o.pose.position - o.last_pose.position;
  const double farthest = o.settings.teleport_speed * h;
  if (o.past == Past::Nothing) {
    first_step(h);
  } else if (h > kLongestStep) {
    pause(h);
  } else if (farthest > 0 && !(dot(way, way) <= farthest * farthest)) {
    teleport();
  } else if (held()) {
    move_held(h);
  } else {
    move(h);
  }
  o.last_pose = o.pose;
  write();
}

/// At rest where the bone is seen first; only a push moves the flesh. A shell hangs as gravity and
/// its handles have it.
void Stepper::first_step(double h) {
  ObjectState& o = m_state;
  const Drive drive = still(frame_of(m_player, static_cast<std::uint32_t>(m_index)).rotation);
  set_target(drive, o.q);
  if (o.has_pose) {
    settle(0);
    settle_shell(drive);
    o.past = Past::Place;
  }
  if (!held()) relax(h);
}

void Stepper::pause(double h) {
  ++m_player.diagnostics.pauses;
  set_target(still(m_state.pose.rotation), m_state.output);
  settle(m_state.settled);
  if (m_state.behind > 0) {
    advance({transition(m_state.behind), m_state.was_pushed, m_state.last_push});
  }
  drop_past();
  relax(h < kLongestPause ? h : kLongestPause);
  // Nobody knows what a bent shell did meanwhile: it hangs.
  settle_shell(still(m_state.pose.rotation));
}

void Stepper::teleport() {
  ++m_player.diagnostics.teleports;
  const Drive drive = still(m_state.pose.rotation);
  set_target(drive, m_state.output);
  settle(0);
  settle_shell(drive);
  drop_past();
  end_pushes();
  std::memcpy(m_state.output, m_state.q, m_state.lanes * sizeof(double));
}

void Stepper::drop_past() {
  m_state.past = Past::Place;
  m_state.behind = m_state.half_step = 0;
  if (m_state.shell != nullptr) {
    std::memset(m_state.shell->drift, 0, m_state.lanes * sizeof(double));
  }
}

/// Freely, from the frame before to this one: two half steps, so that one transition serves.
void Stepper::relax(double h) {
  const Span half{transition(h / 2), m_state.pushed, m_state.push};
  advance(half);
  advance(half);
  end_pushes();
  m_state.was_pushed = false;
  std::memcpy(m_state.output, m_state.q, m_state.lanes * sizeof(double));
}

/// The usual step: from half a step before the last frame to half a step after it, with the force
/// in the middle, which is centred because velocities are known at both ends. Then half a step
/// ahead to the frame itself, which is looked at but not kept.
void Stepper::move(double h) {
  ObjectState& o = m_state;
  const double tau = o.half_step + h / 2;
  const double length = o.behind + h / 2;
  const Drive drive = moving(h);
  set_target(drive, o.output);
  if (const int pieces = pieces_of(kick(length)); pieces > 1) {
    settle(o.settled);
    move_in_pieces(drive, h, pieces);
    end_pushes();
    keep_motion(h);
    o.behind = h / 2;
    return;
  }
  const Span before{o.behind > 0 ? transition(o.behind) : nullptr, o.was_pushed, o.last_push};
  const Span after{transition(h / 2), o.pushed, o.push};
  if (in_medium()) brake_step(before, after, length);
  settle(o.settled);
  const bool turns = o.settings.coriolis != 0 && m_file.coriolis != format::kNone;
  Coriolis coriolis(m_player, m_file, o);
  if (turns) coriolis.prepare(m_motion.spin, tau / 2);
  if (turns) coriolis.turn();
  if (before.rows != nullptr) advance(before);
  advance(after);
  if (in_medium()) calm();
  damp_sway(length);
  if (turns) coriolis.turn();
  const double* q_dot = turns ? coriolis.nudged(h / 4) : o.q_dot;
  m_kernels.look_ahead(after.rows, o.lanes, o.settings.modes, pushed_target(o.pushed, o.push), o.q,
                       q_dot, o.output);
  end_pushes();
  keep_motion(h);
  o.behind = h / 2;
}

/// A soft shell that hangs or is flung is stiff because of its load, which the filter does not know
/// of: the same step in pieces, each with the force in its own middle, and so is the look ahead.
void Stepper::move_in_pieces(const Drive& drive, double h, int pieces) {
  ObjectState& o = m_state;
  const double length = (o.behind + h / 2) / pieces;
  const Span before{transition(length / 2), o.was_pushed, o.last_push};
  const Span after{before.rows, o.pushed, o.push};
  for (int i = 0; i < pieces; ++i) move_piece(drive, length, i < pieces / 2 ? before : after);
  double* kept = kept_rows(m_player, o);
  double* const states[3] = {o.q, o.q_dot, o.shell->drift};
  const std::size_t bytes = o.lanes * sizeof(double);
  for (int i = 0; i < 3; ++i) std::memcpy(kept + i * o.lanes, states[i], bytes);
  const Span ahead{transition(h / 2 / pieces), o.pushed, o.push};
  for (int i = 0; i < pieces / 2; ++i) move_piece(drive, h / pieces, ahead);
  std::memcpy(o.output, o.q, bytes);
  for (int i = 0; i < 3; ++i) std::memcpy(states[i], kept + i * o.lanes, bytes);
}

/// `span` is half of it.
void Stepper::move_piece(const Drive& drive, double h, const Span& span) {
  ObjectState& o = m_state;
  m_kernels.look_ahead(span.rows, o.lanes, o.settings.modes, pushed_target(span.pushed, span.push),
                       o.q, o.q_dot, o.output);
  set_target(drive, o.output);
  cut_target(h);
  if (in_medium()) brake_step(span, span, h);
  advance(span);
  advance(span);
  if (in_medium()) calm();
  damp_sway(h);
}

/// A shell that handles hold: implicit, so that it is stable at any h, with the turns of the step's
/// begin,
///   d = 1 + h c + h^2 w^2,  q' <- (q' + h (f - w^2 q)) / d,  q <- q + h q',
/// and the handles on what comes out, where a modal force counts h^2 / d. Their iterations begin
/// where the shell is: from the free step, far back towards rest, they would never come round. What
/// a load stiffens beyond what such a step bears is in d too.
void Stepper::move_held(double h) {
  ObjectState& o = m_state;
  if (o.behind > 0) {
    advance({transition(o.behind), o.was_pushed, o.last_push});
    o.behind = 0;
  }
  set_target(moving(h), o.q);
  settle(o.settled);
  const std::size_t count = o.settings.modes;
  const double* target = pushed_target(o.pushed, o.push);
  double* gamma = o.last_push;  // free until the pushes end
  double* free = o.output;
  for (std::size_t k = 0; k < count; ++k) {
    const double stiffness = m_constants[kStiffness * o.lanes + k];
    const double loaded = h * h * o.shell->load * o.shell->sway[k] - 1;
    const double d =
        1 + h * (2 * m_constants[kDecay * o.lanes + k] + h * stiffness) + (loaded > 0 ? loaded : 0);
    gamma[k] = h * h / d;
    free[k] = o.q[k] + h * (o.q_dot[k] + h * stiffness * (target[k] - o.q[k])) / d;
  }
  if (in_medium()) brake_held(h, gamma, free);
  double* before = o.shifted;  // the target is not needed any more
  std::memcpy(before, o.q, count * sizeof(double));
  hold(m_player, m_index, o.pose, gamma, free, o.q, kHandleIterations);
  for (std::size_t k = 0; k < count; ++k) {
    o.q_dot[k] = (o.q[k] - before[k]) / h;
    o.output[k] = o.q[k];
  }
  limit_turning(m_player, m_index, o.settings.max_spin, o.q_dot);
  end_pushes();
  o.was_pushed = false;
  keep_motion(h);
}

/// On flesh gravity counts as far as it differs from the pose in which the flesh was modelled, on a
/// shell whole unless the same is said of it. What holds a shell that was modelled under gravity up
/// is in its rest shape: only the difference turns with it, or a soft one would topple.
void Stepper::add_gravity(Rotation rotation, Drive& drive) {
  const ShellState* shell = m_state.shell;
  const bool sags_at_rest = shell == nullptr || shell->file->modelled_under_gravity != 0;
  Vec3 gravity = to_frame(rotation, m_player.gravity);
  if (sags_at_rest) gravity = gravity - to_frame(rest_rotation(m_file), m_player.gravity);
  if (shell != nullptr) gravity = shell->medium.weight * gravity;
  drive.acceleration[0] -= gravity.x;
  drive.acceleration[1] -= gravity.y;
  drive.acceleration[2] -= gravity.z;
  m_motion.acceleration = {-drive.acceleration[0], -drive.acceleration[1], -drive.acceleration[2]};
}

Drive Stepper::still(Rotation rotation) {
  Drive drive{};
  m_motion.pose = {m_state.pose.position, rotation};
  m_motion.alpha = m_motion.spin = m_motion.velocity = {};
  add_gravity(rotation, drive);
  return drive;
}

/// Accelerations from transforms (see docs/player.md), in the bone's axes at the last frame.
Drive Stepper::moving(double h) {
  const ObjectState& o = m_state;
  const supple_object_settings& settings = o.settings;
  m_velocity = (1 / h) * (o.pose.position - o.last_pose.position);
  m_spin = (1 / h) * turn_between(o.last_pose.rotation, o.pose.rotation);
  const bool known = o.past == Past::Motion;
  const Vec3 last_velocity = known ? o.last_velocity : m_velocity;
  const Vec3 last_spin = known ? o.last_spin : m_spin;
  const double tau = o.half_step + h / 2;
  Vec3 a = to_frame(o.last_pose.rotation, (1 / tau) * (m_velocity - last_velocity));
  Vec3 alpha = (1 / tau) * (m_spin - last_spin);
  const bool hard = cut(a, settings.max_acceleration);
  // No separate number: what the largest spin pulls outwards, this may pull along.
  const bool twisted = cut(alpha, settings.max_spin * settings.max_spin);
  if (hard || twisted) ++m_player.diagnostics.clamped_accelerations;
  Vec3 w = 0.5 * (m_spin + last_spin);
  cut(w, settings.max_spin);
  m_motion.pose = o.last_pose;
  m_motion.alpha = alpha;
  m_motion.spin = w;
  m_motion.velocity = 0.5 * (m_velocity + last_velocity);
  const double square = dot(w, w);
  Drive drive{{alpha.x, alpha.y, alpha.z},
              {a.x, a.y, a.z},
              {w.x * w.x - square, w.y * w.y - square, w.z * w.z - square, w.x * w.y, w.x * w.z,
               w.y * w.z}};
  add_gravity(o.last_pose.rotation, drive);
  return drive;
}

void Stepper::keep_motion(double h) {
  m_state.last_velocity = m_velocity;
  m_state.last_spin = m_spin;
  m_state.half_step = h / 2;
  m_state.past = Past::Motion;
}

/// For a shell also what acts along it, bent as q says.
void Stepper::set_target(const Drive& drive, const double* q) {
  ObjectState& o = m_state;
  m_kernels.target(m_constants, o.lanes, o.settings.modes, drive, o.target);
  if (o.shell == nullptr) return;
  find_point_forces(m_player, o, m_motion, q, o.q_dot);
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    o.target[k] += o.shell->point_force[k] * m_constants[kCompliance * o.lanes + k];
  }
}

/// h^2 times the most stiffness that a shell's load gives one of its modes, as far as these are
/// softer than 2 / h: a stiffer one swings within the step and feels less of it.
double Stepper::kick(double h) const {
  const ObjectState& o = m_state;
  if (o.shell == nullptr || o.settings.warp == 0) return 0;
  double most = 0;
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    const double soft = 1 + h * h / 4 * m_constants[kStiffness * o.lanes + k];
    const double stiffness = o.shell->sway[k] / soft;
    if (stiffness > most) most = stiffness;
  }
  return h * h * o.shell->load * most;
}

/// Loads for which the most pieces are too few, hundreds of times its weight on a sheet of paper.
void Stepper::cut_target(double h) {
  const double scale = kLargestKick / kick(h);
  if (!(scale < 1)) return;
  for (std::size_t k = 0; k < m_state.settings.modes; ++k) m_state.target[k] *= scale;
}

/// A damping ratio is meant of the swinging that is seen. A load lets a soft shell swing faster
/// than its own stiffness, the only one that the filter knows: what that damps too little.
void Stepper::damp_sway(double h) {
  ObjectState& o = m_state;
  if (o.shell == nullptr || o.settings.warp == 0) return;
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    const double* constants = m_constants + k;
    const double stiffer =
        1 + kUsualSway * o.shell->load * o.shell->sway[k] * constants[kCompliance * o.lanes];
    const double more = constants[kDecay * o.lanes] * (__builtin_sqrt(stiffer) - 1);
    o.q_dot[k] /= 1 + 2 * h * more;
  }
}

/// What a medium takes from the coming step, as a force that the target holds. The step is looked
/// at without it first, and with it alone from rest.
void Stepper::brake_step(const Span& before, const Span& after, double tau) {
  ObjectState& o = m_state;
  const BrakeRows rows = brake_rows(m_player, o);
  const double* compliance = m_constants + kCompliance * o.lanes;
  const std::size_t count = o.settings.modes;
  std::memcpy(rows.speed, o.q, o.lanes * sizeof(double));
  std::memcpy(rows.force, o.q_dot, o.lanes * sizeof(double));
  std::memset(rows.gain, 0, o.lanes * sizeof(double));
  std::memset(rows.share, 0, o.lanes * sizeof(double));
  const auto look = [&](const Span& span) {
    const double* target = pushed_target(span.pushed, span.push);
    m_kernels.advance(span.rows, o.lanes, count, target, rows.speed, rows.force);
    m_kernels.advance(span.rows, o.lanes, count, compliance, rows.gain, rows.share);
  };
  if (before.rows != nullptr) look(before);
  look(after);
  for (std::size_t k = 0; k < count; ++k) {
    rows.speed[k] = (rows.speed[k] - o.q[k]) / tau;
    rows.gain[k] = rows.gain[k] > 0 ? rows.gain[k] / tau : 0;
  }
  brake(m_player, o, rows);
  for (std::size_t k = 0; k < count; ++k) o.target[k] += rows.force[k] * compliance[k];
}

/// A force that is constant over a step turns speeds around that a heavy brake would have taken
/// away early in it. What is left then is the mean speed, where that has less energy.
void Stepper::calm() {
  ObjectState& o = m_state;
  const BrakeRows rows = brake_rows(m_player, o);
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    const double mean = rows.speed[k];
    if (mean * mean >= o.q_dot[k] * o.q_dot[k]) continue;
    o.q_dot[k] += rows.share[k] * rows.share[k] * (mean - o.q_dot[k]);
  }
}

/// The same for a step that handles hold.
void Stepper::brake_held(double h, const double* gamma, double* free) {
  ObjectState& o = m_state;
  const BrakeRows rows = brake_rows(m_player, o);
  for (std::size_t k = 0; k < o.settings.modes; ++k) {
    rows.speed[k] = (free[k] - o.q[k]) / h;
    rows.gain[k] = gamma[k] / h;
  }
  brake(m_player, o, rows);
  for (std::size_t k = 0; k < o.settings.modes; ++k) free[k] += gamma[k] * rows.force[k];
}

/// To where a bent shell is in balance, with its handles. The load grows, so that a soft shell
/// hangs as if it had been lowered. Then it swings down with masses that suit each mode's stiffness
/// and each stops whenever it has swung past: nothing else brakes it, and nothing feeds it.
void Stepper::settle_shell(const Drive& drive) {
  ObjectState& o = m_state;
  if (o.shell == nullptr) return;
  const std::size_t count = o.settings.modes;
  double* gamma = o.last_push;  // nothing of it is left to act
  double* goal = o.output;
  o.was_pushed = false;
  for (std::size_t k = 0; k < count; ++k) o.q[k] = o.q_dot[k] = 0;
  for (int pass = 0; pass < kSettlingPasses; ++pass) {
    const bool loading = pass < kLoadingPasses;
    set_target(drive, o.q);
    const double part = loading ? (pass + 1.0) / kLoadingPasses : 1;
    double* free = o.shifted;
    for (std::size_t k = 0; k < count; ++k) {
      const double stiffness = m_constants[kStiffness * o.lanes + k];
      gamma[k] = 1 / (stiffness + o.shell->load * o.shell->sway[k]);
      const double force = stiffness * (part * o.target[k] - o.q[k]);
      const double speed = force * o.q_dot[k] > 0 ? o.q_dot[k] : 0;
      free[k] = o.q[k] + speed + gamma[k] * force;
      goal[k] = held() ? o.q[k] : free[k];
    }
    if (held()) hold(m_player, m_index, o.pose, gamma, free, goal, kHandleIterations);
    double away = 0;
    double size = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const double step = goal[k] - o.q[k];
      away += step * step / gamma[k];
      size += goal[k] * goal[k] / gamma[k];
      o.q[k] = goal[k];
      o.q_dot[k] = step;
    }
    if (!loading && away <= kSettled * kSettled * size) break;
  }
  std::memset(o.q_dot, 0, o.lanes * sizeof(double));
  set_target(drive, o.q);
  std::memset(o.output, 0, o.lanes * sizeof(double));
  std::memcpy(o.output, o.q, count * sizeof(double));
}

/// Modes that did not move so far begin where the force holds them, so that nothing jumps; modes
/// beyond the level of detail stay at 0. Where all modes move there is nothing to do, and single
/// numbers written here would hold up the kernels, which load whole rows.
void Stepper::settle(std::size_t first) {
  ObjectState& o = m_state;
  const std::size_t count = o.settings.modes;
  if (first == count && count == m_file.mode_count) return;
  for (std::size_t k = first; k < count; ++k) {
    o.q[k] = o.target[k];
    o.q_dot[k] = 0;
  }
  for (std::size_t k = count; k < o.lanes; ++k) {
    o.q[k] = o.q_dot[k] = o.target[k] = o.output[k] = 0;
  }
  o.settled = static_cast<std::uint32_t>(count);
}

/// Computed only if the step's length is new. The other of the two stays: the next step begins
/// with it.
const double* Stepper::transition(double h) {
  ObjectState& o = m_state;
  if (o.lengths[o.newest] != h) {
    o.newest = 1 - o.newest;
    if (o.lengths[o.newest] != h) {
      m_kernels.transition(m_constants, o.lanes, m_file.mode_count, h, o.transitions[o.newest]);
      o.lengths[o.newest] = h;
    }
  }
  return o.transitions[o.newest];
}

const double* Stepper::pushed_target(bool pushed, const double* push) {
  if (!pushed) return m_state.target;
  for (std::size_t k = 0; k < m_state.lanes; ++k) {
    const bool moves = k < m_state.settings.modes;
    m_state.shifted[k] =
        m_state.target[k] + (moves ? push[k] * m_constants[kCompliance * m_state.lanes + k] : 0.0);
  }
  return m_state.shifted;
}

void Stepper::advance(const Span& span) {
  m_kernels.advance(span.rows, m_state.lanes, m_state.settings.modes,
                    pushed_target(span.pushed, span.push), m_state.q, m_state.q_dot);
}

/// A push acts from its frame to the next: half of that lies in the step after.
void Stepper::end_pushes() {
  ObjectState& o = m_state;
  o.was_pushed = o.pushed;
  if (!o.pushed) return;
  double* old = o.last_push;
  o.last_push = o.push;
  o.push = old;
  std::memset(o.push, 0, o.lanes * sizeof(double));
  o.pushed = false;
}

/// tanh(x) / x for x > 0.
double soft_ratio(double x) {
  if (x < 0.05) {
    const double z = x * x;
    return 1 - z * (1.0 / 3 - z * (2.0 / 15 - z * (17.0 / 315 - z * (62.0 / 2835))));
  }
  const double e = exp_of_negative(-2 * x);
  return (1 - e) / ((1 + e) * x);
}

/// Gain and soft clamp act on what is shown; the state itself knows nothing of them. A shell that
/// is held is shown as it is, or its handles would not be where they say.
void Stepper::write() {
  const ObjectState& o = m_state;
  const double* reach = m_constants + kReach * o.lanes;
  const double gain = held() ? 1 : o.settings.gain;
  double scale = gain;
  if (o.settings.limit_metres > 0 && !held()) {
    double square = 0;
    for (std::size_t k = 0; k < o.settings.modes; ++k) {
      const double shown = gain * o.output[k] * reach[k];
      square += shown * shown;
    }
    if (square > 0) scale *= soft_ratio(__builtin_sqrt(square) / o.settings.limit_metres);
  }
  float* out = m_player.coefficients + m_file.first_mode;
  bool good = o.shell == nullptr || o.shell->largest_turn <= kLargestTurn;
  for (std::size_t k = 0; k < m_file.mode_count; ++k) {
    const double shown = scale * o.output[k];
    const bool fits = shown >= -kLargestOutput && shown <= kLargestOutput;
    good &= fits;
    out[k] = fits ? static_cast<float>(shown) : 0.0F;
  }
  if (good) {
    publish(m_player, m_index);
    return;
  }
  // Numbers beyond all sense, from settings that allow any acceleration: begin anew.
  ++m_player.diagnostics.teleports;
  reset();
}

void Stepper::reset() {
  ObjectState& o = m_state;
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
  if (o.shell != nullptr) {
    o.shell->largest_turn = o.shell->residual = 0;
    std::memset(o.shell->drift, 0, bytes);
  }
  publish(m_player, m_index);
}

/// q and q' stay, so the flesh goes on from where it is. The transition that the next step begins
/// with is of the length it had.
void Stepper::retune() {
  ObjectState& o = m_state;
  const supple_object_settings& s = o.settings;
  const bool as_baked = s.stiffness == 1 && s.damping == 1;
  if (!as_baked) {
    fill_constants(m_file, m_player.asset->modes, s.stiffness, s.damping, o.own);
  }
  o.constants = m_constants = as_baked ? m_player.asset->constants_of(m_index) : o.own;
  for (int i = 0; i < 2; ++i) {
    if (o.lengths[i] < 0) continue;
    m_kernels.transition(m_constants, o.lanes, m_file.mode_count, o.lengths[i], o.transitions[i]);
  }
}

}  // namespace

void reset(supple_player& player, std::size_t object) {
  Stepper(player, object).reset();
}

void retune(supple_player& player, std::size_t object) {
  Stepper(player, object).retune();
}

}  // namespace supple::player

using namespace supple;

extern "C" supple_status supple_player_step(supple_player* player, double dt) {
  if (player == nullptr) return SUPPLE_BAD_ARGUMENT;
  if (!(dt > 0) || !player::finite(dt)) {
    ++player->diagnostics.bad_time_steps;
    return SUPPLE_BAD_TIME_STEP;
  }
  ++player->diagnostics.steps;
  const std::size_t objects = player->asset->summary->object_count;
  for (std::size_t i = 0; i < objects; ++i) player::Stepper(*player, i).step(dt);
  player->time += dt;
  return SUPPLE_OK;
}
