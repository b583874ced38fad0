// SPDX-License-Identifier: Apache-2.0
#include "geometry/surface_repair.hpp"

#include "geometry/triangle_bvh.hpp"
#include "geometry/winding_number.hpp"
#include "supple/core/log.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <utility>

namespace supple::geometry {

namespace {

/// The data that decide the orientation of a part.
struct Part {
  Vec3 anchor = Vec3::Zero();  ///< area-weighted centroid
  double area = 0;
  double volume = 0;   ///< about the anchor: for open parts, that of their cone
  Index largest = -1;  ///< largest triangle
  double largest_area = 0;
};

Corners corners_of(const TriMesh& mesh, std::size_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  return {mesh.positions[static_cast<std::size_t>(t[0])],
          mesh.positions[static_cast<std::size_t>(t[1])],
          mesh.positions[static_cast<std::size_t>(t[2])]};
}

std::vector<Part> measure_parts(const OrientedSurface& surface) {
  std::vector<Part> parts(static_cast<std::size_t>(surface.component_count));
  const std::size_t count = surface.mesh.triangles.size();
  for (std::size_t t = 0; t < count; ++t) {
    Part& part = parts[static_cast<std::size_t>(surface.component[t])];
    const Corners c = corners_of(surface.mesh, t);
    const double a = (c[1] - c[0]).cross(c[2] - c[0]).norm() / 2;
    part.area += a;
    part.anchor += a * (c[0] + c[1] + c[2]) / 3;
    if (part.largest < 0 || a > part.largest_area) {
      part.largest = static_cast<Index>(t);
      part.largest_area = a;
    }
  }
  for (Part& part : parts)
    if (part.area > 0) part.anchor /= part.area;
  for (std::size_t t = 0; t < count; ++t) {
    Part& part = parts[static_cast<std::size_t>(surface.component[t])];
    const Corners c = corners_of(surface.mesh, t);
    part.volume += (c[0] - part.anchor).dot((c[1] - part.anchor).cross(c[2] - part.anchor)) / 6;
  }
  return parts;
}

void flip(Triangle& triangle) {
  std::swap(triangle[1], triangle[2]);
}

}  // namespace

OrientedSurface orient_outwards(const TriMesh& surface) {
  OrientedSurface result;
  result.mesh = weld(surface).mesh;
  result.component = components(result.mesh);
  for (const Index c : result.component)
    result.component_count = std::max(result.component_count, c + 1);

  std::vector<Part> parts = measure_parts(result);
  double total = 0;
  for (const Part& part : parts) total += part.volume;
  if (total < 0) {
    log::warn("the surface faces inwards (signed volume {:.4g}): flipped", total);
    for (Triangle& t : result.mesh.triangles) flip(t);
    for (Part& part : parts) part.volume = -part.volume;
  }

  // A part of negative volume inside a solid is a cavity; alone it is a mistake. On its own surface
  // its own winding number averages -1/2.
  std::vector<bool> wrong(parts.size());
  std::size_t flipped = 0;
  const bool any =
      std::any_of(parts.begin(), parts.end(), [](const Part& p) { return p.volume < 0; });
  if (!any) return result;
  const TriangleBvh bvh(result.mesh);
  const WindingNumber winding(bvh);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (!(parts[p].volume < 0)) continue;
    const Corners c = corners_of(result.mesh, static_cast<std::size_t>(parts[p].largest));
    const double others = winding((c[0] + c[1] + c[2]) / 3) + 0.5;
    wrong[p] = others < 0.5;
    flipped += wrong[p] ? 1 : 0;
  }
  for (std::size_t t = 0; t < result.mesh.triangles.size(); ++t)
    if (wrong[static_cast<std::size_t>(result.component[t])]) flip(result.mesh.triangles[t]);
  if (flipped > 0) {
    log::warn("{} of {} parts of the surface face inwards without being cavities: flipped", flipped,
              parts.size());
  }
  return result;
}

}  // namespace supple::geometry
