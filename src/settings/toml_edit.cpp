// SPDX-License-Identifier: Apache-2.0
#include "supple/settings/toml.hpp"

#include "settings/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace supple::settings {
namespace {

/// Bytes of a text to be replaced.
struct Splice {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

/// Finds places of a text by line and column, which count code points.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text) : m_text(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    m_lines.push_back(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') m_lines.push_back(i + 1);
    }
  }

  [[nodiscard]] std::size_t offset(const Position& place) const {
    std::size_t at = m_lines[std::min<std::size_t>(place.line, m_lines.size()) - 1];
    for (std::uint32_t column = 1; column < place.column && at < m_text.size(); ++column) {
      ++at;
      while (at < m_text.size() && (m_text[at] & 0xC0) == 0x80) ++at;
    }
    return at;
  }
  [[nodiscard]] std::size_t line_begin(const Position& place) const {
    return m_lines[place.line - 1];
  }
  /// Where the line after a place begins.
  [[nodiscard]] std::size_t next_line(const Position& place) const {
    return place.line < m_lines.size() ? m_lines[place.line] : m_text.size();
  }

 private:
  std::string_view m_text;
  std::vector<std::size_t> m_lines;
};

/// What has to be replaced so that a text says `now` where it said `before`.
class Editor {
 public:
  explicit Editor(std::string_view text) : m_text(text), m_index(text) {}

  /// `document` is what stands in the text, and has the places. False: it cannot be done key by
  /// key.
  bool edit(const FieldList& list, const Value& document, const Value& before, const Value& now) {
    m_root = &document;
    return edit_table(list, document, before, now);
  }

  [[nodiscard]] std::string result() {
    std::ranges::stable_sort(m_splices, std::greater<>(), &Splice::begin);
    std::string text(m_text);
    for (const Splice& splice : m_splices) {
      text.replace(splice.begin, splice.end - splice.begin, splice.text);
    }
    return text;
  }

 private:
  bool edit_table(const FieldList& list, const Value& document, const Value& before,
                  const Value& now) {
    for (const Field& field : list.fields) {
      const Entry* old = before.find(field.key);
      const Entry* wanted = now.find(field.key);
      if ((old == nullptr) == (wanted == nullptr) &&
          (old == nullptr || same(old->value, wanted->value))) {
        continue;
      }
      if (!edit_entry(field, document, old, wanted)) return false;
    }
    return true;
  }

  bool edit_entry(const Field& field, const Value& document, const Entry* old,
                  const Entry* wanted) {
    const Entry* written = document.find(field.key);
    if (field.section) {
      if (old == nullptr || wanted == nullptr) return false;
      if (written == nullptr) return add_section(field, document, wanted->value);
      return edit_section(field, written->value, old->value, wanted->value);
    }
    if (wanted == nullptr) return written == nullptr || remove_lines(*written);
    if (written == nullptr) return add_line(document, *wanted);
    m_splices.push_back({m_index.offset(written->value.begin), m_index.offset(written->value.end),
                         inline_text(wanted->value)});
    return true;
  }

  bool edit_section(const Field& field, const Value& document, const Value& before,
                    const Value& now) {
    const FieldList& list = *find_form(field, now)->keys;
    if (document.table() != nullptr) return edit_table(list, document, before, now);
    if (document.list()->size() != now.list()->size()) return false;
    for (std::size_t i = 0; i < now.list()->size(); ++i) {
      if (!edit_table(list, (*document.list())[i], (*before.list())[i], (*now.list())[i])) {
        return false;
      }
    }
    return true;
  }

  /// At the end, which is the place for tables of the root alone.
  bool add_section(const Field& field, const Value& document, const Value& wanted) {
    if (wanted.table() == nullptr || &document != m_root) return false;
    const FieldList& list = *find_form(field, wanted)->keys;
    const char* line_end = m_text.empty() || m_text.ends_with('\n') ? "" : "\n";
    m_splices.push_back(
        {m_text.size(), m_text.size(),
         fmt::format("{}\n[{}]\n{}", line_end, field.key,
                     print_toml(list, without_defaults(list, wanted), Comments::No))});
    return true;
  }

  bool add_line(const Value& document, const Entry& entry) {
    const std::string line = fmt::format("{} = {}\n", entry.key, inline_text(entry.value));
    if (&document == m_root) return add_root_line(document, line);
    const std::size_t head = m_index.offset(document.begin);
    if (head >= m_text.size() || m_text[head] != '[') return false;
    const std::size_t at = m_index.next_line(document.begin);
    const bool last = at == m_text.size() && !m_text.ends_with('\n');
    m_splices.push_back({at, at, last ? "\n" + line : line});
    return true;
  }

  /// Above everything that is not a comment.
  bool add_root_line(const Value& document, const std::string& line) {
    if (document.table()->empty()) return false;
    const Entry& first = document.table()->front();
    const std::size_t at = m_index.line_begin(first.begin);
    m_splices.push_back({at, at, m_text.substr(at).starts_with('[') ? line + "\n" : line});
    return true;
  }

  bool remove_lines(const Entry& entry) {
    m_splices.push_back({m_index.line_begin(entry.begin), m_index.next_line(entry.value.end), ""});
    return true;
  }

  std::string_view m_text;
  LineIndex m_index;
  const Value* m_root = nullptr;
  std::vector<Splice> m_splices;
};

/// What a text says, with the places, and the same with all keys.
struct Understood {
  Value document;
  Value complete;
};

Result<Understood> understand(const FieldList& list, std::string_view text, std::string_view name) {
  Understood understood;
  SUPPLE_TRY(understood.document, parse_toml(text, name));
  const std::shared_ptr<void> settings = list.create();
  SUPPLE_TRY_VOID(read(list, understood.document, name, settings.get()));
  understood.complete = write(list, settings.get());
  return understood;
}

}  // namespace

Result<std::string> edit_toml(const FieldList& list, std::string_view text, std::string_view name,
                              const void* settings) {
  SUPPLE_TRY(const Understood old, understand(list, text, name));
  const Value now = write(list, settings);
  Editor editor(text);
  if (editor.edit(list, old.document, old.complete, now)) {
    std::string edited = editor.result();
    const auto understood = understand(list, edited, name);
    if (understood.ok() && same(understood->complete, now)) return edited;
  }
  return print_toml(list, now);
}

}  // namespace supple::settings
