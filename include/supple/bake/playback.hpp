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

/// Of Wind: what each shell was baked for, else air where it blows; SUPPLE_MEDIUM_AS_BAKED.
inline constexpr double kMediumAsBaked = -1;

/// Moving air or water; see supple_wind.
struct Wind {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< m/s, world axes
  double gusts = 0;                                    ///< 0 steady, 1: up to twice the velocity
  double gust_size = 1;                                ///< metres from gust to gust
  double density = kMediumAsBaked;                     ///< kg/m^3
};

/// A force on one vertex, from the first frame on.
struct Push {
  std::uint32_t vertex = 0;                         ///< of all parts
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< N, world axes
  double seconds = 0.2;                             ///< for so long
};

struct PlaySettings {
  double gain = 1;
  std::optional<Eigen::Vector3d> gravity;  ///< m/s^2, world axes; none: as the player has it
  std::optional<Wind> wind;                ///< on shells, from the first frame on
  std::optional<double> medium;            ///< kg/m^3 around shells, whether it moves or not
  std::optional<Push> push;
  bool drop = false;        ///< begin in the rest shape, not where gravity lets shells hang
  int max_cycles = 100;     ///< a loop that is not periodic by then is closed by force
  double tolerance = 1e-4;  ///< of the largest coefficient: when a cycle repeats the last one
};

/// How far a shell went; angles in radians.
struct ShellExtremes {
  std::string name;
  double largest_turn = 0;
  double follow_turn = 0;      ///< beyond this the shape is not to be trusted
  double size = 0;             ///< metres
  double handle_residual = 0;  ///< metres: what the worst of its hard handles misses, at worst
};

/// Coefficients over time: one row per frame of the motion, one column per mode of the file.
struct Tracks {
  std::string name;
  double duration = 0;
  Eigen::MatrixXd values;
  bool loops = false;
  int cycles = 0;                     ///< that a loop took to become periodic
  std::vector<ShellExtremes> shells;  ///< one per object that is a shell
  std::vector<std::string> warnings;  ///< jumps, limits, loops that do not settle, shells beyond

  [[nodiscard]] double time(Eigen::Index frame) const {
    return values.rows() < 2
               ? 0
               : duration * static_cast<double>(frame) / static_cast<double>(values.rows() - 1);
  }
};

/// Runs the player over a motion, one step per frame, as an engine at that rate would. Attachments
/// of shells follow the motion's bones of their names; an error where it has none.
///
/// A loop runs until a cycle repeats the one before, and its first and last rows are equal. Any
/// other motion starts with the flesh settled in the first pose (see PlaySettings::drop).
[[nodiscard]] Result<Tracks> play(const BakedFile& file, const Motion& motion,
                                  const PlaySettings& settings = {});

}  // namespace supple::bake
