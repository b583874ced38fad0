// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Tetrahedron meshes as files. Every reader works on memory; `name` only appears in messages.
/// Every reader returns finite coordinates and indices in range; orientation and volume are checked
/// by TetMesh::validate. Elements other than 4- and 10-node tetrahedra are skipped with a warning
/// that counts them; a mixture of the two, or neither, is an error.
namespace supple::io {

/// Gmsh 2.2 and 4.1, ascii and binary. Physical volumes become regions, physical points, curves
/// and surfaces become node sets.
[[nodiscard]] Result<geometry::TetMesh> read_msh(std::span<const std::byte> bytes,
                                                 std::string_view name);

/// Legacy VTK UNSTRUCTURED_GRID, ascii and binary, cells as in versions 1 to 4 and as in 5.1.
/// An integer cell array named "region" or "material" becomes the regions.
[[nodiscard]] Result<geometry::TetMesh> read_vtk(std::span<const std::byte> bytes,
                                                 std::string_view name);

/// VTK's XML format for unstructured grids: ascii, inline base64, appended base64 and raw, plain
/// or compressed by zlib, either byte order; pieces are joined. Regions as in read_vtk.
[[nodiscard]] Result<geometry::TetMesh> read_vtu(std::span<const std::byte> bytes,
                                                 std::string_view name);

/// A quantity at the nodes: 1 component (scalar) or 3 (vector), interleaved node by node.
struct NodalField {
  std::string name;
  int components = 1;
  std::span<const double> values;
};

/// How the arrays of a .vtu file are stored; both compressed by zlib.
enum class VtuEncoding {
  AppendedRaw,   ///< smallest; ParaView's own form; not well-formed XML
  InlineBase64,  ///< a third larger; well-formed XML
};

/// A .vtu file that ParaView opens. Regions become the cell array "region".
[[nodiscard]] Result<Bytes> write_vtu(const geometry::TetMesh& mesh,
                                      std::span<const NodalField> fields = {},
                                      VtuEncoding encoding = VtuEncoding::AppendedRaw);

}  // namespace supple::io
