// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::bake {

/// A table of a TOML file while it is read key by key. The first failure is kept with its line and
/// column, and everything after it is ignored, so that readers stay lists of keys. A key that
/// nobody asked for is a failure at the end. Only toml_table.cpp knows the parser.
class TomlTable {
 public:
  struct Shared;  ///< file name and first failure, one for all tables of a file
  struct Node;    ///< the parser's table

  TomlTable(Shared& shared, const Node& node, std::string title);

  [[nodiscard]] bool good() const;
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> keys() const;  ///< in the order of the file

  /// Sets the value and returns true if the key is there and right.
  bool number(std::string_view key, double& value);
  bool boolean(std::string_view key, bool& value);
  bool text(std::string_view key, std::string& value);
  bool texts(std::string_view key, std::vector<std::string>& values);
  /// A list of exactly three.
  bool numbers(std::string_view key, std::array<double, 3>& values);
  template <class Int>
  bool integer(std::string_view key, Int& value) {
    constexpr std::int64_t kLow = std::numeric_limits<Int>::is_signed ? -kMost : 0;
    const auto read = read_integer(key, kLow, kMost);
    if (read) value = static_cast<Int>(*read);
    return read.has_value();
  }

  /// Values that may have several types: nothing if it is not there or of another one.
  std::optional<std::string> take_if_string(std::string_view key);
  std::optional<bool> take_if_boolean(std::string_view key);

  /// A table or each of a list of them; `expected` stands in the message about another type.
  void table(std::string_view key, std::string_view expected,
             const std::function<void(TomlTable&)>& read);
  void tables(std::string_view key, const std::function<void(TomlTable&)>& read);

  void require(std::string_view key);
  /// Keys that are right although nobody asked for their value.
  void known(std::initializer_list<std::string_view> keys);
  /// For a table that is read in several passes: the other passes judge its keys.
  void all_known();
  /// At the key's place, or at the table's if it is not there.
  void fail_at(std::string_view key, Error error);
  /// For the owner of the table, once all keys were read.
  void finish();

  /// What `read` makes of this key and no other.
  template <class Read>
  [[nodiscard]] auto alone(const std::string& key, Read read) const {
    std::optional<decltype(read(std::declval<TomlTable&>()))> value;
    visit_alone(key, [&](TomlTable& table) { value = read(table); });
    return *std::move(value);
  }

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

  std::optional<std::int64_t> read_integer(std::string_view key, std::int64_t low,
                                           std::int64_t high);
  void visit_alone(const std::string& key, const std::function<void(TomlTable&)>& read) const;
  void wrong_type(std::string_view key, std::string_view expected);
  void ask_for(std::string_view key);

  Shared* m_shared;
  const Node* m_node;
  std::string m_title;
  std::vector<std::string> m_asked;
};

/// Parses the file and reads its root. `name` stands in messages.
[[nodiscard]] Result<void> read_toml(std::string_view text, std::string_view name,
                                     const std::function<void(TomlTable&)>& read);

}  // namespace supple::bake
