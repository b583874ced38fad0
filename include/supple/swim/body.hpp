// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/settings/declare.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::swim {

/// Axes of the body and of the world it starts in: x towards the head, the swimming direction; y
/// towards the back, up for a swimmer lying face down; z towards the right hand. With all angles
/// zero the arms are stretched overhead, the legs straight and the feet pointed.

/// A muscle: torque = -stiffness (angle - target) - damping rate, limited to +-max_torque. [MMY
/// section 4.1]
struct Servo {
  double stiffness = 0;   ///< N m / rad
  double damping = 0;     ///< N m s / rad
  double max_torque = 0;  ///< N m
};

/// A hinge. The joints of one segment share a point, ordered from the parent outwards: three of
/// them form a ball joint.
struct Joint {
  std::string name;
  std::size_t segment = 0;                          ///< the segment it moves
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< at zero angles
  double low = 0;                                   ///< rad
  double high = 0;
  Servo servo;
  double armature = 0;  ///< kg m^2, inertia about the axis in addition to that of the segments
};

/// A flat piece of a segment's surface on which the fluid acts.
struct Face {
  Eigen::Vector3d centre;  ///< in the segment's frame
  Eigen::Vector3d normal;  ///< outward, unit length
  double area = 0;
  double end = 0;  ///< 1 on the ends of a limb, 0 on its sides: (normal . long axis)^2
};

/// A rigid part. At zero angles its frame has the body's axes; its origin is at its joints.
struct Segment {
  static constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);

  std::string name;
  std::size_t parent = kNoParent;                     ///< a lower number; only the root has none
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();   ///< the joints, in the parent's frame
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< of mass, in the segment's frame
  Eigen::Vector3d size = Eigen::Vector3d::Zero();     ///< of the box around it along the axes
  double mass = 0;                                    ///< kg
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about `centre`
  double volume = 0;                                  ///< of displaced water, m^3
  Eigen::Vector3d centre_of_volume = Eigen::Vector3d::Zero();
  geometry::TriMesh surface;  ///< closed; for drawing
  std::vector<Face> faces;
};

/// A tree of segments, depth first; the first is the root, which floats freely.
struct Body {
  std::vector<Segment> segments;
  std::vector<Joint> joints;  ///< sorted by segment

  /// Of the trunk with an arm on each side, m.
  [[nodiscard]] double width() const;
  [[nodiscard]] std::optional<std::size_t> find_segment(std::string_view name) const;
  [[nodiscard]] std::optional<std::size_t> find_joint(std::string_view name) const;
  [[nodiscard]] double mass() const;
};

enum class HingeSet {
  Paper14,  ///< [MMY]: limbs move in the plane of the body, hinges about y
  Human24   ///< three hinges at shoulders and hips, knees that bend like real knees
};
enum class MassTable { Paper, DeLeva };
enum class SegmentShape { Box, Capsule };

/// What a body.toml says.
struct BodySettings {
  HingeSet hinges = HingeSet::Human24;
  MassTable masses = MassTable::DeLeva;
  SegmentShape shape = SegmentShape::Box;
  double height = 1.73;    ///< m, soles to crown, standing; scales all segments
  double mass = 75;        ///< kg
  double hand_length = 1;  ///< factors on the hands' and feet's own sizes
  double hand_width = 1;
  double foot_length = 1;
  double foot_width = 1;
  double strength = 1;   ///< factor on the torque limits
  double gain = 1;       ///< factor on stiffness and damping of all servos
  std::size_t cuts = 2;  ///< faces per edge of a box: 2 gives 24 faces a box
  double buoyancy = 1;   ///< factor on the displaced volumes
  std::string mesh{};    ///< file of a skinned character to take the segments from; none: ours

  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges, defaults and descriptions of a body.toml.
[[nodiscard]] const settings::Fields<BodySettings>& body_fields();

/// Fifteen segments: pelvis, torso, head, {right,left}_{upper_arm,forearm,hand,thigh,shin,foot}.
/// Joints: waist, neck, and for each side with the prefix right_ or left_:
///   Paper14: shoulder elbow wrist hip knee ankle
///   Human24: shoulder shoulder_depth shoulder_turn elbow wrist
///            hip_flex hip hip_turn knee foot_turn ankle
/// Positive: waist and neck arch back; shoulder takes the arm from overhead out to the side and on
/// towards the feet; shoulder_depth towards the front; elbow bends; wrist turns the hand about the
/// forearm (0: its edge leads downward, 90 degrees: feathered in the plane of the body); hip_flex
/// takes the thigh towards the belly, hip out to the side; knee bends (Human24: the heel towards
/// the back; Paper14: inward); ankle Human24: toes towards the shin, Paper14: outward; foot_turn:
/// toes outward.
[[nodiscard]] Result<Body> build_body(const BodySettings& settings);

/// The geometry of one segment of the body, at zero angles.
struct BodyPiece {
  std::string segment;                  ///< its name
  std::vector<Eigen::Vector3d> points;  ///< m, in the body's axes, from any common origin
  Eigen::Vector3d anchor = Eigen::Vector3d::Zero();  ///< its joints, in the same axes
};

/// The same fifteen segments with the same joints, each the convex hull of its points, thinned to a
/// few dozen triangles of the same volume. Shares of mass and densities come from the table;
/// `shape` and `height` have no effect, because the points define shape and size. Errors: missing,
/// duplicate or unknown segments, swapped sides, points that enclose nothing.
[[nodiscard]] Result<Body> body_from_pieces(const BodySettings& settings,
                                            const std::vector<BodyPiece>& pieces);

/// The body for MuJoCo, as the text of an MJCF file, with servos as actuators and visible boxes.
[[nodiscard]] std::string to_mjcf(const Body& body, std::string_view model_name);

}  // namespace supple::swim
