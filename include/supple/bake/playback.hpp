// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/baked_file.hpp"
#include "supple/bake/motion.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace supple::bake {

/// For Wind: the medium each shell was baked for, else air if there is wind;
/// SUPPLE_MEDIUM_AS_BAKED.
inline constexpr double kMediumAsBaked = -1;

/// Moving air or water; see supple_wind.
struct Wind {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< m/s, world axes
  double gusts = 0;                                    ///< 0 steady, 1: up to twice the velocity
  double gust_size = 1;                                ///< metres from gust to gust
  double density = kMediumAsBaked;                     ///< kg/m^3
};

/// A force on one vertex, starting at the first frame.
struct Push {
  std::uint32_t vertex = 0;                         ///< of all parts
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< N, world axes
  double seconds = 0.2;                             ///< duration
};

struct PlaySettings {
  double gain = 1;
  std::optional<Eigen::Vector3d> gravity;  ///< m/s^2, world axes; none: the player's default
  std::optional<Wind> wind;                ///< on shells, starting at the first frame
  std::optional<double> medium;            ///< kg/m^3 around shells, whether it moves or not
  std::optional<Push> push;
  bool drop = false;     ///< start from the rest shape instead of the shape under gravity
  int max_cycles = 100;  ///< a loop that is not periodic by then is closed anyway
  double tolerance =
      1e-4;  ///< relative to the largest coefficient: when a cycle counts as a repetition
};

/// The extremes of a shell's motion; angles in radians.
struct ShellExtremes {
  std::string name;
  double largest_turn = 0;
  double follow_turn = 0;      ///< beyond this the shape is not reliable
  double size = 0;             ///< metres
  double handle_residual = 0;  ///< metres: the largest error of any hard handle
};

/// How far a piece of flesh moved, and how often its soft limit decided how far.
struct FleshExtremes {
  std::string name;
  double limit = 0;     ///< metres; 0: none
  double largest = 0;   ///< metres, as shown: below the limit
  double at_limit = 0;  ///< share of frames in which it would have moved beyond the limit
};

/// Coefficients over time: one row per frame of the motion, one column per mode of the file.
struct Tracks {
  std::string name;
  double duration = 0;
  Eigen::MatrixXd values;
  bool loops = false;
  int cycles = 0;                     ///< until a loop became periodic
  std::vector<ShellExtremes> shells;  ///< one per object that is a shell
  std::vector<FleshExtremes> flesh;   ///< one per object that is flesh
  std::vector<std::string>
      warnings;  ///< jumps, limits, loops that do not settle, shells that turn too far

  /// The largest share of frames at the limit of any piece of flesh.
  [[nodiscard]] double at_limit() const;

  [[nodiscard]] double time(Eigen::Index frame) const {
    return values.rows() < 2
               ? 0
               : duration * static_cast<double>(frame) / static_cast<double>(values.rows() - 1);
  }
};

/// Runs the player over a motion, one step per frame, as an engine at that rate would. Attachments
/// of shells follow the bones of the same name in the motion; a missing bone is an error.
///
/// A loop runs until a cycle repeats the one before, and its first and last rows are equal; each
/// cycle begins where the last one ended (Motion::travel). Any other motion starts with the soft
/// parts in balance with the velocity and the acceleration of its first frames, as if it had been
/// under way (see PlaySettings::drop). Rows before Motion::first_frame equal that row.
[[nodiscard]] Result<Tracks> play(const BakedFile& file, const Motion& motion,
                                  const PlaySettings& settings = {});

}  // namespace supple::bake
