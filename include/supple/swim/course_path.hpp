// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace supple::swim {

/// A smooth curve through points: Catmull-Rom with centripetal knots, which neither loops nor
/// overshoots between unevenly spaced points. Stored as short straight pieces with their lengths.
class CoursePath {
 public:
  /// At least two points; neighbours must differ.
  CoursePath(const std::vector<Eigen::Vector3d>& points, bool closed);

  [[nodiscard]] double length() const { return m_lengths.back(); }
  [[nodiscard]] bool closed() const { return m_closed; }
  /// The point at this distance along the curve; any number for a closed curve, otherwise clamped
  /// to the ends.
  [[nodiscard]] Eigen::Vector3d at(double along) const;
  /// The distance along the curve of the point nearest to `position`, between `from` and `to`.
  [[nodiscard]] double nearest(const Eigen::Vector3d& position, double from, double to) const;
  /// The distances along the curve of the given points, in order.
  [[nodiscard]] const std::vector<double>& knots() const { return m_knots; }

 private:
  bool m_closed;
  std::vector<Eigen::Vector3d> m_points;
  std::vector<double> m_lengths;  ///< from the first point to each
  std::vector<double> m_knots;
};

}  // namespace supple::swim
