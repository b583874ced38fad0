// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/bcc_lattice.hpp"
#include "geometry/stuffing_stencils.hpp"
#include "geometry/triangle_bvh.hpp"
#include "geometry/winding_number.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace supple::geometry {

/// The boundary of the solid on an edge of the lattice.
struct Cut {
  double t = 0;         ///< fraction from the inside end to the outside end
  Index triangle = -1;  ///< the triangle passed there, if any
};

/// What the mesher needs to know about a solid. Thread-safe.
class Field {
 public:
  Field() = default;
  virtual ~Field() = default;
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  [[nodiscard]] virtual Box bounds() const = 0;
  [[nodiscard]] virtual Side side(const Vec3& point) const = 0;
  [[nodiscard]] virtual Cut cut(const Vec3& inside, const Vec3& outside) const = 0;
  /// Cells, by the number of their lower corner, at least one for every connected piece of the
  /// boundary, which is traced from there. Without a list every point is evaluated.
  [[nodiscard]] virtual std::optional<std::vector<BccLattice::Id>> seed_cells(
      const BccLattice& lattice) const = 0;
};

/// The points of winding number above a threshold, within the surface's bounding box.
class SurfaceField final : public Field {
 public:
  /// `surface` must be welded, or its seams count as holes.
  SurfaceField(const TriMesh& surface, double threshold);

  [[nodiscard]] Box bounds() const override { return m_bounds; }
  [[nodiscard]] Side side(const Vec3& point) const override;
  [[nodiscard]] Cut cut(const Vec3& inside, const Vec3& outside) const override;
  /// All cells that triangles touch. The winding number is harmonic elsewhere, so that by the
  /// maximum principle every piece of its level set reaches a triangle.
  [[nodiscard]] std::optional<std::vector<BccLattice::Id>> seed_cells(
      const BccLattice& lattice) const override;

  [[nodiscard]] double winding_number(const Vec3& point) const { return m_winding(point); }

 private:
  [[nodiscard]] bool is_inside(const Vec3& point) const { return side(point) == Side::Inside; }
  [[nodiscard]] double bisect(const Vec3& inside, const Vec3& outside, double low,
                              double high) const;

  TriangleBvh m_bvh;
  WindingNumber m_winding;
  Box m_bounds;
  double m_threshold;
  bool m_closed;  ///< every edge cancels: the winding number only changes at triangles
};

/// The points where a function is negative. The function is called from several threads.
class FunctionField final : public Field {
 public:
  FunctionField(const std::function<double(const Vec3&)>& function, const Box& bounds)
      : m_function(function), m_bounds(bounds) {}

  [[nodiscard]] Box bounds() const override { return m_bounds; }
  [[nodiscard]] Side side(const Vec3& point) const override;
  [[nodiscard]] Cut cut(const Vec3& inside, const Vec3& outside) const override;
  [[nodiscard]] std::optional<std::vector<BccLattice::Id>> seed_cells(
      const BccLattice& /*lattice*/) const override {
    return std::nullopt;
  }

 private:
  const std::function<double(const Vec3&)>& m_function;
  Box m_bounds;
};

}  // namespace supple::geometry
