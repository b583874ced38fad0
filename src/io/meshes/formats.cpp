// SPDX-License-Identifier: Apache-2.0
#include "supple/io/formats.hpp"

#include "supple/io/deck.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/surface.hpp"
#include "supple/io/volume.hpp"

#include "io/content.hpp"
#include "io/text_cursor.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <array>
#include <string>

namespace supple::io {
namespace {

template <class Mesh>
using Reader = Result<Mesh> (*)(const std::filesystem::path&);

template <class Mesh>
struct Format {
  std::string_view extension;  ///< upper case, with the dot
  Reader<Mesh> read;
};

template <class Mesh, Result<Mesh> (*Parse)(std::span<const std::byte>, std::string_view)>
Result<Mesh> read_with(const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, read_content(path));
  return Parse(bytes, path.string());
}

Result<geometry::TetMesh> read_deck_mesh(const std::filesystem::path& path) {
  SUPPLE_TRY(Deck deck, read_deck(path));
  return std::move(deck.mesh);
}

using geometry::TetMesh;
using geometry::TriMesh;

constexpr std::array<Format<TriMesh>, 5> kSurfaces{{{".OBJ", read_with<TriMesh, read_obj>},
                                                    {".PLY", read_with<TriMesh, read_ply>},
                                                    {".STL", read_with<TriMesh, read_stl>},
                                                    {".GLB", read_gltf_surface},
                                                    {".GLTF", read_gltf_surface}}};

constexpr std::array<Format<TetMesh>, 4> kVolumes{{{".MSH", read_with<TetMesh, read_msh>},
                                                   {".VTK", read_with<TetMesh, read_vtk>},
                                                   {".VTU", read_with<TetMesh, read_vtu>},
                                                   {".INP", read_deck_mesh}}};

template <class Formats>
auto find_format(const Formats& formats, const std::filesystem::path& path) {
  const std::string extension = detail::to_upper(path.extension().string());
  auto format = formats.begin();
  while (format != formats.end() && format->extension != extension) ++format;
  return format;
}

template <class Formats>
std::string list_of(const Formats& formats) {
  std::string list;
  for (const auto& format : formats) {
    if (!list.empty()) list += ", ";
    for (const char c : format.extension) list += c == '.' ? c : static_cast<char>(c - 'A' + 'a');
  }
  return list;
}

template <class Formats, class Others>
Error unknown_extension(const std::filesystem::path& path, std::string_view kind,
                        const Formats& formats, const Others& others, std::string_view other_kind) {
  const std::string extension = path.extension().string();
  std::string message =
      fmt::format("cannot recognise the file without an extension: known {} formats are {}", kind,
                  list_of(formats));
  if (find_format(others, path) != others.end()) {
    message = fmt::format("'{}' contains a {}, not a {}: known {} formats are {}", extension,
                          other_kind, kind, kind, list_of(formats));
  } else if (!extension.empty()) {
    message = fmt::format("unknown extension {}: known {} formats are {}",
                          detail::in_quotes(extension), kind, list_of(formats));
  }
  return bad_input(std::move(message)).at(path.string());
}

}  // namespace

Result<TriMesh> read_surface(const std::filesystem::path& path) {
  const auto format = find_format(kSurfaces, path);
  if (format != kSurfaces.end()) return format->read(path);
  return unknown_extension(path, "surface", kSurfaces, kVolumes, "volume mesh");
}

Result<MarkedSurface> read_marked_surface(const std::filesystem::path& path) {
  const std::string extension = detail::to_upper(path.extension().string());
  if (extension == ".OBJ" || extension == ".PLY") {
    SUPPLE_TRY(const Bytes bytes, read_content(path));
    return (extension == ".OBJ" ? read_marked_obj : read_marked_ply)(bytes, path.string());
  }
  SUPPLE_TRY(TriMesh mesh, read_surface(path));
  return MarkedSurface{std::move(mesh), {}, {}};
}

Result<TetMesh> read_volume(const std::filesystem::path& path) {
  const auto format = find_format(kVolumes, path);
  if (format != kVolumes.end()) return format->read(path);
  return unknown_extension(path, "volume mesh", kVolumes, kSurfaces, "surface");
}

bool is_volume_format(const std::filesystem::path& path) {
  return find_format(kVolumes, path) != kVolumes.end();
}

bool is_surface_format(const std::filesystem::path& path) {
  return find_format(kSurfaces, path) != kSurfaces.end();
}

}  // namespace supple::io
