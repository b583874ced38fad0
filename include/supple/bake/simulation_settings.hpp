// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/shell_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/fem/material.hpp"
#include "supple/fem/sheet_model.hpp"
#include "supple/geometry/types.hpp"
#include "supple/settings/declare.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A scene.toml of `supple simulate`: bodies, what they are made of, what moves and holds them.
/// Lengths in metres, angles in degrees. Selections of vertices, such as "y>0.2", see bodies where
/// they start.
namespace supple::bake {

enum class SimulatedShape : std::uint8_t { Box, Sphere, Cylinder, Sheet };

/// What a body looks like and where it starts: scaled, then turned, then moved.
struct SimulatedGeometry {
  std::string mesh;  ///< a file beside the scene.toml; "": `shape`
  SimulatedShape shape = SimulatedShape::Box;
  geometry::Vec3 size = geometry::Vec3::Constant(0.2);  ///< of the shape, centred at the origin
  int cells = 4;                                        ///< of the shape along its longest side
  double scale = 1;                                     ///< metres per unit of the file
  geometry::Vec3 position = geometry::Vec3::Zero();
  geometry::Vec3 rotation = geometry::Vec3::Zero();       ///< axis times angle, degrees
  geometry::Vec3 colour = geometry::Vec3(0.7, 0.7, 0.7);  ///< linear RGB of pictures
};

/// One [[solid]].
struct SimulatedSolid {
  std::string name;
  SimulatedGeometry geometry;
  std::size_t elements = 2000;  ///< about this many, where a surface has to be filled
  int nodes = 4;                ///< of an element
  fem::Material material;
  bool st_venant_kirchhoff = false;
  double friction = 0.3;
  double damping = 0;  ///< s, of strain rates
  geometry::Vec3 velocity = geometry::Vec3::Zero();
  SimulatedSolid();
};

/// One [[cloth]]: an open or closed surface with air on both sides.
struct SimulatedCloth {
  std::string name;
  SimulatedGeometry geometry;
  std::string material_name;  ///< of a preset
  SheetMaterial material;
  double thickness = 0;  ///< m, kept from everything; 0: the material's
  fem::StretchLimit limit = fem::StretchLimit::Penalty;
  double stretch_limit = 0.1;  ///< strain
  double friction = 0.3;
  double damping = 0;  ///< s
  geometry::Vec3 velocity = geometry::Vec3::Zero();
  SimulatedCloth();
};

/// When a motion goes on, in seconds.
struct MotionTimes {
  double begin = 0;
  std::optional<double> end;
};
struct DriftSettings {
  geometry::Vec3 velocity = geometry::Vec3::Zero();
  MotionTimes times;
};
struct TurnSettings {
  geometry::Vec3 point = geometry::Vec3::Zero();
  geometry::Vec3 axis = geometry::Vec3::UnitY();
  double speed = 0;  ///< degrees/s
  MotionTimes times;
};
struct SwingSettings {
  geometry::Vec3 amplitude = geometry::Vec3::Zero();
  double frequency = 1;
  double phase = 0;  ///< degrees
  MotionTimes times;
};
struct KeySettings {
  double time = 0;
  geometry::Vec3 position = geometry::Vec3::Zero();  ///< from where the body starts
  geometry::Vec3 rotation = geometry::Vec3::Zero();  ///< axis times angle, degrees
};

/// One motion of an obstacle or a pin: exactly one of the four.
struct MotionSettings {
  std::optional<DriftSettings> drift;
  std::optional<TurnSettings> turn;
  std::optional<SwingSettings> swing;
  std::vector<KeySettings> keys;
  geometry::Vec3 centre = geometry::Vec3::Zero();  ///< about which keys rotate
};

/// One [[obstacle]]: rigid, it stands still or follows its motions.
struct SimulatedObstacle {
  std::string name;
  SimulatedGeometry geometry;
  double friction = 0.3;
  std::vector<MotionSettings> motions;
};

/// One [[pin]]: vertices of a solid or a cloth that stand still or follow their motions.
struct PinSettings {
  std::string body;
  std::vector<std::string> where;
  std::vector<MotionSettings> motions;
};

/// One [[impulse]]: a change of velocity.
struct ImpulseSettings {
  double time = 0;
  std::string body;
  std::vector<std::string> where;  ///< empty: all of it
  geometry::Vec3 velocity = geometry::Vec3::Zero();
};

/// [wind]: without it there is no air.
struct WindSettings {
  geometry::Vec3 velocity = geometry::Vec3::Zero();
  double gusts = 0;
  double gust_size = 1;
  double density = 1.2;
};

struct SimulationContact {
  bool logarithmic = true;
  double width = 0;  ///< m; 0: from the scene
  double stiffness = 1;
  double friction_speed = 1e-3;
  int friction_lags = 1;
};

struct SimulationSolver {
  bool bdf2 = false;
  double speed = 1e-3;  ///< m/s
  int max_iterations = 200;
  int max_halvings = 4;
  double mass_damping = 0;
  double held_back = 0;
};

/// How the motion becomes morph targets.
struct SimulationExport {
  double tolerance = 0.002;
  int targets = 48;
  bool signed_weights = false;
};

/// A complete scene.toml.
struct SimulationSettings {
  double seconds = 2;
  double rate = 60;  ///< steps, and frames, per second
  geometry::Vec3 gravity = geometry::Vec3(0, -9.81, 0);
  std::optional<WindSettings> wind;
  SimulationContact contact;
  SimulationSolver solver;
  SimulationExport output;
  std::vector<SimulatedSolid> solids;
  std::vector<SimulatedCloth> cloths;
  std::vector<SimulatedObstacle> obstacles;
  std::vector<PinSettings> pins;
  std::vector<ImpulseSettings> impulses;
  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges, defaults and descriptions of a scene.toml.
[[nodiscard]] const settings::Fields<SimulationSettings>& simulation_fields();

/// Every error has a line and a column; `name` appears in messages.
[[nodiscard]] Result<SimulationSettings> parse_simulation_settings(std::string_view toml,
                                                                   std::string_view name);
/// The same as text with comments; parsing it gives the same settings.
[[nodiscard]] std::string print_simulation_settings(const SimulationSettings& settings);

}  // namespace supple::bake
