// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/selection.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace supple::bake::detail {

struct ByNumber {
  std::vector<std::size_t> numbers;  ///< as numbered in the file
};
struct ByColour {
  std::size_t channel = 0;  ///< r g b a
  double above = 0.5;
};
struct Nearest {
  geometry::Vec3 point = geometry::Vec3::Zero();
};

/// A selection of a shell's vertices, and the components it fixes.
struct VertexSelection {
  std::variant<fem::NodeSelection, ByNumber, ByColour, Nearest> where;
  std::uint8_t components = fem::kFixAll;
  std::string text;  ///< as written, for messages
};

/// The forms of fem::parse_selection, and
///   vertices:1,2,5   vertex:7   colour:COLOR_0.r>0.5   nearest:x,y,z
[[nodiscard]] Result<VertexSelection> parse_vertex_selection(std::string_view text);

/// What can be selected: the vertices of one shell.
struct SelectableVertices {
  std::vector<geometry::Vec3> points;    ///< world, metres
  std::vector<Eigen::Vector4d> colours;  ///< empty: none
  fem::NodeSets sets;
  std::size_t first_number = 0;  ///< 1 if the file counts from 1
};

/// The selected vertices, ascending. An empty selection is an error that says what could be
/// selected.
[[nodiscard]] Result<std::vector<geometry::Index>> select(const SelectableVertices& vertices,
                                                          const VertexSelection& selection);

}  // namespace supple::bake::detail
