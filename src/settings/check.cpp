// SPDX-License-Identifier: Apache-2.0
#include "settings/check.hpp"

#include "settings/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::settings {
namespace {

bool in_range(const Range& range, const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) {
    return range.contains(static_cast<double>(*whole));
  }
  return range.contains(std::get<double>(value.data));
}

/// The struct at this place of a list or in this table. Null where the file uses a form of a value
/// for which another one would be printed, such as a radius of 0: then only ranges can be checked.
const void* nested(const Form& form, const void* settings, std::size_t index) {
  if (settings == nullptr) return nullptr;
  const std::optional<Slot> slot = form.view_slot(settings);
  if (!slot) return nullptr;
  if (const auto* table = std::get_if<TableSlot>(&*slot)) return table->settings;
  const auto& tables = std::get<TablesSlot>(*slot);
  return tables.at(tables.owner, index);
}

class TableCheck {
 public:
  explicit TableCheck(std::string_view file) : m_file(file) {}

  /// `owner` opens all messages about the table ("object 'belly': "), `path` those about its keys.
  Result<void> run(const FieldList& list, const Value& table, const void* settings,
                   std::string owner, std::string path) const {
    if (list.title != nullptr && settings != nullptr) {
      owner += list.title(settings) + ": ";
      path.clear();
    }
    for (const Entry& entry : *table.table()) {
      const Field* field = list.find(entry.key);
      if (field == nullptr) continue;  // of an open list
      SUPPLE_TRY_VOID(
          check_value(*field, entry.value, settings, owner, join_path(path, entry.key)));
    }
    if (settings == nullptr) return {};
    for (const auto& rule : list.rules) {
      if (const auto complaint = rule(settings)) {
        return error_at(blamed(table, complaint->keys).begin, m_file,
                        bad_input(owner + complaint->text));
      }
    }
    return {};
  }

 private:
  Result<void> check_value(const Field& field, const Value& value, const void* settings,
                           const std::string& owner, const std::string& path) const {
    const Form& form = *find_form(field, value);
    switch (form.kind) {
      case Kind::Whole:
      case Kind::Number:
        if (!in_range(form.range, value)) return out_of_range(field, form, value, owner, path);
        return {};
      case Kind::Numbers:
      case Kind::Vector:
        for (const Value& one : *value.list()) {
          if (!in_range(form.range, one)) return out_of_range(field, form, value, owner, path);
        }
        return {};
      case Kind::Text:
        return check_text(form, value);
      case Kind::Texts:
        for (const Value& one : *value.list()) SUPPLE_TRY_VOID(check_text(form, one));
        return {};
      case Kind::Table:
        return run(*form.keys, value, nested(form, settings, 0), owner, path);
      case Kind::Tables:
        for (std::size_t i = 0; i < value.list()->size(); ++i) {
          SUPPLE_TRY_VOID(run(*form.keys, (*value.list())[i], nested(form, settings, i), owner,
                              fmt::format("{}[{}]", path, i + 1)));
        }
        return {};
      default:
        return {};
    }
  }

  Result<void> check_text(const Form& form, const Value& value) const {
    if (form.check_text == nullptr) return {};
    auto checked = form.check_text(std::get<std::string>(value.data));
    if (checked.ok()) return {};
    return error_at(value.begin, m_file, std::move(checked).error());
  }

  Error out_of_range(const Field& field, const Form& form, const Value& value,
                     const std::string& owner, const std::string& path) const {
    const char* count = form.kind == Kind::Vector    ? "three numbers, "
                        : form.kind == Kind::Numbers ? "numbers, "
                                                     : "";
    return error_at(
        value.begin, m_file,
        bad_input(fmt::format("{}{} is {}; it must be {}{} ({})", owner, path, inline_text(value),
                              count, range_text(form, field.unit), field.description)));
  }

  /// See Complaint::keys.
  static const Value& blamed(const Value& table, const std::vector<std::string>& keys) {
    if (keys.size() == 1) return locate(table, keys.front());
    const Value* found = &table;
    for (const std::string& key : keys) {
      const Entry* entry = table.find(key);
      if (entry == nullptr) continue;
      if (found != &table) return table;
      found = &entry->value;
    }
    return *found;
  }

  std::string_view m_file;
};

}  // namespace

Result<void> check_table(const FieldList& list, const Value& table, std::string_view file,
                         const void* settings, const std::string& path) {
  return TableCheck(file).run(list, table, settings, "", path);
}

Result<void> check(const FieldList& list, const void* settings) {
  return check_table(list, write(list, settings), "", settings, "");
}

}  // namespace supple::settings
