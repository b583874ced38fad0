// SPDX-License-Identifier: Apache-2.0
#include "swim/body_tables.hpp"

namespace supple::swim {
namespace {

// Stiffness N m/rad, damping N m s/rad, largest torque N m. The values for turns about a limb are
// our own.
constexpr Servo kNeck{60, 6, 30};
constexpr Servo kWaist{600, 60, 250};
constexpr Servo kShoulder{400, 40, 120};
constexpr Servo kShoulderTurn{150, 12, 80};
constexpr Servo kElbow{150, 12, 80};
constexpr Servo kWrist{15, 0.8, 15};
constexpr Servo kHip{800, 80, 250};
constexpr Servo kHipTurn{300, 30, 120};
constexpr Servo kKnee{400, 30, 200};
constexpr Servo kFootTurn{80, 4, 60};
constexpr Servo kAnkle{80, 4, 80};

}  // namespace

const std::vector<SegmentRow>& segment_table() {
  static const std::vector<SegmentRow> table{
      {"pelvis", "", {0.20, 0.20, 0.34}, {0, 0, 0}, 0, false, 0.19, 0.1117, 930, 0},
      {"torso", "pelvis", {0.42, 0.22, 0.34}, {0.10, 0, 0}, 1, false, 0.49, 0.3229, 890, 0.02},
      {"head", "torso", {0.24, 0.20, 0.16}, {0.42, 0, 0}, 1, false, 0.08, 0.0694, 1110, 0},
      {"upper_arm", "torso", {0.30, 0.10, 0.10}, {0.37, 0, 0.22}, 1, true, 0.01, 0.0271, 1070, 0},
      {"forearm", "upper_arm", {0.27, 0.08, 0.08}, {0.30, 0, 0}, 1, true, 0.006, 0.0162, 1130, 0},
      {"hand", "forearm", {0.19, 0.09, 0.03}, {0.27, 0, 0}, 1, true, 0.014, 0.0061, 1160, 0},
      {"thigh", "pelvis", {0.44, 0.15, 0.15}, {-0.10, 0, 0.095}, -1, true, 0.05, 0.1416, 1050, 0},
      {"shin", "thigh", {0.43, 0.11, 0.11}, {-0.44, 0, 0}, -1, true, 0.03, 0.0433, 1090, 0},
      {"foot", "shin", {0.26, 0.10, 0.07}, {-0.43, 0, 0}, -1, true, 0.01, 0.0137, 1100, 0},
  };
  return table;
}

const std::vector<JointRow>& joint_table(HingeSet hinges) {
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX();
  const Eigen::Vector3d y = Eigen::Vector3d::UnitY();
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  static const std::vector<JointRow> paper{
      {"waist", "torso", z, -50, 40, kWaist, false},
      {"neck", "head", z, -60, 70, kNeck, false},
      {"shoulder", "upper_arm", -y, -20, 190, kShoulder, true},
      {"elbow", "forearm", y, -5, 150, kElbow, true},
      {"wrist", "hand", x, -95, 95, kWrist, true},
      {"hip", "thigh", y, -10, 90, kHip, true},
      {"knee", "shin", -y, -5, 140, kKnee, true},
      {"ankle", "foot", y, -10, 95, kAnkle, true},
  };
  static const std::vector<JointRow> human{
      {"waist", "torso", z, -50, 40, kWaist, false},
      {"neck", "head", z, -60, 70, kNeck, false},
      {"shoulder", "upper_arm", -y, -30, 190, kShoulder, true},
      {"shoulder_depth", "upper_arm", -z, -60, 110, kShoulder, true},
      {"shoulder_turn", "upper_arm", x, -100, 100, kShoulderTurn, true},
      {"elbow", "forearm", y, -5, 150, kElbow, true},
      {"wrist", "hand", x, -95, 95, kWrist, true},
      {"hip_flex", "thigh", z, -25, 120, kHip, true},
      {"hip", "thigh", y, -15, 70, kHip, true},
      {"hip_turn", "thigh", x, -60, 60, kHipTurn, true},
      {"knee", "shin", -z, -5, 145, kKnee, true},
      {"foot_turn", "foot", -x, -35, 50, kFootTurn, true},
      {"ankle", "foot", z, -10, 100, kAnkle, true},
  };
  return hinges == HingeSet::Paper14 ? paper : human;
}

}  // namespace supple::swim
