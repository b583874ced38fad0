// SPDX-License-Identifier: Apache-2.0
// One step of the swimmer: forces, the resulting accelerations, and corrections afterwards.
#include "swim/swimmer_state.hpp"

#include "supple/core/check.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::swim {
namespace {

/// Longer midway steps are divided: a hand that turns by a third of a radian within a step meets
/// the water at the wrong angle.
constexpr double kLongestStep = 1.0 / 60;  // s

/// The point within a step at which drag and servos are evaluated, from 0 at its start to 1 at its
/// end. At 1/2 the step is second order but rings in very viscous fluid.
constexpr double kTheta = 0.55;

/// The limits of a joint are springs, a few times stiffer than its servo.
constexpr double kEndStiffness = 4;
constexpr double kEndStiffnessAlone = 20;  // N m/rad
constexpr double kEndDamping = 0.02;       // s, times the stiffness

/// Rounds for finding which torques are at their limits; three have always been enough.
constexpr int kMostRounds = 20;

/// The servo's torque without its limit.
TorqueLine servo_torque(const Servo& servo, double angle, double rate, double target, double h) {
  return {-servo.stiffness * (angle + h * rate - target) - servo.damping * rate,
          h * servo.damping + h * h * servo.stiffness};
}

/// The point within a step of h at which a servo that moves `inertia` is evaluated: about the
/// middle if it is slow, at the end if it would ring. Exact for a single joint that its damper
/// brings to rest.
double servo_theta(const Servo& servo, double inertia, double h) {
  const double ratio = h * (servo.damping + h * servo.stiffness) / inertia;
  const double fitted = ratio < 1e-2 ? 0.5 + ratio / 12 : 1 / -std::expm1(-ratio) - 1 / ratio;
  return std::max(kTheta, fitted);
}

TorqueLine end_torque(const Joint& joint, double angle, double rate, double h) {
  const double ahead = angle + h * rate;
  const double outside = std::min(ahead - joint.low, 0.0) + std::max(ahead - joint.high, 0.0);
  if (outside == 0) return {};
  const double stiffness = kEndStiffness * joint.servo.stiffness + kEndStiffnessAlone;
  return {-stiffness * (outside + kEndDamping * rate), h * stiffness * (kEndDamping + h)};
}

}  // namespace

void Swimmer::State::gather_water(double h) {
  const SpatialTree here = tree();
  here.motions(guess.data(), acceleration);
  const double gravity = water.settings().gravity;
  for (std::size_t i = 0; i < body.segments.size(); ++i) {
    const std::size_t b = i + 1;
    const SegmentForce on = water.on_segment(i, segment(i), time + h);
    if (!on.drag.allFinite() && flow_fault.empty()) {
      flow_fault = water.blame_flow(i, segment(i), time + h);
    }
    drag[b].noalias() = frame[b] * on.drag;
    damping[b].noalias() = frame[b] * on.damping * frame[b].transpose();
    drag[b] += theta() * h * (damping[b] * acceleration[b]);
    if (gravity == 0) continue;
    buoyancy[b].noalias() = frame[b] * on.buoyancy;
    const Eigen::Vector3d pull(0, -gravity * body.segments[i].mass, 0);
    const Eigen::Map<const Eigen::Vector3d> at(data->xipos + 3 * b);
    weight[b].head<3>() = (at - here.centre()).cross(pull);
    weight[b].tail<3>() = pull;
  }
}

void Swimmer::State::gather_torques(std::span<const double> targets, double h) {
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const double angle = data->qpos[kRoot + 1 + j];
    const double rate = data->qvel[kRoot + j];
    const Servo& law = body.joints[j].servo;
    const double inertia_of = data->qM[model->dof_Madr[kRoot + j]];
    const double when = stepping == Stepping::Plain ? 1 : servo_theta(law, inertia_of, h);
    servo[j] = muscle[j] = servo_torque(law, angle, rate, targets[j], when * h);
    limit[j] = end_torque(body.joints[j], angle, rate, theta() * h);
  }
}

/// (M + A + h (Kd + sum J^T D J) + h^2 Kp) a = f, with the added mass A if enabled; the servos'
/// part follows in `solve`.
void Swimmer::State::gather_system(double h) {
  const SpatialTree here = tree();
  if (!added.empty()) here.bias_accelerations(data->qvel, acceleration);
  for (std::size_t b = 1; b < pushing.size(); ++b) {
    pushing[b] = drag[b] + buoyancy[b] + weight[b];
    composite[b] = theta() * h * damping[b];
    if (added.empty()) continue;
    // [Lam32 section 124]: Kirchhoff's equations for the motion against the stream, the added mass
    // as one more inertia of the segment. A steady stream turns in the segment's axes: spin x U.
    Vector6d against = motion[b];
    Vector6d turning = acceleration[b];
    if (!stream.empty()) {
      against -= stream[b];
      turning.tail<3>() += motion[b].head<3>().cross(stream[b].tail<3>());
    }
    pushing[b] -= added[b] * turning + carried(against, added[b] * against);
    composite[b] += added[b];
  }
  here.sum_to_root(pushing);
  here.sum_to_root(composite);
  std::copy_n(data->qM, system.size(), system.begin());
  here.add_to_mass(composite, system.data());
  mj_rne(model.get(), data.get(), 0, bias.data());
  for (std::size_t i = 0; i < pushed.size(); ++i) pushed[i] = -bias[i];
  here.add_forces(pushing, pushed.data());
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    pushed[kRoot + j] += limit[j].value;
    system[model->dof_Madr[kRoot + j]] += limit[j].slope;
  }
}

void Swimmer::State::accelerate(double h) {
  gather_water(h);
  gather_system(h);
  solve();
}

/// A torque is limited at its value with the acceleration of the step, not before: otherwise it
/// would be explicit and blow up at frame rate, or, with its slope kept, act as a mass of h kd +
/// h^2 kp on a joint at full strength. Newton's method finds which torques are limited.
void Swimmer::State::solve() {
  for (int round = 0;; ++round) {
    std::ranges::copy(system, data->qM);
    right = pushed;
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      right[kRoot + j] += muscle[j].value;
      data->qM[model->dof_Madr[kRoot + j]] += muscle[j].slope;
    }
    mj_factorM(model.get(), data.get());
    mj_solveM(model.get(), data.get(), solution.data(), right.data(), 1);
    if (round == kMostRounds || !cut_torques()) return;
  }
}

/// Limits the torques that exceed their limits and frees those that came back. A torque passes from
/// one limit to the other through the linear range between them: with direct jumps, two torques
/// could alternate forever. False: nothing changed.
bool Swimmer::State::cut_torques() {
  bool changed = false;
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    const double most = body.joints[j].servo.max_torque;
    const double wanted = servo[j].at(solution[kRoot + j]);
    const bool is_cut = muscle[j].slope != servo[j].slope;
    if (!is_cut && std::abs(wanted) > most) {
      muscle[j] = {std::copysign(most, wanted), 0};
      changed = true;
    } else if (is_cut && wanted * muscle[j].value < most * most) {
      muscle[j] = servo[j];
      changed = true;
    }
  }
  return changed;
}

Vector6d Swimmer::State::settle_forces(double h) {
  tree().motions(solution.data(), acceleration);
  Vector6d outer = Vector6d::Zero();
  for (std::size_t b = 1; b < drag.size(); ++b) {
    drag[b] -= theta() * h * (damping[b] * acceleration[b]);
    forces[b - 1] = drag[b].tail<3>();
    outer += drag[b] + buoyancy[b] + weight[b];
    impulse.drag += h * drag[b].tail<3>();
    impulse.buoyancy += h * buoyancy[b].tail<3>();
    impulse.weight += h * weight[b].tail<3>();
  }
  for (std::size_t j = 0; j < torques.size(); ++j) {
    const double a = solution[kRoot + j];
    torques[j] = muscle[j].at(a);
  }
  return outer;
}

/// The positions at the start of the step, advanced by `seconds` at these rates.
void Swimmer::State::place(const double* rates, double seconds) {
  std::ranges::copy(places_before, data->qpos);
  mj_integratePos(model.get(), data->qpos, rates, seconds);
  refresh_places();
}

/// Moves the centre of mass to where the momentum takes it: joints that turn by finite angles shift
/// it off that path by O(h^2) per step, and a swimmer without water would creep along.
void Swimmer::State::restore_centre(const Momentum& wanted, const Eigen::Vector3d& velocity_before,
                                    double h) {
  const SpatialTree here = tree();
  Eigen::Vector3d velocity_after = wanted.value.tail<3>() / body.mass();
  if (!added.empty()) {  // the water has a share of the momentum
    here.motions(data->qvel, motion);
    velocity_after = velocity();
  }
  const Eigen::Vector3d mean = (1 - theta()) * velocity_before + theta() * velocity_after;
  const Eigen::Vector3d shift = wanted.centre + h * mean - here.centre();
  for (int b = 1; b < here.bodies(); ++b) {
    for (double* places : {data->xpos, data->xipos, data->subtree_com}) {
      Eigen::Map<Eigen::Vector3d>(places + 3 * b) += shift;
    }
  }
  Eigen::Map<Eigen::Vector3d> root(data->qpos);
  root += shift;
}

/// Adjusts the spin and velocity of the whole body so that it has this momentum. The step itself
/// misses it by O(h^2), because M changes with the pose.
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

/// Forces of the step, about `centre`, times the mean of the motions before and after.
void Swimmer::State::account_for_work(double h, const Eigen::Vector3d& centre,
                                      const Eigen::Vector3d& centre_before) {
  const Eigen::Vector3d centre_after = tree().centre();
  for (std::size_t b = 1; b < motion.size(); ++b) {
    Vector6d twice = motion_before[b] + motion[b];
    twice.tail<3>() += motion_before[b].head<3>().cross(centre - centre_before) +
                       motion[b].head<3>().cross(centre - centre_after);
    energy.drag += h / 2 * drag[b].dot(twice);
    energy.buoyancy += h / 2 * buoyancy[b].dot(twice);
  }
  for (std::size_t j = 0; j < torques.size(); ++j) {
    const double mean = 0.5 * (rates_before[kRoot + j] + data->qvel[kRoot + j]);
    const double work = h * torques[j] * mean;
    energy.muscles += work;
    energy.effort += std::max(work, 0.0);
    energy.limits += h * limit[j].at(solution[kRoot + j]) * mean;
  }
  energy.potential +=
      water.settings().gravity * body.mass() * (centre_after.y() - centre_before.y());
  energy.error = energy.kinetic - energy.kinetic_at_start + energy.potential -
                 (energy.muscles + energy.drag + energy.buoyancy + energy.limits);
}

Result<void> Swimmer::State::step(std::span<const double> targets, double seconds) {
  SUPPLE_CHECK_OP(targets.size(), ==, body.joints.size());
  SUPPLE_CHECK(seconds > 0 && seconds < 10);
  const double parts = stepping == Stepping::Plain ? 1 : std::ceil(seconds / kLongestStep - 1e-9);
  std::ranges::fill(mean_torques, 0.0);
  std::ranges::fill(mean_forces, Eigen::Vector3d::Zero());
  impulse = {};
  for (int part = 0; part < static_cast<int>(parts); ++part) {
    step_once(targets, seconds / parts);
    SUPPLE_TRY_VOID(check_sane());
    for (std::size_t j = 0; j < torques.size(); ++j) mean_torques[j] += torques[j] / parts;
    for (std::size_t i = 0; i < forces.size(); ++i) mean_forces[i] += forces[i] / parts;
  }
  torques = mean_torques;
  forces = mean_forces;
  ++steps;
  return {};
}

double Swimmer::State::theta() const {
  return stepping == Stepping::Plain ? 1 : kTheta;
}

void Swimmer::State::step_once(std::span<const double> targets, double h) {
  Momentum wanted = momentum;
  const Eigen::Vector3d velocity_before = velocity();
  motion_before = motion;
  std::copy_n(data->qpos, places_before.size(), places_before.begin());
  std::copy_n(data->qvel, rates_before.size(), rates_before.begin());
  gather_torques(targets, h);
  std::ranges::fill(guess, 0.0);
  accelerate(h);
  if (stepping == Stepping::Midway) {
    for (std::size_t i = 0; i < mean_rates.size(); ++i) {
      mean_rates[i] = rates_before[i] + theta() * h * solution[i];
    }
    place(mean_rates.data(), h / 2);
    std::ranges::copy(mean_rates, data->qvel);
    refresh_motion();
    guess = solution;
    accelerate(h);
  }
  const Vector6d outer = settle_forces(h);
  const Eigen::Vector3d centre = tree().centre();
  wanted.value += h * outer;
  wanted.value.head<3>() +=
      h * ((centre - wanted.centre).cross(outer.tail<3>()) + carried_moment());

  for (std::size_t i = 0; i < solution.size(); ++i) {
    mean_rates[i] = rates_before[i] + theta() * h * solution[i];
    data->qvel[i] = rates_before[i] + h * solution[i];
  }
  place(mean_rates.data(), h);
  time += h;
  restore_centre(wanted, velocity_before, h);
  restore_momentum(wanted);
  refresh_motion();
  account_for_work(h, centre, wanted.centre);
}

}  // namespace supple::swim
