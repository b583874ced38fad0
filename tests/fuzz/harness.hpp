// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/check.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

/// What every reader promises about what it returns; a broken promise aborts, which libFuzzer
/// reports as a crash.
namespace supple::fuzz {

inline std::span<const std::byte> bytes_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const std::byte*>(data), size};
}

inline void check_index(geometry::Index index, std::size_t count) {
  SUPPLE_CHECK_OP(index, >=, 0);
  SUPPLE_CHECK_OP(static_cast<std::size_t>(index), <, count);
}

inline void check_sound(const geometry::TriMesh& mesh) {
  SUPPLE_CHECK(!mesh.triangles.empty());
  for (const auto& point : mesh.positions) SUPPLE_CHECK(point.allFinite());
  for (const auto& triangle : mesh.triangles) {
    for (const geometry::Index index : triangle) check_index(index, mesh.positions.size());
  }
}

inline void check_sound(const geometry::TetMesh& mesh) {
  SUPPLE_CHECK_OP(mesh.element_count(), >, std::size_t{0});
  for (const auto& point : mesh.nodes) SUPPLE_CHECK(point.allFinite());
  for (const geometry::Index index : mesh.connectivity) check_index(index, mesh.nodes.size());
  if (!mesh.regions.empty()) SUPPLE_CHECK_OP(mesh.regions.size(), ==, mesh.element_count());
  for (const geometry::Index region : mesh.regions) check_index(region, mesh.region_names.size());
  for (const auto& [name, nodes] : mesh.node_sets) {
    for (const geometry::Index node : nodes) check_index(node, mesh.nodes.size());
  }
}

}  // namespace supple::fuzz
