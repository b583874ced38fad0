// SPDX-License-Identifier: Apache-2.0
#include "coriolis.hpp"
#include "elementary.hpp"
#include "shell_step.hpp"
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
constexpr double kLargestTurn = 1e4;     // radians: beyond, floats do not know where a circle ends

/// One step of one object: the walk that flesh and shells share.
class Stepper : ModalStep {
 public:
  using ModalStep::ModalStep;

  void step(double dt);
  SUPPLE_FOR_SIZE void reset();
  SUPPLE_FOR_SIZE void retune();

 private:
  SUPPLE_FOR_SIZE void first_step(double h);
  SUPPLE_FOR_SIZE void pause(double h);
  SUPPLE_FOR_SIZE void teleport();
  void move(double h);
  void sweep(double h);
  SUPPLE_FOR_SIZE void move_whole(double h);
  SUPPLE_FOR_SIZE void move_held(double h);

  SUPPLE_FOR_SIZE void drop_past();
  [[nodiscard]] SUPPLE_FOR_SIZE Drive still(Rotation rotation);
  [[nodiscard]] Drive moving(double h);
  void keep_motion(double h);
  void add_gravity(Rotation rotation, Drive& drive);
  void set_target(const Drive& drive, const double* q);
  void write();

  [[nodiscard]] bool turns() const {
    return m_state.settings.coriolis != 0 && m_file.coriolis != format::kNone;
  }
  [[nodiscard]] bool is_shell() const { return m_state.shell != nullptr; }
  /// Contract: is_shell().
  [[nodiscard]] ShellStep shell() const { return {*this, m_motion}; }

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
    if (is_shell()) shell().hang(drive);
    o.past = Past::Place;
  }
  if (!held()) relax(h);
}

void Stepper::pause(double h) {
  ++m_player.diagnostics.pauses;
  set_target(still(m_state.pose.rotation), m_state.output);
  settle(m_state.settled);
  catch_up();
  drop_past();
  relax(h < kLongestPause ? h : kLongestPause);
  // Nobody knows what a bent shell did meanwhile: it hangs.
  if (is_shell()) shell().hang(still(m_state.pose.rotation));
}

void Stepper::teleport() {
  ++m_player.diagnostics.teleports;
  const Drive drive = still(m_state.pose.rotation);
  set_target(drive, m_state.output);
  settle(0);
  if (is_shell()) shell().hang(drive);
  drop_past();
  end_pushes();
  std::memcpy(m_state.output, m_state.q, m_state.lanes * sizeof(double));
}

void Stepper::drop_past() {
  m_state.past = Past::Place;
  m_state.behind = m_state.half_step = 0;
  if (is_shell()) shell().forget_drift();
}

/// The usual step: from half a step before the last frame to half a step after it, with the force
/// in the middle, which is centred because velocities are known at both ends. Then half a step
/// ahead to the frame itself, which is looked at but not kept.
void Stepper::move(double h) {
  const ObjectState& o = m_state;
  const Drive drive = moving(h);
  set_target(drive, o.output);
  if (!is_shell() && !turns() && !o.pushed && !o.was_pushed && o.behind > 0) {
    sweep(h);
  } else if (!is_shell() || !shell().move_in_pieces(drive, h)) {
    move_whole(h);
  }
  end_pushes();
  keep_motion(h);
  m_state.behind = h / 2;
}

/// The same as move_whole() where nothing comes between its parts.
void Stepper::sweep(double h) {
  const ObjectState& o = m_state;
  const double* before = transition(o.behind);
  const double* after = transition(h / 2);
  settle(o.settled);
  m_kernels.sweep(before, after, o.lanes, o.settings.modes, o.target, o.q, o.q_dot, o.output);
}

void Stepper::move_whole(double h) {
  ObjectState& o = m_state;
  const double length = o.behind + h / 2;
  const Span before{o.behind > 0 ? transition(o.behind) : nullptr, o.was_pushed, o.last_push};
  const Span after{transition(h / 2), o.pushed, o.push};
  if (is_shell()) shell().brake(before, after, length);
  settle(o.settled);
  Coriolis coriolis(m_player, m_file, o);
  if (turns()) coriolis.prepare(m_motion.spin, (o.half_step + h / 2) / 2);
  if (turns()) coriolis.turn();
  if (before.rows != nullptr) advance(before);
  advance(after);
  if (is_shell()) shell().damp(length);
  if (turns()) coriolis.turn();
  look_ahead(after, turns() ? coriolis.nudged(h / 4) : o.q_dot);
}

/// Of a shell, by its handles, from frame to frame.
void Stepper::move_held(double h) {
  ObjectState& o = m_state;
  catch_up();
  set_target(moving(h), o.q);
  settle(o.settled);
  shell().move_held(h);
  end_pushes();
  o.was_pushed = false;
  keep_motion(h);
}

/// On flesh gravity counts as far as it differs from the pose in which the flesh was modelled, on a
/// shell whole unless the same is said of it. What holds a shell that was modelled under gravity up
/// is in its rest shape: only the difference turns with it, or a soft one would topple.
SUPPLE_FOR_SPEED void Stepper::add_gravity(Rotation rotation, Drive& drive) {
  Vec3 gravity = to_frame(rotation, m_player.gravity) - m_state.borne;
  if (is_shell()) gravity = m_state.shell->medium.weight * gravity;
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
SUPPLE_FOR_SPEED Drive Stepper::moving(double h) {
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
  const ObjectState& o = m_state;
  if (is_shell()) {
    shell().set_target(drive, q);
  } else {
    m_kernels.target(m_constants, o.lanes, o.settings.modes, drive, o.target);
  }
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
  bool good = !is_shell() || o.shell->largest_turn <= kLargestTurn;
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
  if (is_shell()) {
    o.shell->largest_turn = o.shell->residual = 0;
    shell().forget_drift();
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
