// SPDX-License-Identifier: Apache-2.0
#include "supple/io/volume.hpp"

#include "io/binary.hpp"
#include "io/meshes/vtu_data.hpp"

#include "supple/core/base64.hpp"
#include "supple/core/markup.hpp"
#include "supple/core/parallel.hpp"
#include "supple/io/vtu_grid.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace supple::io {
namespace {

using geometry::TetMesh;

// Blocks large enough to have negligible overhead, small enough to keep all cores busy.
constexpr std::size_t kBlockSize = std::size_t{1} << 20U;
// Doubles hardly compress further at higher levels, which take several times as long.
constexpr int kCompressionLevel = 3;

/// An array as VTK stores it: number of blocks, block size, size of a partial last block (0:
/// none), compressed sizes; then the blocks.
struct PackedArray {
  Bytes header;
  Bytes data;
};

Result<PackedArray> pack(const Bytes& plain) {
  const std::size_t count = (plain.size() + kBlockSize - 1) / kBlockSize;
  std::vector<Bytes> blocks(count);
  parallel_for(count, 1, [&](std::size_t i) {
    const std::size_t size = std::min(kBlockSize, plain.size() - i * kBlockSize);
    uLongf packed = ::compressBound(size);
    blocks[i].resize(packed);
    const int status = ::compress2(reinterpret_cast<Bytef*>(blocks[i].data()), &packed,
                                   reinterpret_cast<const Bytef*>(plain.data() + i * kBlockSize),
                                   size, kCompressionLevel);
    blocks[i].resize(status == Z_OK ? packed : 0);
  });
  PackedArray array;
  detail::append_little(array.header, std::uint64_t{count});
  detail::append_little(array.header, std::uint64_t{kBlockSize});
  detail::append_little(array.header, std::uint64_t{plain.size() % kBlockSize});
  for (const Bytes& block : blocks) {
    if (block.empty()) return io_error("zlib ran out of memory");
    detail::append_little(array.header, std::uint64_t{block.size()});
    array.data.insert(array.data.end(), block.begin(), block.end());
  }
  return array;
}

class VtuWriter {
 public:
  VtuWriter(const VtuGrid& grid, VtuEncoding encoding) : m_grid(grid), m_encoding(encoding) {}

  Result<Bytes> run(std::span<const NodalField> fields) {
    text(
        fmt::format("<?xml version=\"1.0\"?>\n"
                    "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                    "byte_order=\"LittleEndian\" header_type=\"UInt64\" "
                    "compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n"
                    "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
                    m_grid.nodes.size(), m_grid.types.size()));
    for (const NodalField& field : fields) {
      SUPPLE_TRY_VOID(array<double>(escape_markup(field.name), "Float64", field.components,
                                    field.values.size(),
                                    [&](std::size_t i) { return field.values[i]; }));
    }
    text("</PointData>\n<CellData>\n");
    if (!m_grid.marks.empty()) {
      SUPPLE_TRY_VOID(array<std::int32_t>(m_grid.marks_are, "Int32", 1, m_grid.marks.size(),
                                          [&](std::size_t i) { return m_grid.marks[i]; }));
    }
    text("</CellData>\n<Points>\n");
    SUPPLE_TRY_VOID(array<double>(
        "Points", "Float64", 3, m_grid.nodes.size() * 3,
        [&](std::size_t i) { return m_grid.nodes[i / 3][static_cast<Eigen::Index>(i % 3)]; }));
    text("</Points>\n<Cells>\n");
    SUPPLE_TRY_VOID(write_cells());
    text("</Cells>\n</Piece>\n</UnstructuredGrid>\n");
    if (m_encoding == VtuEncoding::AppendedRaw) {
      text("<AppendedData encoding=\"raw\">\n_");
      m_out.insert(m_out.end(), m_appended.begin(), m_appended.end());
      text("\n</AppendedData>\n");
    }
    text("</VTKFile>\n");
    return std::move(m_out);
  }

 private:
  Result<void> write_cells() {
    SUPPLE_TRY_VOID(
        array<std::int64_t>("connectivity", "Int64", 1, m_grid.connectivity.size(),
                            [&](std::size_t i) { return std::int64_t{m_grid.connectivity[i]}; }));
    SUPPLE_TRY_VOID(array<std::int64_t>("offsets", "Int64", 1, m_grid.ends.size(),
                                        [&](std::size_t i) { return m_grid.ends[i]; }));
    return array<std::uint8_t>("types", "UInt8", 1, m_grid.types.size(),
                               [&](std::size_t i) { return m_grid.types[i]; });
  }

  template <class T, class Value>
  Result<void> array(std::string_view name, std::string_view type, int components,
                     std::size_t count, Value&& value) {
    Bytes plain;
    plain.reserve(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) detail::append_little<T>(plain, value(i));
    SUPPLE_TRY(const PackedArray packed, pack(plain));
    const bool appended = m_encoding == VtuEncoding::AppendedRaw;
    text(fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"{}\"",
                     type, name, components, appended ? "appended" : "binary"));
    if (appended) {
      text(fmt::format(" offset=\"{}\"/>\n", m_appended.size()));
      m_appended.insert(m_appended.end(), packed.header.begin(), packed.header.end());
      m_appended.insert(m_appended.end(), packed.data.begin(), packed.data.end());
    } else {
      text(fmt::format(">\n{}{}\n</DataArray>\n", encode_base64(packed.header),
                       encode_base64(packed.data)));
    }
    return {};
  }

  void text(std::string_view added) { detail::append_text(m_out, added); }

  const VtuGrid& m_grid;
  VtuEncoding m_encoding;
  Bytes m_out;
  Bytes m_appended;
};

/// Cells of `width` nodes each, numbered from `first`.
void append_cells(VtuGrid& grid, std::span<const geometry::Index> connectivity, std::size_t width,
                  std::uint8_t type, std::size_t first) {
  const auto begin = static_cast<std::int64_t>(grid.connectivity.size());
  for (const geometry::Index node : connectivity) {
    grid.connectivity.push_back(static_cast<geometry::Index>(first) + node);
  }
  for (std::size_t end = width; end <= connectivity.size(); end += width) {
    grid.ends.push_back(begin + static_cast<std::int64_t>(end));
    grid.types.push_back(type);
  }
}

constexpr std::uint8_t kVtkTriangle = 5;
constexpr std::uint8_t kVtkTetra = 10;
constexpr std::uint8_t kVtkQuadraticTetra = 24;

}  // namespace

void VtuGrid::add(const TetMesh& mesh) {
  append_cells(*this, mesh.connectivity, static_cast<std::size_t>(mesh.nodes_per_element()),
               mesh.order == geometry::TetOrder::Linear ? kVtkTetra : kVtkQuadraticTetra,
               nodes.size());
  nodes.insert(nodes.end(), mesh.nodes.begin(), mesh.nodes.end());
  marks.resize(types.size(), m_bodies++);
}

void VtuGrid::add(const geometry::TriMesh& mesh) {
  for (const geometry::Triangle& triangle : mesh.triangles) {
    append_cells(*this, triangle, 3, kVtkTriangle, nodes.size());
  }
  nodes.insert(nodes.end(), mesh.positions.begin(), mesh.positions.end());
  marks.resize(types.size(), m_bodies++);
}

Result<Bytes> write_vtu(const TetMesh& mesh, std::span<const NodalField> fields,
                        VtuEncoding encoding) {
  if (!mesh.regions.empty() && mesh.regions.size() != mesh.element_count()) {
    return Error(ErrorCode::Usage, fmt::format("{} region numbers for {} elements",
                                               mesh.regions.size(), mesh.element_count()));
  }
  VtuGrid grid;
  grid.add(mesh);
  grid.marks = mesh.regions;
  grid.marks_are = "region";
  return write_vtu(grid, fields, encoding);
}

Result<Bytes> write_vtu(const VtuGrid& grid, std::span<const NodalField> fields,
                        VtuEncoding encoding) {
  for (const NodalField& field : fields) {
    const bool fits =
        (field.components == 1 || field.components == 3) &&
        field.values.size() == grid.nodes.size() * static_cast<std::size_t>(field.components);
    if (!fits) {
      return Error(
          ErrorCode::Usage,
          fmt::format("field '{}' has {} numbers in {} components for {} nodes", field.name,
                      field.values.size(), field.components, grid.nodes.size()));
    }
  }
  return VtuWriter(grid, encoding).run(fields);
}

}  // namespace supple::io
