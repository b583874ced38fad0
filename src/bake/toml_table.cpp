// SPDX-License-Identifier: Apache-2.0
#include "bake/toml_table.hpp"

#include "bake/toml_guard.hpp"

#include "supple/core/suggest.hpp"

// Errors come back as values, and nothing is printed with it.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// Tables within tables; with long keys in each they go deeper than this number says.
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace supple::bake {

struct TomlTable::Shared {
  std::string file;
  std::optional<Error> error;
};

struct TomlTable::Node {
  const toml::table& table;
};

namespace {

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

Error placed(Error error, const std::string& file, const toml::source_position& at) {
  return std::move(error).at(file, at.line, at.column);
}

}  // namespace

TomlTable::TomlTable(Shared& shared, const Node& node, std::string title)
    : m_shared(&shared), m_node(&node), m_title(std::move(title)) {}

bool TomlTable::good() const {
  return !m_shared->error.has_value();
}

bool TomlTable::has(std::string_view key) const {
  return m_node->table.contains(key);
}

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::pair<toml::source_position, std::string>> found;
  for (const auto& [key, node] : m_node->table) {
    found.emplace_back(key.source().begin, std::string(key.str()));
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  std::vector<std::string> names;
  names.reserve(found.size());
  for (auto& [place, key] : found) names.push_back(std::move(key));
  return names;
}

void TomlTable::ask_for(std::string_view key) {
  m_asked.emplace_back(key);
}

void TomlTable::known(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) ask_for(key);
}

void TomlTable::all_known() {
  for (const std::string& key : keys()) ask_for(key);
}

void TomlTable::fail_at(std::string_view key, Error error) {
  if (!good()) return;
  const toml::node* node = m_node->table.get(key);
  const toml::source_region& place = node != nullptr ? node->source() : m_node->table.source();
  m_shared->error = placed(std::move(error), m_shared->file, place.begin);
}

void TomlTable::wrong_type(std::string_view key, std::string_view expected) {
  const toml::node* node = m_node->table.get(key);
  fail_at(key, bad_input(fmt::format("{}{} is {}; it must be {}", m_title, key, type_name(*node),
                                     expected)));
}

bool TomlTable::number(std::string_view key, double& value) {
  ask_for(key);
  const toml::node* node = m_node->table.get(key);
  if (node == nullptr) return false;
  const auto read = node->value<double>();
  if (!node->is_number() || !read) {
    wrong_type(key, "a number");
    return false;
  }
  value = *read;
  return true;
}

std::optional<std::int64_t> TomlTable::read_integer(std::string_view key, std::int64_t low,
                                                    std::int64_t high) {
  ask_for(key);
  const toml::node* node = m_node->table.get(key);
  if (node == nullptr) return {};
  if (!node->is_integer()) {
    wrong_type(key, "a whole number");
    return {};
  }
  const std::int64_t read = **node->as_integer();
  if (read < low || read > high) {
    fail_at(key, bad_input(fmt::format("{}{} is {}; it must be from {} to {}", m_title, key, read,
                                       low, high)));
    return {};
  }
  return read;
}

bool TomlTable::boolean(std::string_view key, bool& value) {
  ask_for(key);
  if (!has(key)) return false;
  const auto read = take_if_boolean(key);
  if (!read) {
    wrong_type(key, "true or false");
    return false;
  }
  value = *read;
  return true;
}

bool TomlTable::text(std::string_view key, std::string& value) {
  ask_for(key);
  if (!has(key)) return false;
  auto read = take_if_string(key);
  if (!read) {
    wrong_type(key, "text in quotes");
    return false;
  }
  value = *std::move(read);
  return true;
}

bool TomlTable::texts(std::string_view key, std::vector<std::string>& values) {
  ask_for(key);
  const toml::node* node = m_node->table.get(key);
  if (node == nullptr) return false;
  const toml::array* list = node->as_array();
  std::vector<std::string> read;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    if (const auto* word = list->get(i)->as_string()) read.push_back(word->get());
  }
  if (list == nullptr || read.size() != list->size()) {
    wrong_type(key, "a list of texts, such as [\"Hips\", \"Spine\"]");
    return false;
  }
  values = std::move(read);
  return true;
}

bool TomlTable::numbers(std::string_view key, std::array<double, 3>& values) {
  ask_for(key);
  const toml::node* node = m_node->table.get(key);
  if (node == nullptr) return false;
  const toml::array* list = node->as_array();
  std::array<double, 3> read{};
  bool right = list != nullptr && list->size() == read.size();
  for (std::size_t i = 0; right && i < read.size(); ++i) {
    const auto number = list->get(i)->value<double>();
    right = list->get(i)->is_number() && number.has_value();
    if (right) read[i] = *number;
  }
  if (!right) {
    constexpr std::string_view kExpected = "a list of three numbers, such as [1, 0, -2.5]";
    if (list != nullptr && list->size() != read.size()) {
      fail_at(key, bad_input(fmt::format("{}{} is a list of {}; it must be {}", m_title, key,
                                         list->size(), kExpected)));
    } else {
      wrong_type(key, kExpected);
    }
    return false;
  }
  values = read;
  return true;
}

std::optional<std::string> TomlTable::take_if_string(std::string_view key) {
  ask_for(key);
  const toml::node* node = m_node->table.get(key);
  if (node == nullptr || !node->is_string()) return {};
  return node->as_string()->get();
}

std::optional<bool> TomlTable::take_if_boolean(std::string_view key) {
  ask_for(key);
  const toml::node* node = m_node->table.get(key);
  if (node == nullptr || !node->is_boolean()) return {};
  return node->as_boolean()->get();
}

void TomlTable::table(std::string_view key, std::string_view expected,
                      const std::function<void(TomlTable&)>& read) {
  ask_for(key);
  const toml::node* node = m_node->table.get(key);
  if (node == nullptr || !good()) return;
  if (!node->is_table()) return wrong_type(key, expected);
  const Node inner{*node->as_table()};
  TomlTable table(*m_shared, inner, fmt::format("{}{}.", m_title, key));
  read(table);
  table.finish();
}

void TomlTable::tables(std::string_view key, const std::function<void(TomlTable&)>& read) {
  ask_for(key);
  const toml::node* node = m_node->table.get(key);
  if (node == nullptr || !good()) return;
  const toml::array* list = node->as_array();
  if (list == nullptr || (!list->empty() && !list->is_homogeneous(toml::node_type::table))) {
    return wrong_type(key, fmt::format("a list of tables: [[{0}]] or {0} = [{{..}}, ..]", key));
  }
  for (std::size_t i = 0; i < list->size() && good(); ++i) {
    const Node inner{*list->get(i)->as_table()};
    TomlTable table(*m_shared, inner, fmt::format("{}{}[{}].", m_title, key, i + 1));
    read(table);
    table.finish();
  }
}

void TomlTable::require(std::string_view key) {
  if (has(key)) return;
  const std::string owner = m_title.empty() ? "the file" : m_title.substr(0, m_title.size() - 1);
  fail_at(key, bad_input(fmt::format("{} has no {}", owner, key)));
}

void TomlTable::finish() {
  for (const std::string& key : keys()) {
    if (!good()) return;
    if (std::find(m_asked.begin(), m_asked.end(), key) != m_asked.end()) continue;
    const std::string near = did_you_mean(key, m_asked);
    std::string all;
    if (near.empty()) {
      std::sort(m_asked.begin(), m_asked.end());
      m_asked.erase(std::unique(m_asked.begin(), m_asked.end()), m_asked.end());
      all = fmt::format("; known are {}", fmt::join(m_asked, ", "));
    }
    const auto place = std::find_if(m_node->table.begin(), m_node->table.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    m_shared->error =
        placed(bad_input(fmt::format("there is no key {}{}{}{}", m_title, key, near, all)),
               m_shared->file, place->first.source().begin);
  }
}

void TomlTable::visit_alone(const std::string& key,
                            const std::function<void(TomlTable&)>& read) const {
  toml::table single;
  single.insert(key, *m_node->table.get(key));
  const Node inner{single};
  Shared shared{m_shared->file, {}};
  TomlTable table(shared, inner, m_title);
  read(table);
}

Result<void> read_toml(std::string_view text, std::string_view name,
                       const std::function<void(TomlTable&)>& read) {
  SUPPLE_TRY_VOID(guard_toml(text, name));
  toml::parse_result parsed = toml::parse(text, name);
  if (!parsed) {
    return placed(bad_input(std::string(parsed.error().description())), std::string(name),
                  parsed.error().source().begin);
  }
  TomlTable::Shared shared{std::string(name), {}};
  const TomlTable::Node node{parsed.table()};
  TomlTable root(shared, node, "");
  read(root);
  root.finish();
  if (shared.error) return *std::move(shared.error);
  return {};
}

}  // namespace supple::bake
