// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/body_mesh.hpp"

#include "supple/contact/candidates.hpp"
#include "supple/core/units.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/geometry/volume_meshing.hpp"
#include "supple/io/formats.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

namespace supple::bake::detail {
namespace {

using geometry::TetMesh;
using geometry::TriMesh;
using geometry::Vec3;

/// How often a side is divided, at least once, when the longest has `cells`.
int divisions(double side, double longest, int cells) {
  return std::max(1, static_cast<int>(std::lround(side / longest * cells)));
}

/// Scaled, turned, moved.
void place(std::vector<Vec3>& points, const SimulatedGeometry& geometry) {
  const Vec3 turn = geometry.rotation * (std::numbers::pi / 180);
  const double angle = turn.norm();
  const geometry::Mat3 rotation = angle > 0
                                      ? Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix()
                                      : geometry::Mat3(geometry::Mat3::Identity());
  const double scale = geometry.mesh.empty() ? 1 : geometry.scale;
  for (Vec3& point : points) point = rotation * (scale * point) + geometry.position;
}

std::filesystem::path file_of(const SimulatedGeometry& geometry, const std::string& directory) {
  const std::filesystem::path path(geometry.mesh);
  return path.is_absolute() ? path : std::filesystem::path(directory) / path;
}

/// In x and z, facing up, with diagonals that alternate: a sheet that bends alike along both.
TriMesh sheet(const Vec3& size, int cells) {
  const double longest = std::max(size.x(), size.z());
  const int nx = divisions(size.x(), longest, cells);
  const int nz = divisions(size.z(), longest, cells);
  TriMesh mesh;
  for (int k = 0; k <= nz; ++k) {
    for (int i = 0; i <= nx; ++i) {
      mesh.positions.emplace_back(size.x() * (static_cast<double>(i) / nx - 0.5), 0,
                                  size.z() * (static_cast<double>(k) / nz - 0.5));
    }
  }
  const auto vertex = [&](int i, int k) { return static_cast<geometry::Index>(k * (nx + 1) + i); };
  for (int k = 0; k < nz; ++k) {
    for (int i = 0; i < nx; ++i) {
      const auto a = vertex(i, k);
      const auto b = vertex(i + 1, k);
      const auto c = vertex(i + 1, k + 1);
      const auto d = vertex(i, k + 1);
      if ((i + k) % 2 == 0) {
        mesh.triangles.push_back({a, d, c});
        mesh.triangles.push_back({a, c, b});
      } else {
        mesh.triangles.push_back({a, d, b});
        mesh.triangles.push_back({b, d, c});
      }
    }
  }
  return mesh;
}

/// A shape of size 1 stretched to the sides of a box.
void stretch(std::vector<Vec3>& points, const Vec3& size) {
  for (Vec3& point : points) point = point.cwiseProduct(size);
}

geometry::Box centred_box(const Vec3& size) {
  geometry::Box box;
  box.add(-0.5 * size);
  box.add(0.5 * size);
  return box;
}

TetMesh solid_shape(const SimulatedGeometry& g) {
  const double longest = g.size.maxCoeff();
  if (g.shape == SimulatedShape::Box) {
    return geometry::box_mesh(centred_box(g.size), divisions(g.size.x(), longest, g.cells),
                              divisions(g.size.y(), longest, g.cells),
                              divisions(g.size.z(), longest, g.cells));
  }
  const int radial = std::max(1, g.cells / 2);  // both count cells along a radius
  TetMesh mesh =
      g.shape == SimulatedShape::Sphere
          ? geometry::ball_mesh(0.5, radial)
          : geometry::cylinder_mesh(0.5, 1, radial, divisions(g.size.y(), longest, g.cells));
  stretch(mesh.nodes, g.size);
  return mesh;
}

TriMesh surface_shape(const SimulatedGeometry& g) {
  constexpr double kPi = std::numbers::pi;
  switch (g.shape) {
    case SimulatedShape::Sheet:
      return sheet(g.size, g.cells);
    case SimulatedShape::Sphere: {
      // Edges of the icosahedron, 1.05 radii long, are halved until `cells` fit across.
      const double halvings = std::log2(std::max(1.0, g.cells * 1.05 / 2));
      TriMesh mesh =
          geometry::sphere_surface(0.5, std::min(7, static_cast<int>(std::lround(halvings))));
      stretch(mesh.positions, g.size);
      return mesh;
    }
    case SimulatedShape::Cylinder: {
      const double longest = g.size.maxCoeff();
      const int segments =
          std::max(8, static_cast<int>(std::lround(kPi * g.cells * g.size.x() / longest)));
      TriMesh mesh =
          geometry::cylinder_surface(0.5, 1, segments, divisions(g.size.y(), longest, g.cells));
      stretch(mesh.positions, g.size);
      return mesh;
    }
    case SimulatedShape::Box:
      break;
  }
  return geometry::boundary(solid_shape(g)).mesh;
}

/// Whether the surface of a mesh passes through itself, by the simulator's own test.
bool crosses_itself(const TetMesh& mesh) {
  const TriMesh surface = geometry::boundary(mesh, true).mesh;
  const std::vector<std::uint8_t> free(surface.positions.size(), 1);
  Eigen::VectorXd x(static_cast<Eigen::Index>(3 * surface.positions.size()));
  for (std::size_t i = 0; i < surface.positions.size(); ++i) {
    x.segment<3>(static_cast<Eigen::Index>(3 * i)) = surface.positions[i];
  }
  return !contact::find_intersections(contact::make_contact_mesh(surface.triangles, free), x)
              .empty();
}

/// Fills a surface. A mesh that follows edges of a part thinner than its elements may fold there,
/// and the simulator refuses what passes through itself.
Result<TetMesh> fill_without_folds(const TriMesh& surface, std::size_t elements) {
  SUPPLE_TRY(geometry::SolidMesh filled,
             geometry::mesh_solid(surface, {.target_elements = elements}));
  if (!crosses_itself(filled.mesh)) return std::move(filled.mesh);
  return geometry::stuff(surface, {.target_elements = elements, .sharp_edges = false});
}

}  // namespace

Result<TriMesh> body_surface(const SimulatedGeometry& geometry, const SimulateInput& input) {
  TriMesh mesh;
  if (geometry.mesh.empty()) {
    mesh = surface_shape(geometry);
  } else if (const auto found = input.surfaces.find(geometry.mesh); found != input.surfaces.end()) {
    mesh = found->second.mesh;
  } else {
    SUPPLE_TRY(mesh, io::read_surface(file_of(geometry, input.directory)));
    // Formats repeat vertices along seams; a sheet would fall apart there.
    mesh = geometry::weld(mesh).mesh;
  }
  place(mesh.positions, geometry);
  return mesh;
}

Result<BodyVolume> body_volume(const SimulatedGeometry& geometry, const SimulateInput& input,
                               std::size_t elements) {
  BodyVolume volume;
  const std::filesystem::path path = file_of(geometry, input.directory);
  const bool in_memory = input.surfaces.count(geometry.mesh) > 0;
  if (geometry.mesh.empty()) {
    volume.mesh = solid_shape(geometry);
  } else if (!in_memory && io::is_volume_format(path)) {
    SUPPLE_TRY(volume.mesh, io::read_volume(path));
  } else {
    SUPPLE_TRY(const TriMesh surface, body_surface(geometry, input));
    SUPPLE_TRY(volume.mesh, fill_without_folds(surface, elements));
    volume.surface = surface;
    return volume;  // already in its place
  }
  place(volume.mesh.nodes, geometry);
  return volume;
}

std::vector<std::array<double, 4>> body_colours(const SimulatedGeometry& geometry,
                                                const SimulateInput& input) {
  const auto found = input.surfaces.find(geometry.mesh);
  return found == input.surfaces.end() ? std::vector<std::array<double, 4>>{}
                                       : found->second.colours;
}

}  // namespace supple::bake::detail
