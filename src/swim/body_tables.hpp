// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/body.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace supple::swim {

/// A segment of a standing person of 1.73 m; arms and legs apply to both sides.
struct SegmentRow {
  std::string_view name;
  std::string_view parent;
  Eigen::Vector3d size;    ///< m, along x, y, z
  Eigen::Vector3d anchor;  ///< in the parent's frame, of the right side
  double towards = 1;      ///< 1: reaches from its joints towards +x, -1: towards -x, 0: both ways
  bool paired = false;
  double paper_mass = 0;    ///< share of the body's mass [MMY table 1]
  double de_leva_mass = 0;  ///< [Leva96 table 4, men]
  double density = 1000;    ///< kg/m^3 of the displaced water's volume, [Winter09 table 4.1]
  double lungs = 0;  ///< m, offset of the centre of volume from the box's centre, towards the head
};

/// A hinge of the right side or of the middle.
struct JointRow {
  std::string_view name;
  std::string_view segment;
  Eigen::Vector3d axis;
  double low = 0;  ///< degrees
  double high = 0;
  Servo servo;
  bool paired = false;
};

inline constexpr double kTableMass = 75;  ///< kg, the body to which servos and armature belong
inline constexpr double kTableArmature = 0.005;  ///< kg m^2
inline constexpr double kTableHeight = 1.73;     ///< head, torso, pelvis, thigh and shin in a row

[[nodiscard]] const std::vector<SegmentRow>& segment_table();
[[nodiscard]] const std::vector<JointRow>& joint_table(HingeSet hinges);

}  // namespace supple::swim
