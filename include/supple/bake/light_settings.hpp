// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"
#include "supple/settings/fields.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace supple::bake {

/// [shapes]: for which shapes light is computed.
struct LightShapes {
  std::size_t count = 50;
  std::size_t held_out = 3;
  double share = 0.05;  ///< of an object's size, where nothing says how far it moves
};

/// [transfer]: how light is computed for a shape.
struct LightTransfer {
  int order = 4;
  std::size_t directions = 1024;  ///< a power of two
  int bounces = 3;
  int sides = 0;  ///< 0: 2 where a sheet is seen from both sides
};

/// [surface]: what the file does not say of its surfaces.
struct LitSurfaces {
  geometry::Vec3 albedo = geometry::Vec3::Constant(0.7);  ///< without colours and materials
  double most = 0.9;                                      ///< brighter ones are brought to this
  double transmission = 0;  ///< of sheets, part of what they do not absorb
};

/// [appearance]: how transfer is reduced.
struct LightAppearance {
  double tolerance = 0.02;
  int rank = 0;  ///< 0: by the tolerance
  int max_rank = 16;
};

/// [sky]: the light of the colours in the .glb.
struct LightSky {
  std::string map;  ///< a panorama (.hdr) instead of the sky; "": none
  geometry::Vec3 sun = geometry::Vec3(0.5, 0.8, 0.5);
  double turbidity = 3;
  double sun_strength =
      2;                ///< what the sun gives what faces it, over what the sky gives the ground
  double exposure = 0;  ///< 0: chosen
};

/// A complete light.toml.
struct LightSettings {
  LightShapes shapes;
  LightTransfer transfer;
  LightAppearance appearance;
  LitSurfaces surface;
  LightSky sky;
  [[nodiscard]] Result<void> validate() const;
};

/// Keys, ranges, defaults and descriptions of a light.toml.
[[nodiscard]] const settings::Fields<LightSettings>& light_fields();

/// Every error has a line and a column; `name` appears in messages.
[[nodiscard]] Result<LightSettings> parse_light_settings(std::string_view toml,
                                                         std::string_view name);
/// The same as text with comments; parsing it gives the same settings.
[[nodiscard]] std::string print_light_settings(const LightSettings& settings);

}  // namespace supple::bake
