// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulator/scene.hpp"
#include "supple/fem/newton.hpp"
#include "supple/fem/quadratic_energies.hpp"
#include "supple/simulator/contact_energy.hpp"
#include "supple/simulator/friction_energy.hpp"

namespace supple::simulator {

/// Advances the state of a scene by implicit time steps.
class Stepper {
 public:
  /// `width` of the barrier, in metres. The scene must outlive it; stiffnesses of contact are set.
  Stepper(Scene& scene, const Description& description, double width);

  /// One implicit step of dt seconds. On failure the state is undefined. Adds to the report.
  [[nodiscard]] Result<void> advance(double dt, State& state, StepReport& report);

  /// How far a follower is from where its script has it at a time, in metres.
  [[nodiscard]] double distance_behind(const Follower& follower, double time,
                                       const Eigen::VectorXd& x) const;
  [[nodiscard]] ContactEnergy& contact() { return m_contact; }
  [[nodiscard]] const fem::DeadLoad& gravity() const { return m_gravity; }

 private:
  /// What one step starts from.
  struct Past {
    double b = 0;             ///< v = (x - x*) / b at the end
    Eigen::VectorXd x;        ///< x*
    double inertia = 0;       ///< 1/s^2, of inertia and mass damping
    Eigen::VectorXd centre;   ///< where both pull to
    Eigen::VectorXd ahead;    ///< a guess of the motion
    Eigen::VectorXd targets;  ///< of scripted vertices
  };
  Past look_back(double dt, State& state);
  void place_followers(double dt, State& state, Past& past);
  void keep_acceleration(double dt, const fem::MotionState& motion, Past& past) const;
  [[nodiscard]] Result<void> minimise(const Past& past, double dt, Eigen::VectorXd& x,
                                      StepReport& report);
  [[nodiscard]] Result<void> minimise_once(fem::Energy& potential, double dt, double b,
                                           Eigen::VectorXd& x, StepReport& report);
  [[nodiscard]] double largest_deviation(const Past& past, const Eigen::VectorXd& x) const;
  [[nodiscard]] std::string name_nearest(const Eigen::VectorXd& x) const;

  Scene& m_scene;
  const Description& m_description;
  double m_width;
  ContactEnergy m_contact;
  FrictionEnergy m_friction;
  fem::DeadLoad m_gravity;
  fem::Newton m_newton;
};

}  // namespace supple::simulator
