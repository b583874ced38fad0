// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/json.hpp"

#include "settings/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <limits>

namespace supple::settings {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 16;  // settings have six levels

Json json_of(const Value& value);

struct JsonOf {
  Json operator()(std::monostate) const { return {}; }
  Json operator()(bool value) const { return value; }
  Json operator()(std::int64_t value) const { return value; }
  Json operator()(double value) const { return value; }
  Json operator()(const std::string& value) const { return value; }
  Json operator()(const Value::List& list) const {
    Json json = Json::array();
    for (const Value& value : list) json.push_back(json_of(value));
    return json;
  }
  Json operator()(const Value::Table& table) const {
    Json json = Json::object();
    for (const Entry& entry : table) {
      if (!entry.proposed) json[entry.key] = json_of(entry.value);
    }
    return json;
  }
};

Json json_of(const Value& value) {
  return std::visit(JsonOf{}, value.data);
}

Result<Value> value_of(const Json& json, int depth) {
  if (depth > kDeepest) return bad_input("settings are not nested so deeply");
  if (json.is_boolean()) return Value{.data = json.get<bool>()};
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > kMost) {
    return Value{.data = json.get<double>()};
  }
  if (json.is_number_integer()) return Value{.data = json.get<std::int64_t>()};
  if (json.is_number()) return Value{.data = json.get<double>()};
  if (json.is_string()) return Value{.data = json.get<std::string>()};
  if (json.is_array()) {
    Value::List list;
    for (const Json& one : json) {
      SUPPLE_TRY(Value value, value_of(one, depth + 1));
      list.push_back(std::move(value));
    }
    return Value{.data = std::move(list)};
  }
  if (json.is_object()) {
    Value::Table table;
    for (const auto& [key, one] : json.items()) {
      SUPPLE_TRY(Value value, value_of(one, depth + 1));
      table.push_back({key, std::move(value)});
    }
    return Value{.data = std::move(table)};
  }
  return bad_input("a null in the settings; leave the key out instead");
}

/// File names need not be UTF-8.
std::string dumped(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json describe(const FieldList& list);

/// What the words of a field stand for, where it can be written as a table too.
Json meanings(const FieldList& list, const Field& field, const Form& words) {
  Json json = Json::object();
  for (const Form& form : field.forms) {
    if (form.kind != Kind::Table) continue;
    for (std::size_t i = 0; i < words.words.size(); ++i) {
      const std::shared_ptr<void> settings = list.create();
      const auto slot = std::get<WordSlot>(words.make_slot(settings.get()));
      slot.set(slot.owner, i);
      const auto seen = form.view_slot(settings.get());
      if (!seen) continue;
      json[words.words[i]] = json_of(write(*form.keys, std::get<TableSlot>(*seen).settings));
    }
  }
  return json;
}

Json describe(const FieldList& list, const Field& field, const Form& form) {
  constexpr std::array kKinds{"switch",  "whole",  "number", "text",  "texts",
                              "numbers", "vector", "word",   "table", "tables"};
  Json json{{"kind", kKinds[static_cast<std::size_t>(form.kind)]}};
  if (std::isfinite(form.range.low)) json[form.range.low_open ? "above" : "from"] = form.range.low;
  if (std::isfinite(form.range.high)) json[form.range.high_open ? "below" : "to"] = form.range.high;
  if (form.kind == Kind::Word) {
    json["words"] = Json::array();
    for (std::size_t i = 0; i < form.words.size(); ++i) {
      json["words"].push_back(json_of(word_value(form, i)));
    }
    if (Json means = meanings(list, field, form); !means.empty()) json["means"] = std::move(means);
  }
  if (form.keys != nullptr) json["fields"] = describe(*form.keys);
  return json;
}

Json describe(const FieldList& list) {
  const Value usual = write(list, list.defaults);
  Json json = Json::array();
  for (const Field& field : list.fields) {
    Json entry{{"key", field.key}, {"description", field.description}};
    if (!field.unit.empty()) entry["unit"] = field.unit;
    const Entry* value = usual.find(field.key);
    if (!field.usually.empty()) {
      entry["usually"] = field.usually;
    } else if (value != nullptr && !field.section && !field.required) {
      entry["default"] = json_of(value->value);
    }
    if (field.required) entry["required"] = true;
    if (field.section) entry["section"] = true;
    entry["forms"] = Json::array();
    for (const Form& form : field.forms) entry["forms"].push_back(describe(list, field, form));
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace

std::string print_json(const Value& table) {
  return dumped(json_of(table));
}

Result<Value> parse_json(std::string_view text) {
  constexpr std::size_t kMostText = std::size_t{16} << 20;  // two bytes take a hundred in memory
  if (text.size() > kMostText) {
    return bad_input(fmt::format("{} bytes of JSON are too many for settings; at most {} are read",
                                 text.size(), kMostText));
  }
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return bad_input("the settings are not a JSON object");
  return value_of(json, 0);
}

std::string describe_json(const FieldList& list) {
  return dumped(describe(list));
}

}  // namespace supple::settings
