// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/units.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/pose_graph.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace supple::swim::test {

inline Body body_of(HingeSet hinges) {
  BodySettings settings;
  settings.hinges = hinges;
  return build_body(settings).value();
}

/// With the default settings.
inline const Body& default_body() {
  static const Body built = build_body({}).value();
  return built;
}

/// A row per pose: degrees of shoulder, elbow, wrist, hip, knee, ankle, and seconds.
using PlaneTable = std::array<std::array<double, 7>, 8>;

/// A breaststroke for 14 hinges and the quadratic law.
inline constexpr PlaneTable kPlaneBreaststroke{{{15, 24, 39, 0, 6, 46, 0.08},
                                                {43, 0, -6, 0, 26, 1, 0.49},
                                                {121, 132, 31, 50, 9, 0, 0.08},
                                                {103, 126, 48, 65, 40, 5, 0.10},
                                                {69, 79, -21, 65, 47, 85, 0.23},
                                                {0, 55, 90, 65, 0, 84, 0.20},
                                                {5, 0, -84, 0, 24, 17, 0.58},
                                                {0, 0, 48, 65, 9, 1, 0.38}}};

inline PoseGraph plane_breaststroke(const Body& body) {
  constexpr std::array<const char*, 6> kJoints{"shoulder", "elbow", "wrist",
                                               "hip",      "knee",  "ankle"};
  PoseGraph graph;
  graph.name = "plane breaststroke";
  graph.hinges = HingeSet::Paper14;
  for (const auto& row : kPlaneBreaststroke) {
    Pose pose;
    pose.name = "pose " + std::to_string(graph.poses.size() + 1);
    pose.angles.assign(body.joints.size(), 0);
    for (std::size_t i = 0; i < kJoints.size(); ++i) {
      for (const std::string side : {"right_", "left_"}) {
        pose.angles[body.find_joint(side + kJoints[i]).value()] = row[i] * kDegree;
      }
    }
    pose.duration = row[6];
    graph.poses.push_back(pose);
  }
  return graph;
}

}  // namespace supple::swim::test
