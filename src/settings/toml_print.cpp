// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/toml.hpp"

#include "settings/text.hpp"

#include <fmt/format.h>

namespace supple::settings {
namespace {

constexpr std::size_t kLongLine = 80;

class TomlPrinter {
 public:
  explicit TomlPrinter(Comments comments) : m_comments(comments) {}

  /// Keys first, then sections: what follows a section's head belongs to it.
  std::string table(const FieldList& list, const Value& table, const std::string& path) const {
    std::string lines;
    std::string sections;
    for (const Entry& entry : *table.table()) {
      const Field& field = *list.find(entry.key);
      if (field.section) {
        sections += section(field, entry.value, join_path(path, entry.key));
      } else {
        lines += field.rows ? rows(field, entry) : line(field, entry);
      }
    }
    return lines + sections;
  }

 private:
  /// `key = value  # why`, with the comments in one column where values are short.
  [[nodiscard]] std::string line(const Field& field, const Entry& entry) const {
    const std::string assignment = fmt::format("{} = {}", entry.key, inline_text(entry.value));
    const std::string head = entry.proposed ? "# " : "";
    // The keys of a long table say enough themselves.
    const bool long_table = entry.value.table() != nullptr && assignment.size() > kLongLine;
    if (m_comments == Comments::No || long_table) return head + assignment + "\n";
    return fmt::format("{}{:<28}  # {}\n", head, assignment, field.description);
  }

  [[nodiscard]] std::string rows(const Field& field, const Entry& entry) const {
    std::string text = entry.key + " = [";
    text += m_comments == Comments::No ? "\n" : fmt::format("  # {}\n", field.description);
    for (const Value& row : *entry.value.list()) text += fmt::format("  {},\n", inline_text(row));
    return text + "]\n";
  }

  [[nodiscard]] std::string section(const Field& field, const Value& value,
                                    const std::string& path) const {
    const FieldList& list = *find_form(field, value)->keys;
    // Also without a key: a section that is optional says something by being there.
    if (value.table() != nullptr) return fmt::format("\n[{}]\n{}", path, table(list, value, path));
    std::string text;
    for (const Value& one : *value.list()) {
      text += fmt::format("\n[[{}]]\n{}", path, table(list, one, path));
    }
    return text;
  }

  Comments m_comments;
};

}  // namespace

std::string print_toml(const FieldList& list, const Value& table, Comments comments) {
  return TomlPrinter(comments).table(list, table, "");
}

}  // namespace supple::settings
