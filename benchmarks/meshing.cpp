// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "supple/core/resources.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/geometry/volume_meshing.hpp"
#include "supple/io/formats.hpp"

#include <fmt/format.h>

#include <numbers>

namespace supple::bench {
namespace {

/// A standing figure of blended capsules with about 20,000 triangles.
geometry::TriMesh figure() {
  using geometry::Vec3;
  geometry::BlendedCapsules body;
  body.blend = 0.06;
  body.capsules = {{Vec3(0, 1.0, 0), Vec3(0, 1.4, 0), 0.17, 0.19},
                   {Vec3(0, 1.62, 0), Vec3(0, 1.72, 0), 0.10, 0.11}};
  for (const double side : {-1.0, 1.0}) {
    body.capsules.push_back({Vec3(side * .1, .9, 0), Vec3(side * .14, .48, 0), .11, .08});
    body.capsules.push_back({Vec3(side * .14, .48, 0), Vec3(side * .15, .08, 0), .075, .05});
    body.capsules.push_back({Vec3(side * .2, 1.42, 0), Vec3(side * .45, 1.15, 0), .07, .055});
    body.capsules.push_back({Vec3(side * .45, 1.15, 0), Vec3(side * .65, .92, 0), .05, .04});
  }
  return geometry::polygonise([&](const Vec3& p) { return body.signed_distance(p); }, body.bounds(),
                              0.021);
}

}  // namespace

Result<std::string> meshing() {
  std::string text =
      "## Volume meshing by isosurface stuffing, 100,000 elements requested\n\n"
      "| surface | triangles | elements | wall | target | smallest dihedral | largest |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  const auto row = [&](const std::string& name, const geometry::TriMesh& surface) -> Result<void> {
    geometry::StuffingSettings settings;
    settings.target_elements = 100'000;
    const Stopwatch watch;
    SUPPLE_TRY(const geometry::TetMesh mesh, geometry::stuff(surface, settings));
    const double seconds = watch.seconds();
    const geometry::TetQuality quality = geometry::quality(mesh);
    constexpr double kDegrees = 180 / std::numbers::pi;
    text += fmt::format("| {} | {} | {} | {:.2f} s | 10 s | {:.2f}° | {:.2f}° |\n", name,
                        surface.triangles.size(), mesh.element_count(), seconds,
                        kDegrees * quality.min_dihedral, kDegrees * quality.max_dihedral);
    return {};
  };
  SUPPLE_TRY_VOID(row("figure of blended capsules", figure()));
  const std::filesystem::path assets = SUPPLE_SOURCE_DIR "/../shared/assets";
  for (const char* name : {"makehuman/human.glb", "kaykit/Knight.glb", "quaternius/Dolphin.glb"}) {
    if (!std::filesystem::exists(assets / name)) continue;
    SUPPLE_TRY(const geometry::TriMesh surface, io::read_surface(assets / name));
    SUPPLE_TRY_VOID(row(std::filesystem::path(name).filename().string(), surface));
  }
  return text;
}

}  // namespace supple::bench
