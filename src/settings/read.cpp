// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/field.hpp"

#include "settings/check.hpp"
#include "settings/text.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace supple::settings {
namespace {

double as_double(const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value.data);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value.data);
}

/// Numbers that do not fit are refused by `check`; until then they must not wrap around.
template <class Int>
Int clamped(const Value& value) {
  constexpr auto kLow = static_cast<std::int64_t>(std::numeric_limits<Int>::min());
  constexpr auto kHigh = std::int64_t{std::numeric_limits<std::int32_t>::max()};
  return static_cast<Int>(std::clamp(std::get<std::int64_t>(value.data), kLow, kHigh));
}

/// Fills structs, without looking at ranges.
class Reader {
 public:
  explicit Reader(std::string_view file) : m_file(file) {}

  Result<void> read_table(const FieldList& list, const Value& table, const std::string& path,
                          void* settings) const {
    if (!list.open) SUPPLE_TRY_VOID(refuse_unknown(table, path, list.keys()));
    for (const Field& field : list.fields) {
      const Entry* entry = table.find(field.key);
      if (entry != nullptr) {
        SUPPLE_TRY_VOID(refuse_both(field, entry->value, table));
        SUPPLE_TRY_VOID(read_value(field, entry->value, join_path(path, field.key), settings));
      } else if (field.required) {
        return wrong(table,
                     fmt::format("{} has no {}", path.empty() ? "the file" : path, field.key));
      }
    }
    if (list.complete != nullptr) list.complete(settings, table);
    return {};
  }

  [[nodiscard]] Error wrong(const Value& value, std::string text) const {
    return error_at(value.begin, m_file, bad_input(std::move(text)));
  }

 private:
  Result<void> refuse_unknown(const Value& table, const std::string& path,
                              const std::vector<std::string>& known) const {
    for (const Entry& entry : *table.table()) {
      if (std::ranges::find(known, entry.key) == known.end()) {
        return unknown_key(entry, path, m_file, known);
      }
    }
    return {};
  }

  Result<void> refuse_both(const Field& field, const Value& value, const Value& table) const {
    if (field.instead_of.empty() || table.find(field.instead_of) == nullptr) return {};
    return wrong(
        value, fmt::format("{} and {} exclude each other; keep one", field.instead_of, field.key));
  }

  /// Where a table has several forms: keys of none, and keys of two.
  Result<void> refuse_mixture(const Field& field, const Form& chosen, const Value& value,
                              const std::string& path) const {
    std::vector<std::string> known;
    for (const Form& form : field.forms) {
      if (form.keys != nullptr) std::ranges::copy(form.keys->keys(), std::back_inserter(known));
    }
    SUPPLE_TRY_VOID(refuse_unknown(value, path, known));
    for (const Form& other : field.forms) {
      if (other.keys == nullptr) continue;
      const auto only = [&](const Form& in, const Form& not_in) {
        const auto has = [&](const Entry& entry) {
          return in.keys->find(entry.key) != nullptr && not_in.keys->find(entry.key) == nullptr;
        };
        const auto found = std::ranges::find_if(*value.table(), has);
        return found == value.table()->end() ? nullptr : &*found;
      };
      const Entry* mine = only(chosen, other);
      const Entry* foreign = only(other, chosen);
      if (mine == nullptr || foreign == nullptr) continue;
      return wrong(value,
                   fmt::format("{} and {} exclude each other; keep one", mine->key, foreign->key));
    }
    return {};
  }

  Error refuse_type(const Field& field, const Value& value, const std::string& path) const {
    const bool vector = field.forms.front().kind == Kind::Vector;
    if (vector && value.list() != nullptr && value.list()->size() != 3) {
      return wrong(value, fmt::format("{} is a list of {}; it must be {}", path,
                                      value.list()->size(), expected_text(field)));
    }
    return wrong_type(value, path, m_file, expected_text(field));
  }

  Result<void> read_value(const Field& field, const Value& value, const std::string& path,
                          void* settings) const;

  std::string_view m_file;
};

/// Puts a value of the right type into its slot.
struct Store {
  const Reader& reader;
  const Field& field;
  const Form& form;
  const Value& value;
  const std::string& path;

  Result<void> operator()(std::monostate) const { return {}; }
  Result<void> operator()(bool* slot) const { return *slot = std::get<bool>(value.data), done(); }
  Result<void> operator()(int* slot) const { return *slot = clamped<int>(value), done(); }
  Result<void> operator()(std::size_t* slot) const {
    return *slot = clamped<std::size_t>(value), done();
  }
  Result<void> operator()(double* slot) const { return *slot = as_double(value), done(); }
  Result<void> operator()(std::string* slot) const {
    return *slot = std::get<std::string>(value.data), done();
  }
  Result<void> operator()(std::vector<std::string>* slot) const {
    slot->clear();
    for (const Value& one : *value.list()) slot->push_back(std::get<std::string>(one.data));
    return {};
  }
  Result<void> operator()(std::vector<double>* slot) const {
    slot->clear();
    for (const Value& one : *value.list()) slot->push_back(as_double(one));
    return {};
  }
  Result<void> operator()(const VectorSlot& slot) const {
    for (std::size_t i = 0; i < 3; ++i) slot.xyz[i] = as_double((*value.list())[i]);
    return {};
  }
  Result<void> operator()(const WordSlot& slot) const {
    for (std::size_t i = 0; i < form.words.size(); ++i) {
      if (same(word_value(form, i), value)) return slot.set(slot.owner, i), done();
    }
    const auto* word = std::get_if<std::string>(&value.data);
    const std::string near = word != nullptr ? did_you_mean(*word, form.words) : "";
    return reader.wrong(value, fmt::format("{} is {}{}; it must be {}", path, inline_text(value),
                                           near, expected_text(field)));
  }
  Result<void> operator()(const TableSlot& slot) const {
    return reader.read_table(*form.keys, value, path, slot.settings);
  }
  Result<void> operator()(const TablesSlot& slot) const {
    slot.clear(slot.owner);
    for (std::size_t i = 0; i < value.list()->size(); ++i) {
      SUPPLE_TRY_VOID(reader.read_table(*form.keys, (*value.list())[i],
                                        fmt::format("{}[{}]", path, i + 1),
                                        slot.append(slot.owner)));
    }
    return {};
  }

  static Result<void> done() { return {}; }
};

Result<void> Reader::read_value(const Field& field, const Value& value, const std::string& path,
                                void* settings) const {
  const Form* form = find_form(field, value);
  if (form == nullptr) return refuse_type(field, value, path);
  if (form->kind == Kind::Table && !form->keys->open) {
    SUPPLE_TRY_VOID(refuse_mixture(field, *form, value, path));
  }
  return std::visit(Store{*this, field, *form, value, path}, form->make_slot(settings));
}

}  // namespace

Result<void> read(const FieldList& list, const Value& table, std::string_view file, void* settings,
                  const std::string& path) {
  SUPPLE_TRY_VOID(Reader(file).read_table(list, table, path, settings));
  return check_table(list, table, file, settings, path);
}

}  // namespace supple::settings
