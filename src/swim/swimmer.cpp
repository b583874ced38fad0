// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/swimmer.hpp"

#include "swim/swimmer_state.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::swim {
namespace {

Result<void> check(const Body& body, const StartState& start) {
  if (!start.angles.empty() && start.angles.size() != body.joints.size()) {
    return bad_input(fmt::format("the start has {} angles for {} joints", start.angles.size(),
                                 body.joints.size()));
  }
  const bool finite = start.position.allFinite() && start.velocity.allFinite() &&
                      start.axes.allFinite() &&
                      std::ranges::all_of(start.angles, [](double a) { return std::isfinite(a); });
  if (!finite) return bad_input("the start contains numbers that are not finite");
  const Eigen::Matrix3d gram = start.axes.transpose() * start.axes;
  if (!gram.isIdentity(1e-6) || start.axes.determinant() < 0) {
    return bad_input("the axes of the start are not a rotation");
  }
  for (const Joint& joint : body.joints) {
    const Servo& servo = joint.servo;
    if (servo.stiffness >= 0 && servo.damping >= 0 && servo.max_torque >= 0) continue;
    return bad_input(
        fmt::format("joint '{}' is unstable: stiffness {}, damping {} and largest torque {} must "
                    "not be negative",
                    joint.name, servo.stiffness, servo.damping, servo.max_torque));
  }
  return {};
}

}  // namespace

Result<Swimmer> Swimmer::create(Body body, const WaterSettings& water, const StartState& start) {
  SUPPLE_TRY_VOID(check(body, start));
  SUPPLE_TRY(Water around, Water::create(body, water));
  SUPPLE_TRY(auto model, mujoco_model(body));
  auto state = std::make_unique<State>(std::move(body), std::move(around), std::move(model));
  const Eigen::Quaterniond turn(start.axes);
  double* q = state->data->qpos;  // position, quaternion w x y z, angles
  std::copy_n(start.position.data(), 3, q);
  q[3] = turn.w();
  std::copy_n(turn.vec().data(), 3, q + 4);
  std::ranges::copy(start.angles, q + 7);
  std::copy_n(start.velocity.data(), 3, state->data->qvel);
  state->refresh_places();
  state->refresh_motion();
  state->energy.kinetic_at_start = state->energy.kinetic;
  return Swimmer(std::move(state));
}

Swimmer::Swimmer(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Swimmer::Swimmer(Swimmer&&) noexcept = default;
Swimmer& Swimmer::operator=(Swimmer&&) noexcept = default;
Swimmer::Swimmer(const Swimmer& other) : m_state(std::make_unique<State>(*other.m_state)) {}
Swimmer& Swimmer::operator=(const Swimmer& other) {
  if (this != &other) m_state = std::make_unique<State>(*other.m_state);
  return *this;
}
Swimmer::~Swimmer() = default;

void Swimmer::set_stepping(Stepping stepping) {
  m_state->stepping = stepping;
}

Result<void> Swimmer::step(std::span<const double> targets, double seconds) {
  return m_state->step(targets, seconds);
}

const Body& Swimmer::body() const {
  return m_state->body;
}
const Water& Swimmer::water() const {
  return m_state->water;
}
double Swimmer::time() const {
  return m_state->time;
}
std::size_t Swimmer::steps() const {
  return m_state->steps;
}
std::span<const double> Swimmer::angles() const {
  return {m_state->data->qpos + 7, m_state->body.joints.size()};
}
std::span<const double> Swimmer::rates() const {
  return {m_state->data->qvel + 6, m_state->body.joints.size()};
}
std::span<const double> Swimmer::torques() const {
  return m_state->torques;
}
SegmentMotion Swimmer::segment(std::size_t index) const {
  return m_state->segment(index);
}
Eigen::Vector3d Swimmer::force(std::size_t index) const {
  return m_state->forces[index];
}
const Impulse& Swimmer::impulse() const {
  return m_state->impulse;
}
Eigen::Vector3d Swimmer::centre_of_mass() const {
  return m_state->tree().centre();
}

Eigen::Vector3d Swimmer::velocity() const {
  return m_state->velocity();
}
Eigen::Vector3d Swimmer::momentum() const {
  return m_state->momentum.value.tail<3>();
}
Eigen::Vector3d Swimmer::angular_momentum() const {
  return m_state->momentum.value.head<3>();
}
const Energy& Swimmer::energy() const {
  return m_state->energy;
}

}  // namespace supple::swim
