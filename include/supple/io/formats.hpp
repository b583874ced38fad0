// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/io/surface.hpp"

#include <filesystem>

namespace supple::io {

/// A surface by the extension of its file: .obj, .ply, .stl, .glb, .gltf (in any case).
[[nodiscard]] Result<geometry::TriMesh> read_surface(const std::filesystem::path& path);

/// The same with colours and groups if the file has them: .obj, .ply, .stl.
[[nodiscard]] Result<MarkedSurface> read_marked_surface(const std::filesystem::path& path);

/// A volume mesh by the extension of its file: .msh, .vtk, .vtu, .inp (in any case).
[[nodiscard]] Result<geometry::TetMesh> read_volume(const std::filesystem::path& path);

/// Whether the extension is one that `read_volume` or `read_surface` knows.
[[nodiscard]] bool is_volume_format(const std::filesystem::path& path);
[[nodiscard]] bool is_surface_format(const std::filesystem::path& path);

}  // namespace supple::io
