// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/field.hpp"

#include "settings/text.hpp"

#include <algorithm>

namespace supple::settings {
namespace {

struct ValueOf {
  const Form& form;

  Value operator()(std::monostate) const { return {}; }
  Value operator()(const bool* slot) const { return {.data = *slot}; }
  Value operator()(const int* slot) const { return {.data = std::int64_t{*slot}}; }
  Value operator()(const std::size_t* slot) const {
    return {.data = static_cast<std::int64_t>(*slot)};
  }
  Value operator()(const double* slot) const { return {.data = *slot}; }
  Value operator()(const std::string* slot) const { return {.data = *slot}; }
  Value operator()(const std::vector<std::string>* slot) const {
    Value::List list;
    for (const std::string& text : *slot) list.push_back({.data = text});
    return {.data = std::move(list)};
  }
  Value operator()(const std::vector<double>* slot) const {
    Value::List list;
    for (const double number : *slot) list.push_back({.data = number});
    return {.data = std::move(list)};
  }
  Value operator()(const VectorSlot& slot) const {
    Value::List list;
    for (std::size_t i = 0; i < 3; ++i) list.push_back({.data = slot.xyz[i]});
    return {.data = std::move(list)};
  }
  Value operator()(const WordSlot& slot) const {
    return word_value(form, slot.get(slot.owner).value());
  }
  Value operator()(const TableSlot& slot) const { return write(*form.keys, slot.settings); }
  Value operator()(const TablesSlot& slot) const {
    Value::List list;
    for (std::size_t i = 0; i < slot.size(slot.owner); ++i) {
      list.push_back(write(*form.keys, slot.at(slot.owner, i)));
    }
    return {.data = std::move(list)};
  }
};

std::optional<Value> written(const Field& field, const void* settings) {
  for (const Form& form : field.forms) {
    if (const auto slot = form.view_slot(settings)) return std::visit(ValueOf{form}, *slot);
  }
  return {};
}

bool is_empty(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  return text != nullptr && text->empty();
}

bool is_proposed(const Field& field, const void* settings) {
  if (field.proposed == nullptr) return false;
  const auto within = field.forms.front().within;
  return field.proposed(within != nullptr ? within(const_cast<void*>(settings)) : settings);
}

void drop_defaults(const FieldList& list, Value& table);

/// Sections are judged key by key.
void drop_defaults(const Field& field, Value& value) {
  const Form* form = find_form(field, value);
  if (form->kind == Kind::Table) drop_defaults(*form->keys, value);
  if (form->kind != Kind::Tables) return;
  for (Value& one : std::get<Value::List>(value.data)) drop_defaults(*form->keys, one);
}

void drop_defaults(const FieldList& list, Value& table) {
  const Value usual = write(list, list.defaults);
  std::erase_if(std::get<Value::Table>(table.data), [&](Entry& entry) {
    const Field& field = *list.find(entry.key);
    if (entry.proposed) return true;
    // What it would be depends on other keys, or there is no default.
    if (!field.usually.empty() || field.required) return false;
    const Entry* other = usual.find(entry.key);
    if (other != nullptr && same(entry.value, other->value)) return true;
    if (field.section) drop_defaults(field, entry.value);
    return false;
  });
}

}  // namespace

Value write(const FieldList& list, const void* settings) {
  Value::Table table;
  for (const Field& field : list.fields) {
    const bool said = std::ranges::find(table, field.instead_of, &Entry::key) != table.end();
    std::optional<Value> value = said ? std::nullopt : written(field, settings);
    if (!value || (field.omit_empty && is_empty(*value))) continue;
    table.push_back({field.key, *std::move(value), {}, is_proposed(field, settings)});
  }
  return {.data = std::move(table)};
}

Value without_defaults(const FieldList& list, Value table) {
  drop_defaults(list, table);
  return table;
}

Value write_changed(const FieldList& list, const void* settings) {
  return without_defaults(list, write(list, settings));
}

}  // namespace supple::settings
