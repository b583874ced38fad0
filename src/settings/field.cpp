// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/field.hpp"

#include "settings/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::settings {
namespace {

std::string bound_text(const Form& form, double bound) {
  return form.kind == Kind::Whole ? fmt::format("{:.0f}", bound) : fmt::format("{:g}", bound);
}

std::string keys_text(const FieldList& list) {
  std::string text;
  for (const Field& field : list.fields) {
    text += fmt::format("{}{} = ..", text.empty() ? "" : ", ", field.key);
  }
  return "{" + text + "}";
}

std::string form_text(const Field& field, const Form& form) {
  switch (form.kind) {
    case Kind::Switch:
      return "true or false";
    case Kind::Whole:
      return "a whole number";
    case Kind::Number:
      return "a number";
    case Kind::Text:
      return "text in quotes";
    case Kind::Texts:
      return "a list of texts, such as [\"Hips\", \"Spine\"]";
    case Kind::Numbers:
      return "a list of numbers, such as [0.5, 1]";
    case Kind::Vector:
      return "a list of three numbers, such as [1, 0, -2.5]";
    case Kind::Word:
      return words_text(form);
    case Kind::Table:
      return field.section ? fmt::format("a table: [{}]", field.key) : keys_text(*form.keys);
    case Kind::Tables:
      return fmt::format("a list of tables: [[{0}]] or {0} = [{{..}}, ..]", field.key);
  }
  return {};
}

/// Whether a value of this type can have this form at all.
bool fits(const Form& form, const Value& value) {
  switch (form.kind) {
    case Kind::Switch:
      return std::holds_alternative<bool>(value.data);
    case Kind::Whole:
      return std::holds_alternative<std::int64_t>(value.data);
    case Kind::Number:
      return is_number(value);
    case Kind::Text:
      return std::holds_alternative<std::string>(value.data);
    case Kind::Word:
      return std::holds_alternative<std::string>(value.data) ||
             (std::holds_alternative<std::int64_t>(value.data) && has_bare_words(form));
    case Kind::Texts:
      return value.list() != nullptr && std::ranges::all_of(*value.list(), [](const Value& one) {
               return std::holds_alternative<std::string>(one.data);
             });
    case Kind::Numbers:
      return value.list() != nullptr && std::ranges::all_of(*value.list(), is_number);
    case Kind::Vector:
      return value.list() != nullptr && value.list()->size() == 3 &&
             std::ranges::all_of(*value.list(), is_number);
    case Kind::Table:
      return value.table() != nullptr;
    case Kind::Tables:
      return value.list() != nullptr && std::ranges::all_of(*value.list(), [](const Value& one) {
               return one.table() != nullptr;
             });
  }
  return false;
}

}  // namespace

bool Range::contains(double value) const {
  return std::isfinite(value) && (low_open ? value > low : value >= low) &&
         (high_open ? value < high : value <= high);
}

Slot Form::make_slot(void* settings) const {
  return make(within != nullptr ? within(settings) : settings);
}

std::optional<Slot> Form::view_slot(const void* settings) const {
  void* mine = const_cast<void*>(settings);  // a view is only read
  return view(within != nullptr ? within(mine) : mine);
}

const Field* FieldList::find(std::string_view key) const {
  const auto found = std::ranges::find(fields, key, &Field::key);
  return found == fields.end() ? nullptr : &*found;
}

std::vector<std::string> FieldList::keys() const {
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const Field& field : fields) names.push_back(field.key);
  return names;
}

const Form* find_form(const Field& field, const Value& value) {
  const Form* found = nullptr;
  std::size_t most = 0;
  for (const Form& form : field.forms) {
    if (!fits(form, value)) continue;
    if (form.kind != Kind::Table) return &form;
    // Among several tables the one that has most of the keys.
    const auto known = static_cast<std::size_t>(std::ranges::count_if(
        *value.table(), [&](const Entry& entry) { return form.keys->find(entry.key) != nullptr; }));
    if (found != nullptr && known <= most) continue;
    found = &form;
    most = known;
  }
  return found;
}

std::string expected_text(const Field& field) {
  std::string text;
  for (const Form& form : field.forms) {
    text += (text.empty() ? "" : " or ") + form_text(field, form);
  }
  return text;
}

std::string range_text(const Form& form, std::string_view unit) {
  const auto [low, high, low_open, high_open] = form.range;
  const std::string of_unit = unit.empty() ? "" : fmt::format(" {}", unit);
  const bool has_low = std::isfinite(low);
  const bool has_high = std::isfinite(high);
  if (!has_low && !has_high) return "finite";
  if (has_low && has_high && !low_open && !high_open) {
    return fmt::format("from {} to {}{}", bound_text(form, low), bound_text(form, high), of_unit);
  }
  std::string text;
  if (has_low) text = fmt::format("{} {}", low_open ? "above" : "at least", bound_text(form, low));
  if (has_low && has_high) text += " and ";
  if (has_high)
    text += fmt::format("{} {}", high_open ? "below" : "at most", bound_text(form, high));
  return text + of_unit;
}

}  // namespace supple::settings
