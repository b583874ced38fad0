// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/io/volume.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace supple::io {

/// Tetrahedra and triangles of several bodies in one .vtu.
class VtuGrid {
 public:
  /// Cells of the next body, which they are marked with.
  void add(const geometry::TetMesh& mesh);
  void add(const geometry::TriMesh& mesh);

  std::vector<geometry::Vec3> nodes;
  std::vector<geometry::Index> connectivity;
  std::vector<std::int64_t> ends;      ///< per cell, of its nodes in `connectivity`
  std::vector<std::uint8_t> types;     ///< per cell, VTK's numbers
  std::vector<geometry::Index> marks;  ///< per cell: its body, or its region
  const char* marks_are = "body";

 private:
  geometry::Index m_bodies = 0;
};

/// As write_vtu of a volume mesh.
[[nodiscard]] Result<Bytes> write_vtu(const VtuGrid& grid, std::span<const NodalField> fields = {},
                                      VtuEncoding encoding = VtuEncoding::AppendedRaw);

}  // namespace supple::io
