// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/overlaps.hpp"

#include "supple/core/console.hpp"
#include "supple/core/files.hpp"
#include "supple/io/surface.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace supple::bake::detail {
namespace {

using simulator::Overlap;

std::string body_name(const simulator::Description& d, std::size_t body) {
  if (body < d.solids.size()) return d.solids[body].name;
  body -= d.solids.size();
  if (body < d.sheets.size()) return d.sheets[body].name;
  return d.obstacles[body - d.sheets.size()].name;
}

std::string describe_pair(const simulator::Description& d, const Overlap& pair) {
  const auto side = [&](const Overlap::Side& s) {
    const bool solid = s.body < d.solids.size();
    return fmt::format("{} {} of '{}'", solid ? "element" : "triangle", s.element + 1,
                       body_name(d, s.body));
  };
  std::string both = fmt::format("{} and {}", side(pair.sides[0]), side(pair.sides[1]));
  if (pair.intersects) return both;
  return fmt::format("{} ({} apart, {} needed)", both, format_si(pair.distance, "m"),
                     format_si(pair.thickness, "m"));
}

/// Each triangle once, with vertices of its own.
geometry::TriMesh overlap_mesh(const std::vector<Overlap>& overlaps) {
  geometry::TriMesh mesh;
  std::set<std::pair<std::size_t, std::array<double, 9>>> known;
  for (const Overlap& pair : overlaps) {
    for (const Overlap::Side& side : pair.sides) {
      std::array<double, 9> corners{};
      for (std::size_t i = 0; i < 9; ++i) {
        corners[i] = side.corners[i / 3][static_cast<Eigen::Index>(i % 3)];
      }
      if (!known.emplace(side.body, corners).second) continue;
      const auto first = static_cast<geometry::Index>(mesh.positions.size());
      mesh.positions.insert(mesh.positions.end(), side.corners.begin(), side.corners.end());
      mesh.triangles.push_back({first, first + 1, first + 2});
    }
  }
  return mesh;
}

}  // namespace

Result<void> refuse_overlaps(const simulator::Description& description, const std::string& output) {
  SUPPLE_TRY_VOID(description.validate());
  SUPPLE_TRY(const std::vector<Overlap> overlaps, simulator::find_overlaps(description));
  if (overlaps.empty()) return {};
  const std::string path =
      std::filesystem::path(output).replace_extension(".overlaps.ply").string();
  SUPPLE_TRY_VOID(write_file(path, io::write_ply(overlap_mesh(overlaps))));
  constexpr std::size_t kMostPrinted = 20;
  std::string text = fmt::format(
      "{} pairs of elements overlap at the start; move the bodies apart or make them thinner. '{}' "
      "has all of them as a mesh:",
      format_count(overlaps.size()), path);
  for (std::size_t i = 0; i < std::min(kMostPrinted, overlaps.size()); ++i) {
    text += "\n  " + describe_pair(description, overlaps[i]);
  }
  if (overlaps.size() > kMostPrinted) {
    text += fmt::format("\n  and {} more", format_count(overlaps.size() - kMostPrinted));
  }
  return bad_input(std::move(text));
}

}  // namespace supple::bake::detail
