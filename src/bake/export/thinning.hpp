// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <vector>

namespace supple::bake::detail {

/// Rows to keep so that straight lines between them (in equal steps) pass every other row within
/// `tolerance` in every column: the method of Douglas and Peucker. First and last always stay.
[[nodiscard]] std::vector<Eigen::Index> thin(const Eigen::MatrixXd& values, double tolerance);

/// Value of the polyline through the kept rows at a place counted in rows.
[[nodiscard]] Eigen::RowVectorXd on_polyline(const Eigen::MatrixXd& values,
                                             const std::vector<Eigen::Index>& kept, double row);

}  // namespace supple::bake::detail
