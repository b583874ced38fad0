// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace supple::io {

/// Whether a matrix rotates and scales uniformly without mirroring, as frames of shells must. The
/// tolerance covers exporters' rounding of unit quaternions.
[[nodiscard]] bool is_similarity(const Eigen::Matrix3d& linear);

}  // namespace supple::io
