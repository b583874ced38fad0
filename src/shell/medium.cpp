// SPDX-License-Identifier: Apache-2.0
#include "shell/medium.hpp"

#include "supple/geometry/half_edges.hpp"

#include <Eigen/Geometry>

#include <numbers>
#include <utility>

namespace supple::shell {

double mean_chord(const geometry::TriMesh& mesh) {
  double area = 0;
  for (const geometry::Triangle& t : mesh.triangles) {
    const geometry::Vec3& a = mesh.positions[t[0]];
    area += 0.5 * (mesh.positions[t[1]] - a).cross(mesh.positions[t[2]] - a).norm();
  }
  double border = 0;
  const auto sides = geometry::half_edges(mesh);
  geometry::for_each_edge(sides, [&](const geometry::HalfEdge* side, std::size_t count) {
    if (count > 1) return;
    border += (mesh.positions[side->high] - mesh.positions[side->low]).norm();
  });
  return border > 0 ? 2 * area / border : 0;
}

double added_mass(const Medium& medium, const geometry::TriMesh& mesh) {
  const double chord = medium.chord ? *medium.chord : mean_chord(mesh);
  return medium.density * std::numbers::pi / 4 * chord;
}

Result<Immersed> immerse(const fem::DiscreteShell& shell, const Medium& medium) {
  fem::ShellModel model = shell.model();
  const double added = added_mass(medium, model.mesh);
  for (fem::ShellMaterial& material : model.materials) material.area_density += added;
  SUPPLE_TRY(fem::DiscreteShell wet, fem::DiscreteShell::create(std::move(model)));
  const double sinks = medium.solid_density > 0 ? 1 - medium.density / medium.solid_density : 1;
  const double weight = sinks * shell.masses().sum() / wet.masses().sum();
  return Immersed{std::move(wet), weight};
}

}  // namespace supple::shell
