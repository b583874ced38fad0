// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/toml.hpp"

#include "settings/toml_guard.hpp"

// Errors come back as values, and nothing is printed with it.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// Tables within tables; with long keys in each they go deeper than this number says.
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

namespace supple::settings {
namespace {

Position position(const toml::source_position& at) {
  return {static_cast<std::uint32_t>(at.line), static_cast<std::uint32_t>(at.column)};
}

Value converted(const toml::node& node);

/// toml++ sorts by key; we keep the order of the file.
Value::Table converted_table(const toml::table& table) {
  Value::Table entries;
  entries.reserve(table.size());
  for (const auto& [key, node] : table) {
    entries.push_back(
        {std::string(key.str()), converted(node), position(key.source().begin), false});
  }
  std::ranges::sort(entries, {}, [](const Entry& entry) {
    return std::pair(entry.begin.line, entry.begin.column);
  });
  return entries;
}

Value converted(const toml::node& node) {
  Value value;
  value.begin = position(node.source().begin);
  value.end = position(node.source().end);
  if (const auto* flag = node.as_boolean()) {
    value.data = flag->get();
  } else if (const auto* whole = node.as_integer()) {
    value.data = whole->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.data = number->get();
  } else if (const auto* text = node.as_string()) {
    value.data = text->get();
  } else if (const auto* table = node.as_table()) {
    value.data = converted_table(*table);
  } else if (const auto* array = node.as_array()) {
    Value::List list;
    list.reserve(array->size());
    for (const toml::node& one : *array) list.push_back(converted(one));
    value.data = std::move(list);
  }
  return value;
}

}  // namespace

Result<Value> parse_toml(std::string_view text, std::string_view name) {
  SUPPLE_TRY_VOID(guard_toml(text, name));
  const toml::parse_result parsed = toml::parse(text, name);
  if (!parsed) {
    return error_at(position(parsed.error().source().begin), name,
                    bad_input(std::string(parsed.error().description())));
  }
  return converted(parsed.table());
}

}  // namespace supple::settings
