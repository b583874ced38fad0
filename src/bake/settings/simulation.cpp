// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/simulation_settings.hpp"

#include "bake/settings/shell_materials.hpp"
#include "bake/settings/simulation_bodies.hpp"

#include "supple/settings/toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace supple::bake {
namespace {

using settings::above;
using settings::Complaint;
using settings::field;
using settings::Fields;
using settings::from;

const Fields<WindSettings>& wind_fields() {
  using S = WindSettings;
  static const Fields<S> fields{
      field<&S::velocity>("velocity", "of the air, world axes").in("m/s"),
      field<&S::gusts>("gusts", "0 steady; 1: between 0 and twice the velocity")
          .range(from(0).to(1)),
      field<&S::gust_size>("gust_size", "from gust to gust").in("m").range(above(0)),
      field<&S::density>("density", "of air, 1.2; of water, 1000").in("kg/m^3").range(from(0)),
  };
  return fields;
}

const Fields<SimulationContact>& contact_fields() {
  using S = SimulationContact;
  static const Fields<S> fields{
      settings::choice<&S::logarithmic>("barrier", {"cubic", "logarithmic"},
                                        "the energy that keeps surfaces apart"),
      field<&S::width>("width", "gaps below this repel; 0: chosen from the scene")
          .in("m")
          .range(from(0)),
      field<&S::stiffness>("stiffness", "factor on the barrier's stiffness").range(above(0)),
      field<&S::friction_speed>("friction_speed", "slower sliding counts as sticking, with creep")
          .in("m/s")
          .range(above(0)),
      field<&S::friction_lags>("friction_lags", "how often a step renews its normal forces")
          .range(from(0).to(20)),
  };
  return fields;
}

const Fields<SimulationSolver>& solver_fields() {
  using S = SimulationSolver;
  static const Fields<S> fields{
      settings::choice<&S::bdf2>("scheme", {"implicit_euler", "bdf2"},
                                 "bdf2 keeps more of fast motion"),
      field<&S::speed>("speed", "an error of velocities that is small enough")
          .in("m/s")
          .range(above(0)),
      field<&S::max_iterations>("max_iterations", "of Newton's method per step")
          .range(from(1).to(10'000)),
      field<&S::max_halvings>("max_halvings", "of a step that fails").range(from(0).to(12)),
      field<&S::mass_damping>("mass_damping", "decay of all velocities").in("1/s").range(from(0)),
      field<&S::held_back>("held_back",
                           "how far a moved body may stay behind its motion; 0: from the scene")
          .in("m")
          .range(from(0)),
  };
  return fields;
}

const Fields<SimulationExport>& simulation_export_fields() {
  using S = SimulationExport;
  static const Fields<S> fields{
      field<&S::tolerance>("tolerance", "largest error of a vertex, relative to its body's size")
          .range(above(0).below(1)),
      field<&S::targets>("targets", "at most this many shapes per body").range(from(1).to(256)),
      field<&S::signed_weights>("signed", "one morph target per shape instead of a pair"),
  };
  return fields;
}

/// The names of all bodies, in the order solids, cloths, obstacles.
struct NamedBody {
  std::string name;
  std::string key;  ///< "solid[1]"
  bool deforms = true;
};

std::vector<NamedBody> named_bodies(const SimulationSettings& s) {
  std::vector<NamedBody> bodies;
  const auto add = [&](const auto& list, const char* kind, bool deforms) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      bodies.push_back({list[i].name, fmt::format("{}[{}]", kind, i + 1), deforms});
    }
  };
  add(s.solids, "solid", true);
  add(s.cloths, "cloth", true);
  add(s.obstacles, "obstacle", false);
  return bodies;
}

std::optional<Complaint> check_bodies(const SimulationSettings& s) {
  std::set<std::string> names;
  for (const NamedBody& body : named_bodies(s)) {
    if (names.insert(body.name).second) continue;
    return Complaint{fmt::format("two bodies have the name '{}'; each needs its own", body.name),
                     {body.key + ".name"}};
  }
  if (!s.solids.empty() || !s.cloths.empty()) return {};
  return Complaint{"nothing can move: the scene needs a [[solid]] or a [[cloth]]", {}};
}

/// Pins and impulses act on bodies that deform.
std::optional<Complaint> check_holds(const SimulationSettings& s) {
  std::vector<std::string> movable;
  for (const NamedBody& body : named_bodies(s)) {
    if (body.deforms) movable.push_back(body.name);
  }
  const auto check = [&](const std::string& body,
                         const std::string& key) -> std::optional<Complaint> {
    if (std::find(movable.begin(), movable.end(), body) != movable.end()) return {};
    return Complaint{fmt::format("no [[solid]] or [[cloth]] has the name '{}'; there are: {}", body,
                                 fmt::join(movable, ", ")),
                     {key + ".body"}};
  };
  for (std::size_t i = 0; i < s.pins.size(); ++i) {
    if (auto complaint = check(s.pins[i].body, fmt::format("pin[{}]", i + 1))) return complaint;
  }
  for (std::size_t i = 0; i < s.impulses.size(); ++i) {
    auto complaint = check(s.impulses[i].body, fmt::format("impulse[{}]", i + 1));
    if (complaint) return complaint;
  }
  return {};
}

std::optional<Complaint> check_length(const SimulationSettings& s) {
  constexpr double kMostSteps = 1e6;
  if (s.seconds * s.rate <= kMostSteps) return {};
  return Complaint{
      fmt::format("{:g} s at {:g} Hz are more than a million steps", s.seconds, s.rate),
      {"seconds"}};
}

}  // namespace

void detail::complete_body_names(SimulationSettings& s) {
  const auto name = [](auto& list, const char* kind) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].name.empty()) list[i].name = fmt::format("{} {}", kind, i + 1);
    }
  };
  name(s.solids, "solid");
  name(s.cloths, "cloth");
  name(s.obstacles, "obstacle");
}

const Fields<SimulationSettings>& simulation_fields() {
  using S = SimulationSettings;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::seconds>("seconds", "how long").in("s").range(above(0).to(600)),
          field<&S::rate>("rate", "steps, and frames of the result, per second")
              .in("Hz")
              .range(from(1).to(10'000)),
          field<&S::gravity>("gravity", "world axes; y is up").in("m/s^2"),
          settings::section<&S::wind>("wind", wind_fields(), "moving air; without it, no air"),
          settings::section<&S::contact>("contact", contact_fields(), "how surfaces touch"),
          settings::section<&S::solver>("solver", solver_fields(), "how steps are solved"),
          settings::section<&S::output>("export", simulation_export_fields(),
                                        "how motion becomes morph targets"),
          settings::sections<&S::solids>("solid", detail::solid_fields(), "a body with a volume"),
          settings::sections<&S::cloths>("cloth", detail::cloth_fields(), "a thin sheet"),
          settings::sections<&S::obstacles>("obstacle", detail::obstacle_fields(),
                                            "a rigid body that follows its motions"),
          settings::sections<&S::pins>("pin", detail::pin_fields(), "vertices that are held"),
          settings::sections<&S::impulses>("impulse", detail::impulse_fields(),
                                           "a change of velocity at a time"),
      }
          .completed_by([](S& s, const settings::Value&) { detail::complete_body_names(s); })
          .rule(check_bodies)
          .rule(check_holds)
          .rule(check_length);
  return fields;
}

Result<void> SimulationSettings::validate() const {
  return simulation_fields().check(*this);
}

Result<SimulationSettings> parse_simulation_settings(std::string_view toml, std::string_view name) {
  SUPPLE_TRY(const settings::Value document, settings::parse_toml(toml, name));
  SimulationSettings read;
  SUPPLE_TRY_VOID(simulation_fields().read(document, name, read));
  return read;
}

std::string print_simulation_settings(const SimulationSettings& settings) {
  return settings::print_toml(simulation_fields(), simulation_fields().write(settings));
}

}  // namespace supple::bake
