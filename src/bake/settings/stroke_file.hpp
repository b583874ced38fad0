// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/settings/fields.hpp"
#include "supple/swim/pose_graph.hpp"
#include "supple/swim/water.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

/// A stroke's file as written, before names become indices and degrees become radians. The angles
/// of joints depend on the hinges and are not among the fields.
namespace supple::bake::detail {

struct TransitionText {
  swim::Transition::On on = swim::Transition::On::Time;
  std::string when;
  std::string command;
  std::string to;
};

struct PoseText {
  swim::Pose pose;  ///< name and times
  std::vector<TransitionText> transitions;
};

struct TurnText {
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();
};

struct TurnsText {};  ///< all of its keys are turns

struct StartText {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  double roll = 0;   ///< degrees
  double pitch = 0;  ///< degrees
};

struct StrokeText {
  std::string name;
  std::string description;
  swim::HingeSet hinges = swim::HingeSet::Human24;
  std::string first;  ///< "": the first pose of the file
  std::optional<swim::WaterSettings> water;
  StartText start;
  std::vector<PoseText> poses;
  TurnsText turns;
};

[[nodiscard]] const settings::Fields<StrokeText>& stroke_fields();
[[nodiscard]] const settings::Fields<PoseText>& pose_text_fields();
[[nodiscard]] const settings::Fields<TurnText>& turn_fields();

}  // namespace supple::bake::detail
