// SPDX-License-Identifier: Apache-2.0
#include "bake/settings/vertex_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace supple::bake::detail {
namespace {

using geometry::Index;
using geometry::Vec3;

constexpr std::string_view kForms =
    "sphere:x,y,z,r, box:x0,y0,z0,x1,y1,z1, plane:x=0, x<0.1, y>0.2, set:NAME, vertices:1,2,5, "
    "colour:COLOR_0.r>0.5 or nearest:x,y,z (metres in world space); append :xy to fix only these "
    "components";

Error malformed(std::string_view text, std::string_view why) {
  return bad_input(
      fmt::format("cannot read the selection '{}': {}; expected {}", text, why, kForms));
}

template <class T>
std::optional<std::vector<T>> parse_list(std::string_view text) {
  std::vector<T> values;
  while (true) {
    std::string_view word = text.substr(0, text.find(','));
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    T value{};
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc() || end != word.data() + word.size()) return {};
    values.push_back(value);
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

/// "COLOR_0.r>0.5"; the channel alone means above 0.5.
Result<ByColour> parse_colour(std::string_view body, std::string_view text) {
  constexpr std::string_view kPrefix = "COLOR_0.";
  constexpr std::string_view kChannels = "rgba";
  ByColour colour;
  if (!body.starts_with(kPrefix) || body.size() <= kPrefix.size() ||
      kChannels.find(body[kPrefix.size()]) == std::string_view::npos) {
    return malformed(text, "a colour is COLOR_0.r, COLOR_0.g, COLOR_0.b or COLOR_0.a");
  }
  colour.channel = kChannels.find(body[kPrefix.size()]);
  const std::string_view rest = body.substr(kPrefix.size() + 1);
  if (rest.empty()) return colour;
  const auto number = rest.starts_with('>') ? parse_list<double>(rest.substr(1)) : std::nullopt;
  if (!number || number->size() != 1 || !std::isfinite(number->front())) {
    return malformed(text, "the channel must be followed by > and a number");
  }
  colour.above = number->front();
  return colour;
}

/// Removes ":xy" from the end; only the components it names are fixed.
void take_components(std::string_view& body, std::uint8_t& components) {
  const std::size_t colon = body.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == body.size()) return;
  std::uint8_t bits = 0;
  for (const char letter : body.substr(colon + 1)) {
    if (letter < 'x' || letter > 'z') return;
    bits = static_cast<std::uint8_t>(bits | 1U << static_cast<unsigned>(letter - 'x'));
  }
  components = bits;
  body = body.substr(0, colon);
}

std::string describe(const SelectableVertices& vertices) {
  const geometry::Box box = geometry::bounding_box(vertices.points);
  std::string text = fmt::format(
      "the shell extends from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m in world "
      "space",
      box.low.x(), box.low.y(), box.low.z(), box.high.x(), box.high.y(), box.high.z());
  if (vertices.sets.empty()) return text + "; it has no sets";
  text += "; sets:";
  for (const auto& [name, members] : vertices.sets) {
    text += fmt::format(" {} ({} vertices)", name, members.size());
  }
  return text;
}

struct Select {
  const SelectableVertices& vertices;
  const VertexSelection& selection;

  Result<std::vector<Index>> operator()(const fem::NodeSelection& where) const {
    auto chosen = fem::select_nodes(vertices.points, vertices.sets, where);
    if (chosen.ok()) return chosen;
    return bad_input(fmt::format("the selection '{}' matches no vertex: {}", selection.text,
                                 describe(vertices)));
  }

  Result<std::vector<Index>> operator()(const ByNumber& where) const {
    std::vector<Index> chosen;
    for (const std::size_t number : where.numbers) {
      const std::size_t last = vertices.points.size() - 1 + vertices.first_number;
      if (number < vertices.first_number || number > last) {
        return bad_input(fmt::format("'{}': the shell has no vertex {}; it has {} to {}",
                                     selection.text, number, vertices.first_number, last));
      }
      chosen.push_back(static_cast<Index>(number - vertices.first_number));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
  }

  Result<std::vector<Index>> operator()(const ByColour& where) const {
    if (vertices.colours.empty()) {
      return bad_input(
          fmt::format("'{}': the shell has no vertex colours (COLOR_0); paint some, or select by "
                      "position: sphere:x,y,z,r or y<0.1",
                      selection.text));
    }
    std::vector<Index> chosen;
    for (std::size_t v = 0; v < vertices.colours.size(); ++v) {
      if (vertices.colours[v][static_cast<Index>(where.channel)] > where.above) {
        chosen.push_back(static_cast<Index>(v));
      }
    }
    if (!chosen.empty()) return chosen;
    return bad_input(
        fmt::format("the selection '{}' matches no vertex: none has that colour", selection.text));
  }

  Result<std::vector<Index>> operator()(const Nearest& where) const {
    const auto nearest = std::min_element(
        vertices.points.begin(), vertices.points.end(), [&](const Vec3& a, const Vec3& b) {
          return (a - where.point).squaredNorm() < (b - where.point).squaredNorm();
        });
    return std::vector<Index>{static_cast<Index>(nearest - vertices.points.begin())};
  }
};

}  // namespace

Result<VertexSelection> parse_vertex_selection(std::string_view text) {
  VertexSelection selection;
  selection.text = std::string(text);
  const std::size_t colon = text.find(':');
  const std::string_view kind = colon == std::string_view::npos ? "" : text.substr(0, colon);
  std::string_view body = colon == std::string_view::npos ? text : text.substr(colon + 1);
  if (kind == "vertices" || kind == "vertex") {
    take_components(body, selection.components);
    auto numbers = parse_list<std::size_t>(body);
    if (!numbers) return malformed(text, "vertices must be whole numbers separated by commas");
    selection.where = ByNumber{*std::move(numbers)};
  } else if (kind == "colour" || kind == "color") {
    take_components(body, selection.components);
    SUPPLE_TRY(selection.where, parse_colour(body, text));
  } else if (kind == "nearest") {
    take_components(body, selection.components);
    const auto numbers = parse_list<double>(body);
    if (!numbers || numbers->size() != 3) return malformed(text, "a point has three numbers");
    const Vec3 point((*numbers)[0], (*numbers)[1], (*numbers)[2]);
    if (!point.allFinite()) return malformed(text, "the point is not finite");
    selection.where = Nearest{point};
  } else {
    auto plain = fem::parse_selection(text, kForms);
    if (!plain.ok()) return bad_input(plain.error().message());
    selection.components = plain->components;
    selection.where = *std::move(plain);
  }
  return selection;
}

Result<std::vector<Index>> select(const SelectableVertices& vertices,
                                  const VertexSelection& selection) {
  return std::visit(Select{vertices, selection}, selection.where);
}

}  // namespace supple::bake::detail
