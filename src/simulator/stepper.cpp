// SPDX-License-Identifier: Apache-2.0
#include "simulator/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace supple::simulator {
namespace {

using Eigen::VectorXd;

/// A contact carries this many times the weight of a vertex near the middle of the barrier.
constexpr double kWeights = 100;
/// How much of the elasticity of sheets counts: it is their membrane's, which contact strains only
/// where tension presses folds together.
constexpr double kSheetElasticity = 0.05;
/// Scripted vertices are pulled to their targets by springs this many times as stiff as the
/// stiffest contact: strong enough to move whatever can move, weak enough to wait where nothing
/// can.
constexpr double kScriptStiffness = 100;
/// The same over the stiffness of the body that pins hold.
constexpr double kPinStiffness = 1000;
/// Scripted vertices may miss their targets by this share of the barrier's width; more shifts the
/// springs (the augmented Lagrangian), at most this many times.
constexpr double kScriptError = 0.05;
constexpr int kMostShifts = 4;

/// N/m per vertex of the scene: inertia over one step, weight over the barrier's width, and
/// elasticity.
std::vector<double> contact_stiffness(const Scene& scene, const Description& description,
                                      double width) {
  const double h = description.solver.h;
  const double per_mass = 1 / (h * h) + kWeights * description.gravity.norm() / width;
  std::vector<double> result(static_cast<std::size_t>(scene.masses.size()),
                             std::numeric_limits<double>::infinity());
  double largest = 0;
  for (const Body& body : scene.bodies) {
    for (Index i = body.first_vertex; i < body.first_vertex + body.vertex_count; ++i) {
      if (!(scene.masses(i) > 0)) continue;
      const double elastic =
          (body.kind == BodyKind::Solid ? 1 : kSheetElasticity) * scene.elastic_stiffness(i);
      const double stiffness =
          description.contact.stiffness * (per_mass * scene.masses(i) + elastic);
      result[static_cast<std::size_t>(i)] = stiffness;
      largest = std::max(largest, stiffness);
    }
  }
  // Pins that follow scripts touch things too.
  for (const Body& body : scene.bodies) {
    if (body.kind == BodyKind::Obstacle) continue;
    for (Index i = body.first_vertex; i < body.first_vertex + body.vertex_count; ++i) {
      double& stiffness = result[static_cast<std::size_t>(i)];
      stiffness = std::min(stiffness, largest);
    }
  }
  return result;
}

/// Masses whose inertia over a step is the spring of a scripted vertex; those of the bodies
/// elsewhere.
VectorXd solver_masses(const Scene& scene, const Description& description) {
  const double h = description.solver.h;
  double contact = 0;
  for (const double stiffness : scene.surface.stiffness) {
    if (std::isfinite(stiffness)) contact = std::max(contact, stiffness);
  }
  const double body = scene.elastic_stiffness.maxCoeff() + scene.masses.maxCoeff() / (h * h);
  VectorXd masses = scene.masses;
  for (Eigen::Index i = 0; i < masses.size(); ++i) {
    if (scene.scripted[static_cast<std::size_t>(i)] == 0) continue;
    const bool pinned = scene.surface.mesh.free[static_cast<std::size_t>(i)] != 0;
    masses(i) = h * h * (pinned ? kPinStiffness * body : kScriptStiffness * contact);
  }
  return masses;
}

ContactSurface& with_stiffness(Scene& scene, const Description& description, double width) {
  scene.surface.stiffness = contact_stiffness(scene, description, width);
  return scene.surface;
}

}  // namespace

Stepper::Stepper(Scene& scene, const Description& description, double width)
    : m_scene(scene),
      m_description(description),
      m_width(width),
      m_contact(with_stiffness(scene, description, width),
                contact::Barrier{description.contact.barrier, width}),
      m_gravity(fem::weight(scene.masses, description.gravity)),
      m_newton(fem::FreeVertices(scene.fixed, solver_masses(scene, description)),
               solver_masses(scene, description)) {}

double Stepper::distance_behind(const Follower& follower, double time, const VectorXd& x) const {
  const Pose pose = follower.script.at(time);
  double squared = 0;
  for (std::size_t i = 0; i < follower.vertices.size(); ++i) {
    const Vec3 at = x.segment<3>(3 * Eigen::Index{follower.vertices[i]});
    squared = std::max(squared, (pose(follower.origins[i]) - at).squaredNorm());
  }
  return std::sqrt(squared);
}

Stepper::Past Stepper::look_back(double dt, State& state) {
  const SolverSettings& solver = m_description.solver;
  const fem::MotionState& motion = state.motion;
  const bool euler = solver.scheme == fem::TimeScheme::ImplicitEuler ||
                     motion.x_before.size() == 0 || dt != solver.h;
  fem::TimeStep step;
  step.b = euler ? dt : 2.0 / 3 * dt;
  step.time = motion.time + dt;
  step.x = &motion.x;
  if (!euler) step.x_before = &motion.x_before;
  for (const auto& energy : m_scene.elastic) energy->begin_step(step);
  for (const auto& energy : m_scene.extras) energy->begin_step(step);
  Past past;
  past.b = step.b;
  past.x = step.past_positions();
  const VectorXd v = euler ? motion.v : step.past(motion.v, motion.v_before);
  // The mass terms of inertia and damping combine into one about their common centre.
  past.inertia = (1 / past.b + solver.mass_damping) / past.b;
  past.centre = past.x + past.b / (1 + past.b * solver.mass_damping) * v;
  past.ahead = dt * motion.v;
  place_followers(dt, state, past);
  return past;
}

/// Their inertia pulls them to where their scripts have them at the end of the step. One that was
/// held back by more than the barrier's width waits: its clock stands still.
void Stepper::place_followers(double dt, State& state, Past& past) {
  const VectorXd& x = state.motion.x;
  past.targets = x;
  for (std::size_t f = 0; f < m_scene.followers.size(); ++f) {
    const Follower& follower = m_scene.followers[f];
    double& clock = state.clocks[f];
    if (distance_behind(follower, clock, x) <= m_width) clock += dt;
    const Pose pose = follower.script.at(clock);
    for (std::size_t i = 0; i < follower.vertices.size(); ++i) {
      const Eigen::Index row = 3 * Eigen::Index{follower.vertices[i]};
      past.targets.segment<3>(row) = pose(follower.origins[i]);
      past.centre.segment<3>(row) = past.targets.segment<3>(row);
      past.ahead.segment<3>(row) = past.targets.segment<3>(row) - x.segment<3>(row);
    }
  }
}

/// Bodies that touch nothing keep their acceleration, or fall at first: a better guess saves an
/// iteration. Those that touch something would run into it.
void Stepper::keep_acceleration(double dt, const fem::MotionState& motion, Past& past) const {
  std::vector<std::uint8_t> touches(m_scene.bodies.size(), 0);
  for (const ContactPair& pair : m_contact.listed()) {
    for (const Index vertex : pair.vertices) touches[m_scene.body_of_vertex(vertex)] = 1;
  }
  for (std::size_t b = 0; b < m_scene.bodies.size(); ++b) {
    const Body& body = m_scene.bodies[b];
    if (touches[b] != 0) continue;
    for (Index i = body.first_vertex; i < body.first_vertex + body.vertex_count; ++i) {
      const Eigen::Index row = 3 * Eigen::Index{i};
      if (!(m_scene.masses(i) > 0)) continue;
      if (motion.v_before.size() > 0) {
        past.ahead.segment<3>(row) += dt * (motion.v - motion.v_before).segment<3>(row);
      } else {
        past.ahead.segment<3>(row) += dt * dt * m_description.gravity;
      }
    }
  }
  past.ahead = m_newton.free().spread(m_newton.free().gather(past.ahead));
}

double Stepper::largest_deviation(const Past& past, const VectorXd& x) const {
  double squared = 0;
  for (const Follower& follower : m_scene.followers) {
    for (const Index vertex : follower.vertices) {
      const Eigen::Index row = 3 * Eigen::Index{vertex};
      squared = std::max(squared, (past.targets.segment<3>(row) - x.segment<3>(row)).squaredNorm());
    }
  }
  return std::sqrt(squared);
}

std::string Stepper::name_nearest(const VectorXd& x) const {
  const ContactEnergy::Nearest nearest = m_contact.nearest(x);
  if (!std::isfinite(nearest.gap)) return "nothing is in contact";
  const auto place = [&](Index vertex) {
    const Body& body = m_scene.bodies[m_scene.body_of_vertex(vertex)];
    return fmt::format("vertex {} of '{}'", vertex - body.first_vertex + 1, body.name);
  };
  return fmt::format("the closest pair, {:.2g} m apart, is at {} and {}", nearest.gap,
                     place(nearest.pair.vertices[0]), place(nearest.pair.vertices[3]));
}

Result<void> Stepper::minimise_once(fem::Energy& potential, double dt, double b, VectorXd& x,
                                    StepReport& report) {
  fem::NewtonSettings settings;
  settings.force = std::numeric_limits<double>::min();
  settings.displacement = m_description.solver.speed * dt;
  settings.max_iterations = m_description.solver.max_iterations;
  settings.max_halvings = 6;
  settings.max_attempts = 16;
  settings.first_shift = 1 / (b * b);
  settings.small_shift = 0.02 / (b * b);
  const double before = m_contact.candidate_seconds();
  SUPPLE_TRY(const fem::NewtonReport newton, m_newton.minimise(potential, x, settings));
  report.iterations += newton.iterations;
  report.seconds.assembly += newton.assembly_seconds;
  report.seconds.factorisation += newton.factorisation_seconds;
  report.seconds.search += newton.search_seconds - (m_contact.candidate_seconds() - before);
  if (newton.converged) return {};
  return not_converged(
      fmt::format("a time step of {:.2g} s left an unbalanced force of {:.1e} N after {} "
                  "iterations; {}",
                  dt, newton.force, newton.iterations, name_nearest(x)));
}

Result<void> Stepper::minimise(const Past& past, double dt, VectorXd& x, StepReport& report) {
  VectorXd anchor = past.centre;
  double deviation = std::numeric_limits<double>::infinity();
  for (int shift = 0;; ++shift) {
    fem::MassAnchor inertia(m_newton.masses(), past.inertia, anchor);
    std::vector<fem::Energy*> terms;
    for (const auto& energy : m_scene.elastic) terms.push_back(energy.get());
    for (const auto& energy : m_scene.extras) terms.push_back(energy.get());
    terms.insert(terms.end(), {&m_gravity, &m_contact, &m_friction, &inertia});
    fem::EnergySum potential(std::move(terms));
    SUPPLE_TRY_VOID(minimise_once(potential, dt, past.b, x, report));
    const double last = std::exchange(deviation, largest_deviation(past, x));
    if (deviation <= kScriptError * m_width || deviation > last / 2 || shift == kMostShifts) break;
    for (const Follower& follower : m_scene.followers) {
      for (const Index vertex : follower.vertices) {
        const Eigen::Index row = 3 * Eigen::Index{vertex};
        anchor.segment<3>(row) += past.targets.segment<3>(row) - x.segment<3>(row);
      }
    }
  }
  return {};
}

Result<void> Stepper::advance(double dt, State& state, StepReport& report) {
  const double candidates_before = m_contact.candidate_seconds();
  Past past = look_back(dt, state);
  fem::MotionState& motion = state.motion;
  VectorXd x = motion.x;
  m_contact.begin(x, past.ahead);
  keep_acceleration(dt, motion, past);
  const ContactSettings& contact = m_description.contact;
  m_friction.renew(m_contact.contacts(x), m_scene.surface, motion.x, contact.friction_speed, dt);
  // A guess: vertices go on as they went, as far as nothing is in their way.
  double share = m_contact.longest_share(x, past.ahead);
  for (const auto& energy : m_scene.elastic) {
    share = std::min(share, energy->longest_share(x, past.ahead));
  }
  x += share * past.ahead;
  for (int lag = 0; lag < contact.friction_lags; ++lag) {
    if (lag > 0) {
      m_friction.renew(m_contact.contacts(x), m_scene.surface, motion.x, contact.friction_speed,
                       dt);
    }
    SUPPLE_TRY_VOID(minimise(past, dt, x, report));
  }
  const auto check_begin = std::chrono::steady_clock::now();
  const std::size_t crossings = intersections(m_scene, x).size();
  report.seconds.check +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - check_begin).count();
  report.seconds.candidates += m_contact.candidate_seconds() - candidates_before;
  if (crossings > 0) {
    return not_converged(fmt::format("a time step of {:.2g} s led to {} intersections; {}", dt,
                                     crossings, name_nearest(x)));
  }
  const bool whole = dt == m_description.solver.h;
  VectorXd v = (x - past.x) / past.b;
  motion.x_before = whole ? std::move(motion.x) : VectorXd();
  motion.v_before = whole ? std::move(motion.v) : VectorXd();
  motion.x = std::move(x);
  motion.v = std::move(v);
  motion.time += dt;
  return {};
}

}  // namespace supple::simulator
