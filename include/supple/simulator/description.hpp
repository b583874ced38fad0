// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/contact/barrier.hpp"
#include "supple/fem/energy.hpp"
#include "supple/fem/motion.hpp"
#include "supple/fem/shell_model.hpp"
#include "supple/fem/solid_energy.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/simulator/script.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace supple::simulator {

using geometry::Index;

/// Makes an energy that acts on one body, such as drag or damping, once the numbers of the body's
/// vertices are known: they are consecutive. Those that depend on velocities have begin_step().
using MakeEnergy = std::function<Result<std::unique_ptr<fem::Energy>>(Index first_vertex)>;

/// What all deformable bodies have.
struct DeformableBody {
  std::string name;
  /// Positions in metres at time 0; empty: at rest.
  std::vector<Vec3> start = {};
  Vec3 velocity = Vec3::Zero();  ///< m/s at time 0
  double friction = 0.3;         ///< of two bodies in contact the geometric mean acts
  std::vector<MakeEnergy> extras = {};
};

/// A body of tetrahedra; contact acts on its surface. Fixed components of the model stay fixed.
struct Solid : DeformableBody {
  fem::SolidModel model;
  fem::SolidLaw law = fem::SolidLaw::StableNeoHookean;
};

/// A body of triangles: a shell or a cloth.
struct Sheet : DeformableBody {
  geometry::TriMesh mesh;              ///< at rest
  Eigen::VectorXd masses;              ///< kg per vertex
  std::vector<MakeEnergy> elasticity;  ///< at least one: membrane, bending
  double thickness = 0;                ///< m: surfaces keep half of it from everything
  std::vector<std::uint8_t> fixed;     ///< kFix* bits per vertex; empty: nothing is fixed
};

/// A sheet with the energies of a discrete shell.
[[nodiscard]] Result<Sheet> shell_sheet(std::string name, const fem::ShellModel& model,
                                        double thickness);

/// A rigid body that stands still or follows its script: it pushes others and is not pushed, except
/// that it waits when something is caught in its way.
struct Obstacle {
  std::string name;
  geometry::TriMesh mesh;  ///< open or closed, at the script's zero pose
  Script script = {};
  double friction = 0.3;
};

/// An obstacle in the plane through `point` across `normal`: a square of 4 x 4 cells.
[[nodiscard]] geometry::TriMesh plane_mesh(const Vec3& point, const Vec3& normal, double size);

/// Vertices of a deformable body that stand still or follow a script, whose pose at time 0 must be
/// the identity.
struct Pin {
  std::string body;
  std::vector<Index> vertices;  ///< of the body, from 0
  Script script = {};
};

/// A change of velocity at a given time: before the first step that begins then or later.
struct Impulse {
  double time = 0;  ///< s
  std::string body;
  std::vector<Index> vertices = {};  ///< of the body, from 0; empty: all
  Vec3 velocity = Vec3::Zero();      ///< m/s, is added
};

struct ContactSettings {
  contact::BarrierKind barrier = contact::BarrierKind::Logarithmic;
  /// Gaps below this width repel, in metres. 0: a thousandth of the scene's diagonal, but at most a
  /// quarter of the smallest height of a deformable body's triangles.
  double width = 0;
  double stiffness = 1;          ///< factor of the barrier's stiffness
  double friction_speed = 1e-3;  ///< m/s: slower sliding counts as sticking, with creep
  int friction_lags = 1;         ///< how often a step renews normal forces and directions
};

struct SolverSettings {
  double h = 1.0 / 60;  ///< s, of a frame
  fem::TimeScheme scheme = fem::TimeScheme::ImplicitEuler;
  double mass_damping = 0;   ///< 1/s
  double speed = 1e-3;       ///< m/s: an error of velocities that is small enough
  int max_iterations = 200;  ///< of Newton's method, per time step
  int max_halvings = 4;      ///< of the time step, when it fails
  /// How far a scripted body may stay behind its script, in metres. 0: a fiftieth of the scene's
  /// diagonal.
  double held_back = 0;
};

/// Everything that a world consists of.
struct Description {
  std::vector<Solid> solids;
  std::vector<Sheet> sheets;
  std::vector<Obstacle> obstacles;
  std::vector<Pin> pins;
  std::vector<Impulse> impulses;
  Vec3 gravity = Vec3(0, -9.81, 0);  ///< m/s^2
  ContactSettings contact = {};
  SolverSettings solver = {};

  /// Ranges of settings, names that are missing, repeated or unknown, sizes, scripts, materials,
  /// inverted or degenerate elements: errors that name the body and the remedy.
  [[nodiscard]] Result<void> validate() const;
};

}  // namespace supple::simulator
