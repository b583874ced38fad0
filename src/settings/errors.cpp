// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/field.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace supple::settings {
namespace {

struct TypeName {
  std::string_view operator()(std::monostate) const { return "a date or time"; }
  std::string_view operator()(bool) const { return "true or false"; }
  std::string_view operator()(std::int64_t) const { return "a whole number"; }
  std::string_view operator()(double) const { return "a number"; }
  std::string_view operator()(const std::string&) const { return "text"; }
  std::string_view operator()(const Value::List&) const { return "a list"; }
  std::string_view operator()(const Value::Table&) const { return "a table"; }
};

/// Takes "key" or "key[2]" off the front of a path; the index is 0 where there is none.
std::pair<std::string_view, std::size_t> take_step(std::string_view& path) {
  std::string_view step = path.substr(0, path.find('.'));
  path.remove_prefix(std::min(step.size() + 1, path.size()));
  std::size_t index = 0;
  if (const std::size_t bracket = step.find('['); bracket != std::string_view::npos) {
    std::from_chars(step.data() + bracket + 1, step.data() + step.size(), index);
    step = step.substr(0, bracket);
  }
  return {step, index};
}

}  // namespace

Error error_at(const Position& place, std::string_view file, Error error) {
  if (place.line == 0 || file.empty()) return error;
  return std::move(error).at(file, place.line, place.column);
}

Error unknown_key(const Entry& entry, std::string_view path, std::string_view file,
                  const std::vector<std::string>& known) {
  std::vector<std::string> sorted = known;
  std::ranges::sort(sorted);
  return error_at(
      entry.begin, file,
      bad_input(fmt::format("there is no key {}{}; known are {}", join_path(path, entry.key),
                            did_you_mean(entry.key, known), fmt::join(sorted, ", "))));
}

Error wrong_type(const Value& value, std::string_view path, std::string_view file,
                 std::string_view expected) {
  return error_at(value.begin, file,
                  bad_input(fmt::format("{} is {}; it must be {}", path,
                                        std::visit(TypeName{}, value.data), expected)));
}

std::string join_path(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

const Value& locate(const Value& table, std::string_view path) {
  const Value* here = &table;
  while (!path.empty()) {
    const auto [key, index] = take_step(path);
    const Entry* entry = here->find(key);
    if (entry == nullptr) break;
    here = &entry->value;
    if (index == 0) continue;
    if (here->list() == nullptr || index > here->list()->size()) break;
    here = &(*here->list())[index - 1];
  }
  return *here;
}

}  // namespace supple::settings
