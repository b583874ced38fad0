// SPDX-License-Identifier: Apache-2.0
#include "swim/swimmer_state.hpp"

#include "supple/core/units.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <utility>

namespace supple::swim {
namespace {

/// Values beyond these mean that something is wrong with gains or water.
constexpr double kMostRate = 500;               // rad/s
constexpr double kMostSpeed = 200;              // m/s
constexpr double kMostOutside = 120 * kDegree;  // beyond the limits of a joint

}  // namespace

Vector6d Momentum::about(const Eigen::Vector3d& point) const {
  Vector6d moved = value;
  moved.head<3>() += (centre - point).cross(value.tail<3>());
  return moved;
}

Swimmer::State::State(Body body_, Water water_, std::shared_ptr<const mjModel> model_)
    : body(std::move(body_)),
      water(std::move(water_)),
      model(std::move(model_)),
      data(mj_makeData(model.get())) {
  const std::size_t bodies = body.segments.size() + 1;
  const auto dofs = static_cast<std::size_t>(model->nv);
  torques.resize(body.joints.size());
  mean_torques.resize(body.joints.size());
  forces.resize(body.segments.size(), Eigen::Vector3d::Zero());
  mean_forces = forces;
  for (auto* room : {&servo, &muscle, &limit}) room->resize(body.joints.size());
  for (auto* room : {&motion, &drag, &buoyancy, &weight, &pushing, &acceleration, &motion_before}) {
    room->resize(bodies, Vector6d::Zero());
  }
  for (auto* room : {&inertia, &frame, &damping, &composite}) {
    room->resize(bodies, Matrix6d::Zero());
  }
  for (auto* room : {&bias, &pushed, &right, &solution, &guess, &rates_before, &mean_rates})
    room->resize(dofs);
  places_before.resize(static_cast<std::size_t>(model->nq));
  system.resize(static_cast<std::size_t>(model->nM));
  if (water.settings().added_mass) added.resize(bodies, Matrix6d::Zero());
  if (water.settings().flow) stream.resize(bodies, Vector6d::Zero());
}

Swimmer::State::State(const State& other) : State(other.body, other.water, other.model) {
  mj_copyData(data.get(), model.get(), other.data.get());
  time = other.time;
  steps = other.steps;
  stepping = other.stepping;
  energy = other.energy;
  torques = other.torques;
  forces = other.forces;
  impulse = other.impulse;
  motion = other.motion;
  inertia = other.inertia;
  frame = other.frame;
  added = other.added;
  stream = other.stream;
  momentum = other.momentum;
  flow_fault = other.flow_fault;
}

SegmentMotion Swimmer::State::segment(std::size_t index) const {
  const SpatialTree here = tree();
  const int b = static_cast<int>(index) + 1;
  const Vector6d& moves = motion[index + 1];
  SegmentMotion result;
  result.axes = here.axes(b);
  result.origin = here.origin(b);
  result.spin = moves.head<3>();
  result.velocity = moves.tail<3>() + result.spin.cross(result.origin - here.centre());
  return result;
}

void Swimmer::State::refresh_places() {
  mj_kinematics(model.get(), data.get());
  mj_comPos(model.get(), data.get());
  mj_crb(model.get(), data.get());
  const SpatialTree here = tree();
  for (int b = 1; b < here.bodies(); ++b) {
    const auto i = static_cast<std::size_t>(b);
    frame[i] = here.from_body(b);
    inertia[i] = here.inertia(b);
    if (added.empty()) continue;
    added[i].noalias() = frame[i] * water.added_inertia(i - 1) * frame[i].transpose();
    inertia[i] += added[i];
  }
}

void Swimmer::State::refresh_motion() {
  mj_comVel(model.get(), data.get());
  const SpatialTree here = tree();
  here.motions(data->qvel, motion);
  for (std::size_t i = 1; i < stream.size(); ++i) {
    stream[i].tail<3>() = water.settings().flow->velocity(here.origin(static_cast<int>(i)), time);
  }
  momentum = momentum_now();
  energy.kinetic = kinetic();
}

/// The stream transports the momentum of the added mass, which changes its moment about a fixed
/// point.
Eigen::Vector3d Swimmer::State::carried_moment() const {
  Eigen::Vector3d rate = Eigen::Vector3d::Zero();
  if (added.empty()) return rate;
  for (std::size_t b = 1; b < stream.size(); ++b) {
    const Vector6d momentum_of = added[b] * (motion[b] - stream[b]);
    rate += stream[b].tail<3>().cross(momentum_of.tail<3>());
  }
  return rate;
}

/// The added mass has momentum only from its motion relative to the stream.
Momentum Swimmer::State::momentum_now() const {
  Momentum sum;
  sum.centre = tree().centre();
  for (std::size_t i = 1; i < motion.size(); ++i) {
    sum.value += inertia[i] * motion[i];
    if (!added.empty() && !stream.empty()) sum.value -= added[i] * stream[i];
  }
  return sum;
}

/// The centre of mass moves by the momentum of the body without that of the water.
Eigen::Vector3d Swimmer::State::velocity() const {
  Vector6d sum = Vector6d::Zero();
  for (std::size_t b = 1; b < motion.size(); ++b) {
    sum += inertia[b] * motion[b];
    if (!added.empty()) sum -= added[b] * motion[b];
  }
  return sum.tail<3>() / body.mass();
}

double Swimmer::State::kinetic() const {
  double twice = 0;
  for (std::size_t b = 1; b < motion.size(); ++b) {
    twice += motion[b].dot(inertia[b] * motion[b]);
    if (added.empty() || stream.empty()) continue;
    const Vector6d against = motion[b] - stream[b];
    twice += against.dot(added[b] * against) - motion[b].dot(added[b] * motion[b]);
  }
  for (int i = kRoot; i < model->nv; ++i) {
    twice += model->dof_armature[i] * data->qvel[i] * data->qvel[i];
  }
  return twice / 2;
}

Result<void> Swimmer::State::check_sane() const {
  const auto wrong = [&](std::string_view what, double value, std::string_view unit) {
    const std::string remedy =
        flow_fault.empty() ? "check the gains of the servos, the water and the flow"
                           : flow_fault + ", which is not a velocity; correct the flow there";
    return not_converged(
        fmt::format("the swimmer is out of control at step {} ({:.3f} s): {} is {:.4g} {}; {}",
                    steps, time, what, value, unit, remedy));
  };
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const double rate = data->qvel[kRoot + j];
    if (!(std::abs(rate) < kMostRate)) {
      return wrong(fmt::format("the rate of joint '{}'", body.joints[j].name), rate / kDegree,
                   "degrees/s");
    }
  }
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const Joint& joint = body.joints[j];
    const double angle = data->qpos[kRoot + 1 + j];
    if (!(angle > joint.low - kMostOutside && angle < joint.high + kMostOutside)) {
      return wrong(fmt::format("the angle of joint '{}', which ends at {:.0f} and {:.0f},",
                               joint.name, joint.low / kDegree, joint.high / kDegree),
                   angle / kDegree, "degrees");
    }
  }
  const double speed = Eigen::Map<const Eigen::Vector3d>(data->qvel).norm();
  if (!(speed < kMostSpeed))
    return wrong("the speed of '" + body.segments[0].name + "'", speed, "m/s");
  const double spin = Eigen::Map<const Eigen::Vector3d>(data->qvel + 3).norm();
  if (!(spin < kMostRate)) {
    return wrong("the spin of '" + body.segments[0].name + "'", spin / kDegree, "degrees/s");
  }
  return {};
}

}  // namespace supple::swim
