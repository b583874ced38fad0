// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/pose_graph.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <utility>
#include <vector>

namespace supple::swim {

/// The relation between the sides of a stroke.
enum class Symmetry {
  None,
  Equal,       ///< left equals right in every pose
  Alternating  ///< the second half of the poses is the first with the sides exchanged
};
[[nodiscard]] Symmetry find_symmetry(const PoseGraph& stroke, const Body& body);

/// The numbers of a stroke that a search may change, scaled so that 1 is a change worth trying.
class StrokeVariables {
 public:
  StrokeVariables(const PoseGraph& stroke, const Body& body, Symmetry symmetry);

  [[nodiscard]] Eigen::Index count() const {
    return static_cast<Eigen::Index>(m_angles.size() + m_times.size());
  }
  /// The stroke at x, angles within limits; zero is the given stroke.
  [[nodiscard]] PoseGraph at(const Eigen::VectorXd& x) const;
  /// How far x exceeds the limits, in units of x, squared.
  [[nodiscard]] double beyond_limits(const Eigen::VectorXd& x) const;
  /// Mean square of the change, and of angles within a few degrees of their limits.
  [[nodiscard]] double strangeness(const Eigen::VectorXd& x) const;

 private:
  struct Angle {
    double given = 0;
    double low = 0;
    double high = 0;
    std::vector<std::pair<std::size_t, std::size_t>> uses;  ///< pose, joint
  };
  struct Time {
    double given = 0;
    std::vector<std::size_t> poses;
  };
  [[nodiscard]] double wanted(const Eigen::VectorXd& x, std::size_t angle) const;

  PoseGraph m_stroke;
  std::vector<Angle> m_angles;
  std::vector<Time> m_times;
};

}  // namespace supple::swim
