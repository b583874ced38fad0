// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/export/motion_shapes.hpp"
#include "bake/simulate/surfaces.hpp"

#include "supple/geometry/creases.hpp"

namespace supple::bake::detail {

/// A body's drawn motion as a rigid motion and what deforms: x(t) = pose(t) (rest + displacement).
/// Vertices are split along creases; rest positions are about the body's centre.
class BodyMotion final : public FrameSource {
 public:
  /// `surface` must outlive this object.
  [[nodiscard]] static Result<BodyMotion> make(const MovingSurface& surface);

  [[nodiscard]] const MovingSurface& surface() const { return *m_surface; }
  [[nodiscard]] const geometry::TriMesh& rest() const { return m_split.mesh; }
  [[nodiscard]] const std::vector<geometry::Vec3>& rest_normals() const { return m_normals; }
  [[nodiscard]] const std::vector<Eigen::Isometry3d>& poses() const { return m_poses; }
  [[nodiscard]] double size() const { return m_size; }  ///< m
  /// Whether the pose changes at all.
  [[nodiscard]] bool moves() const;
  /// Whether vertices leave the pose by more than rounding.
  [[nodiscard]] bool bends() const { return m_bends; }

  [[nodiscard]] Eigen::Index rows() const override {
    return static_cast<Eigen::Index>(3 * m_split.source.size());
  }
  [[nodiscard]] std::size_t frames() const override { return m_poses.size(); }
  [[nodiscard]] Result<Eigen::VectorXd> displacement(std::size_t frame) const override;
  [[nodiscard]] Result<Eigen::VectorXd> normal_change(std::size_t frame) const override;

 private:
  explicit BodyMotion(const MovingSurface& surface) : m_surface(&surface) {}
  [[nodiscard]] Result<void> find_poses(const std::vector<geometry::Vec3>& start);
  /// Vertices of the split surface in the body's frame.
  [[nodiscard]] Result<std::vector<geometry::Vec3>> local(std::size_t frame) const;

  const MovingSurface* m_surface;
  geometry::SplitSurface m_split;
  std::vector<geometry::Vec3> m_normals;
  std::vector<Eigen::Isometry3d> m_poses;
  double m_size = 0;
  bool m_bends = false;
};

}  // namespace supple::bake::detail
