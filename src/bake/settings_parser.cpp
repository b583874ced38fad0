// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/settings.hpp"

#include "bake/shell_tables.hpp"
#include "bake/toml_table.hpp"

#include <fmt/format.h>

#include <set>

namespace supple::bake {
namespace {

using flesh::ObjectSettings;

/// `material = "fat"` or `material = {E = 3000, nu = 0.49, rho = 950}`.
fem::Material read_material(TomlTable& owner, std::string_view key) {
  if (auto name = owner.take_if_string(key)) {
    auto found = flesh::find_tissue(*name);
    if (found.ok()) return *std::move(found);
    owner.fail_at(key, std::move(found).error());
    return {};
  }
  fem::Material material{"custom", 0, 0, 0};
  owner.table(key, "a preset such as \"fat\" or {E = .., nu = .., rho = ..}",
              [&](TomlTable& table) {
                table.text("name", material.name);
                for (const char* needed : {"E", "nu", "rho"}) table.require(needed);
                table.number("E", material.youngs_modulus);
                table.number("nu", material.poisson_ratio);
                table.number("rho", material.density);
              });
  if (auto valid = material.validate(); owner.good() && !valid.ok()) {
    owner.fail_at(key, std::move(valid).error());
  }
  return material;
}

void read_layers(TomlTable& table, std::vector<flesh::Layer>& layers) {
  if (table.has("material")) {
    if (table.has("layers")) {
      table.fail_at("layers", bad_input("material and layers exclude each other; keep one"));
    }
    layers = {flesh::Layer{read_material(table, "material"), 0}};
  }
  if (!table.has("layers")) return;
  layers.clear();
  table.tables("layers", [&](TomlTable& entry) {
    flesh::Layer layer;
    entry.require("material");
    if (entry.has("material")) layer.material = read_material(entry, "material");
    entry.number("depth", layer.depth);
    layers.push_back(std::move(layer));
  });
}

void read_damping(TomlTable& owner, flesh::Damping& damping) {
  owner.table("damping", "{ratio = ..}, {alpha = .., beta = ..} or {settle = ..}",
              [&](TomlTable& table) {
                const bool rayleigh = table.has("alpha") || table.has("beta");
                if (table.has("ratio") + table.has("settle") + rayleigh > 1) {
                  return owner.fail_at(
                      "damping",
                      bad_input("ratio, settle and alpha with beta exclude each other; keep one"));
                }
                if (rayleigh) {
                  flesh::RayleighDamping read;
                  table.number("alpha", read.alpha);
                  table.number("beta", read.beta);
                  damping = read;
                } else if (table.has("settle")) {
                  flesh::SettlesIn read;
                  table.number("settle", read.seconds);
                  damping = read;
                } else {
                  flesh::DampingRatio read;
                  if (table.keys().empty()) table.require("ratio");
                  table.number("ratio", read.xi);
                  damping = read;
                }
                table.known({"ratio", "alpha", "beta", "settle"});
              });
}

void read_core(TomlTable& owner, flesh::BoneCore& core) {
  if (auto enabled = owner.take_if_boolean("core")) {
    core.enabled = *enabled;
    return;
  }
  owner.table("core", "true, false, {radius = ..} or {fraction = ..}", [&](TomlTable& table) {
    if (table.has("radius") && table.has("fraction")) {
      return owner.fail_at("core", bad_input("radius and fraction exclude each other; keep one"));
    }
    table.number("radius", core.radius);
    table.number("fraction", core.fraction);
  });
}

void read_region(TomlTable& table, ObjectSettings& object) {
  if (table.has("bone") && table.has("bones")) {
    table.fail_at("bones", bad_input("bone and bones exclude each other; keep one"));
  }
  if (std::string bone; table.text("bone", bone)) object.region.bones = {bone};
  table.texts("bones", object.region.bones);
  table.text("surface_material", object.region.material);
  table.text("mask", object.region.mask);
  table.text("driver", object.driver);
}

ObjectSettings read_object(TomlTable& table) {
  ObjectSettings object;
  read_region(table, object);
  if (object.region.bones.size() == 1) object.name = object.region.bones.front();
  table.text("name", object.name);
  read_layers(table, object.layers);
  read_damping(table, object.damping);
  read_core(table, object.core);
  table.number("border", object.border);
  table.number("ramp", object.ramp);
  table.integer("elements", object.elements);
  table.integer("modes", object.modes);
  table.number("capture", object.capture);
  table.integer("max_modes", object.max_modes);
  table.boolean("coriolis", object.coriolis);
  table.number("sag", object.sag);
  table.number("limit", object.limit);
  return object;
}

/// The key that is wrong all by itself: validate() knows the ranges but not the places. "" if only
/// several together are wrong.
std::string culprit(const TomlTable& table, const ObjectSettings& object, const Error& error) {
  for (const std::string& key : table.keys()) {
    ObjectSettings alone = table.alone(key, read_object);
    alone.name = object.name;
    if (key != "bone" && key != "bones") alone.region = object.region;
    const auto valid = alone.validate();
    if (!valid.ok() && valid.error().describe() == error.describe()) return key;
  }
  return {};
}

void read_objects(TomlTable& root, std::vector<ObjectSettings>& objects,
                  std::set<std::string>& names) {
  root.tables("object", [&](TomlTable& table) {
    objects.push_back(read_object(table));
    if (!table.good()) return;
    if (auto valid = objects.back().validate(); !valid.ok()) {
      table.fail_at(culprit(table, objects.back(), valid.error()), valid.error());
    } else if (!names.insert(objects.back().name).second) {
      table.fail_at("name", bad_input(fmt::format("two objects have the name '{}'; each needs its "
                                                  "own",
                                                  objects.back().name)));
    }
  });
}

void read_output(TomlTable& root, ExportSettings& output) {
  root.table("output", "a table: [output]", [&](TomlTable& table) {
    const auto checked = [&](std::string_view key) {
      if (auto valid = output.validate(); table.good() && !valid.ok()) {
        table.fail_at(key, std::move(valid).error());
      }
    };
    if (table.number("rate", output.rate)) checked("rate");
    if (table.number("tolerance", output.tolerance)) checked("tolerance");
    table.boolean("signed", output.signed_weights);
    table.boolean("float32", output.float32);
    if (table.number("gain", output.gain)) checked("gain");
    if (table.number("shell_tolerance", output.shell_tolerance)) checked("shell_tolerance");
    if (table.integer("shell_targets", output.shell_targets)) checked("shell_targets");
  });
}

void read_unit(TomlTable& root, double& metres_per_unit) {
  if (auto word = root.take_if_string("unit")) {
    if (*word == "auto") return;
    root.fail_at("unit", bad_input(fmt::format("unit is \"{}\"; it must be \"auto\" or the metres "
                                               "of one unit, such as 0.01",
                                               *word)));
    return;
  }
  if (root.number("unit", metres_per_unit) && !(metres_per_unit > 0)) {
    root.fail_at("unit",
                 bad_input(fmt::format("unit is {}; it must be positive (metres per unit of the "
                                       "file), or \"auto\"",
                                       metres_per_unit)));
  }
}

}  // namespace

Result<BakeSettings> parse_bake_settings(std::string_view toml, std::string_view name) {
  BakeSettings settings;
  SUPPLE_TRY_VOID(read_toml(toml, name, [&](TomlTable& root) {
    read_unit(root, settings.metres_per_unit);
    read_output(root, settings.output);
    std::set<std::string> names;
    read_objects(root, settings.objects, names);
    detail::read_shells(root, settings.shells, names);
  }));
  SUPPLE_TRY_VOID(settings.validate());
  return settings;
}

}  // namespace supple::bake
