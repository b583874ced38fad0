// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/light_settings.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace supple::bake {

/// What to light, and where the results go.
struct LightRequest {
  std::string file;    ///< a baked .glb; its .supple is beside it
  std::string config;  ///< a light.toml; "": the defaults
  std::string output;  ///< OUT.glb; OUT.supple goes beside it
  std::string map;     ///< overrides sky.map; "": it does not
};

struct LightReport {
  LightSettings settings;
  std::size_t vertices = 0;      ///< that deform
  std::size_t surroundings = 0;  ///< vertices that stand still
  std::size_t points = 0;        ///< of the motion, from which shapes were chosen
  std::size_t shapes = 0;        ///< for which light was computed, without those held out
  std::size_t dimensions = 0;    ///< coefficients that it depends on
  int sides = 1;
  std::size_t rank = 0;
  double relative_error = 0;          ///< of the transfer at the shapes, in the Frobenius norm
  std::vector<double> error_by_rank;  ///< from 0 on
  double held_out_error = 0;      ///< root mean square over the shapes held out; 0: there are none
  double held_out_projected = 0;  ///< the same with the best coordinates that the bases have
  std::size_t rays = 0;
  double rays_per_second = 0;
  int bounces = 0;
  double noise = 0;             ///< relative, of the transfer at rest
  double transfer_error = 0;    ///< of 16-bit numbers, relative to the largest
  std::size_t bytes = 0;        ///< of the .supple
  std::size_t light_bytes = 0;  ///< of those, for light
  double exposure = 0;          ///< of the colours in the .glb
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, double>> seconds;
};

/// The settings in effect.
[[nodiscard]] Result<LightSettings> read_light_settings(const LightRequest& request);

/// Computes how the surfaces of a baked file answer light in whatever shape they are [JF03 section
/// 4], and stages OUT.supple with that, and OUT.glb with the colours that it gives at rest.
[[nodiscard]] Result<LightReport> bake_light(const LightRequest& request, OutputSet& output);

}  // namespace supple::bake
