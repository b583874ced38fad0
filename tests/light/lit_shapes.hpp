// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/light/harmonics.hpp"
#include "supple/light/transfer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace supple::light::testing {

using geometry::Index;
using geometry::TriMesh;
using geometry::Vec3;

/// A grid of points at(i, j), 0 <= i <= nu, 0 <= j <= nv; faces along d/du x d/dv.
inline TriMesh grid(int nu, int nv, const std::function<Vec3(int, int)>& at) {
  TriMesh mesh;
  for (int i = 0; i <= nu; ++i) {
    for (int j = 0; j <= nv; ++j) mesh.positions.push_back(at(i, j));
  }
  const auto id = [&](int i, int j) { return static_cast<Index>(i * (nv + 1) + j); };
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) {
      mesh.triangles.push_back({id(i, j), id(i + 1, j), id(i + 1, j + 1)});
      mesh.triangles.push_back({id(i, j), id(i + 1, j + 1), id(i, j + 1)});
    }
  }
  return mesh;
}

/// The rectangle origin + s u + t v, 0 <= s, t <= 1.
inline TriMesh rectangle(const Vec3& origin, const Vec3& u, const Vec3& v, int nu, int nv) {
  return grid(nu, nv, [&](int i, int j) -> Vec3 {
    return origin + u * (static_cast<double>(i) / nu) + v * (static_cast<double>(j) / nv);
  });
}

inline void append(TriMesh& mesh, const TriMesh& more) {
  const auto first = static_cast<Index>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), more.positions.begin(), more.positions.end());
  for (const auto& t : more.triangles) {
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
}

inline TriMesh flipped(TriMesh mesh) {
  for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// Six separate rectangles with n cells along each edge: normals do not bend around edges.
inline TriMesh box_of_sides(const Vec3& low, const Vec3& size, int n) {
  TriMesh mesh;
  const Vec3 x(size.x(), 0, 0);
  const Vec3 y(0, size.y(), 0);
  const Vec3 z(0, 0, size.z());
  append(mesh, rectangle(low, y, x, n, n));
  append(mesh, rectangle(low + z, x, y, n, n));
  append(mesh, rectangle(low, x, z, n, n));
  append(mesh, rectangle(low + y, z, x, n, n));
  append(mesh, rectangle(low, z, y, n, n));
  append(mesh, rectangle(low + x, y, z, n, n));
  return mesh;
}

inline Surface painted(TriMesh mesh, const Eigen::Vector3f& albedo) {
  Surface surface;
  surface.mesh = std::move(mesh);
  surface.albedo = {albedo};
  return surface;
}
inline Surface painted(TriMesh mesh, float albedo) {
  return painted(std::move(mesh), Eigen::Vector3f::Constant(albedo));
}

/// One horizontal triangle around the place, facing +z; vertex 0 is there.
inline Surface probe(const Vec3& place, double size = 1e-3) {
  TriMesh mesh;
  mesh.positions = {place, place + Vec3(size, 0, 0), place + Vec3(0, size, 0)};
  mesh.triangles = {{0, 1, 2}};
  return painted(std::move(mesh), 1.0F);
}

inline TransferField good_transfer(const Surface& surface, const Surface& around,
                                   const TransferSettings& settings) {
  auto field = compute_transfer(surface, around, settings);
  EXPECT_TRUE(field.ok()) << (field.ok() ? "" : field.error().describe());
  return field.ok() ? *std::move(field) : TransferField{};
}

/// The transfer vector of one vertex in one colour.
inline Eigen::VectorXd vector_of(const TransferVectors& vectors, std::size_t v, int colour = 0) {
  return Eigen::VectorXd::NullaryExpr(vectors.coefficients(), [&](Eigen::Index i) {
    return double{vectors.at(v, colour, static_cast<int>(i))};
  });
}

/// Exit radiance under constant light of radiance 1: M_00 / Y_00.
inline double under_constant_light(const TransferVectors& vectors, std::size_t v, int colour = 0) {
  return double{vectors.at(v, colour, 0)} * std::sqrt(4 * std::numbers::pi);
}

/// equations.md section 5: A_l Y_lm(n) / pi.
inline Eigen::VectorXd unoccluded(int order, const Vec3& normal) {
  Eigen::VectorXd y = harmonics(order, normal);
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    y(i) *= cosine_lobe(degree(static_cast<int>(i))) / std::numbers::pi;
  }
  return y;
}

/// Before tests that need rays.
#define SUPPLE_NEEDS_EMBREE() \
  if (!can_trace()) GTEST_SKIP() << "SKIPPED: this build has no Embree"

}  // namespace supple::light::testing
