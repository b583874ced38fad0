// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "source_directory.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace supple::geometry::soups {

/// A copy of a surface, moved.
inline TriMesh moved(TriMesh mesh, const Vec3& by) {
  for (Vec3& p : mesh.positions) p += by;
  return mesh;
}

/// A copy that faces the other way.
inline TriMesh flipped(TriMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// Two surfaces in one mesh, nothing shared.
inline TriMesh joined(TriMesh a, const TriMesh& b) {
  const auto offset = static_cast<Index>(a.positions.size());
  a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
  for (const Triangle& t : b.triangles)
    a.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  return a;
}

/// Three separate vertices for every triangle, as exporters write for flat shading.
inline TriMesh shattered(const TriMesh& mesh) {
  TriMesh result;
  for (const Triangle& t : mesh.triangles) {
    const auto first = static_cast<Index>(result.positions.size());
    for (const Index v : t) result.positions.push_back(mesh.positions[static_cast<std::size_t>(v)]);
    result.triangles.push_back({first, first + 1, first + 2});
  }
  return result;
}

/// The triangles whose centroid satisfies `keep`.
template <class Keep>
TriMesh filtered(const TriMesh& mesh, Keep&& keep) {
  TriMesh result;
  result.positions = mesh.positions;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 centroid = (mesh.positions[static_cast<std::size_t>(t[0])] +
                           mesh.positions[static_cast<std::size_t>(t[1])] +
                           mesh.positions[static_cast<std::size_t>(t[2])]) /
                          3;
    if (keep(centroid)) result.triangles.push_back(t);
  }
  return result;
}

/// MakeHuman's base mesh: 154 open and closed parts, many inside each other. Nothing if absent.
inline std::optional<TriMesh> makehuman() {
  const std::filesystem::path path = supple::testing::assets() / "makehuman/base.obj";
  std::ifstream file(path);
  if (!file) return std::nullopt;
  TriMesh mesh;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") {
      Vec3 p;
      words >> p[0] >> p[1] >> p[2];
      mesh.positions.push_back(p);
    } else if (word == "f") {
      std::vector<Index> face;
      while (words >> word) face.push_back(static_cast<Index>(std::stoi(word) - 1));
      for (std::size_t i = 2; i < face.size(); ++i)
        mesh.triangles.push_back({face[0], face[i - 1], face[i]});
    }
  }
  return mesh;
}

}  // namespace supple::geometry::soups
