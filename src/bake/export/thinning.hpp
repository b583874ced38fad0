// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <vector>

namespace supple::bake::detail {

/// Rows to keep so that linear interpolation between them (in equal steps) is within `tolerance` of
/// every other row in every column: the method of Douglas and Peucker. The first and last rows are
/// always kept.
[[nodiscard]] std::vector<Eigen::Index> thin(const Eigen::MatrixXd& values, double tolerance);

/// Value of the polyline through the kept rows at a position measured in rows.
[[nodiscard]] Eigen::RowVectorXd on_polyline(const Eigen::MatrixXd& values,
                                             const std::vector<Eigen::Index>& kept, double row);

}  // namespace supple::bake::detail
