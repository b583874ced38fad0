// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/settings/field.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/steering.hpp"
#include "supple/swim/water.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace supple::bake {

/// The files that accompany a stroke. `name` appears in messages; an error has the line and the
/// remedy.

/// body.toml: hinges, masses, shape, height, mass, hand_length, ..., mesh (a file, relative to
/// body.toml if that is a file)
[[nodiscard]] Result<swim::BodySettings> parse_swim_body(std::string_view toml,
                                                         std::string_view name);
[[nodiscard]] std::string print_swim_body(const swim::BodySettings& settings);

/// water.toml: law, density, .., gravity, surface, and its own motion, a [flow] with expression =
/// ["..", "..", ".."], grid = "FILE" (beside `folder`), or one of the tables river, vortex, waves.
[[nodiscard]] Result<swim::WaterSettings> parse_swim_water(std::string_view toml,
                                                           std::string_view name,
                                                           const std::filesystem::path& folder);
/// Keys, ranges, defaults and descriptions of a water.toml with its flow.
[[nodiscard]] const settings::FieldList& swim_water_fields();
/// The word for it in water.toml.
[[nodiscard]] std::string_view swim_law_name(swim::DragLaw law);

/// course.toml: [[target]] position, heading, reach; spline, loop, depth; [[obstacle]] centre,
/// radius.
[[nodiscard]] Result<swim::Course> parse_swim_course(std::string_view toml, std::string_view name);

/// The same from files.
[[nodiscard]] Result<swim::BodySettings> load_swim_body(const std::filesystem::path& path);
[[nodiscard]] Result<swim::WaterSettings> load_swim_water(const std::filesystem::path& path);
[[nodiscard]] Result<swim::Course> load_swim_course(const std::filesystem::path& path);

}  // namespace supple::bake
