// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/bcc_lattice.hpp"
#include "geometry/stuffing_field.hpp"
#include "geometry/stuffing_stencils.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <utility>
#include <vector>

namespace supple::geometry {

/// Isosurface stuffing of one field on one lattice [LS07], step by step.
///
///   1. `classify`  finds on which side each lattice point lies,
///   2. `find_cuts` finds the cut point of each edge that changes sides,
///   3. `warp`      moves lattice points that lie too close to a cut point onto it,
///   4. `fill`      replaces lattice tetrahedra by their inside part.
class StuffingMesher {
 public:
  StuffingMesher(const Field& field, const BccLattice& lattice);

  /// Runs all steps. An empty mesh if no lattice point stays inside; an error if the solid is
  /// larger than the field's bounds.
  [[nodiscard]] Result<TetMesh> run();

  /// Triangles that carry a cut point, with repetitions; after `run`.
  [[nodiscard]] std::vector<Index> cut_triangles() const;

 private:
  using Id = BccLattice::Id;
  struct CutPoint {
    Vec3 position = Vec3::Zero();
    double from_low = 0;  ///< fraction of the edge, from its point of lower number
    Index triangle = -1;
  };

  void classify();
  void evaluate(const std::vector<Id>& points);
  void follow_boundary(std::vector<Id> cells);
  void fill_rows();
  [[nodiscard]] bool reaches_rim() const;
  void find_cuts();
  void warp();
  void warp_point(Id point);
  [[nodiscard]] std::vector<StencilTet> fill() const;
  [[nodiscard]] TetMesh number(const std::vector<StencilTet>& tets) const;
  [[nodiscard]] Side side(Id point) const { return m_side[static_cast<std::size_t>(point)]; }
  [[nodiscard]] bool crosses(Id a, Id b) const;

  const Field& m_field;
  const BccLattice& m_lattice;
  std::vector<Side> m_side;
  RankSet m_cut_edges;
  std::vector<CutPoint> m_cuts;
  std::vector<Id> m_near;                            ///< points with a cut edge, ascending
  std::vector<std::pair<Id, std::size_t>> m_warped;  ///< point and the cut it moved to, ascending
};

}  // namespace supple::geometry
