// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/material.hpp"
#include "supple/geometry/types.hpp"
#include "supple/settings/declare.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace supple::flesh {

/// Which skin belongs to an object. Where several are given, a vertex must satisfy all of them.
struct RegionSettings {
  std::vector<std::string> bones;  ///< skin that follows any of these
  std::string material;            ///< skin drawn with this material
  std::string mask;                ///< attribute "_NAME" or colour "COLOR_0.r"; 0 out .. 1 in
};

/// Matter from where the layer above ends (the first: from the surface) down to `depth` metres
/// below the surface; the last layer reaches the bone.
struct Layer {
  fem::Material material;
  double depth = 0;  ///< 0: all the rest
};

/// Fat, all the way to the bone.
[[nodiscard]] std::vector<Layer> default_layers();

/// The same damping ratio for every mode.
struct DampingRatio {
  double xi = 0.2;
};
/// C = alpha M + beta K [JP02 eq. 10].
struct RayleighDamping {
  double alpha = 0;  ///< 1/s
  double beta = 0;   ///< s
};
/// The slowest mode is down to a hundredth after this time, as far as damping below critical can
/// do it; the others have its ratio.
struct SettlesIn {
  double seconds = 1.2;
};
using Damping = std::variant<DampingRatio, RayleighDamping, SettlesIn>;

/// The bone inside: a rigid capsule along each bone of the region.
struct BoneCore {
  bool enabled = true;
  double radius = 0;      ///< metres; 0: from `fraction`
  double fraction = 0.4;  ///< of the distance from bone to skin
};

/// How far 1 g moves flesh, and where its soft limit begins, as parts of its thickness. They belong
/// together: the limit begins at 6 g, and a person's walk and run stay below it.
inline constexpr double kUsualSag = 0.1;
inline constexpr double kUsualLimit = 0.6;

/// One piece of flesh.
struct ObjectSettings {
  std::string name;
  RegionSettings region;
  std::string driver;  ///< bone whose motion shakes it; "": the one that moves most of it
  std::vector<Layer> layers = default_layers();
  Damping damping = DampingRatio{};
  BoneCore core;
  double border = 0.25;  ///< skin with less weight than this does not move
  double ramp = 0.6;     ///< from the border to this weight the flesh softens to its true stiffness
  std::size_t elements = 4000;
  int modes = 5;
  double capture = 0;  ///< > 0: as many modes as capture this share of the response instead
  int max_modes = 40;  ///< of `capture`
  bool coriolis = false;
  /// > 0: all moduli are raised alike until 1 g moves no vertex by more than this part of the
  /// thickness; 0: as soft as the material. Relaxed tissue is that of a corpse: on a thigh it would
  /// hang like wet cloth, and the more so on giants and thin fins.
  double sag = kUsualSag;
  double limit = 0;  ///< metres of the soft clamp; 0: kUsualLimit of the tissue's thickness
  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges, defaults and descriptions of an [[object]] in a bake.toml.
[[nodiscard]] const settings::Fields<ObjectSettings>& object_fields();

/// Values from the literature; `supple bake --help` and docs/flesh.md list them with sources.
[[nodiscard]] const std::vector<fem::Material>& tissue_presets();
/// An error names the presets.
[[nodiscard]] Result<fem::Material> find_tissue(const std::string& name);

}  // namespace supple::flesh
