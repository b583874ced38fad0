// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_motion.hpp"

#include "bake/swim/limbs.hpp"
#include "supple/character/pose_chain.hpp"

#include "supple/bake/swimmer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::bake {
namespace {

using namespace detail;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using geometry::Vec3;

/// Segments of a swimmer by body part; none: this body has no such segment.
struct Segments {
  using Place = std::optional<std::size_t>;
  std::size_t pelvis = 0;
  Place torso, head;
  std::array<Place, 2> upper_arm, forearm, hand, thigh, shin, foot;  // right, left

  explicit Segments(const swim::Body& body) {
    torso = body.find_segment("torso");
    head = body.find_segment("head");
    for (const auto& [s, side] : {std::pair{0U, "right"}, {1U, "left"}}) {
      const auto find = [&, side = side](const char* name) {
        return body.find_segment(fmt::format("{}_{}", side, name));
      };
      upper_arm[s] = find("upper_arm");
      forearm[s] = find("forearm");
      hand[s] = find("hand");
      thigh[s] = find("thigh");
      shin[s] = find("shin");
      foot[s] = find("foot");
    }
  }
};

Matrix3d part_of(double share, const Matrix3d& from, const Matrix3d& to) {
  return Quaterniond(from).slerp(share, Quaterniond(to)).toRotationMatrix();
}

/// The smallest rotation of `from` that makes its `axis` point along `direction`.
Matrix3d swung(const Matrix3d& from, const Vec3& axis, const Vec3& direction) {
  return Quaterniond::FromTwoVectors(from * axis, direction).toRotationMatrix() * from;
}

/// The angle of `to` relative to `from` about a direction they share.
double twist(const Matrix3d& from, const Matrix3d& to, const Vec3& direction, const Vec3& side) {
  const Vec3 a = from * side;
  const Vec3 b = to * side;
  return std::atan2(direction.dot(a.cross(b)), a.dot(b));
}

class SwimRetarget {
 public:
  SwimRetarget(const swim::Recording& recording, const swim::Body& body,
               const character::Character& character, SwimRig rig, bool in_place)
      : m_recording(recording),
        m_character(character),
        m_rig(std::move(rig)),
        m_segments(body),
        m_order(character::parents_first(character)) {
    m_body_from_zero << m_rig.up(), -m_rig.front(), -m_rig.left();
    m_world = Quaterniond::FromTwoVectors(Vec3::UnitY(), m_rig.up()).toRotationMatrix();
    Vec3 hips = Vec3::Zero();
    double leg = 0;
    for (const std::size_t s : {0U, 1U}) {
      if (m_segments.thigh[s]) hips += 0.5 * body.segments[*m_segments.thigh[s]].anchor;
      if (m_segments.shin[s] && m_segments.foot[s]) {
        leg = body.segments[*m_segments.shin[s]].anchor.norm() +
              body.segments[*m_segments.foot[s]].anchor.norm();
      }
    }
    m_between_legs = hips;
    if (leg > 0 && m_rig.leg_length > 0) {
      m_scale = m_rig.leg_length / leg;
    } else {
      m_scale = 1 / character.metres_per_unit;
    }
    if (in_place && recording.duration() > 0) {
      m_advance =
          (recording.frames.back().centre - recording.frames.front().centre) / recording.duration();
    }
  }

  /// From the swimmer's world to the character's.
  [[nodiscard]] Vec3 place(const Vec3& point) const { return m_scale * (m_world * point); }

  /// Call with ascending times: a twist continues from the last one.
  std::vector<Eigen::Matrix4d> pose(double time) {
    sample(time);
    m_turns.assign(m_character.bones.size(), std::nullopt);
    const Matrix3d pelvis = turn(m_segments.pelvis);
    const Matrix3d torso = m_segments.torso ? turn(*m_segments.torso) : pelvis;
    const Matrix3d head = m_segments.head ? turn(*m_segments.head) : torso;
    set(m_rig.hips, pelvis);
    share(m_rig.spine, pelvis, torso, m_rig.spine.size());
    share(m_rig.neck, torso, head, m_rig.neck.size() + 1);
    if (!m_rig.head.empty()) set(m_rig.head.front(), head);
    for (const std::size_t s : {0U, 1U}) {
      pose_arm(s, torso);
      pose_leg(s);
    }
    std::vector<std::optional<Vec3>> places(m_character.bones.size());
    const Vec3 rest = m_character.bones[m_rig.hips].rest_world.topRightCorner<3, 1>();
    const swim::SegmentMotion& root = m_now[m_segments.pelvis];
    places[m_rig.hips] = place(root.origin + root.axes * m_between_legs - time * m_advance) +
                         pelvis * (rest - m_rig.between_legs);
    return character::turned_pose(m_character, m_order, m_turns, places);
  }

 private:
  /// The segments interpolated between two frames of the recording.
  void sample(double time) {
    const auto& frames = m_recording.frames;
    const double last = static_cast<double>(frames.size() - 1);
    const double duration = m_recording.duration();
    const double at = duration > 0 ? std::clamp(time / duration * last, 0.0, last) : 0;
    const auto first = static_cast<std::size_t>(std::min(std::floor(at), std::max(last - 1, 0.0)));
    const std::size_t next = std::min(first + 1, frames.size() - 1);
    const double part = at - static_cast<double>(first);
    m_now.resize(frames[first].segments.size());
    for (std::size_t s = 0; s < m_now.size(); ++s) {
      const swim::SegmentMotion& a = frames[first].segments[s];
      const swim::SegmentMotion& b = frames[next].segments[s];
      m_now[s].axes = part_of(part, a.axes, b.axes);
      m_now[s].origin = (1 - part) * a.origin + part * b.origin;
    }
  }

  /// The rotation from our body, aligned with the swimmer's zero pose, to the segment.
  [[nodiscard]] Matrix3d turn(std::size_t segment) const {
    return m_world * m_now[segment].axes * m_body_from_zero.transpose();
  }

  void set(std::size_t bone, const Matrix3d& turn) { m_turns[bone] = turn; }
  void set(const Chain& bones, const Matrix3d& turn) {
    for (const std::size_t bone : bones) set(bone, turn);
  }
  void share(const Chain& bones, const Matrix3d& from, const Matrix3d& to, std::size_t count) {
    for (std::size_t i = 0; i < bones.size(); ++i) {
      set(bones[i], part_of(static_cast<double>(i + 1) / static_cast<double>(count), from, to));
    }
  }

  /// Twists of more than half a turn accumulate gradually, without a jump to the other side.
  double unwound(double angle, double& before) {
    constexpr double kMeanTurn = 2 * std::numbers::pi;
    angle += kMeanTurn * std::round((before - angle) / kMeanTurn);
    before = angle;
    return angle;
  }

  /// Twists a limb's bones increasingly from the first to the last; returns the rotation of the
  /// last.
  Matrix3d twisted(const Chain& bones, const Matrix3d& swing, const Matrix3d& straight,
                   const Vec3& direction, double angle) {
    Matrix3d last = swing;
    for (std::size_t i = 0; i < bones.size(); ++i) {
      const double part = (static_cast<double>(i) + 0.5) / static_cast<double>(bones.size());
      last = Eigen::AngleAxisd(part * angle, direction) * swing;
      set(bones[i], last * straight);
    }
    return last;
  }

  /// Starts with our arm out to the side, palm down, elbow bending forward. Raises it to the
  /// swimmer's direction, twists it by half of what the elbow's hinge needs, and again along the
  /// forearm by half of what the palm needs. If one joint took the whole twist, the skin would
  /// wring.
  void pose_arm(std::size_t s, const Matrix3d& torso) {
    const Limb& arm = m_rig.arms[s];
    if (arm.upper.empty() || !m_segments.upper_arm[s]) return;
    const Vec3 out = m_rig.outward(s);
    const Vec3 up = m_rig.up();
    const Matrix3d upper = turn(*m_segments.upper_arm[s]);
    const Vec3 along = upper * up;
    const Matrix3d swing = swung(torso, out, along);
    constexpr double kGirdle = 0.25;  // of the arm's rotation
    set(arm.girdle, part_of(kGirdle, torso, swing));
    Matrix3d from_side;  // out, front and their third to overhead, where the elbow bends inward
    from_side << out, m_rig.front(), out.cross(m_rig.front());
    Matrix3d overhead;
    overhead << up, -out, up.cross(-out);
    const Matrix3d wanted = upper * overhead * from_side.transpose();
    const double hinge = unwound(twist(swing, wanted, along, m_rig.front()), m_hinge[s]);
    const Matrix3d elbow = twisted(arm.upper, swing, arm.straight_upper, along, hinge);
    if (!m_segments.forearm[s]) return;
    const Vec3 onward = turn(*m_segments.forearm[s]) * up;
    const Matrix3d bent = swung(elbow, out, onward);
    Matrix3d hand = bent;
    if (m_segments.hand[s]) {
      Matrix3d palm;  // out and front to overhead, palms outward
      palm << up, m_rig.front(), up.cross(m_rig.front());
      hand = turn(*m_segments.hand[s]) * palm * from_side.transpose();
    }
    const double roll = unwound(twist(bent, hand, onward, m_rig.front()), m_roll[s]);
    twisted(arm.lower, bent, arm.straight_lower, onward, roll);
    if (!arm.tip.empty()) set(arm.tip.front(), hand * arm.straight_tip);
  }

  void pose_leg(std::size_t s) {
    const Limb& leg = m_rig.legs[s];
    if (m_segments.thigh[s]) set(leg.upper, turn(*m_segments.thigh[s]) * leg.straight_upper);
    if (m_segments.shin[s]) set(leg.lower, turn(*m_segments.shin[s]) * leg.straight_lower);
    if (m_segments.foot[s] && !leg.tip.empty()) {
      set(leg.tip.front(), turn(*m_segments.foot[s]) * leg.straight_tip);
    }
  }

  const swim::Recording& m_recording;
  const character::Character& m_character;
  SwimRig m_rig;
  Segments m_segments;
  std::vector<std::size_t> m_order;
  Matrix3d m_body_from_zero;  // the swimmer's axes of the zero pose to our body's at rest
  Matrix3d m_world;           // the swimmer's world to ours
  Vec3 m_between_legs = Vec3::Zero();
  double m_scale = 1;
  Vec3 m_advance = Vec3::Zero();
  std::vector<swim::SegmentMotion> m_now;
  std::vector<std::optional<Matrix3d>> m_turns;
  std::array<double, 2> m_hinge{};
  std::array<double, 2> m_roll{};
};

/// The frames of the cycle after the `first`-th, up to the first frame of the next; all frames if
/// there are too few cycles.
swim::Recording one_cycle(swim::Recording recording, std::size_t first) {
  const auto starts = [&](std::size_t cycle) {
    return std::find_if(recording.frames.begin(), recording.frames.end(),
                        [&](const auto& frame) { return frame.cycles >= cycle; });
  };
  const auto begin = starts(first);
  const auto end = starts(first + 1);
  if (end == recording.frames.end()) return recording;
  recording.frames = {begin, std::next(end)};
  const double start = recording.frames.front().time;
  for (swim::Recording::Frame& frame : recording.frames) frame.time -= start;
  return recording;
}

}  // namespace

Result<Motion> motion_from_swim(const swim::Recording& recording, const swim::Body& body,
                                const character::Character& character,
                                const SwimMotionSettings& settings) {
  if (recording.frames.empty()) return bad_input("the swim has no frames; record some seconds");
  SUPPLE_TRY(SwimRig rig, find_swim_rig(character, settings.map));
  Motion motion;
  motion.name = recording.stroke;
  motion.duration = recording.duration();
  SwimRetarget retarget(recording, body, character, std::move(rig), settings.in_place);
  SUPPLE_TRY_VOID(character::sample_motion(motion, character, settings.rate,
                                           [&](double time) { return retarget.pose(time); }));
  return motion;
}

Result<Eigen::Vector3d> place_in_swim(const Eigen::Vector3d& point, const swim::Body& body,
                                      const character::Character& character,
                                      const SwimMotionSettings& settings) {
  SUPPLE_TRY(SwimRig rig, find_swim_rig(character, settings.map));
  return SwimRetarget({}, body, character, std::move(rig), false).place(point);
}

Result<Motion> swimming_motion(const std::string& stroke, const character::Character& character,
                               SwimMotionSettings settings) {
  SUPPLE_TRY(const PreparedSwimmer swimmer, prepare_swimmer(stroke));
  const SwimStroke& loaded = swimmer.stroke;
  constexpr std::size_t kUntilSteady = 6;  // cycles
  constexpr double kOneMore = 1.5;
  swim::RunSettings run;
  run.rate = settings.rate;
  run.step = std::min(run.step, 1 / settings.rate);
  run.seconds = std::max(4.0, (kUntilSteady + kOneMore) * loaded.graph.cycle_seconds());
  // Hold the course: unsteered strokes drift up or down, and then a cycle does not close.
  const swim::Course ahead;
  SUPPLE_TRY(swim::Recording recording,
             swim::record_swim(swimmer.body, swimmer.water, loaded.graph, loaded.start, run,
                               swim::can_steer(loaded.graph).ok() ? &ahead : nullptr));
  settings.in_place = true;
  return motion_from_swim(one_cycle(std::move(recording), kUntilSteady), swimmer.body, character,
                          settings);
}

}  // namespace supple::bake
