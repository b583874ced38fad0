// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/deck/data.hpp"
#include "io/text_cursor.hpp"

#include "supple/core/files.hpp"

#include <deque>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace supple::io::detail {

/// A keyword line: "*SOLID SECTION, ELSET=A" is SOLIDSECTION with ELSET = A.
struct DeckCard {
  std::string name;  ///< upper case, blanks removed, without the star
  std::vector<std::pair<std::string, std::string>> parameters;  ///< keys in upper case
  DeckOrigin origin;

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] const std::string* find(std::string_view key) const;
};

/// Turns text into DeckData. Included files are put in place of their card, so they may contain
/// cards, or data lines of the card before them, as Abaqus allows.
class DeckParser {
 public:
  /// Without `directory`, *INCLUDE is an error.
  DeckParser(std::string_view text, std::string_view name,
             std::optional<std::filesystem::path> directory);
  [[nodiscard]] Result<DeckData> run();

 private:
  enum class Line { Data, Card, End };
  struct Source {
    TextCursor cursor;
    std::uint32_t file = 0;
  };
  using Handler = Result<void> (DeckParser::*)(const DeckCard&);

  // Lines and cards (deck_parser.cpp).
  [[nodiscard]] TextCursor& at() { return m_stack.back().cursor; }
  [[nodiscard]] DeckOrigin origin() const;
  [[nodiscard]] Result<Line> find_line();
  [[nodiscard]] Result<bool> find_data_line();
  [[nodiscard]] bool at_include() const;
  [[nodiscard]] Result<void> include();
  [[nodiscard]] DeckCard read_card();
  [[nodiscard]] std::vector<std::string_view> read_fields();
  [[nodiscard]] Result<void> skip_data();
  [[nodiscard]] Result<std::string> need(const DeckCard& card, std::string_view key);
  [[nodiscard]] Result<void> handle(const DeckCard& card);
  [[nodiscard]] static Handler handler_of(std::string_view name);

  // One function per card: deck_mesh_cards.cpp ...
  [[nodiscard]] Result<void> read_nodes(const DeckCard& card);
  [[nodiscard]] Result<void> read_elements(const DeckCard& card);
  [[nodiscard]] Result<void> read_node_set(const DeckCard& card);
  [[nodiscard]] Result<void> read_element_set(const DeckCard& card);
  // ... and deck_model_cards.cpp.
  [[nodiscard]] Result<void> read_material(const DeckCard& card);
  [[nodiscard]] Result<void> read_elastic(const DeckCard& card);
  [[nodiscard]] Result<void> read_density(const DeckCard& card);
  [[nodiscard]] Result<void> read_section(const DeckCard& card);
  [[nodiscard]] Result<void> read_boundary(const DeckCard& card);
  [[nodiscard]] Result<void> read_frequency(const DeckCard& card);
  [[nodiscard]] Result<void> read_part(const DeckCard& card);
  [[nodiscard]] Result<void> read_instance(const DeckCard& card);

  [[nodiscard]] Result<std::int64_t> take_label(std::string_view what);
  [[nodiscard]] Result<void> read_element(std::size_t width, DeckSet* set);
  [[nodiscard]] Result<void> read_set(const DeckCard& card, std::string_view key, DeckSets& sets);
  [[nodiscard]] Result<void> read_range(DeckSet& set);
  [[nodiscard]] Result<std::vector<std::optional<double>>> read_row(const DeckCard& card,
                                                                    std::size_t count);
  [[nodiscard]] Result<DeckMaterial*> current_material(const DeckCard& card);
  [[nodiscard]] Result<void> read_support();
  [[nodiscard]] Result<std::uint8_t> support_bits(const std::vector<std::string_view>& fields,
                                                  DeckOrigin place);

  DeckData m_data;
  std::vector<Source> m_stack;
  std::deque<Bytes> m_texts;  // of included files; must not move in memory
  std::optional<std::filesystem::path> m_directory;
  std::set<std::filesystem::path> m_included;
  std::size_t m_includes = 0;
  std::size_t m_repeated_bytes = 0;
  std::size_t m_parts = 0;
  std::size_t m_instances = 0;
};

}  // namespace supple::io::detail
