// SPDX-License-Identifier: Apache-2.0
#include "swim/optimise_key.hpp"

#include "supple/core/hash.hpp"

#include <array>
#include <string_view>

namespace supple::swim {
namespace {

template <class Derived>
void add_numbers(Hasher& hasher, const Eigen::MatrixBase<Derived>& numbers) {
  for (Eigen::Index c = 0; c < numbers.cols(); ++c) {
    for (Eigen::Index r = 0; r < numbers.rows(); ++r) hasher.add(double{numbers(r, c)});
  }
}

void add_stroke(Hasher& hasher, const PoseGraph& stroke) {
  hasher.add(stroke.hinges).add(stroke.start).add(stroke.poses.size());
  for (const Pose& pose : stroke.poses) {
    hasher.add(pose.angles).add(pose.duration).add(pose.blend).add(pose.transitions.size());
    for (const Transition& transition : pose.transitions) {
      hasher.add(transition.on).add(transition.to).add(transition.when.of);
      hasher.add(transition.when.above).add(transition.when.than);
      hasher.add(transition.command.size()).add(std::string_view(transition.command));
    }
  }
}

void add_body(Hasher& hasher, const Body& body) {
  hasher.add(body.segments.size());
  for (const Segment& segment : body.segments) {
    hasher.add(segment.parent).add(segment.mass).add(segment.volume).add(segment.faces.size());
    add_numbers(hasher, segment.anchor);
    add_numbers(hasher, segment.centre);
    add_numbers(hasher, segment.size);
    add_numbers(hasher, segment.inertia);
    add_numbers(hasher, segment.centre_of_volume);
    for (const Face& face : segment.faces) {
      hasher.add(face.area).add(face.end);
      add_numbers(hasher, face.centre);
      add_numbers(hasher, face.normal);
    }
  }
  hasher.add(body.joints.size());
  for (const Joint& joint : body.joints) {
    hasher.add(joint.segment).add(joint.low).add(joint.high).add(joint.armature);
    hasher.add(joint.servo.stiffness).add(joint.servo.damping).add(joint.servo.max_torque);
    add_numbers(hasher, joint.axis);
  }
}

/// A flow is identified by its values at some points around the start, at some times.
void add_flow(Hasher& hasher, const FlowField* flow, const Eigen::Vector3d& about) {
  hasher.add(flow != nullptr);
  if (flow == nullptr) return;
  constexpr std::array kOffsets{-7.3, -0.9, 0.4, 2.1, 9.7};  // m
  constexpr std::array kKeyTimes{0.0, 0.37, 2.9, 8.3};       // s
  for (const double time : kKeyTimes) {
    for (const double x : kOffsets) {
      for (const double y : kOffsets) {
        for (const double z : kOffsets) {
          const Eigen::Vector3d at = about + Eigen::Vector3d(x, y, z);
          add_numbers(hasher, flow->velocity(at, time));
          hasher.add(flow->surface_rise(at, time));
        }
      }
    }
  }
}

}  // namespace

std::string key_of_search(const PoseGraph& stroke, const Body& body, const WaterSettings& water,
                          const StartState& start, const OptimiseSettings& settings) {
  Hasher hasher;
  add_stroke(hasher, stroke);
  add_body(hasher, body);
  hasher.add(water.drag).add(water.density).add(water.viscosity).add(water.side_drag);
  hasher.add(water.end_drag).add(water.friction).add(water.lift).add(water.added_mass);
  hasher.add(water.gravity).add(water.surface.has_value()).add(water.surface.value_or(0));
  add_flow(hasher, water.flow.get(), start.position);
  add_numbers(hasher, start.position);
  add_numbers(hasher, start.velocity);
  add_numbers(hasher, start.axes);
  hasher.add(settings.goal).add(settings.seed).add(settings.population).add(settings.power_limit);
  for (const auto& range : {settings.speed_variation, settings.strokes_per_min}) {
    const WantedRange wanted = range.value_or(WantedRange{});
    hasher.add(range.has_value()).add(wanted.low).add(wanted.high);
  }
  for (const JointRange& range : settings.within) {
    hasher.add(range.joint.size()).add(std::string_view(range.joint));
    hasher.add(range.angles.low).add(range.angles.high);
  }
  hasher.add(settings.spread_deg).add(settings.run_seconds).add(settings.step);
  return hasher.finish().hex();
}

}  // namespace supple::swim
