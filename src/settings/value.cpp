// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/value.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace supple::settings {
namespace {

std::optional<double> number_of(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) {
    return static_cast<double>(*whole);
  }
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  return {};
}

bool same_lists(const Value::List& a, const Value::List& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same);
}

bool same_tables(const Value::Table& a, const Value& b) {
  return a.size() == b.table()->size() && std::ranges::all_of(a, [&](const Entry& entry) {
           const Entry* other = b.find(entry.key);
           return other != nullptr && other->proposed == entry.proposed &&
                  same(entry.value, other->value);
         });
}

}  // namespace

const Entry* Value::find(std::string_view key) const {
  const Table* entries = table();
  if (entries == nullptr) return nullptr;
  const auto found = std::ranges::find(*entries, key, &Entry::key);
  return found == entries->end() ? nullptr : &*found;
}

bool same(const Value& a, const Value& b) {
  if (const auto x = number_of(a)) {
    const auto y = number_of(b);
    return y && (*x == *y || (std::isnan(*x) && std::isnan(*y)));
  }
  if (a.data.index() != b.data.index()) return false;
  if (const auto* list = a.list()) return same_lists(*list, *b.list());
  if (const auto* table = a.table()) return same_tables(*table, b);
  if (const auto* text = std::get_if<std::string>(&a.data)) {
    return *text == std::get<std::string>(b.data);
  }
  if (const auto* flag = std::get_if<bool>(&a.data)) return *flag == std::get<bool>(b.data);
  return true;
}

}  // namespace supple::settings
