// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/surface_query.hpp"

#include "geometry/triangle_bvh.hpp"
#include "geometry/winding_number.hpp"

namespace supple::geometry {

struct SurfaceQuery::Impl {
  explicit Impl(const TriMesh& mesh) : bvh(mesh), winding(bvh) {}
  TriangleBvh bvh;
  WindingNumber winding;
};

SurfaceQuery::SurfaceQuery(const TriMesh& mesh) : m_impl(std::make_unique<Impl>(mesh)) {}
SurfaceQuery::~SurfaceQuery() = default;
SurfaceQuery::SurfaceQuery(SurfaceQuery&&) noexcept = default;
SurfaceQuery& SurfaceQuery::operator=(SurfaceQuery&&) noexcept = default;

ClosestPoint SurfaceQuery::closest_point(const Vec3& query) const {
  return m_impl->bvh.closest_point(query);
}

double SurfaceQuery::winding_number(const Vec3& query) const {
  return m_impl->winding(query);
}

double SurfaceQuery::signed_distance(const Vec3& query) const {
  const double distance = closest_point(query).distance;
  return inside(query) ? -distance : distance;
}

}  // namespace supple::geometry
