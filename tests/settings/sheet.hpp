// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/settings/fields.hpp"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// A settings struct with a field of every kind.
namespace supple::settings::samples {

enum class Side { Front, Back };

struct Colour {
  double red = 0.5;
  double green = 0.5;
};
struct Glow {
  double watts = 1;
};
struct Hole {
  int number = 0;
  std::string note;
};
struct Edge {
  double width = 0.1;
};

/// Has what the library asks of a vector.
struct Vector {
  static constexpr int SizeAtCompileTime = 3;
  double* data() { return numbers.data(); }
  std::array<double, 3> numbers{};
};

struct Sheet {
  std::string name = "sheet";
  double thickness = 1;
  std::size_t layers = 2;
  bool shiny = false;
  Side side = Side::Front;
  std::vector<std::string> tags;
  std::vector<double> widths;
  Vector centre;
  std::optional<double> weight;
  std::variant<Colour, Glow> look;
  double scale = 0;  ///< 0: automatic
  Edge edge;
  std::vector<Hole> holes;
};

inline const Fields<Colour>& colour_fields() {
  static const Fields<Colour> fields{
      field<&Colour::red>("red", "share of red").range(from(0).to(1)),
      field<&Colour::green>("green", "share of green").range(from(0).to(1))};
  return fields;
}
inline const Fields<Glow>& glow_fields() {
  static const Fields<Glow> fields{
      field<&Glow::watts>("watts", "power").in("W").range(above(0)).must_be_given()};
  return fields;
}
inline const Fields<Hole>& hole_fields() {
  static const Fields<Hole> fields{
      field<&Hole::number>("number", "of the punch").range(from(0).to(9)).must_be_given(),
      field<&Hole::note>("note", "for people").unless_empty()};
  return fields;
}
inline const Fields<Edge>& edge_fields() {
  static const Fields<Edge> fields{
      field<&Edge::width>("width", "of the edge").in("m").range(from(0).below(1))};
  return fields;
}

inline TypedField<Sheet> scale_field() {
  return forms<Sheet>(
      "scale",
      {word_form<Sheet>(
           {"auto"},
           [](Sheet& s) -> std::optional<std::size_t> {
             if (s.scale == 0) return 0;
             return {};
           },
           [](Sheet& s, std::size_t) { s.scale = 0; }),
       form<Sheet>([](Sheet& s) -> double& { return s.scale; }, [](Sheet& s) { return &s.scale; })},
      "of the drawing");
}

inline const Fields<Sheet>& sheet_fields() {
  using S = Sheet;
  static const Fields<S> fields =
      Fields<S>{
          field<&S::name>("name", "what it is called"),
          field<&S::thickness>("thickness", "how thick it is").in("mm").range(above(0).to(10)),
          field<&S::layers>("layers", "how many").range(from(1).to(8)),
          field<&S::shiny>("shiny", "whether it shines"),
          choice<&S::side>("side", {"front", "back"}, "what is drawn"),
          field<&S::tags>("tags", "words about it"),
          field<&S::widths>("widths", "that it comes in").in("m").range(above(0)),
          field<&S::centre>("centre", "where it is").in("m"),
          field<&S::weight>("weight", "what it weighs").in("kg").range(from(0)),
          forms<S>("look",
                   {alternative<&S::look>(colour_fields()), alternative<&S::look>(glow_fields())},
                   "{red, green} or {watts}"),
          scale_field(),
          section<&S::edge>("edge", edge_fields(), "its border"),
          sections<&S::holes>("hole", hole_fields(), "a hole"),
      }
          .titled([](const S& s) { return "sheet '" + s.name + "'"; })
          .rule([](const S& s) -> std::optional<Complaint> {
            if (s.thickness >= s.edge.width) return {};
            return Complaint{"the edge is wider than the sheet is thick", {"thickness", "edge"}};
          });
  return fields;
}

}  // namespace supple::settings::samples
