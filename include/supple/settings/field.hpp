// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/settings/value.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Settings structs described as data: one list of fields per struct. Reading, printing, checking
/// and documenting all follow the list. fields.hpp has what declares one.
namespace supple::settings {

/// The numbers that a setting may have: from(0).below(1). Only finite numbers are in any range.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;  ///< the end itself does not belong to it
  bool high_open = false;

  [[nodiscard]] constexpr Range to(double most) const { return {low, most, low_open, false}; }
  [[nodiscard]] constexpr Range below(double end) const { return {low, end, low_open, true}; }
  [[nodiscard]] bool contains(double value) const;
};
[[nodiscard]] constexpr Range from(double least) {
  return Range{.low = least};
}
[[nodiscard]] constexpr Range above(double end) {
  return Range{.low = end, .low_open = true};
}

/// What a value looks like in a file.
enum class Kind { Switch, Whole, Number, Text, Texts, Numbers, Vector, Word, Table, Tables };

struct FieldList;

/// Where a value lives in a settings struct; std::monostate: FieldList::complete puts it there.
struct VectorSlot {
  double* xyz;
};
struct WordSlot {
  void* owner;
  std::optional<std::size_t> (*get)(void* owner);  ///< nothing: it is none of the words
  void (*set)(void* owner, std::size_t word);
};
struct TableSlot {
  void* settings;
};
struct TablesSlot {
  void* owner;
  std::size_t (*size)(const void* owner);
  void* (*at)(void* owner, std::size_t index);
  void* (*append)(void* owner);
  void (*clear)(void* owner);
};
using Slot = std::variant<std::monostate, bool*, int*, std::size_t*, double*, std::string*,
                          std::vector<std::string>*, std::vector<double>*, VectorSlot, WordSlot,
                          TableSlot, TablesSlot>;

/// One way to write a value. Most settings have one; others have several, such as a number or
/// "auto", {ratio = ..} or {settle = ..}.
struct Form {
  Kind kind = Kind::Number;
  Slot (*make)(void* settings) = nullptr;                 ///< gives the setting this form
  std::optional<Slot> (*view)(void* settings) = nullptr;  ///< nothing while it has another form
  void* (*within)(void* settings) = nullptr;  ///< the struct that make and view expect, if inside
  Range range;                                ///< of numbers
  std::vector<std::string> words;
  std::string_view words_are;                              ///< "a preset"
  const FieldList* keys = nullptr;                         ///< of tables
  Result<void> (*check_text)(std::string_view) = nullptr;  ///< for texts with a syntax

  [[nodiscard]] Slot make_slot(void* settings) const;
  [[nodiscard]] std::optional<Slot> view_slot(const void* settings) const;
};

struct Field {
  std::string key;
  std::string_view unit;
  /// One line: the comment in printed files, the hint of messages and editors.
  std::string_view description;
  std::string_view details;  ///< what only the documentation says besides
  std::string_view usually;  ///< the default in words, where it depends on other settings
  std::vector<Form> forms;
  std::string_view instead_of;  ///< an earlier key that it excludes
  bool required = false;
  bool omit_empty = false;                  ///< an empty text is not printed
  bool section = false;                     ///< printed as [key] or [[key]]
  bool rows = false;                        ///< a list of tables printed one to a line
  bool (*proposed)(const void*) = nullptr;  ///< see Entry::proposed
};

/// What is wrong with several settings together.
struct Complaint {
  std::string text;
  /// The keys to blame, such as "ramp" or "object[2].name". If the file has exactly one of them,
  /// the complaint has its place, else that of the table.
  std::vector<std::string> keys;
};

/// The fields of one struct, whose address everything below takes as void*.
struct FieldList {
  std::vector<Field> fields;
  const void* defaults = nullptr;
  std::shared_ptr<void> (*create)() = nullptr;  ///< a struct of defaults
  /// How messages call the struct: "object 'belly'". None: by the key that it stands under.
  std::string (*title)(const void* settings) = nullptr;
  /// Runs when a table has been read: defaults that depend on other keys.
  void (*complete)(void* settings, const Value& table) = nullptr;
  std::vector<std::function<std::optional<Complaint>(const void*)>> rules;
  bool open = false;  ///< keys that it does not know are left to the caller

  [[nodiscard]] const Field* find(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> keys() const;
};

/// Fills the struct from a table. Unknown keys, wrong types, and what `check` finds, are errors
/// with a place. An empty `file` stands for values that did not come from one; `path` is that of
/// the table in its file.
[[nodiscard]] Result<void> read(const FieldList& list, const Value& table, std::string_view file,
                                void* settings, const std::string& path = {});

/// The struct as a table of all keys that apply to it, in the order of the list.
[[nodiscard]] Value write(const FieldList& list, const void* settings);
/// The same without the keys that have their defaults.
[[nodiscard]] Value write_changed(const FieldList& list, const void* settings);
[[nodiscard]] Value without_defaults(const FieldList& list, Value table);

/// Ranges and rules, for a struct that was filled by code.
[[nodiscard]] Result<void> check(const FieldList& list, const void* settings);

/// "bake.toml:3:9: ..." where the value has a place.
[[nodiscard]] Error error_at(const Position& place, std::string_view file, Error error);
/// For a key that is not known; `path` is that of its table.
[[nodiscard]] Error unknown_key(const Entry& entry, std::string_view path, std::string_view file,
                                const std::vector<std::string>& known);
/// The value's type is wrong. `path` is its whole path.
[[nodiscard]] Error wrong_type(const Value& value, std::string_view path, std::string_view file,
                               std::string_view expected);

/// "object[2].damping.ratio", of which the beginning may be missing.
[[nodiscard]] std::string join_path(std::string_view path, std::string_view key);
/// What stands at a path. Where the path leads nowhere, the last value on the way.
[[nodiscard]] const Value& locate(const Value& table, std::string_view path);

/// The form that a value has; null where it has none of the field's.
[[nodiscard]] const Form* find_form(const Field& field, const Value& value);
/// "a number or \"auto\"": all forms in words.
[[nodiscard]] std::string expected_text(const Field& field);
/// "from 1 to 1000 Hz"
[[nodiscard]] std::string range_text(const Form& form, std::string_view unit);

}  // namespace supple::settings
