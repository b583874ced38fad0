// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/fem/solid_modes.hpp"
#include "supple/flesh/settings.hpp"
#include "supple/soft/object.hpp"

#include <string>
#include <utility>
#include <vector>

namespace supple::flesh {

/// A baked piece of flesh. Its node is not known here: that is the file's affair.
struct FleshObject : soft::Object {
  std::size_t driver = 0;  ///< place of the bone that carries it among the character's

  // For the report.
  std::size_t elements = 0;
  std::size_t nodes = 0;
  std::size_t fixed_nodes = 0;
  double thickness = 0;  ///< typical thickness of the flesh in metres
  double sag = 0;  ///< metres: largest movement of a vertex under an extra 1 g in any direction
  double stiffening = 1;  ///< factor on all moduli, from ObjectSettings::sag
  std::vector<std::pair<std::string, double>> seconds;
};

[[nodiscard]] Result<FleshObject> bake_object(const character::Character& character,
                                              const ObjectSettings& settings);

/// The choice a careful artist would make: bones with enough tissue around them. An error if there
/// are none.
[[nodiscard]] Result<std::vector<ObjectSettings>> propose_objects(
    const character::Character& character);

}  // namespace supple::flesh
