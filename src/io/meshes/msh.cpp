// SPDX-License-Identifier: Apache-2.0
#include "supple/io/volume.hpp"

#include "io/binary.hpp"
#include "io/meshes/msh_data.hpp"
#include "io/text_cursor.hpp"

#include <fmt/format.h>

namespace supple::io {
namespace {

using detail::MshData;
using detail::MshNumbers;
using detail::TextCursor;

struct MshHeader {
  bool version4 = false;
  bool binary = false;
  std::endian order = std::endian::native;
};

Result<MshHeader> read_format(TextCursor& cursor) {
  if (cursor.take_word() != "$MeshFormat") {
    return bad_input("not a Gmsh file: it does not begin with '$MeshFormat'")
        .at(cursor.name(), 1, 1);
  }
  const std::string_view version = cursor.take_word();
  std::int64_t binary = 0;
  std::int64_t size = 0;
  if (!cursor.next_integer(binary) || !cursor.next_integer(size)) {
    return cursor.expected("version, file type and data size");
  }
  if (version != "2.2" && version != "4.1" && version != "2" && version != "2.1") {
    return cursor.error(fmt::format("Gmsh format {} is not supported; save as 2.2 or 4.1",
                                    detail::in_quotes(version)));
  }
  if (size != 8) return cursor.error("only a data size of 8 bytes is supported");
  MshHeader format;
  format.version4 = version == "4.1";
  format.binary = binary != 0;
  cursor.next_line();
  if (!format.binary) return format;
  std::span<const std::byte> one;
  if (!cursor.take_bytes(4, one)) return cursor.error("the file ends inside its header");
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    format.order = order;
    if (detail::load<std::int32_t>(one.data(), order) == 1) return format;
  }
  return cursor.error("the byte order mark of the binary Gmsh file is neither 1 nor swapped 1");
}

Result<void> read_physical_names(TextCursor& cursor, MshData& data) {
  std::int64_t count = 0;
  if (!cursor.next_integer(count)) return cursor.expected("the number of physical names");
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t dimension = 0;
    std::int64_t tag = 0;
    if (!cursor.next_integer(dimension) || !cursor.next_integer(tag) || dimension < 0 ||
        dimension > 3) {
      return cursor.expected("dimension, tag and \"name\" of a physical group");
    }
    std::string_view name = detail::trim(cursor.take_line());
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
      name = name.substr(1, name.size() - 2);
    }
    data.group_names[{static_cast<int>(dimension), tag}] = name;
  }
  return {};
}

}  // namespace

Result<geometry::TetMesh> read_msh(std::span<const std::byte> bytes, std::string_view name) {
  TextCursor cursor(as_text(bytes), name);
  SUPPLE_TRY(const MshHeader format, read_format(cursor));
  if (!cursor.skip_past("$EndMeshFormat")) return cursor.error("'$EndMeshFormat' is missing");
  MshNumbers numbers(cursor, format.binary, format.order);
  MshData data;
  detail::MshEntities entities;
  while (true) {
    const std::string_view section = cursor.take_word();
    if (section.empty()) break;
    if (section.front() != '$') {
      return cursor.error(
          fmt::format("expected a section such as '$Nodes', found {}", detail::in_quotes(section)));
    }
    cursor.next_line();
    if (section == "$PhysicalNames") {
      SUPPLE_TRY_VOID(read_physical_names(cursor, data));
    } else if (format.version4) {
      SUPPLE_TRY_VOID(detail::read_msh4_section(numbers, section, entities, data));
    } else {
      SUPPLE_TRY_VOID(detail::read_msh2_section(numbers, section, data));
    }
    if (!cursor.skip_past(fmt::format("$End{}", section.substr(1)))) {
      return cursor.error(fmt::format("the section {} does not end", detail::in_quotes(section)));
    }
  }
  return data.finish(name);
}

}  // namespace supple::io
