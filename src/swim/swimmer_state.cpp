// SPDX-License-Identifier: Apache-2.0
#include "swim/swimmer_state.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace supple::swim {
namespace {

constexpr int kRoot = 6;  // degrees of freedom before those of joints

/// Beyond these nobody swims: something is wrong with gains or water.
constexpr double kMostRate = 500;   // rad/s
constexpr double kMostSpeed = 200;  // m/s

/// The ends of a joint are springs, a few times stiffer than its servo.
constexpr double kEndStiffness = 4;
constexpr double kEndStiffnessAlone = 20;  // N m/rad
constexpr double kEndDamping = 0.02;       // s, times the stiffness

/// How often a step looks at the water. Once linearises drag around the speed at its start, which
/// lets a hand that sets off run away for a frame.
constexpr int kLooks = 2;

JointTorque servo_torque(const Servo& servo, double angle, double rate, double target, double h) {
  return {-servo.stiffness * (angle + h * rate - target) - servo.damping * rate,
          h * servo.damping + h * h * servo.stiffness, servo.max_torque};
}

TorqueLine end_torque(const Joint& joint, double angle, double rate, double h) {
  const double ahead = angle + h * rate;
  const double outside = std::min(ahead - joint.low, 0.0) + std::max(ahead - joint.high, 0.0);
  if (outside == 0) return {};
  const double stiffness = kEndStiffness * joint.servo.stiffness + kEndStiffnessAlone;
  return {-stiffness * (outside + kEndDamping * rate), h * stiffness * (kEndDamping + h)};
}

}  // namespace

double JointTorque::at(double acceleration) const {
  return std::clamp(value - slope * acceleration, -most, most);
}

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
  forces.resize(body.segments.size(), Eigen::Vector3d::Zero());
  servo.resize(body.joints.size());
  for (auto* room : {&servo_line, &limit}) room->resize(body.joints.size());
  for (auto* room : {&motion, &drag, &buoyancy, &weight, &pushing, &acceleration,
                     &bias_acceleration, &motion_before}) {
    room->resize(bodies, Vector6d::Zero());
  }
  for (auto* room : {&inertia, &frame, &damping, &composite}) {
    room->resize(bodies, Matrix6d::Zero());
  }
  for (auto* room : {&bias, &pushed, &right, &solution, &rates_before}) room->resize(dofs);
  for (auto* room : {&mass, &system}) room->resize(static_cast<std::size_t>(model->nM));
  if (water.settings().added_mass) added.resize(bodies, Matrix6d::Zero());
  if (water.settings().flow) stream.resize(bodies, Vector6d::Zero());
}

Swimmer::State::State(const State& other) : State(other.body, other.water, other.model) {
  mj_copyData(data.get(), model.get(), other.data.get());
  time = other.time;
  steps = other.steps;
  energy = other.energy;
  torques = other.torques;
  forces = other.forces;
  refresh_places();
  refresh_motion();
}

SegmentMotion Swimmer::State::segment(std::size_t index, const Vector6d& moves) const {
  const SpatialTree here = tree();
  const int b = static_cast<int>(index) + 1;
  SegmentMotion result;
  result.axes = here.axes(b);
  result.origin = here.origin(b);
  result.spin = moves.head<3>();
  result.velocity = moves.tail<3>() + result.spin.cross(result.origin - here.centre());
  return result;
}

SegmentMotion Swimmer::State::segment(std::size_t index) const {
  return segment(index, motion[index + 1]);
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

/// The added mass carries momentum only as it moves against the stream.
Momentum Swimmer::State::momentum_now() const {
  Momentum sum;
  sum.centre = tree().centre();
  for (std::size_t i = 1; i < motion.size(); ++i) {
    sum.value += inertia[i] * motion[i];
    if (!added.empty() && !stream.empty()) sum.value -= added[i] * stream[i];
  }
  return sum;
}

double Swimmer::State::kinetic() const {
  double twice = 0;
  for (std::size_t i = 1; i < motion.size(); ++i) twice += motion[i].dot(inertia[i] * motion[i]);
  for (int i = kRoot; i < model->nv; ++i) {
    twice += model->dof_armature[i] * data->qvel[i] * data->qvel[i];
  }
  return twice / 2;
}

/// What does not change with the acceleration: weight, torques of inertia, the mass matrix.
void Swimmer::State::gather_constants() {
  const SpatialTree here = tree();
  const double gravity = water.settings().gravity;
  for (std::size_t i = 0; i < body.segments.size() && gravity != 0; ++i) {
    const Eigen::Vector3d pull(0, -gravity * body.segments[i].mass, 0);
    const Eigen::Map<const Eigen::Vector3d> at(data->xipos + 3 * (i + 1));
    weight[i + 1].head<3>() = (at - here.centre()).cross(pull);
    weight[i + 1].tail<3>() = pull;
  }
  mj_rne(model.get(), data.get(), 0, bias.data());
  std::copy_n(data->qM, mass.size(), mass.begin());
  if (!added.empty()) here.bias_accelerations(data->qvel, bias_acceleration);
  for (Vector6d& none : acceleration) none.setZero();
  std::ranges::fill(solution, 0.0);
}

/// Drag and its derivative at the motion that the last iteration ended with.
void Swimmer::State::gather_water(double h) {
  for (std::size_t i = 0; i < body.segments.size(); ++i) {
    const std::size_t b = i + 1;
    const SegmentForce on =
        water.on_segment(i, segment(i, motion[b] + h * acceleration[b]), time + h);
    drag[b].noalias() = frame[b] * on.drag;
    damping[b].noalias() = frame[b] * on.damping * frame[b].transpose();
    buoyancy[b].noalias() = frame[b] * on.buoyancy;
    // As a line through that motion, from the motion at the start of the step.
    drag[b].noalias() += h * (damping[b] * acceleration[b]);
  }
}

void Swimmer::State::gather_torques(std::span<const double> targets, double h) {
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const double angle = data->qpos[kRoot + 1 + j];
    const double rate = data->qvel[kRoot + j];
    servo[j] = servo_torque(body.joints[j].servo, angle, rate, targets[j], h);
    limit[j] = end_torque(body.joints[j], angle, rate, h);
  }
}

/// (M + A + h (Kd + sum J^T D J) + h^2 Kp) a = f, with the added mass A where there is one; the
/// servos' part follows in `solve`.
void Swimmer::State::gather_system(double h) {
  const SpatialTree here = tree();
  for (std::size_t b = 1; b < pushing.size(); ++b) {
    pushing[b] = drag[b] + buoyancy[b] + weight[b];
    composite[b] = h * damping[b];
    if (added.empty()) continue;
    // [Lamb section 124]: Kirchhoff's equations, the added mass as one more inertia of the segment.
    Vector6d against = motion[b];
    if (!stream.empty()) against -= stream[b];
    pushing[b] -= added[b] * bias_acceleration[b] + carried(motion[b], added[b] * against);
    composite[b] += added[b];
  }
  here.sum_to_root(pushing);
  here.sum_to_root(composite);
  system = mass;
  here.add_to_mass(composite, system.data());
  for (std::size_t i = 0; i < pushed.size(); ++i) pushed[i] = -bias[i];
  here.add_forces(pushing, pushed.data());
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    pushed[kRoot + j] += limit[j].value;
    system[model->dof_Madr[kRoot + j]] += limit[j].slope;
  }
}

bool Swimmer::State::redraw_lines(bool sloped) {
  bool changed = false;
  for (std::size_t j = 0; j < servo.size(); ++j) {
    const double a = solution[kRoot + j];
    const double torque = servo[j].at(a);
    const double slope = sloped || std::abs(torque) < servo[j].most ? servo[j].slope : 0;
    const TorqueLine line{torque + slope * a, slope};
    changed = changed || line.slope != servo_line[j].slope ||
              (slope == 0 && line.value != servo_line[j].value);
    servo_line[j] = line;
  }
  return changed;
}

/// Each servo gives clamp(value - slope a, -most, most) with the acceleration a of the step's end:
/// the least of a convex function, found by Newton's method from lines that are sloped everywhere,
/// which is safe but slows a saturated joint down. Where the set of saturated servos does not come
/// to rest, sloped lines end it: a wrong flat one would be explicit, and blow up at frame rate.
void Swimmer::State::settle_servos() {
  redraw_lines(true);
  solve();
}

void Swimmer::State::solve() {
  std::ranges::copy(system, data->qM);
  right = pushed;
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    right[kRoot + j] += servo_line[j].value;
    data->qM[model->dof_Madr[kRoot + j]] += servo_line[j].slope;
  }
  mj_factorM(model.get(), data.get());
  mj_solveM(model.get(), data.get(), solution.data(), right.data(), 1);
}

Vector6d Swimmer::State::settle_forces(double h) {
  Vector6d outer = Vector6d::Zero();
  for (std::size_t b = 1; b < drag.size(); ++b) {
    drag[b] -= h * (damping[b] * acceleration[b]);
    forces[b - 1] = drag[b].tail<3>();
    outer += drag[b] + buoyancy[b] + weight[b];
  }
  for (std::size_t j = 0; j < torques.size(); ++j) {
    const double a = solution[kRoot + j];
    torques[j] = servo_line[j].at(a);
  }
  return outer;
}

void Swimmer::State::move(double h) {
  for (std::size_t i = 0; i < solution.size(); ++i) data->qvel[i] += h * solution[i];
  mj_integratePos(model.get(), data->qpos, data->qvel, h);
  time += h;
  ++steps;
  refresh_places();
}

/// Turns and shifts the whole body so that it has this momentum. The step itself misses it by
/// O(h^2), because M changes with the pose.
void Swimmer::State::restore_momentum(const Momentum& wanted) {
  const SpatialTree here = tree();
  here.motions(data->qvel, motion);
  Matrix6d whole = Matrix6d::Zero();
  for (std::size_t i = 1; i < inertia.size(); ++i) whole += inertia[i];
  const Vector6d change = whole.ldlt().solve(wanted.about(here.centre()) - momentum_now().value);
  const Eigen::Vector3d turn = change.head<3>();
  Eigen::Map<Eigen::Vector3d> velocity(data->qvel);
  Eigen::Map<Eigen::Vector3d> spin(data->qvel + 3);  // in the pelvis' own axes
  velocity += change.tail<3>() + turn.cross(here.origin(1) - here.centre());
  spin += here.axes(1).transpose() * turn;
}

/// Forces of the step times the mean of the motions before and after it.
void Swimmer::State::account_for_work(double h, const Eigen::Vector3d& centre_before) {
  const Eigen::Vector3d back = centre_before - tree().centre();
  for (std::size_t i = 1; i < motion.size(); ++i) {
    Vector6d mean = 0.5 * (motion_before[i] + motion[i]);
    mean.tail<3>() += 0.5 * motion[i].head<3>().cross(back);
    energy.drag += h * drag[i].dot(mean);
    energy.buoyancy += h * buoyancy[i].dot(mean);
  }
  for (std::size_t j = 0; j < torques.size(); ++j) {
    const double mean = 0.5 * (rates_before[kRoot + j] + data->qvel[kRoot + j]);
    const double work = h * torques[j] * mean;
    energy.muscles += work;
    energy.effort += std::max(work, 0.0);
    energy.limits += h * limit[j].at(solution[kRoot + j]) * mean;
  }
  energy.potential += water.settings().gravity * body.mass() * -back.y();
  energy.error = energy.kinetic - energy.kinetic_at_start + energy.potential -
                 (energy.muscles + energy.drag + energy.buoyancy + energy.limits);
}

Result<void> Swimmer::State::check_sane() const {
  const auto wrong = [&](std::string_view what, double value, std::string_view unit) {
    return not_converged(
        fmt::format("the swimmer is out of control at step {} ({:.3f} s): {} is {:.4g} {}; check "
                    "the gains of the servos, the water and the flow",
                    steps, time, what, value, unit));
  };
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const double rate = data->qvel[kRoot + j];
    if (!(std::abs(rate) < kMostRate)) {
      return wrong(fmt::format("the rate of joint '{}'", body.joints[j].name),
                   rate * 180 / std::numbers::pi, "degrees/s");
    }
  }
  const double speed = Eigen::Map<const Eigen::Vector3d>(data->qvel).norm();
  if (!(speed < kMostSpeed))
    return wrong("the speed of '" + body.segments[0].name + "'", speed, "m/s");
  const double spin = Eigen::Map<const Eigen::Vector3d>(data->qvel + 3).norm();
  if (!(spin < kMostRate)) {
    return wrong("the spin of '" + body.segments[0].name + "'", spin * 180 / std::numbers::pi,
                 "degrees/s");
  }
  return {};
}

Result<void> Swimmer::State::step(std::span<const double> targets, double h) {
  SUPPLE_CHECK_OP(targets.size(), ==, body.joints.size());
  motion_before = motion;
  std::copy_n(data->qvel, rates_before.size(), rates_before.begin());
  gather_constants();
  gather_torques(targets, h);
  for (int look = 0; look < kLooks; ++look) {
    gather_water(h);
    gather_system(h);
    settle_servos();
    tree().motions(solution.data(), acceleration);
  }
  Momentum wanted = momentum;
  wanted.value += h * settle_forces(h);
  move(h);
  restore_momentum(wanted);
  refresh_motion();
  account_for_work(h, wanted.centre);
  return check_sane();
}

}  // namespace supple::swim
