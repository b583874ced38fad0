// SPDX-License-Identifier: Apache-2.0
#include "swim/body_builder.hpp"

#include "swim/segment_shapes.hpp"

#include "supple/core/units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace supple::swim {
namespace {

/// Points of the left side mirror those of the right in the plane z = 0.
Eigen::Vector3d mirrored(const Eigen::Vector3d& point) {
  return {point.x(), point.y(), -point.z()};
}

/// An axis of rotation mirrored there, so that equal angles are mirror images.
Eigen::Vector3d mirrored_axis(const Eigen::Vector3d& axis) {
  return {-axis.x(), -axis.y(), axis.z()};
}

Eigen::Vector3d sized(const SegmentRow& row, const BodySettings& settings) {
  Eigen::Vector3d size = row.size;
  if (row.name == "hand") {
    size.x() *= settings.hand_length;
    size.y() *= settings.hand_width;
  }
  if (row.name == "foot") {
    // A pointed foot is broad from side to side; the paper's, which kicks in the plane of the
    // body, is broad across that plane.
    if (settings.hinges == HingeSet::Human24) std::swap(size.y(), size.z());
    size.x() *= settings.foot_length;
    (settings.hinges == HingeSet::Human24 ? size.z() : size.y()) *= settings.foot_width;
  }
  return size * (settings.height / kTableHeight);
}

Segment make_segment(const SegmentRow& row, const BodySettings& settings, double side) {
  Segment segment;
  const double scale = settings.height / kTableHeight;
  segment.name = segment_name(row, side);
  segment.anchor = scale * (side > 0 ? row.anchor : mirrored(row.anchor));
  segment.size = sized(row, settings);
  const Eigen::Vector3d middle(row.towards * segment.size.x() / 2, 0, 0);
  give_shape(segment, settings.shape, middle, settings.cuts);
  give_weight(segment, row, settings);
  return segment;
}

void add_joints(Body& body, std::size_t index, const SegmentRow& row, const BodySettings& settings,
                double side) {
  // The tables are for an adult. Other bodies are as strong for their weight and respond as fast:
  // servos scale with inertia.
  const double weight = settings.mass / kTableMass;
  const double height = settings.height / kTableHeight;
  const double gain = settings.gain * weight * height * height;
  const double strength = settings.strength * weight * height;
  for (const JointRow& hinge : joint_table(settings.hinges)) {
    if (hinge.segment != row.name) continue;
    Joint joint;
    joint.name = hinge.paired ? fmt::format("{}_{}", side > 0 ? "right" : "left", hinge.name)
                              : std::string(hinge.name);
    joint.segment = index;
    joint.axis = side > 0 ? hinge.axis : mirrored_axis(hinge.axis);
    joint.low = hinge.low * kDegree;
    joint.high = hinge.high * kDegree;
    joint.servo = {hinge.servo.stiffness * gain, hinge.servo.damping * gain,
                   hinge.servo.max_torque * strength};
    joint.armature = kTableArmature * weight * height * height;
    body.joints.push_back(std::move(joint));
  }
}

/// Adds a segment and all its descendants, so that the body is stored depth first.
void add_branch(Body& body, const SegmentRow& row, const BodySettings& settings, double side,
                std::size_t parent, const MakeSegment& make) {
  const std::size_t index = body.segments.size();
  body.segments.push_back(make(row, side));
  body.segments.back().parent = parent;
  add_joints(body, index, row, settings, side);
  for (const SegmentRow& child : segment_table()) {
    if (child.parent != row.name) continue;
    add_branch(body, child, settings, side, index, make);
    if (child.paired && !row.paired) add_branch(body, child, settings, -1, index, make);
  }
}

}  // namespace

std::string segment_name(const SegmentRow& row, double side) {
  return row.paired ? fmt::format("{}_{}", side > 0 ? "right" : "left", row.name)
                    : std::string(row.name);
}

void give_weight(Segment& segment, const SegmentRow& row, const BodySettings& settings) {
  const double share = settings.masses == MassTable::Paper ? row.paper_mass : row.de_leva_mass;
  give_mass(segment, share * settings.mass);
  segment.volume = settings.buoyancy * segment.mass / row.density;
  const double scale = settings.height / kTableHeight;
  segment.centre_of_volume = segment.centre + Eigen::Vector3d(scale * row.lungs, 0, 0);
}

Body assemble(const BodySettings& settings, const MakeSegment& make) {
  Body body;
  add_branch(body, segment_table().front(), settings, 1, Segment::kNoParent, make);
  return body;
}

Result<Body> build_body(const BodySettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  if (!settings.mesh.empty()) {
    return bad_input(fmt::format("the pieces of '{}' are missing; build this body from its file",
                                 settings.mesh));
  }
  return assemble(settings, [&](const SegmentRow& row, double side) {
    return make_segment(row, settings, side);
  });
}

}  // namespace supple::swim
