// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/deck.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace supple::io::detail {

/// A line of the deck or of an included file; small, because every element has one.
struct DeckOrigin {
  std::uint32_t file = 0;
  std::uint32_t line = 0;
};

/// Labels first, first + step ... last. They need not exist: a range may claim anything.
struct LabelRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;
  DeckOrigin origin;
};

struct DeckSet {
  struct Member {
    std::string name;  ///< of another set of the same kind
    DeckOrigin origin;
  };
  std::string name;  ///< as first written
  std::vector<LabelRange> ranges;
  std::vector<Member> members;

  /// Joins the label to the last range if it continues it; implicit sets ("*NODE, NSET=") do so
  /// across lines.
  void add(std::int64_t label, DeckOrigin origin, bool over_lines);
};

/// Set names are case-insensitive; keys are upper case.
using DeckSets = std::map<std::string, DeckSet>;

struct DeckSection {
  std::string elset;
  std::string material;
  DeckOrigin origin;
};

struct DeckSupport {
  std::string target;  ///< a node label or the name of a node set
  std::uint8_t bits = 0;
  DeckOrigin origin;
};

/// A deck as written: labels and names, not yet resolved, because cards come in any order.
struct DeckData {
  std::deque<std::string> files;  ///< a deque, so that views of the names stay valid
  std::size_t bytes = 0;          ///< read in total
  std::vector<std::int64_t> node_labels;
  std::vector<geometry::Vec3> nodes;
  std::vector<DeckOrigin> node_origins;
  std::optional<geometry::TetOrder> order;
  std::vector<std::int64_t> element_labels;
  std::vector<std::int64_t> element_nodes;
  std::vector<DeckOrigin> element_origins;
  DeckSets node_sets;
  DeckSets element_sets;
  std::vector<DeckMaterial> materials;
  std::vector<DeckSection> sections;
  std::vector<DeckSupport> supports;
  std::optional<int> requested_modes;

  [[nodiscard]] Error error(DeckOrigin origin, std::string message) const;
};

/// Resolves and checks everything.
[[nodiscard]] Result<Deck> resolve_deck(DeckData data);

}  // namespace supple::io::detail
