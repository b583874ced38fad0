// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "elementary.hpp"
#include "player.hpp"
#include "size.hpp"

namespace supple::player {

/// How much of a bone's past is known.
enum class Past { Nothing, Place, Motion };

/// The modes of an object that a bone shakes: what flesh and shells have in common. The state
/// (q, q') stands half a step behind the last frame, in the middle between the two frames whose
/// velocity is known: see docs/player.md.
struct ModalState {
  // What every step touches.
  std::size_t lanes;
  const double* constants;  ///< the asset's, or `own` where stiffness or damping were changed
  double* q;
  double* q_dot;
  double* target;
  double* output;  ///< q at the frame
  double* transitions[2];
  double lengths[2];      ///< of the two transitions that are kept
  int newest;             ///< which of them belongs to the last step
  std::uint32_t settled;  ///< modes that took part in the last step
  Past past;
  bool pushed;         ///< for the coming step
  bool was_pushed;     ///< during the last step
  double owed;         ///< seconds that were not stepped for want of a transform
  double behind;       ///< seconds by which the state stands behind the last frame
  double half_step;    ///< seconds from where last_velocity was to the last frame
  Pose last_pose;      ///< at the last frame
  Vec3 last_velocity;  ///< m/s, in the world, half a step before the last frame
  Vec3 last_spin;      ///< rad/s, in the bone's axes
  Vec3 borne;          ///< gravity that is in the rest shape already, in the bone's axes
  double weight;       ///< of the gravity that is not: the part that acts

  double stiffness, damping;  ///< settings for which the constants are
  double* own;                ///< constants
  double* shifted;            ///< target with a push added
  double* push;               ///< for the coming step, as modal force
  double* last_push;          ///< of the last step
};

/// Contract: the object is flesh or a shell, whose states are modal ones.
[[nodiscard]] inline ModalState& modal_state(const supple_player& player, std::size_t object) {
  return *static_cast<ModalState*>(player.objects[object].state);
}

/// Rows that every step touches, and the others: apart, so that the former lie together.
void lay_out_often(Arena& arena, std::size_t lanes, ModalState& state);
void lay_out_seldom(Arena& arena, std::size_t lanes, ModalState& state);

/// How an object's frame moves at the moment, in its own axes.
struct FrameMotion {
  Pose pose;
  Vec3 acceleration;  ///< gravity less the frame's own
  Vec3 alpha, spin;
  Vec3 velocity;  ///< world
};

/// A force in the axes of an object's frame, as a vector that displacements in the program's bind
/// space are multiplied by.
[[nodiscard]] Vec3 bind_force(const supple_asset& asset, const format::Object& object, Vec3 force);

/// One step of one object: what the steps of flesh and of shells are made of.
class ModalStep {
 public:
  ModalStep(supple_player& player, std::size_t index, ModalState& state)
      : m_player(player),
        m_index(index),
        m_object(player.objects[index]),
        m_state(state),
        m_file(player.asset->objects[index]),
        m_constants(state.constants) {}

  /// Once, after the rows are there.
  void prepare();
  /// Brings the constants in line with the settings. q and q' stay, so the object goes on from
  /// where it is; the transition that the next step begins with is of the length it had.
  SUPPLE_FOR_SIZE void retune();
  /// Gravity that the rest shape bears already; none where it was modelled without.
  void bear_gravity(bool sags_at_rest);
  /// At rest and without a past.
  SUPPLE_FOR_SIZE void clear();
  /// Adds a force to the coming step: in bind axes as a vector that displacements are multiplied
  /// by.
  SUPPLE_FOR_SIZE void add_push(const format::Entry& entry, std::size_t lane, Vec3 bind_force);
  /// A force in newtons, in the file's world axes, as such a vector.
  [[nodiscard]] SUPPLE_FOR_SIZE Vec3 bind_force(Vec3 force) const {
    return player::bind_force(*m_player.asset, m_file, frame_force(force));
  }
  /// The same in the axes of the object's frame.
  [[nodiscard]] Vec3 frame_force(Vec3 force) const {
    return to_frame(frame_of(m_player, m_index).rotation, force);
  }

 protected:
  /// What is to be done in a step.
  enum class Phase { Wait, First, Pause, Teleport, Move };
  /// `h` becomes the length of the step, with what is owed from steps before.
  [[nodiscard]] SUPPLE_FOR_SPEED Phase begin(double dt, double& h);

  /// Part of a step: its transition, and the push that acts meanwhile.
  struct Span {
    const double* rows;
    bool pushed;
    const double* push;
  };

  /// Computed only if the step's length is new. The other of the two stays: the next step begins
  /// with it.
  const double* transition(double h) {
    ModalState& o = m_state;
    if (o.lengths[o.newest] != h) {
      o.newest = 1 - o.newest;
      if (o.lengths[o.newest] != h) {
        kernels().transition(m_constants, o.lanes, m_file.mode_count, h, o.transitions[o.newest]);
        o.lengths[o.newest] = h;
      }
    }
    return o.transitions[o.newest];
  }

  /// Where the modes would come to rest.
  void set_target(const Drive& drive) {
    kernels().target(m_constants, m_state.lanes, modes(), drive, m_state.target);
  }
  const double* pushed_target(const Span& span) { return pushed_target(span, m_state.target); }
  const double* pushed_target(const Span& span, const double* target) {
    return span.pushed ? shifted_by(span.push, target) : target;
  }
  void advance(const Span& span) {
    kernels().advance(span.rows, m_state.lanes, modes(), pushed_target(span), m_state.q,
                      m_state.q_dot);
  }
  void look_ahead(const Span& span, const double* q_dot) {
    look_ahead(span, m_state.target, q_dot);
  }
  void look_ahead(const Span& span, const double* target, const double* q_dot) {
    kernels().look_ahead(span.rows, m_state.lanes, modes(), pushed_target(span, target), m_state.q,
                         q_dot, m_state.output);
  }
  [[nodiscard]] std::size_t modes() const { return m_object.settings.modes; }
  [[nodiscard]] const FilterKernels& kernels() const { return filter_of(m_player); }

  /// The frame at rest, and what pulls at the modes then. These three fill m_motion.
  [[nodiscard]] SUPPLE_FOR_SIZE Drive still(Rotation rotation);
  /// The frame as it moves when it is seen first: at rest, or as set_bone_motion has it.
  [[nodiscard]] SUPPLE_FOR_SIZE Drive begun(Rotation rotation);
  /// Accelerations from transforms (see docs/player.md), in the bone's axes at the last frame.
  [[nodiscard]] SUPPLE_FOR_SPEED Drive moving(double h);
  /// After a step that began with moving().
  void keep_motion(double h) {
    m_state.last_velocity = m_velocity;
    m_state.last_spin = m_spin;
    m_state.half_step = h / 2;
    m_state.past = Past::Motion;
  }

  /// After a step that began with begun(): what is known of the bone's past.
  SUPPLE_FOR_SIZE void keep_begun();

  /// From where the state stands to the last frame.
  SUPPLE_FOR_SIZE void catch_up();
  /// Freely, from the frame before to this one.
  SUPPLE_FOR_SIZE void relax(double h);
  /// The same for as long as a pause took.
  SUPPLE_FOR_SIZE void relax_for_pause(double h);
  /// Only the place of the last frame is known of the past.
  void drop_past() {
    m_state.past = Past::Place;
    m_state.behind = m_state.half_step = 0;
  }
  /// Modes that did not move so far begin where the force holds them, so that nothing jumps; modes
  /// beyond the level of detail stay at 0. Where all modes move there is nothing to do, and single
  /// numbers written here would hold up the kernels, which load whole rows.
  SUPPLE_FOR_SIZE void settle(std::size_t first) {
    if (first == modes() && first == m_file.mode_count) return;
    settle_some(first);
  }
  /// A push acts from its frame to the next: half of that lies in the step after.
  SUPPLE_FOR_SIZE void end_pushes() {
    m_state.was_pushed = m_state.pushed;
    if (m_state.pushed) exchange_pushes();
  }

  /// Gain and soft clamp (metres; 0: none) act on what is shown; the state itself does not know of
  /// them. False where a number is beyond all sense.
  [[nodiscard]] SUPPLE_FOR_SPEED bool show(double gain, double limit);
  /// After show(): hands the coefficients on, or begins anew.
  void finish(bool good) {
    if (good) {
      publish(m_player, m_index);
    } else {
      begin_anew();
    }
  }

  supple_player& m_player;
  std::size_t m_index;
  ObjectState& m_object;
  ModalState& m_state;
  const format::Object& m_file;
  const double* m_constants;
  // Not set to 0 in vain every step: still() and moving() fill what the others read.
  FrameMotion m_motion;

 private:
  SUPPLE_FOR_SIZE const double* shifted_by(const double* push, const double* target);
  SUPPLE_FOR_SIZE void settle_some(std::size_t first);
  SUPPLE_FOR_SIZE void exchange_pushes();
  SUPPLE_FOR_SIZE void begin_anew();
  SUPPLE_FOR_SPEED void add_gravity(Rotation rotation, Drive& drive);
  /// The drive of a frame that moves like this, in its own axes; accelerations are cut to size.
  SUPPLE_FOR_SPEED Drive driven(Rotation rotation, Vec3 a, Vec3 alpha, Vec3 w);

  Vec3 m_velocity, m_spin;  ///< from the last frame to this one
};

/// Cuts a vector to a length; 0 means any. True if it had to.
inline bool cut(Vec3& v, double longest) {
  const double square = dot(v, v);
  if (!(longest > 0) || square <= longest * longest) return false;
  v = (longest / __builtin_sqrt(square)) * v;
  return true;
}

/// Whether a bone turned by about a half turn between frames. Nobody can tell which way round it
/// went, and nothing alive spins like that.
inline bool turns_about(Rotation from, Rotation to, double h) {
  constexpr double kCosine = 0.2588190451025208;        // of half of 150 degrees
  constexpr double kSlowest = 2.6179938779914944 / 30;  // seconds for that at 30 rad/s
  const double cosine = from.x * to.x + from.y * to.y + from.z * to.z + from.w * to.w;
  return h < kSlowest && cosine * cosine < kCosine * kCosine;
}

SUPPLE_FOR_SPEED ModalStep::Phase ModalStep::begin(double dt, double& h) {
  constexpr double kShortestStep = 1e-9;  // seconds: below is saved up
  constexpr double kLongestStep = 0.25;   // seconds: beyond is a pause
  ModalState& o = m_state;
  const supple_object_settings& settings = m_object.settings;
  if (settings.enabled == 0) return Phase::Wait;
  h = dt + o.owed;
  if (m_object.bad_pose || h < kShortestStep) {
    m_object.bad_pose = false;
    o.owed = h;
    return Phase::Wait;
  }
  o.owed = 0;
  if (o.past == Past::Nothing) return Phase::First;
  if (h > kLongestStep) {
    ++m_player.diagnostics.pauses;
    return Phase::Pause;
  }
  const Vec3 way = m_object.pose.position - o.last_pose.position;
  const double farthest = settings.teleport_speed * h;
  if (farthest > 0 && (!(dot(way, way) <= farthest * farthest) ||
                       turns_about(o.last_pose.rotation, m_object.pose.rotation, h))) {
    ++m_player.diagnostics.teleports;
    return Phase::Teleport;
  }
  return Phase::Move;
}

/// Gravity counts as far as it differs from the pose in which the object was modelled, or whole.
/// What holds up a shell that was modelled under gravity is in its rest shape: only the difference
/// turns with it, or a soft one would topple.
SUPPLE_FOR_SPEED void ModalStep::add_gravity(Rotation rotation, Drive& drive) {
  const Vec3 gravity = m_state.weight * (to_frame(rotation, m_player.gravity) - m_state.borne);
  drive.acceleration[0] -= gravity.x;
  drive.acceleration[1] -= gravity.y;
  drive.acceleration[2] -= gravity.z;
  m_motion.acceleration = {-drive.acceleration[0], -drive.acceleration[1], -drive.acceleration[2]};
}

SUPPLE_FOR_SPEED Drive ModalStep::moving(double h) {
  const ModalState& o = m_state;
  const Pose& pose = m_object.pose;
  m_velocity = (1 / h) * (pose.position - o.last_pose.position);
  m_spin = (1 / h) * turn_between(o.last_pose.rotation, pose.rotation);
  const bool known = o.past == Past::Motion;
  const Vec3 last_velocity = known ? o.last_velocity : m_velocity;
  const Vec3 last_spin = known ? o.last_spin : m_spin;
  const double tau = o.half_step + h / 2;
  m_motion.pose = o.last_pose;
  m_motion.velocity = 0.5 * (m_velocity + last_velocity);
  return driven(o.last_pose.rotation,
                to_frame(o.last_pose.rotation, (1 / tau) * (m_velocity - last_velocity)),
                (1 / tau) * (m_spin - last_spin), 0.5 * (m_spin + last_spin));
}

SUPPLE_FOR_SPEED Drive ModalStep::driven(Rotation rotation, Vec3 a, Vec3 alpha, Vec3 w) {
  const supple_object_settings& settings = m_object.settings;
  const bool hard = cut(a, settings.max_acceleration);
  // No separate number: what the largest spin pulls outwards, this may pull along.
  const bool twisted = cut(alpha, settings.max_spin * settings.max_spin);
  if (hard || twisted) ++m_player.diagnostics.clamped_accelerations;
  cut(w, settings.max_spin);
  m_motion.alpha = alpha;
  m_motion.spin = w;
  const double square = dot(w, w);
  Drive drive{{alpha.x, alpha.y, alpha.z},
              {a.x, a.y, a.z},
              {w.x * w.x - square, w.y * w.y - square, w.z * w.z - square, w.x * w.y, w.x * w.z,
               w.y * w.z}};
  add_gravity(rotation, drive);
  return drive;
}

/// tanh(x) / x for x > 0.
inline double soft_ratio(double x) {
  if (x < 0.05) {
    const double z = x * x;
    return 1 - z * (1.0 / 3 - z * (2.0 / 15 - z * (17.0 / 315 - z * (62.0 / 2835))));
  }
  const double e = exp_of_negative(-2 * x);
  return (1 - e) / ((1 + e) * x);
}

SUPPLE_FOR_SPEED bool ModalStep::show(double gain, double limit) {
  constexpr double kLargestOutput = 1e30;  // a float can hold it
  const ModalState& o = m_state;
  const double* reach = m_constants + kReach * o.lanes;
  double scale = gain;
  if (limit > 0) {
    double square = 0;
    for (std::size_t k = 0; k < modes(); ++k) {
      const double shown = gain * o.output[k] * reach[k];
      square += shown * shown;
    }
    if (square > 0) scale *= soft_ratio(__builtin_sqrt(square) / limit);
  }
  float* out = m_player.coefficients + m_file.first_mode;
  bool good = true;
  for (std::size_t k = 0; k < m_file.mode_count; ++k) {
    const double shown = scale * o.output[k];
    const bool fits = shown >= -kLargestOutput && shown <= kLargestOutput;
    good &= fits;
    out[k] = fits ? static_cast<float>(shown) : 0.0F;
  }
  return good;
}

}  // namespace supple::player
