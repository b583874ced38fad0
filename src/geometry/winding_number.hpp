// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/triangle_bvh.hpp"

#include <array>
#include <vector>

namespace supple::geometry {

/// The generalised winding number of a triangle soup [JKSH13], far groups of triangles by their
/// multipole expansion [BDSKJ18].
class WindingNumber {
 public:
  /// Shares the shape of `bvh`, which must outlive this.
  explicit WindingNumber(const TriangleBvh& bvh);

  [[nodiscard]] double operator()(const Vec3& query) const;

 private:
  /// The data that decide whether a node is far, kept apart from the moments, which fewer visits
  /// need.
  struct Reach {
    Vec3 centre = Vec3::Zero();  ///< area-weighted centroid of the node's triangles
    double squared = 0;          ///< expand when the query is farther than this, squared
  };
  /// Moments of the area vectors of a node's triangles about the centre, only the components that
  /// the (symmetric) derivatives of 1/r use.
  struct Moments {
    Vec3 dipole = Vec3::Zero();
    double first_trace = 0;
    std::array<double, 6> first{};     ///< of sum n y^T: xx yy zz, then 2 xy, 2 yz, 2 zx
    Vec3 second_trace = Vec3::Zero();  ///< S_iik
    std::array<double, 10> second{};   ///< S: xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz
  };
  [[nodiscard]] Reach reach(const TriangleBvh::Node& node) const;
  [[nodiscard]] Moments moments(const TriangleBvh::Node& node, const Vec3& centre) const;
  [[nodiscard]] static double expand(const Moments& m, const Vec3& d, double distance_squared);

  const TriangleBvh& m_bvh;
  std::vector<Reach> m_reach;
  std::vector<Moments> m_moments;
};

}  // namespace supple::geometry
