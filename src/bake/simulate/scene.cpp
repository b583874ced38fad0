// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/scene.hpp"

#include "bake/settings/vertex_selection.hpp"
#include "bake/simulate/body_mesh.hpp"
#include "bake/simulate/sheet.hpp"

#include "supple/core/units.hpp"
#include "supple/geometry/embedded_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace supple::bake::detail {
namespace {

using geometry::Vec3;

simulator::Span span_of(const MotionTimes& times) {
  return {times.begin, times.end.value_or(std::numeric_limits<double>::infinity())};
}

simulator::ScriptedMotion scripted(const MotionSettings& s) {
  if (s.drift) return simulator::Drift{s.drift->velocity, span_of(s.drift->times)};
  if (s.turn) {
    return simulator::Turn{s.turn->point, s.turn->axis, s.turn->speed * kDegree,
                           span_of(s.turn->times)};
  }
  if (s.swing) {
    return simulator::Oscillation{s.swing->amplitude, s.swing->frequency, s.swing->phase * kDegree,
                                  span_of(s.swing->times)};
  }
  simulator::Keyframes frames;
  frames.centre = s.centre;
  for (const KeySettings& key : s.keys) {
    frames.keys.push_back({key.time, key.position, key.rotation * kDegree});
  }
  return frames;
}

simulator::Script script_of(const std::vector<MotionSettings>& motions) {
  simulator::Script script;
  for (const MotionSettings& motion : motions) script.motions.push_back(scripted(motion));
  return script;
}

class SceneBuilder {
 public:
  explicit SceneBuilder(const SimulateInput& input) : m_input(input), m_settings(input.settings) {}

  Result<BuiltScene> run() {
    set_numbers();
    for (const SimulatedSolid& solid : m_settings.solids) {
      SUPPLE_TRY_VOID(add_solid(solid).during(fmt::format("solid '{}'", solid.name)));
    }
    for (const SimulatedCloth& cloth : m_settings.cloths) {
      SUPPLE_TRY_VOID(add_cloth(cloth).during(fmt::format("cloth '{}'", cloth.name)));
    }
    for (const SimulatedObstacle& obstacle : m_settings.obstacles) {
      SUPPLE_TRY_VOID(add_obstacle(obstacle).during(fmt::format("obstacle '{}'", obstacle.name)));
    }
    SUPPLE_TRY_VOID(add_pins());
    SUPPLE_TRY_VOID(add_impulses());
    return std::move(m_scene);
  }

 private:
  void set_numbers() {
    simulator::Description& d = m_scene.description;
    d.gravity = m_settings.gravity;
    const SimulationContact& contact = m_settings.contact;
    d.contact.barrier =
        contact.logarithmic ? contact::BarrierKind::Logarithmic : contact::BarrierKind::Cubic;
    d.contact.width = contact.width;
    d.contact.stiffness = contact.stiffness;
    d.contact.friction_speed = contact.friction_speed;
    d.contact.friction_lags = contact.friction_lags;
    const SimulationSolver& solver = m_settings.solver;
    d.solver.h = 1 / m_settings.rate;
    d.solver.scheme = solver.bdf2 ? fem::TimeScheme::Bdf2 : fem::TimeScheme::ImplicitEuler;
    d.solver.mass_damping = solver.mass_damping;
    d.solver.speed = solver.speed;
    d.solver.max_iterations = solver.max_iterations;
    d.solver.max_halvings = solver.max_halvings;
    d.solver.held_back = solver.held_back;
  }

  Result<void> add_solid(const SimulatedSolid& settings) {
    SUPPLE_TRY(BodyVolume volume, body_volume(settings.geometry, m_input, settings.elements));
    simulator::Solid solid;
    solid.name = settings.name;
    solid.friction = settings.friction;
    solid.velocity = settings.velocity;
    solid.law = settings.st_venant_kirchhoff ? fem::SolidLaw::StVenantKirchhoff
                                             : fem::SolidLaw::StableNeoHookean;
    solid.model.mesh =
        settings.nodes == 10 ? geometry::to_quadratic(volume.mesh) : std::move(volume.mesh);
    // Regions of a file all have the body's one material.
    solid.model.mesh.regions.clear();
    solid.model.mesh.region_names.clear();
    solid.model.materials = {settings.material};
    SUPPLE_TRY_VOID(solid.model.validate());
    add_solid_extras(solid, settings.damping, m_settings.wind);
    DrawnBody drawn{settings.geometry.colour, {}, false, {}, solid.model.mesh};
    if (volume.surface) {
      drawn.carried = CarriedSurface{
          *volume.surface, geometry::extend_to(solid.model.mesh, volume.surface->positions)};
      drawn.colours = body_colours(settings.geometry, m_input);
    }
    m_starts.push_back({settings.name, solid.model.mesh.nodes});
    m_scene.drawn.push_back(std::move(drawn));
    m_scene.description.solids.push_back(std::move(solid));
    return {};
  }

  Result<void> add_cloth(const SimulatedCloth& settings) {
    SUPPLE_TRY(geometry::TriMesh mesh, body_surface(settings.geometry, m_input));
    m_starts.push_back({settings.name, mesh.positions});
    SUPPLE_TRY(simulator::Sheet sheet, make_simulated_sheet(settings, mesh, m_settings.wind));
    m_scene.drawn.push_back(
        {settings.geometry.colour, body_colours(settings.geometry, m_input), true, {}, {}});
    m_scene.description.sheets.push_back(std::move(sheet));
    return {};
  }

  Result<void> add_obstacle(const SimulatedObstacle& settings) {
    simulator::Obstacle obstacle;
    obstacle.name = settings.name;
    obstacle.friction = settings.friction;
    SUPPLE_TRY(obstacle.mesh, body_surface(settings.geometry, m_input));
    obstacle.script = script_of(settings.motions);
    const bool open = geometry::topology(obstacle.mesh).boundary_edges > 0;
    m_scene.drawn.push_back(
        {settings.geometry.colour, body_colours(settings.geometry, m_input), open, {}, {}});
    m_scene.description.obstacles.push_back(std::move(obstacle));
    return {};
  }

  /// Vertices of a body in any of these selections, where the body starts.
  Result<std::vector<geometry::Index>> select_all(const std::string& body,
                                                  const std::vector<std::string>& where) const {
    const auto found = std::find_if(m_starts.begin(), m_starts.end(),
                                    [&](const Start& start) { return start.name == body; });
    SelectableVertices vertices;
    vertices.points = found->points;  // the settings are valid: the body exists
    std::vector<geometry::Index> chosen;
    for (const std::string& text : where) {
      SUPPLE_TRY(const VertexSelection selection, parse_vertex_selection(text));
      SUPPLE_TRY(const auto some, select(vertices, selection));
      chosen.insert(chosen.end(), some.begin(), some.end());
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
  }

  Result<void> add_pins() {
    for (std::size_t i = 0; i < m_settings.pins.size(); ++i) {
      const PinSettings& settings = m_settings.pins[i];
      simulator::Pin pin;
      pin.body = settings.body;
      SUPPLE_TRY(pin.vertices, select_all(settings.body, settings.where)
                                   .during(fmt::format("pin {} of '{}'", i + 1, settings.body)));
      pin.script = script_of(settings.motions);
      m_scene.description.pins.push_back(std::move(pin));
    }
    return {};
  }

  Result<void> add_impulses() {
    for (std::size_t i = 0; i < m_settings.impulses.size(); ++i) {
      const ImpulseSettings& settings = m_settings.impulses[i];
      if (settings.time >= m_settings.seconds) {
        m_scene.warnings.push_back(fmt::format("impulse {} at {:g} s comes after the end at {:g} s",
                                               i + 1, settings.time, m_settings.seconds));
      }
      simulator::Impulse impulse;
      impulse.time = settings.time;
      impulse.body = settings.body;
      impulse.velocity = settings.velocity;
      SUPPLE_TRY(impulse.vertices,
                 select_all(settings.body, settings.where)
                     .during(fmt::format("impulse {} on '{}'", i + 1, settings.body)));
      m_scene.description.impulses.push_back(std::move(impulse));
    }
    return {};
  }

  struct Start {
    std::string name;
    std::vector<Vec3> points;
  };
  const SimulateInput& m_input;
  const SimulationSettings& m_settings;
  std::vector<Start> m_starts;
  BuiltScene m_scene;
};

}  // namespace

Result<BuiltScene> build_scene(const SimulateInput& input) {
  return SceneBuilder(input).run();
}

}  // namespace supple::bake::detail
