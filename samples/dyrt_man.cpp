// SPDX-License-Identifier: Apache-2.0
#include "samples/dyrt_man.hpp"

#include "samples/dyrt_man_body.hpp"
#include "samples/dyrt_man_clips.hpp"
#include "samples/dyrt_man_rig.hpp"
#include "samples/implicit_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::samples {
namespace {

using geometry::TriMesh;
using geometry::Vec3;

/// Edge length on the trunk for a surface with that many vertices; the constant is measured.
double trunk_edge(std::size_t vertices) {
  return 0.01311 * std::sqrt(static_cast<double>(kDyrtManVertices) / static_cast<double>(vertices));
}

TriMesh make_surface(std::size_t vertices) {
  const double edge = trunk_edge(vertices);
  geometry::Box box;
  box.add({-0.75, -0.03, -0.25});
  box.add({0.75, 1.80, 0.30});
  // Coarser cells would close the gap between the thighs.
  const double cell = std::clamp(1.2 * edge, 0.006, 0.018);
  TriMesh mesh = triangulate(dyrt_man_body::body, box, cell, [&](const Vec3& point) {
    return edge * dyrt_man_body::relative_edge(point);
  });
  const auto trunks = [](const Vec3& p) {
    return p.y() > 1.2 || std::abs(p.x()) > 0.3 ? 1.0 : dyrt_man_body::trunks_edge(p);
  };
  const auto hair = [](const Vec3& p) { return p.y() < 1.5 ? 1.0 : dyrt_man_body::hairline(p); };
  align_vertices(mesh, dyrt_man_body::body, trunks);
  align_vertices(mesh, dyrt_man_body::body, hair);
  return mesh;
}

}  // namespace

Result<io::SkinnedModel> dyrt_man(std::size_t vertices) {
  constexpr std::size_t kLeast = 1500;
  constexpr std::size_t kMost = 200'000;
  if (vertices < kLeast || vertices > kMost) {
    return Error(ErrorCode::Usage, fmt::format("the DyRT man can have {} to {} vertices, not {}",
                                               kLeast, kMost, vertices));
  }
  TriMesh mesh = make_surface(vertices);
  io::SkinnedModel model;
  model.name = "DyRT man";
  model.bones = dyrt_man_rig::skeleton();
  model.clips = dyrt_man_clips();
  io::SkinnedPart part;
  part.material = "body";
  part.base_colour = {1, 1, 1, 1};
  part.roughness = 0.55;
  part.skin = dyrt_man_rig::skin_weights(mesh);
  io::GltfAttribute belly{"_BELLY", 1, {}};
  for (const Vec3& point : mesh.positions) {
    part.normals.push_back(implicit_normal(dyrt_man_body::body, point));
    part.colours.push_back(dyrt_man_body::colour(point));
    belly.values.push_back(static_cast<float>(dyrt_man_body::belly_mask(point)));
  }
  part.attributes.push_back(std::move(belly));
  part.positions = std::move(mesh.positions);
  part.triangles = std::move(mesh.triangles);
  model.parts.push_back(std::move(part));
  return model;
}

std::string dyrt_man_bake_toml() {
  return R"(# The DyRT man as in [JP02 6]: two thighs and an abdomen.
unit = 1

[[object]]
name = "left_thigh"
bones = ["LeftThigh"]
elements = 10000
modes = 5
layers = [{material = "fat", depth = 0.02}, {material = "muscle"}]
damping = {ratio = 0.12}
sag = 0  # as soft as its material
limit = 0.05

[[object]]
name = "right_thigh"
bones = ["RightThigh"]
elements = 10000
modes = 5
layers = [{material = "fat", depth = 0.02}, {material = "muscle"}]
damping = {ratio = 0.12}
sag = 0  # as soft as its material
limit = 0.05

[[object]]
name = "abdomen"
mask = "_BELLY"
driver = "Spine"
elements = 30000
modes = 5
material = "fat"
damping = {ratio = 0.12}
sag = 0  # as soft as its material
limit = 0.08
)";
}

}  // namespace supple::samples
