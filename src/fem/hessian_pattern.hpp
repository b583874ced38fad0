// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/energy.hpp"
#include "supple/fem/free_vertices.hpp"
#include "supple/reduction/block_matrix.hpp"

#include <memory>
#include <vector>

namespace supple::fem {

/// Where the blocks of an energy go in a matrix over the free vertices.
class HessianPattern {
 public:
  HessianPattern() = default;
  /// The blocks that the energy lists.
  HessianPattern(const std::vector<Coupling>& couplings, const FreeVertices& free);

  [[nodiscard]] const std::shared_ptr<const reduction::NodeGraph>& graph() const { return m_graph; }
  /// The Hessian at x; fixed components are decoupled.
  [[nodiscard]] reduction::BlockMatrix assemble(const Energy& energy, const FreeVertices& free,
                                                const Eigen::VectorXd& x, Curvature curvature);

 private:
  std::shared_ptr<const reduction::NodeGraph> m_graph;
  /// Per entry of the graph the blocks that are added to it, in ascending order: twice the number
  /// of the block, and one more if it is added transposed.
  std::vector<std::int64_t> m_source_start;
  std::vector<std::int64_t> m_sources;
  std::vector<double> m_blocks;  ///< of the energy, kept to save allocations
};

}  // namespace supple::fem
