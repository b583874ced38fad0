// SPDX-License-Identifier: Apache-2.0
#include "light/lit_scene.hpp"

#include "light/morton.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <limits>
#include <numeric>

namespace supple::light {
namespace {

using geometry::Box;
using geometry::Triangle;
using geometry::TriMesh;
using geometry::Vec3;

/// Length of the shortest edge at each vertex that has a length; 0 without one. The mean would lift
/// the vertices of slivers too far.
std::vector<double> shortest_edges(const TriMesh& mesh) {
  std::vector<double> shortest(mesh.positions.size(), 0);
  for (const Triangle& triangle : mesh.triangles) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const auto a = static_cast<std::size_t>(triangle[corner]);
      const auto b = static_cast<std::size_t>(triangle[(corner + 1) % 3]);
      const double length = (mesh.positions[a] - mesh.positions[b]).norm();
      for (const std::size_t v : {a, b}) {
        if (length > 0 && (shortest[v] == 0 || length < shortest[v])) shortest[v] = length;
      }
    }
  }
  return shortest;
}

/// From each vertex to the mean of the middles of its triangles, by area: almost zero inside of a
/// surface, inwards at its edges and at creases whose sides have separate vertices.
std::vector<Vec3> towards_triangles(const TriMesh& mesh) {
  std::vector<Vec3> sum(mesh.positions.size(), Vec3::Zero());
  std::vector<double> areas(mesh.positions.size(), 0);
  for (const Triangle& triangle : mesh.triangles) {
    const auto at = [&](std::size_t corner) -> const Vec3& {
      return mesh.positions[static_cast<std::size_t>(triangle[corner])];
    };
    const Vec3 middle = (at(0) + at(1) + at(2)) / 3;
    const double area = (at(1) - at(0)).cross(at(2) - at(0)).norm();
    for (const geometry::Index v : triangle) {
      sum[static_cast<std::size_t>(v)] += area * middle;
      areas[static_cast<std::size_t>(v)] += area;
    }
  }
  for (std::size_t v = 0; v < sum.size(); ++v) {
    sum[v] = areas[v] > 0 ? Vec3(sum[v] / areas[v] - mesh.positions[v]) : Vec3::Zero();
  }
  return sum;
}

/// Numbers along a curve through the box.
std::uint64_t place_in(const Box& box, const Vec3& point) {
  constexpr double kCells = 2097151;  // 2^21 - 1
  const double scale = kCells / std::max(box.size().maxCoeff(), 1e-300);
  const Vec3 cell = ((point - box.low) * scale).cwiseMax(0).cwiseMin(kCells);
  return morton(static_cast<std::uint64_t>(cell.x()), static_cast<std::uint64_t>(cell.y()),
                static_cast<std::uint64_t>(cell.z()));
}

/// Adds the triangles of one surface and a point for each lit side of its vertices.
void add_surface(const Surface& surface, const Vec3& middle, double size, double offset,
                 LitScene& scene) {
  const TriMesh& mesh = surface.mesh;
  const auto shift = static_cast<geometry::Index>(scene.positions.size());
  const std::vector<double> edges = shortest_edges(mesh);
  const std::vector<Vec3> inwards = towards_triangles(mesh);
  const std::vector<Vec3> normals =
      surface.normals.empty() ? geometry::vertex_normals(mesh) : surface.normals;
  const geometry::WeldedMesh welded = geometry::weld(mesh);
  for (const Triangle& t : mesh.triangles) {
    scene.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  }
  // A float has 24 digits: eight steps of the largest coordinate leave the surface for certain.
  const double least = 8 * size * double{std::numeric_limits<float>::epsilon()};
  constexpr double kReach = 4;  // in offsets
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 position = mesh.positions[v] - middle;
    const double above = std::max(offset * edges[v], least);
    // Where a wall meets a floor that has its own vertices there, these must not lie on the wall:
    // they would see through it.
    const Vec3 along = inwards[v] - normals[v] * normals[v].dot(inwards[v]);
    const Vec3 aside = edges[v] > 0 ? Vec3(along * (above / edges[v])) : Vec3::Zero();
    scene.positions.emplace_back(position.cast<float>());
    scene.ring.push_back(static_cast<std::uint32_t>(welded.vertex_of_input[v] + shift));
    for (int side = 0; side < (surface.two_sided ? 2 : 1); ++side) {
      LitPoint point;
      const Vec3 normal = side == 0 ? normals[v] : Vec3(-normals[v]);
      point.normal = normal.cast<float>();
      point.origin = (position + aside + above * normal).cast<float>();
      point.reach = static_cast<float>(kReach * above);
      point.ring = scene.ring.back();
      point.back = side == 1;
      point.vertex = static_cast<std::uint32_t>(scene.positions.size() - 1);
      scene.points.push_back(point);
    }
  }
}

void sort_points(LitScene& scene) {
  Box box;
  for (const Eigen::Vector3f& position : scene.positions) box.add(position.cast<double>());
  std::vector<std::uint64_t> place;
  for (const LitPoint& point : scene.points) {
    place.push_back(place_in(box, scene.positions[point.vertex].cast<double>()));
  }
  std::vector<std::size_t> order(scene.points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (scene.points[a].back != scene.points[b].back) return scene.points[b].back;
    return place[a] < place[b];
  });
  std::vector<LitPoint> sorted;
  sorted.reserve(order.size());
  for (const std::size_t p : order) sorted.push_back(scene.points[p]);
  scene.points = std::move(sorted);
  for (auto& at : scene.at) at.assign(scene.positions.size(), kNoPoint);
  for (std::size_t p = 0; p < scene.points.size(); ++p) {
    scene.at[scene.points[p].back ? 1 : 0][scene.points[p].vertex] = static_cast<std::uint32_t>(p);
  }
  for (LitPoint& point : scene.points) {
    point.other_side = scene.at[point.back ? 0 : 1][point.vertex];
  }
}

}  // namespace

LitScene make_lit_scene(const Surface& surface, const Surface& surroundings, double offset) {
  Box box;
  for (const Surface* part : {&surface, &surroundings}) {
    for (const Vec3& position : part->mesh.positions) box.add(position);
  }
  LitScene scene;
  if (box.empty()) return scene;
  const double size = 0.5 * box.size().maxCoeff();
  scene.surface_vertices = surface.vertex_count();
  scene.two_sided = {surface.two_sided, surroundings.two_sided};
  add_surface(surface, box.centre(), size, offset, scene);
  add_surface(surroundings, box.centre(), size, offset, scene);
  sort_points(scene);
  return scene;
}

}  // namespace supple::light
