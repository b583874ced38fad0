// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace supple::swim {

/// A smooth curve through points: Catmull-Rom with centripetal knots, which neither loops nor
/// overshoots where points lie unevenly. Kept as short straight pieces with their lengths.
class CoursePath {
 public:
  /// At least two points, no two neighbours alike.
  CoursePath(const std::vector<Eigen::Vector3d>& points, bool closed);

  [[nodiscard]] double length() const { return m_lengths.back(); }
  [[nodiscard]] bool closed() const { return m_closed; }
  /// The point so far along; of a closed curve any number, else clamped to the ends.
  [[nodiscard]] Eigen::Vector3d at(double along) const;
  /// How far along the point next to `position` is, of those between `from` and `to`.
  [[nodiscard]] double nearest(const Eigen::Vector3d& position, double from, double to) const;
  /// How far along the given points are, in their order.
  [[nodiscard]] const std::vector<double>& knots() const { return m_knots; }

 private:
  bool m_closed;
  std::vector<Eigen::Vector3d> m_points;
  std::vector<double> m_lengths;  ///< from the first point to each
  std::vector<double> m_knots;
};

}  // namespace supple::swim
