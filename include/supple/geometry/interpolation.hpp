// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tet_mesh.hpp"

#include <Eigen/Core>

#include <array>
#include <span>
#include <vector>

namespace supple::geometry {

/// A place in a volume mesh: a field's value there is the sum of weight * value over `nodes`.
struct Location {
  Index element = -1;  ///< -1: the mesh is empty or the query was not finite
  Eigen::Vector4d barycentric = Eigen::Vector4d::Zero();  ///< of the reference element, each >= 0
  std::array<Index, 10> nodes{};
  std::array<double, 10> weights{};  ///< shape functions; they sum to 1
  int count = 0;                     ///< nodes in use: 4 or 10
  double distance = 0;               ///< from the query to the found point: 0 inside the mesh
};

/// Finds the element that contains a point, or the point of the mesh closest to a point outside.
/// Curved 10-node elements are treated as curved. Thread-safe once built.
class VolumeLocator {
 public:
  /// `mesh` must be valid and must outlive the locator.
  explicit VolumeLocator(const TetMesh& mesh);

  [[nodiscard]] Location locate(const Vec3& query) const;

 private:
  struct Best;
  void visit_leaf(std::size_t leaf, const Vec3& query, Best& best) const;

  const TetMesh* m_mesh;
  std::vector<Index> m_elements;  // in leaf order, a few per leaf
  std::vector<Box> m_boxes;       // complete binary tree: children of i are 2i+1 and 2i+2
  std::size_t m_first_leaf = 0;
};

/// Values at points as sums over nodes: a sparse matrix with `per_point` entries in each row.
struct Interpolation {
  std::size_t point_count = 0;
  std::size_t node_count = 0;     ///< of the mesh
  std::size_t per_point = 0;      ///< 4 or 10
  std::vector<Index> nodes;       ///< per_point per point
  std::vector<double> weights;    ///< the same
  std::vector<Index> elements;    ///< per point; -1 with zero weights if nothing was found
  std::vector<double> distances;  ///< per point: 0 inside the mesh

  /// Maps one vector per node to one per point.
  [[nodiscard]] std::vector<Vec3> apply(const std::vector<Vec3>& field) const;
  /// Maps columns of `components` interleaved numbers per node (3 for displacements) to the same
  /// per point.
  [[nodiscard]] Eigen::MatrixXd apply(const Eigen::MatrixXd& field, int components = 1) const;
};

/// Locates every point; points outside take the values of the closest point of the mesh, with its
/// distance.
[[nodiscard]] Interpolation interpolate_at(const TetMesh& mesh, const std::vector<Vec3>& points);

}  // namespace supple::geometry
