// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"
#include "supple/io/gltf_character.hpp"

#include <string>

namespace supple::samples {

/// A strip along +x from the origin, +y up, folded along its middle.
struct BeamShape {
  double length = 0.5;  ///< metres
  double width = 0.1;   ///< metres, along the surface
  int along = 24;       ///< cells; the first column is held
  int across = 4;       ///< cells, even
  double fold = 0;      ///< radians by which each half rises from flat: 0.35 is a V of 140 degrees
};
[[nodiscard]] geometry::TriMesh make_beam(const BeamShape& shape);

/// The material of the sample strips: foam rubber, about 3 mm thick.
struct BeamMaterial {
  double area_stiffness = 1000;      ///< N/m
  double length_stiffness = 30;      ///< N
  double bending_stiffness = 0.004;  ///< N m, at stiffness 1
  double area_density = 0.3;         ///< kg/m^2
};

inline constexpr double kBeamFold = 0.35;       ///< of the V-beams in the samples
inline constexpr double kVBeamStiffness = 2.5;  ///< of the single V-beam

/// Figure 4 of [CWK07]: three pairs of a flat and a V-beam, at bending stiffness 1, 10 and 100.
[[nodiscard]] io::SkinnedModel shell_beams();
[[nodiscard]] std::string shell_beams_toml();

/// Figures 5 and 6: one V-beam.
[[nodiscard]] io::SkinnedModel shell_v_beam();
[[nodiscard]] std::string shell_v_beam_toml();

}  // namespace supple::samples
