// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace supple::gallery {

/// One frame of the live swimmer as sent to pages; docs/server.md has the layout.
struct SwimLiveFrame {
  struct Segment {
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< of the water, N
  };
  std::uint8_t stroke = 0;
  std::uint8_t pose = 0;
  std::array<std::int8_t, 3> held{};  ///< up, left, roll to the left
  bool has_target = false;            ///< a page set a target
  bool lost_control = false;          ///< this run began because the last one became unstable
  std::uint32_t run = 0;              ///< counts fresh starts
  Eigen::Vector3d aim = Eigen::Vector3d::Zero();
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  double time = 0;      ///< s
  double distance = 0;  ///< m
  double speed = 0;     ///< m/s, mean over a cycle
  double power = 0;     ///< W, likewise
  std::uint32_t cycles = 0;
  std::vector<Segment> segments;
};

inline constexpr std::uint8_t kSwimFrameVersion = 1;

/// In base64, because event streams are text.
[[nodiscard]] std::string write_frame(const SwimLiveFrame& frame);

}  // namespace supple::gallery
