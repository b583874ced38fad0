// SPDX-License-Identifier: Apache-2.0
#include "small_models.hpp"

#include <array>
#include <sstream>

namespace supple::testing {
namespace {

// Kuhn's six tetrahedra of a cell: paths along the axes from corner 0 to corner 7; corner number
// is x + 2 y + 4 z.
constexpr std::array<std::array<int, 4>, 6> kTets{
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

constexpr std::array<std::array<int, 3>, 12> kCubeTriangles{{{0, 2, 1},
                                                             {1, 2, 3},
                                                             {4, 5, 6},
                                                             {5, 7, 6},
                                                             {0, 1, 4},
                                                             {1, 5, 4},
                                                             {2, 6, 3},
                                                             {3, 6, 7},
                                                             {0, 4, 2},
                                                             {2, 4, 6},
                                                             {1, 3, 5},
                                                             {3, 7, 5}}};

std::array<double, 3> cube_corner(int number) {
  return {0.1 * (number & 1), 0.1 * ((number >> 1) & 1), 0.1 * ((number >> 2) & 1)};
}

std::string corner_lines(const char* before) {
  std::ostringstream text;
  for (int i = 0; i < 8; ++i) {
    const auto [x, y, z] = cube_corner(i);
    text << before << x << " " << y << " " << z << "\n";
  }
  return text.str();
}

}  // namespace

DeckText box_deck() {
  constexpr int kX = 4, kY = 2, kZ = 2;
  const auto node = [](int x, int y, int z) { return 1 + x + (kX + 1) * (y + (kY + 1) * z); };
  std::ostringstream nodes, elements, clamped;
  nodes << "*NODE, NSET=NALL\n";
  clamped << "*NSET, NSET=FIX\n";
  for (int z = 0; z <= kZ; ++z) {
    for (int y = 0; y <= kY; ++y) {
      for (int x = 0; x <= kX; ++x) {
        nodes << node(x, y, z) << ", " << 0.05 * x << ", " << 0.05 * y << ", " << 0.05 * z << "\n";
        if (x == 0) clamped << node(x, y, z) << ",\n";
      }
    }
  }
  elements << "*ELEMENT, TYPE=C3D4, ELSET=EALL\n";
  int number = 0;
  for (int z = 0; z < kZ; ++z) {
    for (int y = 0; y < kY; ++y) {
      for (int x = 0; x < kX; ++x) {
        for (const auto& tet : kTets) {
          elements << ++number;
          for (const int c : tet) {
            elements << ", " << node(x + (c & 1), y + ((c >> 1) & 1), z + ((c >> 2) & 1));
          }
          elements << "\n";
        }
      }
    }
  }
  return {nodes.str(),
          elements.str(),
          clamped.str(),
          "*MATERIAL, NAME=FLESH\n*ELASTIC\n20000, 0.45\n*DENSITY\n1000\n",
          "*SOLID SECTION, ELSET=EALL, MATERIAL=FLESH\n",
          "*BOUNDARY\nFIX, 1, 3\n",
          "*STEP\n*FREQUENCY\n6\n*END STEP\n"};
}

std::string cube_obj() {
  std::ostringstream text;
  text << corner_lines("v ");
  for (const auto& [a, b, c] : kCubeTriangles) {
    text << "f " << a + 1 << " " << b + 1 << " " << c + 1 << "\n";
  }
  return text.str();
}

std::string cube_ply() {
  std::ostringstream text;
  text << "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\n"
          "property float z\nelement face 12\nproperty list uchar int vertex_indices\n"
          "end_header\n"
       << corner_lines("");
  for (const auto& [a, b, c] : kCubeTriangles) text << "3 " << a << " " << b << " " << c << "\n";
  return text.str();
}

std::string cube_stl() {
  std::ostringstream text;
  text << "solid cube\n";
  for (const auto& triangle : kCubeTriangles) {
    text << "facet normal 0 0 0\nouter loop\n";
    for (const int number : triangle) {
      const auto [x, y, z] = cube_corner(number);
      text << "vertex " << x << " " << y << " " << z << "\n";
    }
    text << "endloop\nendfacet\n";
  }
  text << "endsolid cube\n";
  return text.str();
}

std::string cube_gltf() {
  // Four vertices, four triangles: a tetrahedron is the smallest closed surface. 48 bytes of
  // positions (0, x, y, z at 0.1) and 12 of indices (0 2 1, 0 1 3, 1 2 3, 2 0 3), in base64.
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
"buffers":[{"byteLength":60,"uri":"data:application/octet-stream;base64,)"
         R"(AAAAAAAAAAAAAAAAzczMPQAAAAAAAAAAAAAAAM3MzD0AAAAAAAAAAAAAAADNzMw9AAIBAAEDAQIDAgAD"}],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],
"max":[0.1,0.1,0.1]},{"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}]})";
}

std::string cube_msh() {
  std::ostringstream text;
  text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 7 \"flesh\"\n"
          "$EndPhysicalNames\n$Nodes\n8\n";
  for (int i = 0; i < 8; ++i) {
    const auto [x, y, z] = cube_corner(i);
    text << i + 1 << " " << x << " " << y << " " << z << "\n";
  }
  text << "$EndNodes\n$Elements\n6\n";
  for (std::size_t e = 0; e < kTets.size(); ++e) {
    text << e + 1 << " 4 2 7 1";
    for (const int c : kTets[e]) text << " " << c + 1;
    text << "\n";
  }
  text << "$EndElements\n";
  return text.str();
}

std::string cube_vtk() {
  std::ostringstream text;
  text << "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 double\n"
       << corner_lines("") << "CELLS 6 30\n";
  for (const auto& [a, b, c, d] : kTets) {
    text << "4 " << a << " " << b << " " << c << " " << d << "\n";
  }
  text << "CELL_TYPES 6\n10\n10\n10\n10\n10\n10\n";
  return text.str();
}

std::string cube_vtu() {
  std::ostringstream text;
  text << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
          "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"8\" "
          "NumberOfCells=\"6\">\n<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" "
          "format=\"ascii\">\n"
       << corner_lines("")
       << "</DataArray>\n</Points>\n<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\" "
          "format=\"ascii\">\n";
  for (const auto& [a, b, c, d] : kTets) text << a << " " << b << " " << c << " " << d << "\n";
  text << "</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">\n"
          "4 8 12 16 20 24\n</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" "
          "format=\"ascii\">\n10 10 10 10 10 10\n</DataArray>\n</Cells>\n</Piece>\n"
          "</UnstructuredGrid>\n</VTKFile>\n";
  return text.str();
}

}  // namespace supple::testing
