// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/water.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace supple::swim {

using Flow = std::shared_ptr<const FlowField>;

/// The water's velocity along x, y and z, each an expression of x, y, z (m) and t (s) such as "0.3
/// * sin(2 * pi * x / 4) * exp(y)". It supports + - * / ^, brackets, pi and sin cos tan tanh exp
/// log sqrt abs min max. A value that is not finite at one of about a hundred points within 10 m of
/// the origin during the first minute is an error.
[[nodiscard]] Result<Flow> flow_from_expressions(const std::array<std::string, 3>& velocity);

/// Velocities at the points of a regular grid, interpolated linearly; outside the grid the values
/// at its border apply.
struct FlowGrid {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Vector3d spacing = Eigen::Vector3d::Ones();
  std::array<std::size_t, 3> counts{};  ///< points along x, y, z
  std::size_t frames = 1;               ///< in time, from 0
  double frame_seconds = 1;             ///< between two frames
  bool loop = false;  ///< repeats after the last frame; otherwise the last frame stays
  std::vector<Eigen::Vector3d> velocities;  ///< x runs fastest, then y, z, the frames

  [[nodiscard]] Result<void> validate() const;
};
[[nodiscard]] Result<Flow> flow_from_grid(FlowGrid grid);

/// Text with the lines "origin X Y Z", "spacing X Y Z", "counts NX NY NZ", for a flow that changes
/// with time also "frames N", "frame_seconds S" and "loop", then "velocities" and three numbers per
/// point; # starts a comment. `name` is for messages.
[[nodiscard]] Result<FlowGrid> parse_flow_grid(std::string_view text, std::string_view name);
[[nodiscard]] Result<Flow> read_flow_grid(const std::filesystem::path& path);

/// The same everywhere.
[[nodiscard]] Result<Flow> river(const Eigen::Vector3d& velocity);

/// Rotates about an axis: like a solid within the core, as 1 / distance far from it. [Lam32 334a]
struct VortexSettings {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();  ///< of any length
  double strength = 1;                              ///< m^2/s, circulation far from the core
  double core = 1;                                  ///< m
};
[[nodiscard]] const settings::Fields<VortexSettings>& vortex_fields();
[[nodiscard]] Result<Flow> vortex(const VortexSettings& settings);

/// Linear waves on deep water; they lift the surface too. [Lam32 section 229]
struct WaveSettings {
  double amplitude = 0.1;  ///< m, half of crest to trough
  double length = 5;       ///< m, crest to crest
  Eigen::Vector3d direction =
      Eigen::Vector3d::UnitX();  ///< in which they travel, horizontal, of any length
  double surface = 0;            ///< y of the water at rest
  double gravity = 9.81;
};
[[nodiscard]] const settings::Fields<WaveSettings>& wave_fields();
[[nodiscard]] Result<Flow> waves(const WaveSettings& settings);

/// Several at once: their velocities are added.
[[nodiscard]] Result<Flow> sum_of_flows(std::vector<Flow> flows);

}  // namespace supple::swim
