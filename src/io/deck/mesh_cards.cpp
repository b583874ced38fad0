// SPDX-License-Identifier: Apache-2.0
#include "io/deck/parser.hpp"

#include <fmt/format.h>

#include <limits>

namespace supple::io::detail {
namespace {

constexpr auto kMaxLabel = static_cast<std::int64_t>(std::numeric_limits<geometry::Index>::max());

DeckSet& set_named(DeckSets& sets, const std::string& name) {
  DeckSet& set = sets[to_upper(name)];
  if (set.name.empty()) set.name = name;
  return set;
}

}  // namespace

void DeckSet::add(std::int64_t label, DeckOrigin origin, bool over_lines) {
  if (!ranges.empty()) {
    LabelRange& range = ranges.back();
    const bool same_line = range.origin.file == origin.file && range.origin.line == origin.line;
    if (range.step == 1 && range.last + 1 == label && (over_lines || same_line)) {
      range.last = label;
      return;
    }
  }
  ranges.push_back({label, label, 1, origin});
}

Result<std::int64_t> DeckParser::take_label(std::string_view what) {
  std::int64_t label = 0;
  if (!at().take_integer(label)) return at().expected(what);
  if (label < 1 || label > kMaxLabel) {
    return at().error(fmt::format("{} {} is not between 1 and {}", what, label, kMaxLabel));
  }
  return label;
}

Result<void> DeckParser::read_nodes(const DeckCard& card) {
  for (const std::string_view unsupported : {"INPUT", "SYSTEM"}) {
    if (card.has(unsupported)) {
      return m_data.error(card.origin, fmt::format("*NODE, {} is not supported", unsupported));
    }
  }
  const std::string* set_name = card.find("NSET");
  DeckSet* set = set_name == nullptr ? nullptr : &set_named(m_data.node_sets, *set_name);
  while (true) {
    SUPPLE_TRY(const bool more, find_data_line());
    if (!more) return {};
    SUPPLE_TRY(const std::int64_t label, take_label("node number"));
    TextCursor& cursor = at();
    geometry::Vec3 point = geometry::Vec3::Zero();  // missing coordinates are zero
    for (double& coordinate : point.reshaped()) {
      cursor.skip_blanks();
      if (!cursor.take(',')) break;
      cursor.skip_blanks();
      if (cursor.at_line_end() || cursor.peek() == ',') continue;
      if (!cursor.take_real(coordinate)) return cursor.expected("a coordinate");
    }
    cursor.skip_blanks();
    if (!cursor.at_line_end() && cursor.peek() != ',') return cursor.expected("',' or a new line");
    if (!point.allFinite()) {
      return cursor.error(fmt::format("node {} has a coordinate that is not finite", label));
    }
    if (set != nullptr) set->add(label, origin(), true);
    m_data.node_labels.push_back(label);
    m_data.nodes.push_back(point);
    m_data.node_origins.push_back(origin());
    cursor.next_line();
  }
}

Result<void> DeckParser::read_elements(const DeckCard& card) {
  SUPPLE_TRY(const std::string type, need(card, "TYPE"));
  const std::string upper = to_upper(type);
  const bool linear = upper == "C3D4";
  if (!linear && upper != "C3D10" && upper != "C3D10T") {
    return m_data.error(card.origin, fmt::format("element type {} is not supported; C3D4 and C3D10 "
                                                 "are",
                                                 in_quotes(type)));
  }
  if (card.has("INPUT")) {
    return m_data.error(card.origin, "*ELEMENT, INPUT is not supported; use *INCLUDE");
  }
  const auto order = linear ? geometry::TetOrder::Linear : geometry::TetOrder::Quadratic;
  if (m_data.order && *m_data.order != order) {
    return m_data.error(card.origin,
                        "the deck mixes C3D4 and C3D10 elements, which do not fit together");
  }
  m_data.order = order;
  const std::string* set_name = card.find("ELSET");
  DeckSet* set = set_name == nullptr ? nullptr : &set_named(m_data.element_sets, *set_name);
  while (true) {
    SUPPLE_TRY(const bool more, find_data_line());
    if (!more) return {};
    SUPPLE_TRY_VOID(read_element(linear ? 4 : 10, set));
    at().next_line();
  }
}

/// Label and nodes, over several lines if needed.
Result<void> DeckParser::read_element(std::size_t width, DeckSet* set) {
  const DeckOrigin start = origin();
  SUPPLE_TRY(const std::int64_t label, take_label("element number"));
  for (std::size_t k = 0; k < width; ++k) {
    at().skip_blanks();
    const bool comma = at().take(',');
    at().skip_blanks();
    if (at().at_line_end()) {
      SUPPLE_TRY(const bool more, find_data_line());
      if (!more) {
        return m_data.error(start,
                            fmt::format("element {} has {} of its {} nodes", label, k, width));
      }
    } else if (!comma) {
      return at().expected("','");
    }
    SUPPLE_TRY(const std::int64_t node, take_label("node number"));
    m_data.element_nodes.push_back(node);
  }
  at().skip_blanks();
  static_cast<void>(at().take(','));
  at().skip_blanks();
  if (!at().at_line_end()) {
    return at().error(fmt::format("element {} has more than {} nodes", label, width));
  }
  m_data.element_labels.push_back(label);
  m_data.element_origins.push_back(start);
  if (set != nullptr) set->add(label, start, true);
  return {};
}

Result<void> DeckParser::read_node_set(const DeckCard& card) {
  if (card.has("ELSET")) {
    return m_data.error(card.origin, "*NSET, ELSET is not supported; list the nodes");
  }
  return read_set(card, "NSET", m_data.node_sets);
}

Result<void> DeckParser::read_element_set(const DeckCard& card) {
  return read_set(card, "ELSET", m_data.element_sets);
}

Result<void> DeckParser::read_set(const DeckCard& card, std::string_view key, DeckSets& sets) {
  SUPPLE_TRY(const std::string name, need(card, key));
  DeckSet& set = set_named(sets, name);
  const bool generate = card.has("GENERATE");
  while (true) {
    SUPPLE_TRY(const bool more, find_data_line());
    if (!more) return {};
    if (generate) {
      SUPPLE_TRY_VOID(read_range(set));
      continue;
    }
    const DeckOrigin place = origin();
    for (const std::string_view field : read_fields()) {
      std::int64_t label = 0;
      if (field.empty()) continue;
      if (!parse_integer(field, label)) {
        set.members.push_back({std::string(field), place});
      } else if (label < 1 || label > kMaxLabel) {
        return m_data.error(place, fmt::format("{} is not a label", label));
      } else {
        set.add(label, place, false);
      }
    }
  }
}

Result<void> DeckParser::read_range(DeckSet& set) {
  LabelRange range;
  range.origin = origin();
  const std::vector<std::string_view> fields = read_fields();
  const bool numbers =
      fields.size() >= 2 && parse_integer(fields[0], range.first) &&
      parse_integer(fields[1], range.last) &&
      (fields.size() < 3 || fields[2].empty() || parse_integer(fields[2], range.step));
  if (!numbers || range.first < 1 || range.last < range.first || range.last > kMaxLabel ||
      range.step < 1 || range.step > kMaxLabel) {
    return m_data.error(range.origin,
                        "GENERATE needs 'first, last, step' with 1 <= first <= last, step >= 1");
  }
  set.ranges.push_back(range);
  return {};
}

}  // namespace supple::io::detail
