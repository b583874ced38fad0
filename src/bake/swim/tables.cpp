// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_export.hpp"
#include "supple/core/units.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace supple::bake {
namespace {

using Eigen::Vector3d;
using io::BvhChannel;
using swim::Recording;

/// Angles z, x, y in degrees with R = Rz Rx Ry. Of the two solutions, and their multiples of full
/// turns, takes the one nearest to the previous frame: curves that jump cannot be edited.
Vector3d zxy_angles(const Eigen::Matrix3d& R, const Vector3d& before) {
  const double x = std::asin(std::clamp(R(2, 1), -1.0, 1.0));
  Vector3d first(std::atan2(-R(0, 1), R(1, 1)), x, std::atan2(-R(2, 0), R(2, 2)));
  constexpr double kLocked = 1e-9;  // cosine: z and y turn about the same axis then
  if (std::abs(std::cos(x)) < kLocked) {
    const double y = before[2] / kDegreesPerRadian;
    // With x = +-90 degrees R(0,0) = cos(z +- y) and R(1,0) = sin(z +- y).
    first = {std::atan2(R(1, 0), R(0, 0)) - (x > 0 ? y : -y), x, y};
  }
  const Vector3d second(first[0] + std::numbers::pi, std::numbers::pi - x,
                        first[2] + std::numbers::pi);
  const auto near = [&](Vector3d angles) {
    angles *= kDegreesPerRadian;
    for (int c = 0; c < 3; ++c) angles[c] += 360 * std::round((before[c] - angles[c]) / 360);
    return angles;
  };
  const Vector3d a = near(first);
  const Vector3d b = near(second);
  return (a - before).squaredNorm() <= (b - before).squaredNorm() ? a : b;
}

bool has_children(const swim::Body& body, std::size_t s) {
  return std::ranges::any_of(body.segments,
                             [&](const swim::Segment& other) { return other.parent == s; });
}

/// The far end of a last segment, in its longest direction from its joint.
Vector3d tip(const swim::Segment& segment) {
  return {2 * segment.centre.x(), 0, 0};
}

std::vector<io::BvhJoint> make_joints(const swim::Body& body) {
  std::vector<io::BvhJoint> joints;
  joints.reserve(body.segments.size());
  std::size_t channels = 0;
  for (std::size_t s = 0; s < body.segments.size(); ++s) {
    const swim::Segment& segment = body.segments[s];
    io::BvhJoint joint;
    joint.name = segment.name;
    joint.offset = segment.anchor;
    if (segment.parent != swim::Segment::kNoParent) {
      joint.parent = segment.parent;
    } else {
      joint.channels = {BvhChannel::PositionX, BvhChannel::PositionY, BvhChannel::PositionZ};
    }
    for (const BvhChannel channel :
         {BvhChannel::RotationZ, BvhChannel::RotationX, BvhChannel::RotationY}) {
      joint.channels.push_back(channel);
    }
    joint.first_channel = channels;
    channels += joint.channels.size();
    if (!has_children(body, s)) joint.end = tip(segment);
    joints.push_back(std::move(joint));
  }
  return joints;
}

void append(std::string& line, double value) {
  fmt::format_to(std::back_inserter(line), ",{:.7g}", value);
}

std::string csv_head(const swim::Body& body) {
  std::string head =
      "time_s,centre_x_m,centre_y_m,centre_z_m,velocity_x_mps,velocity_y_mps,velocity_z_mps,"
      "speed_mps,pitch_deg,cycles,effort_J,momentum_x_Ns,momentum_y_Ns,momentum_z_Ns,"
      "drag_x_N,drag_y_N,drag_z_N,buoyancy_y_N,weight_y_N,"
      "added_mass_x_N,added_mass_y_N,added_mass_z_N";
  for (const swim::Joint& joint : body.joints) head += fmt::format(",{}_deg", joint.name);
  for (const swim::Joint& joint : body.joints) head += fmt::format(",{}_Nm", joint.name);
  for (const swim::Segment& segment : body.segments) {
    for (const char axis : {'x', 'y', 'z'}) head += fmt::format(",{}_{}_N", segment.name, axis);
  }
  return head + "\n";
}

/// The balance per axis: d/dt momentum = drag + buoyancy + weight + added mass.
void append_balance(std::string& line, const Recording::Frame& frame, double mass) {
  Vector3d drag = Vector3d::Zero();
  for (const Vector3d& force : frame.forces) drag += force;
  for (const double value : frame.velocity) append(line, mass * value);
  for (const double value : drag) append(line, value);
  append(line, frame.buoyancy.y());
  append(line, frame.weight.y());
  for (const double value : frame.added_mass) append(line, value);
}

}  // namespace

Result<io::Bvh> swim_bvh(const Recording& recording, const swim::Body& body) {
  if (recording.frames.size() < 2) {
    return bad_input(fmt::format("the recording of '{}' is too short for a motion; swim longer",
                                 recording.stroke));
  }
  io::Bvh bvh;
  bvh.name = recording.stroke;
  bvh.joints = make_joints(body);
  bvh.frame_time = recording.duration() / static_cast<double>(recording.frames.size() - 1);
  bvh.channel_count = bvh.joints.back().first_channel + bvh.joints.back().channels.size();
  std::vector<Vector3d> before(body.segments.size(), Vector3d::Zero());
  bvh.values.reserve(bvh.channel_count * recording.frames.size());
  for (const Recording::Frame& frame : recording.frames) {
    for (std::size_t s = 0; s < body.segments.size(); ++s) {
      const std::size_t parent = body.segments[s].parent;
      const swim::SegmentMotion& motion = frame.segments[s];
      Eigen::Matrix3d turn = motion.axes;
      if (parent == swim::Segment::kNoParent) {
        bvh.values.insert(bvh.values.end(), motion.origin.data(), motion.origin.data() + 3);
      } else {
        turn = frame.segments[parent].axes.transpose() * motion.axes;
      }
      before[s] = zxy_angles(turn, before[s]);
      bvh.values.insert(bvh.values.end(), before[s].data(), before[s].data() + 3);
    }
  }
  return bvh;
}

std::string swim_csv(const Recording& recording, const swim::Body& body) {
  std::string text = csv_head(body);
  for (const Recording::Frame& frame : recording.frames) {
    std::string line = fmt::format("{:.7g}", frame.time);
    for (const double value : frame.centre) append(line, value);
    for (const double value : frame.velocity) append(line, value);
    append(line, frame.velocity.norm());
    const double rise = frame.segments.front().axes(1, 0);
    append(line, kDegreesPerRadian * std::asin(std::clamp(rise, -1.0, 1.0)));
    line += fmt::format(",{}", frame.cycles);
    append(line, frame.effort);
    append_balance(line, frame, body.mass());
    for (const double angle : frame.angles) append(line, kDegreesPerRadian * angle);
    for (const double torque : frame.torques) append(line, torque);
    for (const Vector3d& force : frame.forces) {
      for (const double value : force) append(line, value);
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace supple::bake
