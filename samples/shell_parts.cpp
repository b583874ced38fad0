// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_parts.hpp"

#include "supple/core/check.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::samples {

using geometry::Index;
using geometry::Triangle;
using geometry::TriMesh;
using geometry::Vec3;

TriMesh make_sheet(const SheetGrid& grid) {
  SUPPLE_CHECK(grid.along >= 1 && grid.across >= 1);
  TriMesh mesh;
  const int row = grid.across + 1;
  mesh.positions.reserve(static_cast<std::size_t>(grid.along + 1) * static_cast<std::size_t>(row));
  for (int i = 0; i <= grid.along; ++i) {
    for (int j = 0; j <= grid.across; ++j) {
      mesh.positions.push_back(
          grid.place(static_cast<double>(i) / grid.along, static_cast<double>(j) / grid.across));
    }
  }
  const auto cells = static_cast<std::size_t>(grid.along) * static_cast<std::size_t>(grid.across);
  mesh.triangles.reserve(2 * cells);
  for (Index i = 0; i < grid.along; ++i) {
    for (Index j = 0; j < grid.across; ++j) {
      const Index a = i * row + j;
      const Index b = a + row;
      // Alternating in both directions, so that no shear direction is easier than another.
      const bool left = 2 * j < grid.across;
      if (left == (i % 2 == 0)) {
        mesh.triangles.push_back({a, b, b + 1});
        mesh.triangles.push_back({a, b + 1, a + 1});
      } else {
        mesh.triangles.push_back({a, b, a + 1});
        mesh.triangles.push_back({b, b + 1, a + 1});
      }
    }
  }
  return mesh;
}

namespace {

/// Joins two chains with the same direction, taking the shorter diagonal each time.
void sew(TriMesh& mesh, const std::vector<Index>& low, const std::vector<Index>& high, bool turn) {
  std::size_t i = 0;
  std::size_t j = 0;
  const auto add = [&](Index a, Index b, Index c) {
    mesh.triangles.push_back(turn ? Triangle{a, c, b} : Triangle{a, b, c});
  };
  const auto gap = [&](Index a, Index b) { return (mesh.positions[a] - mesh.positions[b]).norm(); };
  while (i + 1 < low.size() || j + 1 < high.size()) {
    const bool step_low =
        j + 1 == high.size() ||
        (i + 1 < low.size() && gap(low[i + 1], high[j]) <= gap(low[i], high[j + 1]));
    if (step_low) {
      add(low[i], high[j], low[i + 1]);
      ++i;
    } else {
      add(low[i], high[j], high[j + 1]);
      ++j;
    }
  }
}

}  // namespace

TriMesh sew_rows(const std::vector<std::vector<Vec3>>& rows) {
  TriMesh mesh;
  std::vector<Index> first;
  for (const auto& row : rows) {
    SUPPLE_CHECK(row.size() % 2 == 1);
    first.push_back(static_cast<Index>(mesh.positions.size()));
    mesh.positions.insert(mesh.positions.end(), row.begin(), row.end());
  }
  // From the middle outwards on both sides: the halves mirror each other.
  const auto half = [&](std::size_t r, Index direction) {
    const auto reach = static_cast<Index>(rows[r].size() / 2);
    std::vector<Index> chain;
    chain.reserve(static_cast<std::size_t>(reach) + 1);
    for (Index k = 0; k <= reach; ++k) chain.push_back(first[r] + reach + direction * k);
    return chain;
  };
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    sew(mesh, half(r, 1), half(r + 1, 1), false);
    sew(mesh, half(r, -1), half(r + 1, -1), true);
  }
  return mesh;
}

TriMesh make_sleeve(int along, int sides,
                    const std::function<Vec3(double u, double angle)>& place) {
  SUPPLE_CHECK(along >= 1 && sides >= 3);
  TriMesh mesh;
  for (int i = 0; i <= along; ++i) {
    for (int k = 0; k < sides; ++k) {
      // Every other ring is turned by half a side: equilateral rather than right triangles.
      const double shift = i % 2 == 0 ? 0 : 0.5;
      mesh.positions.push_back(
          place(static_cast<double>(i) / along, 2 * std::numbers::pi * (k + shift) / sides));
    }
  }
  for (Index i = 0; i < along; ++i) {
    for (Index k = 0; k < sides; ++k) {
      const Index next = (k + 1) % sides;
      const Index a = i * sides + k;
      const Index b = i * sides + next;
      const Index c = (i + 1) * sides + k;
      const Index d = (i + 1) * sides + next;
      if (i % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({b, d, c});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({a, d, c});
      }
    }
  }
  return mesh;
}

TriMesh split_creases(const TriMesh& mesh, double angle) {
  std::vector<Vec3> normals;
  normals.reserve(mesh.triangles.size());
  std::vector<std::vector<std::size_t>> corners(mesh.positions.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& tri = mesh.triangles[t];
    const Vec3& a = mesh.positions[tri[0]];
    normals.push_back((mesh.positions[tri[1]] - a).cross(mesh.positions[tri[2]] - a).normalized());
    for (std::size_t c = 0; c < 3; ++c)
      corners[static_cast<std::size_t>(tri[c])].push_back(3 * t + c);
  }
  TriMesh result{{}, mesh.triangles};
  const double least = std::cos(angle);
  for (std::size_t v = 0; v < corners.size(); ++v) {
    std::vector<std::pair<Vec3, Index>> groups;
    for (const std::size_t corner : corners[v]) {
      const Vec3& n = normals[corner / 3];
      auto group = std::find_if(groups.begin(), groups.end(),
                                [&](const auto& known) { return known.first.dot(n) > least; });
      if (group == groups.end()) {
        groups.emplace_back(n, static_cast<Index>(result.positions.size()));
        result.positions.push_back(mesh.positions[v]);
        group = std::prev(groups.end());
      }
      result.triangles[corner / 3][corner % 3] = group->second;
    }
  }
  return result;
}

io::SkinnedPart bound_part(const std::string& mesh_name, TriMesh mesh, std::uint32_t bone) {
  io::SkinnedPart part;
  part.mesh = mesh_name;
  part.material = mesh_name;
  part.base_colour = {1, 1, 1, 1};
  part.normals = geometry::vertex_normals(mesh);
  part.skin.assign(mesh.positions.size(), io::SkinnedVertex{{bone, 0, 0, 0}, {1, 0, 0, 0}});
  part.positions = std::move(mesh.positions);
  part.triangles = std::move(mesh.triangles);
  return part;
}

Rgba mix(const Rgba& a, const Rgba& b, double t) {
  Rgba result{};
  for (std::size_t k = 0; k < 4; ++k) result[k] = a[k] + t * (b[k] - a[k]);
  return result;
}

io::SkinnedClip make_shell_clip(const std::string& name, double seconds,
                                const std::vector<std::size_t>& bones,
                                const std::function<void(double t, io::SkinnedClip& clip)>& pose) {
  constexpr int kClipRate = 60;
  io::SkinnedClip clip;
  clip.name = name;
  for (const std::size_t bone : bones) clip.tracks.push_back({bone, {}, {}});
  const int keys = static_cast<int>(std::lround(kClipRate * seconds));
  for (int key = 0; key <= keys; ++key) {
    clip.times.push_back(static_cast<double>(key) / kClipRate);
    pose(clip.times.back(), clip);
  }
  return clip;
}

}  // namespace supple::samples
