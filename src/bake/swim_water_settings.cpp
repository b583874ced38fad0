// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_settings.hpp"

#include "bake/swim_keys.hpp"
#include "bake/toml_text.hpp"

#include "supple/swim/flow.hpp"

#include <array>

namespace supple::bake {

namespace detail {
namespace {

/// In the order of swim::DragLaw.
constexpr std::array<std::string_view, 4> kLaws{"none", "linear", "isotropic", "quadratic"};

}  // namespace

bool read_finite(TomlTable& table, std::string_view key, double& value) {
  double read = 0;
  if (!table.number(key, read)) return false;
  if (!std::isfinite(read)) {
    table.fail_at(key, bad_input(fmt::format("{} is {}; it must be a finite number", key, read)));
    return false;
  }
  value = read;
  return true;
}

bool read_vector(TomlTable& table, std::string_view key, Eigen::Vector3d& value) {
  std::array<double, 3> read{};
  if (!table.numbers(key, read)) return false;
  const Eigen::Vector3d vector(read[0], read[1], read[2]);
  if (!vector.allFinite()) {
    table.fail_at(key, bad_input(fmt::format("{} must be three finite numbers", key)));
    return false;
  }
  value = vector;
  return true;
}

swim::WaterSettings read_still_water(TomlTable& table) {
  swim::WaterSettings water;
  read_word(table, "law", kLaws, water.drag);
  read_finite(table, "density", water.density);
  read_finite(table, "viscosity", water.viscosity);
  read_finite(table, "side_drag", water.side_drag);
  read_finite(table, "end_drag", water.end_drag);
  read_finite(table, "friction", water.friction);
  read_finite(table, "lift", water.lift);
  table.boolean("added_mass", water.added_mass);
  read_finite(table, "gravity", water.gravity);
  if (double surface = 0; read_finite(table, "surface", surface)) water.surface = surface;
  return water;
}

std::string still_water_text(const swim::WaterSettings& water) {
  const swim::WaterSettings usual;
  std::string text;
  if (water.drag != usual.drag) {
    text += fmt::format("law = {}\n", toml_quoted(swim_law_name(water.drag)));
  }
  const auto number = [&](std::string_view key, double value, double expected) {
    if (value != expected) text += fmt::format("{} = {}\n", key, value);
  };
  number("density", water.density, usual.density);
  number("viscosity", water.viscosity, usual.viscosity);
  number("side_drag", water.side_drag, usual.side_drag);
  number("end_drag", water.end_drag, usual.end_drag);
  number("friction", water.friction, usual.friction);
  number("lift", water.lift, usual.lift);
  if (water.added_mass) text += "added_mass = true\n";
  number("gravity", water.gravity, usual.gravity);
  if (water.surface) text += fmt::format("surface = {}\n", *water.surface);
  return text;
}

}  // namespace detail

std::string_view swim_law_name(swim::DragLaw law) {
  return detail::kLaws[static_cast<std::size_t>(law)];
}

namespace {

using detail::read_finite;
using detail::read_vector;

void keep(TomlTable& table, std::string_view key, Result<swim::Flow> made,
          std::vector<swim::Flow>& flows) {
  if (!table.good()) return;
  if (!made.ok()) return table.fail_at(key, std::move(made).error());
  flows.push_back(*std::move(made));
}

void read_expressions(TomlTable& table, std::vector<swim::Flow>& flows) {
  std::vector<std::string> texts;
  if (!table.texts("expression", texts)) return;
  if (texts.size() != 3) {
    return table.fail_at("expression", bad_input("expression must be three texts, the velocity "
                                                 "along x, y and z: [\"0.3\", \"0\", \"0\"]"));
  }
  keep(table, "expression", swim::flow_from_expressions({texts[0], texts[1], texts[2]}), flows);
}

void read_tables(TomlTable& flow, const swim::WaterSettings& water,
                 std::vector<swim::Flow>& flows) {
  flow.table("river", "{velocity = [..]}", [&](TomlTable& table) {
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    table.require("velocity");
    if (read_vector(table, "velocity", velocity)) {
      keep(table, "velocity", swim::river(velocity), flows);
    }
  });
  flow.table("vortex", "{centre = [..], axis = [..], strength = .., core = ..}",
             [&](TomlTable& table) {
               swim::VortexSettings vortex;
               read_vector(table, "centre", vortex.centre);
               read_vector(table, "axis", vortex.axis);
               read_finite(table, "strength", vortex.strength);
               read_finite(table, "core", vortex.core);
               keep(table, "", swim::vortex(vortex), flows);
             });
  flow.table("waves", "{amplitude = .., length = .., direction = [..]}", [&](TomlTable& table) {
    swim::WaveSettings waves;
    waves.surface = water.surface.value_or(0);
    if (water.gravity > 0) waves.gravity = water.gravity;
    read_finite(table, "amplitude", waves.amplitude);
    read_finite(table, "length", waves.length);
    read_vector(table, "direction", waves.direction);
    keep(table, "", swim::waves(waves), flows);
  });
}

void read_flow(TomlTable& root, swim::WaterSettings& water, const std::filesystem::path& folder) {
  root.table("flow", "a table: [flow]", [&](TomlTable& table) {
    std::vector<swim::Flow> flows;
    read_expressions(table, flows);
    if (std::string grid; table.text("grid", grid)) {
      keep(table, "grid", swim::read_flow_grid(folder / grid), flows);
    }
    read_tables(table, water, flows);
    if (!table.good() || flows.empty()) return;
    auto sum = flows.size() == 1 ? Result<swim::Flow>(flows.front())
                                 : swim::sum_of_flows(std::move(flows));
    if (!sum.ok()) return table.fail_at("", std::move(sum).error());
    water.flow = *std::move(sum);
  });
}

}  // namespace

Result<swim::WaterSettings> parse_swim_water(std::string_view toml, std::string_view name,
                                             const std::filesystem::path& folder) {
  swim::WaterSettings water;
  SUPPLE_TRY_VOID(read_toml(toml, name, [&](TomlTable& root) {
    water = detail::read_still_water(root);
    if (auto valid = water.validate(); root.good() && !valid.ok()) {
      root.fail_at(detail::culprit(root, valid.error(), detail::read_still_water), valid.error());
    }
    read_flow(root, water, folder);
  }));
  return water;
}

}  // namespace supple::bake
