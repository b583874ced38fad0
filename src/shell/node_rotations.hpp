// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <Eigen/Core>

namespace supple::shell {

/// node_rotations(mesh) * displacements, column by column, without the matrix.
[[nodiscard]] Eigen::MatrixXd node_turns(const geometry::TriMesh& mesh,
                                         const Eigen::MatrixXd& displacements);

}  // namespace supple::shell
