// SPDX-License-Identifier: Apache-2.0
#include "coriolis.hpp"
#include "elementary.hpp"
#include "player.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr double kShortestStep = 1e-9;   // seconds: below is saved up
constexpr double kLongestStep = 0.25;    // seconds: beyond is a pause
constexpr double kLongestPause = 1e6;    // seconds: nothing rings on
constexpr double kLargestOutput = 1e30;  // a float can hold it

/// One step of one object, with what all its stages need.
class Stepper {
 public:
  Stepper(supple_player& player, std::size_t index)
      : m_player(player),
        m_index(index),
        m_state(player.objects[index]),
        m_file(player.asset->objects[index]),
        m_constants(m_state.constants),
        m_kernels(*player.filter) {}

  void step(double dt);
  void reset();
  void retune();

 private:
  void first_step(double h);
  void pause(double h);
  void teleport();
  void move(double h);

  void drop_past();
  [[nodiscard]] Drive still(Rotation rotation) const;
  [[nodiscard]] Drive moving(Vec3 velocity, Vec3 spin, double tau, Vec3& mean_spin);
  void add_gravity(Rotation rotation, Drive& drive) const;
  void set_target(const Drive& drive);
  void settle(std::size_t first);
  const double* transition(double h);
  const double* pushed_target(bool pushed, const double* push);
  void advance(const double* rows, bool pushed, const double* push);
  void relax(double h);
  void end_pushes();
  void write();

  supple_player& m_player;
  std::size_t m_index;
  ObjectState& m_state;
  const format::Object& m_file;
  const double* m_constants;
  const FilterKernels& m_kernels;
};

/// Cuts a vector to a length; 0 means any. True if it had to.
bool cut(Vec3& v, double longest) {
  const double size = length(v);
  if (!(longest > 0) || size <= longest) return false;
  v = (longest / size) * v;
  return true;
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
  const double speed = length(o.pose.position - o.last_pose.position) / h;
  if (o.past == Past::Nothing) {
    first_step(h);
  } else if (h > kLongestStep) {
    pause(h);
  } else if (o.settings.teleport_speed > 0 && !(speed <= o.settings.teleport_speed)) {
    teleport();
  } else {
    move(h);
  }
  o.last_pose = o.pose;
  write();
}

/// At rest where the bone is seen first; only a push moves the flesh.
void Stepper::first_step(double h) {
  const Rotation rest{m_file.rest_rotation[0], m_file.rest_rotation[1], m_file.rest_rotation[2],
                      m_file.rest_rotation[3]};
  set_target(still(m_state.has_pose ? m_state.pose.rotation : rest));
  if (m_state.has_pose) {
    settle(0);
    m_state.past = Past::Place;
  }
  relax(h);
}

void Stepper::pause(double h) {
  ++m_player.diagnostics.pauses;
  set_target(still(m_state.pose.rotation));
  settle(m_state.settled);
  if (m_state.behind > 0) {
    advance(m_state.transitions[m_state.newest], m_state.was_pushed, m_state.last_push);
  }
  drop_past();
  relax(h < kLongestPause ? h : kLongestPause);
}

void Stepper::teleport() {
  ++m_player.diagnostics.teleports;
  set_target(still(m_state.pose.rotation));
  settle(0);
  drop_past();
  end_pushes();
  std::memcpy(m_state.output, m_state.q, m_state.lanes * sizeof(double));
}

void Stepper::drop_past() {
  m_state.past = Past::Place;
  m_state.behind = 0;
}

/// Freely, from the frame before to this one: two half steps, so that one transition serves.
void Stepper::relax(double h) {
  const double* rows = transition(h / 2);
  advance(rows, m_state.pushed, m_state.push);
  advance(rows, m_state.pushed, m_state.push);
  end_pushes();
  m_state.was_pushed = false;
  std::memcpy(m_state.output, m_state.q, m_state.lanes * sizeof(double));
}

/// The usual step: from half a step before the last frame to half a step after it, with the force
/// in the middle, which is centred because velocities are known at both ends. Then half a step
/// ahead to the frame itself, which is looked at but not kept.
void Stepper::move(double h) {
  ObjectState& o = m_state;
  const Vec3 velocity = (1 / h) * (o.pose.position - o.last_pose.position);
  const Vec3 spin = (1 / h) * turn_between(o.last_pose.rotation, o.pose.rotation);
  if (o.past == Past::Place) {
    o.last_velocity = velocity;
    o.last_spin = spin;
  }
  const double tau = o.behind + h / 2;
  Vec3 mean_spin{};
  set_target(moving(velocity, spin, tau, mean_spin));
  settle(o.settled);
  const double* before = o.behind > 0 ? o.transitions[o.newest] : nullptr;
  const double* after = transition(h / 2);
  const bool turns = o.settings.coriolis != 0 && m_file.coriolis != format::kNone;
  Coriolis coriolis(m_player, m_file, o);
  if (turns) coriolis.prepare(mean_spin, tau / 2);
  if (turns) coriolis.turn();
  if (before != nullptr) advance(before, o.was_pushed, o.last_push);
  advance(after, o.pushed, o.push);
  if (turns) coriolis.turn();
  const double* q_dot = turns ? coriolis.nudged(h / 4) : o.q_dot;
  m_kernels.look_ahead(after, o.lanes, o.settings.modes, pushed_target(o.pushed, o.push), o.q,
                       q_dot, o.output);
  end_pushes();
  o.last_velocity = velocity;
  o.last_spin = spin;
  o.behind = h / 2;
  o.past = Past::Motion;
}

/// Gravity counts as far as it differs from the pose in which the flesh was modelled.
void Stepper::add_gravity(Rotation rotation, Drive& drive) const {
  const Rotation rest{m_file.rest_rotation[0], m_file.rest_rotation[1], m_file.rest_rotation[2],
                      m_file.rest_rotation[3]};
  const Vec3 change = to_frame(rotation, m_player.gravity) - to_frame(rest, m_player.gravity);
  drive.acceleration[0] -= change.x;
  drive.acceleration[1] -= change.y;
  drive.acceleration[2] -= change.z;
}

Drive Stepper::still(Rotation rotation) const {
  Drive drive{};
  add_gravity(rotation, drive);
  return drive;
}

/// Accelerations from transforms (see docs/player.md), in the bone's axes at the last frame.
Drive Stepper::moving(Vec3 velocity, Vec3 spin, double tau, Vec3& mean_spin) {
  const ObjectState& o = m_state;
  const supple_object_settings& settings = o.settings;
  Vec3 a = to_frame(o.last_pose.rotation, (1 / tau) * (velocity - o.last_velocity));
  Vec3 alpha = (1 / tau) * (spin - o.last_spin);
  const bool hard = cut(a, settings.max_acceleration);
  // No separate number: what the largest spin pulls outwards, this may pull along.
  const bool twisted = cut(alpha, settings.max_spin * settings.max_spin);
  if (hard || twisted) ++m_player.diagnostics.clamped_accelerations;
  Vec3 w = 0.5 * (spin + o.last_spin);
  cut(w, settings.max_spin);
  mean_spin = w;
  const double square = dot(w, w);
  Drive drive{{alpha.x, alpha.y, alpha.z},
              {a.x, a.y, a.z},
              {w.x * w.x - square, w.y * w.y - square, w.z * w.z - square, w.x * w.y, w.x * w.z,
               w.y * w.z}};
  add_gravity(o.last_pose.rotation, drive);
  return drive;
}

void Stepper::set_target(const Drive& drive) {
  m_kernels.target(m_constants, m_state.lanes, m_state.settings.modes, drive, m_state.target);
}

/// Modes that did not move so far begin where the force holds them, so that nothing jumps; modes
/// beyond the level of detail stay at 0.
void Stepper::settle(std::size_t first) {
  ObjectState& o = m_state;
  const std::size_t count = o.settings.modes;
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

void Stepper::advance(const double* rows, bool pushed, const double* push) {
  m_kernels.advance(rows, m_state.lanes, m_state.settings.modes, pushed_target(pushed, push),
                    m_state.q, m_state.q_dot);
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

/// Gain and soft clamp act on what is shown; the state itself knows nothing of them.
void Stepper::write() {
  const ObjectState& o = m_state;
  const double* reach = m_constants + kReach * o.lanes;
  const double gain = o.settings.gain;
  double scale = gain;
  if (o.settings.limit_metres > 0) {
    double square = 0;
    for (std::size_t k = 0; k < o.settings.modes; ++k) {
      const double shown = gain * o.output[k] * reach[k];
      square += shown * shown;
    }
    if (square > 0) scale *= soft_ratio(__builtin_sqrt(square) / o.settings.limit_metres);
  }
  float* out = m_player.coefficients + m_file.first_mode;
  bool good = true;
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
  o.owed = o.behind = 0;
  o.settled = 0;
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

void step(supple_player& player, std::size_t object, double dt) {
  Stepper(player, object).step(dt);
}

void reset(supple_player& player, std::size_t object) {
  Stepper(player, object).reset();
}

void retune(supple_player& player, std::size_t object) {
  Stepper(player, object).retune();
}

}  // namespace supple::player
