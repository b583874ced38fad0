// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace supple::testing {

/// A deck of a clamped box, 0.2 x 0.1 x 0.1 m, of 4 x 2 x 2 cells, written here card by card so
/// that a test can spoil any one of them.
struct DeckText {
  std::string nodes, elements, sets, material, section, boundary, step;
  [[nodiscard]] std::string str() const {
    return nodes + elements + sets + material + section + boundary + step;
  }
};
[[nodiscard]] DeckText box_deck();

/// A cube of 10 cm in each format, by hand.
[[nodiscard]] std::string cube_obj();
[[nodiscard]] std::string cube_ply();
[[nodiscard]] std::string cube_stl();
[[nodiscard]] std::string cube_gltf();
[[nodiscard]] std::string cube_msh();  ///< six tetrahedra, Gmsh 2.2
[[nodiscard]] std::string cube_vtk();  ///< the same, legacy VTK
[[nodiscard]] std::string cube_vtu();  ///< the same, ascii

}  // namespace supple::testing
