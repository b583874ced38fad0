// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace supple::io {

/// Whether a matrix turns and scales alike along all axes, as frames of shells must, and does not
/// mirror. Within what exporters round a unit quaternion to.
[[nodiscard]] bool is_similarity(const Eigen::Matrix3d& linear);

}  // namespace supple::io
