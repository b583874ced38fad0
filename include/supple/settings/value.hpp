// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace supple::settings {

/// A place in a text, counted from 1. Line 0: the value did not come from a text.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Entry;

/// What a settings file can say, whatever its syntax. Values that no setting has, such as dates,
/// are std::monostate.
struct Value {
  using List = std::vector<Value>;
  using Table = std::vector<Entry>;  ///< in the order of the file

  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Table> data;
  Position begin = {};
  Position end = {};  ///< just behind it

  [[nodiscard]] const List* list() const { return std::get_if<List>(&data); }
  [[nodiscard]] const Table* table() const { return std::get_if<Table>(&data); }
  /// The entry of a table; null if there is none, or if this is not a table.
  [[nodiscard]] const Entry* find(std::string_view key) const;
};

struct Entry {
  std::string key;
  Value value;
  Position begin = {};    ///< of the key
  bool proposed = false;  ///< nobody asked for it: printed, but as a comment
};

/// Compares what values say and not where. 2 and 2.0 are the same number, NaN equals itself, and
/// the order of keys does not matter.
[[nodiscard]] bool same(const Value& a, const Value& b);

}  // namespace supple::settings
