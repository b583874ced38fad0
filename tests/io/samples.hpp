// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tet_mesh.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Small files of every dialect, written by hand after each format's own documentation and not by
/// our writers. Shared with the fuzzers, which start from them.
namespace supple::io::samples {

/// A string that takes binary numbers of either byte order.
class Blob {
 public:
  explicit Blob(std::endian order) : m_order(order) {}
  Blob& text(std::string_view added) {
    m_bytes += added;
    return *this;
  }
  template <class T>
  Blob& put(T value) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(T));
    if (m_order != std::endian::native) std::reverse(bytes.begin(), bytes.end());
    m_bytes.append(bytes.data(), bytes.size());
    return *this;
  }
  template <class T>
  Blob& put_all(const std::vector<T>& values) {
    for (const T& value : values) put(value);
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return m_bytes; }

 private:
  std::string m_bytes;
  std::endian m_order;
};

// Two tetrahedra on one face: volumes 1/6 and 1/3.
inline const std::vector<double> kPoints{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
inline constexpr double kVolume = 0.5;

/// A straight-sided 10-node tetrahedron with its nodes in our order.
inline geometry::TetMesh quadratic_tet() {
  geometry::TetMesh mesh;
  mesh.order = geometry::TetOrder::Quadratic;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& [a, b] : geometry::kTetEdges) {
    mesh.nodes.push_back(
        0.5 * (mesh.nodes[static_cast<std::size_t>(a)] + mesh.nodes[static_cast<std::size_t>(b)]));
  }
  for (geometry::Index i = 0; i < 10; ++i) mesh.connectivity.push_back(i);
  return mesh;
}

inline std::string obj() {
  return "# a quad, a triangle, all index forms\r\nmtllib x.mtl\r\no thing\r\n"
         "v 0 0 0\r\nv 1 0 0 1.0\r\nv 1 1 0 0.5 0.5 0.5\r\nv 0 1 0\r\nvt 0 0\r\nvn 0 0 1\r\n"
         "g side\r\nusemtl m\r\ns off\r\nf 1/1/1 2//1 3/1 \\\r\n  4\r\nv +0.5 5e-1 1\r\n"
         "f -5 -4 -1\r\n";
}

inline std::string ply_ascii() {
  return "ply\nformat ascii 1.0\ncomment made by hand\nelement material 1\n"
         "property list uchar float weights\nelement vertex 4\nproperty float nx\n"
         "property double x\nproperty float y\nproperty float z\nproperty uchar red\n"
         "element face 2\nproperty int flags\nproperty list uchar int vertex_index\n"
         "element edge 0\nproperty int a\nend_header\n2 0.5 0.5\n"
         "9 0 0 0 255\n9 1 0 0 255\n9 1 1 0 255\n9 0 1 0 255\n7 3 0 1 2\n7 4 0 1 2 3\n";
}

inline std::string ply_binary(std::endian order) {
  Blob blob(order);
  blob.text("ply\nformat ")
      .text(order == std::endian::big ? "binary_big_endian" : "binary_little_endian")
      .text(
          " 1.0\nelement extra 2\nproperty short a\nproperty list ushort double b\n"
          "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
          "property uchar red\nelement face 1\nproperty list uchar uint vertex_indices\n"
          "property float quality\nend_header\n");
  blob.put<std::int16_t>(7).put<std::uint16_t>(2).put(1.5).put(2.5);
  blob.put<std::int16_t>(8).put<std::uint16_t>(0);
  for (const auto& [x, y] : {std::pair(0.F, 0.F), {1.F, 0.F}, {1.F, 1.F}, {0.F, 1.F}}) {
    blob.put(x).put(y).put(0.25F).put<std::uint8_t>(200);
  }
  blob.put<std::uint8_t>(4);
  blob.put_all(std::vector<std::uint32_t>{0, 1, 2, 3}).put(0.5F);
  return blob.bytes();
}

inline std::string stl_ascii() {
  return "solid two triangles\n facet normal nan nan nan\n  outer loop\n   vertex 0 0 0\n"
         "   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n endfacet\n"
         " FACET NORMAL 0 0 1\n  OUTER LOOP\n   VERTEX 1 0 -0\n   VERTEX 1 1 0\n   VERTEX 0 1 0\n"
         "  ENDLOOP\n ENDFACET\nendsolid two triangles\n";
}

/// `header` fills the 80 bytes that programs write anything into.
inline std::string stl_binary(std::string_view header) {
  Blob blob(std::endian::little);
  std::string filled(header);
  filled.resize(80, ' ');
  blob.text(filled).put<std::uint32_t>(2);
  blob.put_all(std::vector<float>{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}).put<std::uint16_t>(0);
  blob.put_all(std::vector<float>{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0}).put<std::uint16_t>(0);
  return blob.bytes();
}

inline std::string msh2_ascii() {
  return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 7 \"the base\"\n"
         "3 1 \"lower\"\n3 2 \"upper\"\n$EndPhysicalNames\n$Comments\nwhatever\n$EndComments\n"
         "$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n4000000000 1 1 1\n$EndNodes\n"
         "$Elements\n4\n1 15 2 0 1 10\n2 2 2 7 1 10 20 30\n3 4 2 1 1 10 20 30 40\n"
         "4 4 2 2 1 20 30 40 4000000000\n$EndElements\n";
}

inline std::string msh2_binary(std::endian order) {
  Blob blob(order);
  blob.text("$MeshFormat\n2.2 1 8\n").put<std::int32_t>(1).text("\n$EndMeshFormat\n$Nodes\n5\n");
  for (std::int32_t i = 0; i < 5; ++i) {
    blob.put<std::int32_t>(i + 1);
    for (std::size_t k = 0; k < 3; ++k) blob.put(kPoints[3 * static_cast<std::size_t>(i) + k]);
  }
  blob.text("\n$EndNodes\n$Elements\n3\n");
  blob.put_all(std::vector<std::int32_t>{2, 1, 2, 1, 7, 1, 1, 2, 3});
  blob.put_all(std::vector<std::int32_t>{4, 2, 2, 2, 5, 1, 1, 2, 3, 4, 3, 5, 1, 2, 3, 4, 5});
  return blob.text("\n$EndElements\n").bytes();
}

inline std::string msh4_ascii() {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"base\"\n3 5 \"body\"\n"
         "$EndPhysicalNames\n$Entities\n1 1 1 1\n1 0 0 0 0\n1 0 0 0 1 0 0 0 2 1 -1\n"
         "1 0 0 0 1 1 0 1 7 1 1\n1 0 0 0 1 1 1 1 5 1 1\n$EndEntities\n"
         "$Nodes\n2 5 1 5\n2 1 1 3\n1\n2\n3\n0 0 0 .1 .2\n1 0 0 .1 .2\n0 1 0 .1 .2\n"
         "3 1 0 2\n4\n5\n0 0 1\n1 1 1\n$EndNodes\n"
         "$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n3 1 4 2\n2 1 2 3 4\n3 2 3 4 5\n$EndElements\n";
}

/// One 10-node tetrahedron, its last two midside nodes in Gmsh's order.
inline std::string msh4_binary(std::endian order) {
  Blob blob(order);
  blob.text("$MeshFormat\n4.1 1 8\n").put<std::int32_t>(1).text("\n$EndMeshFormat\n");
  blob.text("$PhysicalNames\n1\n3 5 \"body\"\n$EndPhysicalNames\n$Entities\n");
  blob.put_all(std::vector<std::uint64_t>{0, 0, 0, 1}).put<std::int32_t>(1);
  blob.put_all(std::vector<double>{0, 0, 0, 1, 1, 1});
  blob.put<std::uint64_t>(1).put<std::int32_t>(5).put<std::uint64_t>(1).put<std::int32_t>(-1);
  blob.text("\n$EndEntities\n$Nodes\n").put_all(std::vector<std::uint64_t>{1, 10, 1, 10});
  blob.put_all(std::vector<std::int32_t>{3, 1, 0}).put<std::uint64_t>(10);
  for (std::uint64_t tag = 1; tag <= 10; ++tag) blob.put(tag);
  for (const geometry::Vec3& node : quadratic_tet().nodes) {
    blob.put(node.x()).put(node.y()).put(node.z());
  }
  blob.text("\n$EndNodes\n$Elements\n").put_all(std::vector<std::uint64_t>{1, 1, 1, 1});
  blob.put_all(std::vector<std::int32_t>{3, 1, 11}).put<std::uint64_t>(1);
  blob.put_all(std::vector<std::uint64_t>{1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 9});
  return blob.text("\n$EndElements\n").bytes();
}

inline std::string vtk_ascii() {
  return "# vtk DataFile Version 3.0\ntwo tets and a triangle\nASCII\nDATASET UNSTRUCTURED_GRID\n"
         "FIELD FieldData 1\ntime 1 1 double\n0.5\n"
         "POINTS 5 float\n0 0 0 1 0 0 0 1 0\n0 0 1 1 1 1\nCELLS 3 14\n4 0 1 2 3\n3 0 1 2\n"
         "4 1 2 3 4\nCELL_TYPES 3\n10\n5\n10\nPOINT_DATA 5\nVECTORS u float\n"
         "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nCELL_DATA 3\nSCALARS Material int 1\n"
         "LOOKUP_TABLE default\n4\n9\n2\n";
}

inline std::string vtk_binary() {
  Blob blob(std::endian::big);
  blob.text("# vtk DataFile Version 4.2\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n");
  blob.text("POINTS 5 double\n").put_all(kPoints).text("\nCELLS 2 10\n");
  blob.put_all(std::vector<std::int32_t>{4, 0, 1, 2, 3, 4, 1, 2, 3, 4});
  blob.text("\nCELL_TYPES 2\n").put<std::int32_t>(10).put<std::int32_t>(10);
  blob.text("\nCELL_DATA 2\nFIELD FieldData 2\nother 2 2 float\n");
  blob.put_all(std::vector<float>{1, 2, 3, 4}).text("\nregion 1 2 unsigned_char\n");
  return blob.put<std::uint8_t>(3).put<std::uint8_t>(1).text("\n").bytes();
}

/// The cells of version 5: offsets and connectivity apart, 64 bits wide.
inline std::string vtk5_binary() {
  Blob blob(std::endian::big);
  blob.text("# vtk DataFile Version 5.1\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n");
  blob.text("POINTS 5 double\n").put_all(kPoints);
  blob.text("\nMETADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS vtktypeint64\n");
  blob.put_all(std::vector<std::int64_t>{0, 4, 8}).text("\nCONNECTIVITY vtktypeint64\n");
  blob.put_all(std::vector<std::int64_t>{0, 1, 2, 3, 1, 2, 3, 4});
  blob.text("\nCELL_TYPES 2\n").put<std::int32_t>(10).put<std::int32_t>(10);
  return blob.text("\n").bytes();
}

inline std::string vtu_ascii() {
  return "<?xml version=\"1.0\"?>\n<!-- by hand: a > b -->\n"
         "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
         "<UnstructuredGrid>\n<Piece NumberOfPoints='5' NumberOfCells='2'>\n"
         "<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 4 5\n"
         "</DataArray></PointData>\n<CellData>"
         "<DataArray type=\"Int32\" Name=\"region\" format=\"ascii\">7 8</DataArray></CellData>\n"
         "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">\n"
         "<InformationKey name=\"L2\" location=\"x\"><Value index=\"0\">123456789012</Value>"
         "</InformationKey>\n0 0 0 1 0 0 0 1 0\n0 0 1 1 1 1\n</DataArray></Points>\n<Cells>\n"
         "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 1 2 3 4"
         "</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 8"
         "</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 10"
         "</DataArray>\n</Cells></Piece></UnstructuredGrid></VTKFile>\n";
}

inline std::string deck() {
  return "*HEADING\nTwo tetrahedra\n** a comment\n*Node, nset=NALL\n 1, 0., 0., 0.\n"
         "20,1.0D0,0,0\n 300, 0, +1., 0\n1000000000, 0, 0, 1.\n7, 1, 1, 1\n"
         "*ELEMENT, TYPE=C3D4,\n ELSET=LOW\n5, 1, 20,\n300, 1000000000\n"
         "*ELEMENT, TYPE=C3D4, ELSET=HIGH\n9, 20,300,1000000000,7\n"
         "*NSET, NSET=FIX\n1,20,\n*NSET, NSET=MORE\nFix, 300\n*ELSET, ELSET=ALL, GENERATE\n5,9,4\n"
         "*MATERIAL, NAME=Soft\n*ELASTIC, TYPE=ISO\n20000., 0.45, 20.\n1., .1, 40.\n*DENSITY\n"
         "1000.,\n*PLASTIC\n1., 0.\n*MATERIAL, NAME=unused\n*MATERIAL, NAME=HARD\n*ELASTIC\n"
         "2e9,0.3\n*DENSITY\n1200.\n*SOLID SECTION, ELSET=low, MATERIAL=SOFT\n"
         "*SOLID SECTION, ELSET=HIGH, MATERIAL=Hard\n*BOUNDARY\nMORE, 1, 1\n1, 2, 3, 0.\n7, 3\n"
         "*STEP\n*FREQUENCY\n12\n*NODE FILE\nU\n*END STEP\n";
}

}  // namespace supple::io::samples
