// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace supple::fem {
namespace {

using geometry::Index;
using geometry::TetMesh;
using geometry::Vec3;

constexpr std::string_view kForms =
    "set:NAME, plane:x=0, plane:x=0,TOLERANCE, x<0.1, y>0.2, box:x0,y0,z0,x1,y1,z1 or "
    "sphere:x,y,z,r, each with an optional :xyz, :xy, ... for the components to fix";

Error malformed(std::string why) {
  return Error(ErrorCode::Usage, std::move(why));
}

std::optional<double> parse_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<std::vector<double>> parse_numbers(std::string_view text) {
  std::vector<double> values;
  while (true) {
    const std::size_t comma = text.find(',');
    const auto value = parse_number(text.substr(0, comma));
    if (!value) return {};
    values.push_back(*value);
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

/// "xy" -> kFixX | kFixY; nothing for other letters or a repeated one.
std::optional<std::uint8_t> parse_components(std::string_view text) {
  std::uint8_t bits = 0;
  for (const char letter : text) {
    if (letter < 'x' || letter > 'z') return {};
    const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(letter - 'x'));
    if ((bits & bit) != 0) return {};
    bits = static_cast<std::uint8_t>(bits | bit);
  }
  return bits == 0 ? std::nullopt : std::optional(bits);
}

Result<AtPlane> parse_plane(std::string_view body) {
  if (body.size() < 3 || body[0] < 'x' || body[0] > 'z') {
    return malformed("a plane must begin with x, y or z");
  }
  AtPlane plane;
  plane.axis = body[0] - 'x';
  switch (body[1]) {
    case '=':
      plane.side = AtPlane::Side::On;
      break;
    case '<':
      plane.side = AtPlane::Side::Below;
      break;
    case '>':
      plane.side = AtPlane::Side::Above;
      break;
    default:
      return malformed("the axis must be followed by =, < or >");
  }
  const auto numbers = parse_numbers(body.substr(2));
  const std::size_t most = plane.side == AtPlane::Side::On ? 2 : 1;
  if (!numbers || numbers->size() > most) return malformed("wrong numbers");
  plane.offset = (*numbers)[0];
  if (numbers->size() == 2) {
    plane.tolerance = (*numbers)[1];
    if (plane.tolerance < 0) return malformed("the tolerance is negative");
  }
  return plane;
}

Result<InBox> parse_box(std::string_view body) {
  const auto n = parse_numbers(body);
  if (!n || n->size() != 6) return malformed("a box needs six numbers");
  InBox result;
  // Any two opposite corners will do.
  result.box.add(Vec3((*n)[0], (*n)[1], (*n)[2]));
  result.box.add(Vec3((*n)[3], (*n)[4], (*n)[5]));
  return result;
}

Result<InSphere> parse_sphere(std::string_view body) {
  const auto n = parse_numbers(body);
  if (!n || n->size() != 4) return malformed("a sphere needs four numbers");
  if ((*n)[3] <= 0) return malformed("the radius must be positive");
  return InSphere{Vec3((*n)[0], (*n)[1], (*n)[2]), (*n)[3]};
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

/// Null unless the name exists, or exists exactly once in another letter case.
const std::vector<Index>* find_set(const NodeSets& sets, const std::string& name) {
  const auto exact = sets.find(name);
  if (exact != sets.end()) return &exact->second;
  const std::vector<Index>* found = nullptr;
  for (const auto& [candidate, nodes] : sets) {
    if (!equal_but_for_case(candidate, name)) continue;
    if (found != nullptr) return nullptr;
    found = &nodes;
  }
  return found;
}

struct Inside {
  const Vec3& point;
  double default_tolerance;

  bool operator()(const InSet& /*unused*/) const { return false; }
  bool operator()(const AtPlane& plane) const {
    const double height = point[plane.axis] - plane.offset;
    if (plane.side == AtPlane::Side::Below) return height < 0;
    if (plane.side == AtPlane::Side::Above) return height > 0;
    return std::abs(height) <= (plane.tolerance < 0 ? default_tolerance : plane.tolerance);
  }
  bool operator()(const InBox& where) const {
    return (point.array() >= where.box.low.array()).all() &&
           (point.array() <= where.box.high.array()).all();
  }
  bool operator()(const InSphere& where) const {
    return (point - where.centre).norm() <= where.radius;
  }
};

std::string describe_sets(const NodeSets& sets) {
  if (sets.empty()) return "the model has no node sets";
  constexpr std::size_t kMostNamed = 20;
  std::string text = "node sets:";
  std::size_t count = 0;
  for (const auto& [name, nodes] : sets) {
    if (count++ == kMostNamed) {
      return text + fmt::format(" and {} more", sets.size() - kMostNamed);
    }
    text += fmt::format("{} {} ({} nodes)", count == 1 ? "" : ",", name, nodes.size());
  }
  return text;
}

Error nothing_selected(const NodeSets& sets, const geometry::Box& box,
                       const NodeSelection& selection, std::string_view why) {
  return bad_input(fmt::format(
      "the selection '{}' {}; the model reaches from ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, "
      "{:.6g}), {}",
      selection.text, why, box.low.x(), box.low.y(), box.low.z(), box.high.x(), box.high.y(),
      box.high.z(), describe_sets(sets)));
}

/// Errors contain only the reason.
Result<NodeSelection> parse(std::string_view text) {
  NodeSelection selection;
  selection.text = std::string(text);
  const std::size_t colon = text.find(':');
  std::string_view kind = colon == std::string_view::npos ? "" : text.substr(0, colon);
  std::string_view body = colon == std::string_view::npos ? text : text.substr(colon + 1);
  if (kind.find_first_of("=<>") != std::string_view::npos) {  // x<0.1:xy
    kind = "";
    body = text;
  }
  const std::size_t suffix = body.rfind(':');
  if (suffix != std::string_view::npos) {
    const auto components = parse_components(body.substr(suffix + 1));
    if (components) {
      selection.components = *components;
      body = body.substr(0, suffix);
    } else if (kind != "set") {  // a set's name may contain a colon
      return malformed("only the letters x, y and z may follow the last colon");
    }
  }
  if (kind == "set") {
    if (body.empty()) return malformed("the set has no name");
    selection.where = InSet{std::string(body)};
  } else if (kind == "plane" || kind.empty()) {
    SUPPLE_TRY(selection.where, parse_plane(body));
  } else if (kind == "box") {
    SUPPLE_TRY(selection.where, parse_box(body));
  } else if (kind == "sphere") {
    SUPPLE_TRY(selection.where, parse_sphere(body));
  } else {
    return malformed(fmt::format("'{}' is not a kind of selection", kind));
  }
  return selection;
}

}  // namespace

Result<NodeSelection> parse_selection(std::string_view text, std::string_view forms) {
  auto selection = parse(text);
  if (selection.ok()) return selection;
  return Error(ErrorCode::Usage,
               fmt::format("cannot read the selection '{}': {}; expected {}", text,
                           selection.error().message(), forms.empty() ? kForms : forms));
}

Result<std::vector<Index>> select_nodes(const std::vector<Vec3>& points, const NodeSets& sets,
                                        const NodeSelection& selection) {
  const geometry::Box box = geometry::bounding_box(points);
  std::vector<Index> chosen;
  if (const auto* named = std::get_if<InSet>(&selection.where)) {
    const std::vector<Index>* set = find_set(sets, named->name);
    if (set == nullptr)
      return nothing_selected(sets, box, selection, "names a set that does not exist");
    chosen = *set;
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    const auto count = static_cast<Index>(points.size());
    if (!chosen.empty() && (chosen.front() < 0 || chosen.back() >= count)) {
      return bad_input(
          fmt::format("the node set '{}' names a node that the mesh does not have", named->name));
    }
  } else {
    // Coordinates come from files with six or more digits.
    const double tolerance = 1e-6 * box.diagonal();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (std::visit(Inside{points[i], tolerance}, selection.where)) {
        chosen.push_back(static_cast<Index>(i));
      }
    }
  }
  if (chosen.empty()) return nothing_selected(sets, box, selection, "matches no node");
  return chosen;
}

Result<std::vector<Index>> select_nodes(const TetMesh& mesh, const NodeSelection& selection) {
  return select_nodes(mesh.nodes, mesh.node_sets, selection);
}

Result<std::size_t> fix(SolidModel& model, const NodeSelection& selection) {
  SUPPLE_TRY(const std::vector<Index> chosen, select_nodes(model.mesh, selection));
  model.fixed.resize(model.mesh.nodes.size(), 0);
  for (const Index node : chosen) {
    auto& bits = model.fixed[static_cast<std::size_t>(node)];
    bits = static_cast<std::uint8_t>(bits | selection.components);
  }
  return chosen.size();
}

}  // namespace supple::fem
