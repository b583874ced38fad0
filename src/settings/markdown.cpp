// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/markdown.hpp"

#include "settings/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace supple::settings {
namespace {

constexpr std::string_view kNothing = "–";

std::string in_cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

std::string table_text(const FieldList& list) {
  std::string text;
  for (const Field& field : list.fields) text += (text.empty() ? "" : ", ") + field.key;
  return "`{" + text + "}`";
}

std::string values_text(const Field& field, const Form& form) {
  switch (form.kind) {
    case Kind::Switch:
      return "true or false";
    case Kind::Whole:
    case Kind::Number:
      return range_text(form, field.unit);
    case Kind::Text:
      return "text";
    case Kind::Texts:
      return "list of texts";
    case Kind::Numbers:
      return "list of numbers" + (field.unit.empty() ? "" : fmt::format(", {}", field.unit));
    case Kind::Vector:
      return "three numbers" + (field.unit.empty() ? "" : fmt::format(", {}", field.unit));
    case Kind::Word:
      return form.words_are.empty() ? words_text(form) : std::string(form.words_are);
    case Kind::Table:
      return table_text(*form.keys);
    case Kind::Tables:
      return "list of " + table_text(*form.keys);
  }
  return {};
}

std::string values_text(const Field& field) {
  std::string text;
  for (const Form& form : field.forms) {
    text += (text.empty() ? "" : ", or ") + values_text(field, form);
  }
  return text;
}

std::string default_text(const Field& field, const Value& usual) {
  if (field.required) return "required";
  if (!field.usually.empty()) return std::string(field.usually);
  const Entry* entry = usual.find(field.key);
  return entry == nullptr ? std::string(kNothing) : fmt::format("`{}`", inline_text(entry->value));
}

std::string meaning(const Field& field) {
  if (field.details.empty()) return std::string(field.description);
  return fmt::format("{}; {}", field.description, field.details);
}

/// Writes the rows of a list and of what it holds.
class MarkdownRows {
 public:
  explicit MarkdownRows(const std::vector<std::string>& elsewhere) : m_elsewhere(&elsewhere) {}

  /// Keys first, then sections, each under its head. `prefix` is that of tables in a line.
  std::string rows(const FieldList& list, const std::string& section, const std::string& prefix) {
    const Value usual = write(list, list.defaults);
    std::string text;
    for (const Field& field : list.fields) {
      if (!field.section) text += key_rows(field, usual, section, prefix);
    }
    for (const Field& field : list.fields) {
      if (field.section) text += section_rows(field, join_path(section, field.key));
    }
    return text;
  }

 private:
  std::string key_rows(const Field& field, const Value& usual, const std::string& section,
                       const std::string& prefix) {
    const std::string key = prefix + field.key;
    std::string text;
    if (m_keys.insert(section + ":" + key).second) {  // several forms may share a key
      text = fmt::format("| `{}` | {} | {} | {} |\n", key, in_cell(default_text(field, usual)),
                         in_cell(values_text(field)), in_cell(meaning(field)));
    }
    for (const Form& form : field.forms) {
      const bool fresh = form.keys != nullptr && m_lists.insert(form.keys).second;
      if (fresh) text += rows(*form.keys, section, key + ".");
    }
    return text;
  }

  std::string section_rows(const Field& field, const std::string& path) {
    const Form& form = field.forms.front();
    const std::string head = form.kind == Kind::Tables ? "[[" + path + "]]" : "[" + path + "]";
    const std::string_view usually = field.usually.empty() ? kNothing : field.usually;
    const std::string text = fmt::format("| **`{}`** | {} | {} | {} |\n", head, usually, kNothing,
                                         in_cell(meaning(field)));
    const bool here = std::ranges::find(*m_elsewhere, path) == m_elsewhere->end();
    return here ? text + rows(*form.keys, path, "") : text;
  }

  const std::vector<std::string>* m_elsewhere;
  std::set<std::string> m_keys;
  std::set<const FieldList*> m_lists;  ///< of tables in a line; one description is enough
};

}  // namespace

std::string describe_markdown(const FieldList& list, const std::vector<std::string>& elsewhere) {
  return "| key | default | values | meaning |\n| --- | --- | --- | --- |\n" +
         MarkdownRows(elsewhere).rows(list, "", "");
}

}  // namespace supple::settings
