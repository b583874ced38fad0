// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/format/layout.hpp"
#include "supple/soft/object.hpp"

#include <cstdint>
#include <vector>

namespace supple::io {

/// The sections that only files with scenes have.
struct SceneSections {
  std::vector<format::Scene> scenes;
  std::vector<format::PaletteEntry> entries;
  std::vector<format::Response> responses;
  std::vector<std::int16_t> states;
  std::vector<float> portraits;
  std::vector<std::uint16_t> next;
};

/// Errors name the object. What is not a scene passes.
[[nodiscard]] Result<void> check_scene(const soft::Object& object);

/// Adds the object number `index`, a checked scene, but for the names of its entries.
void add_scene(const soft::Object& object, std::uint32_t index, SceneSections& sections);

}  // namespace supple::io
