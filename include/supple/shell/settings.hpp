// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/shell_model.hpp"
#include "supple/settings/declare.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace supple::shell {

/// The same damping ratio for every mode.
struct DampingRatio {
  double ratio = 0.08;
};
/// C = mass M + stiffness K [CWK07 eq. 8].
struct RayleighDamping {
  double mass = 0;
  double stiffness = 0;
};
using Damping = std::variant<DampingRatio, RayleighDamping>;

/// What a shell is in, at rest unless a player says otherwise.
struct Medium {
  double density = 0;           ///< kg/m^3; 0: none
  std::optional<double> chord;  ///< metres, for the fluid that moves along; none: by its outline
  /// kg/m^3 of the shell's own matter, for buoyancy; 0: not known, it keeps its weight.
  double solid_density = 0;
};

struct NamedMedium {
  std::string_view name;
  double density;  ///< kg/m^3
};
/// Those that have a name in settings: none, air and water.
[[nodiscard]] std::span<const NamedMedium> media();

/// One shell, once it is known which nodes are meant.
struct ObjectSettings {
  std::string name;
  Damping damping = DampingRatio{};
  int modes = 8;
  bool fewer_modes = false;  ///< a shell that has not so many takes what it has; else an error
  /// > 0: a free shell also keeps its six rigid motions as modes, held by springs of this frequency
  /// in Hz; 0: it follows its node rigidly and only bends.
  double tether = 0;
  Medium medium;
  bool modelled_under_gravity = false;
  /// > 0: all moduli are raised alike until 1 g turns it, by linear modes, by no more than this
  /// part of what its modes follow. True cloth hangs far beyond.
  double sag = 0;
  bool rotation_strain = true;
  /// Force points: 0 chooses, and shells with no more vertices than this use all of them.
  std::size_t points = 0;
  double limit = 0;  ///< metres of the soft clamp; 0: none
  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges, defaults and descriptions of what a [[shell]] says about these.
[[nodiscard]] const settings::Fields<ObjectSettings>& object_fields();

}  // namespace supple::shell
