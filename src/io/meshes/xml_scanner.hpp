// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/text_cursor.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace supple::io::detail {

struct XmlTag {
  enum class Kind { Start, End, Eof };
  Kind kind = Kind::Eof;
  std::string_view name;
  bool empty = false;  ///< <like this/>: no End will follow
  std::size_t line = 0;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;

  /// The attribute's raw text; `missing` if it is absent.
  [[nodiscard]] std::string_view get(std::string_view attribute,
                                     std::string_view missing = {}) const;
};

/// Tags and the text between them: as much XML as VTK's files use (no entities, no CDATA).
class XmlScanner {
 public:
  XmlScanner(std::string_view text, std::string_view name) : m_cursor(text, name) {}

  /// The next tag; comments, processing instructions and declarations are skipped.
  [[nodiscard]] Result<XmlTag> next();
  /// The longest piece of text directly inside the element just started, to its end; elements
  /// inside it are skipped.
  [[nodiscard]] Result<std::string_view> text_of(const XmlTag& element);
  [[nodiscard]] TextCursor& cursor() { return m_cursor; }

 private:
  [[nodiscard]] Result<void> read_attributes(XmlTag& tag);
  [[nodiscard]] std::string_view take_name();

  TextCursor m_cursor;
};

}  // namespace supple::io::detail
