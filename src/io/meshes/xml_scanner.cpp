// SPDX-License-Identifier: Apache-2.0
#include "io/meshes/xml_scanner.hpp"

#include <fmt/format.h>

namespace supple::io::detail {
namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':';
}

}  // namespace

std::string_view XmlTag::get(std::string_view attribute, std::string_view missing) const {
  for (const auto& [key, value] : attributes) {
    if (key == attribute) return value;
  }
  return missing;
}

std::string_view XmlScanner::take_name() {
  const std::string_view rest = m_cursor.rest();
  std::size_t size = 0;
  while (size < rest.size() && is_name_char(rest[size])) ++size;
  std::span<const std::byte> ignored;
  static_cast<void>(m_cursor.take_bytes(size, ignored));
  return rest.substr(0, size);
}

Result<XmlTag> XmlScanner::next() {
  while (m_cursor.skip_past("<")) {
    XmlTag tag;
    tag.line = m_cursor.line_number();
    if (m_cursor.rest().starts_with("!--")) {
      if (!m_cursor.skip_past("-->")) return m_cursor.error("a comment does not end");
      continue;
    }
    if (m_cursor.peek() == '?' || m_cursor.peek() == '!') {
      if (!m_cursor.skip_past(">")) return m_cursor.error("a declaration does not end");
      continue;
    }
    tag.kind = m_cursor.take('/') ? XmlTag::Kind::End : XmlTag::Kind::Start;
    tag.name = take_name();
    if (tag.name.empty()) return m_cursor.expected("the name of an XML element");
    SUPPLE_TRY_VOID(read_attributes(tag));
    return tag;
  }
  return XmlTag{};
}

Result<void> XmlScanner::read_attributes(XmlTag& tag) {
  while (true) {
    m_cursor.skip_space();
    if (m_cursor.take('>')) return {};
    if (m_cursor.take('/')) {
      tag.empty = true;
      if (!m_cursor.take('>')) return m_cursor.expected("'>'");
      return {};
    }
    const std::string_view name = take_name();
    m_cursor.skip_space();
    const bool assigned = !name.empty() && m_cursor.take('=');
    m_cursor.skip_space();
    const char quote = m_cursor.peek();
    if (!assigned || (quote != '"' && quote != '\'')) {
      return m_cursor.expected("an attribute such as name=\"value\"");
    }
    static_cast<void>(m_cursor.take(quote));
    const std::string_view rest = m_cursor.rest();
    if (!m_cursor.skip_past(std::string_view(&quote, 1))) {
      return m_cursor.error(fmt::format("the value of attribute {} does not end", in_quotes(name)));
    }
    tag.attributes.emplace_back(name, rest.substr(0, rest.find(quote)));
  }
}

Result<std::string_view> XmlScanner::text_of(const XmlTag& element) {
  std::string_view longest;
  if (element.empty) return longest;
  for (int depth = 0; depth >= 0;) {
    if (depth == 0) {
      const std::string_view rest = m_cursor.rest();
      const std::string_view text = trim(rest.substr(0, rest.find('<')));
      if (text.size() > longest.size()) longest = text;
    }
    SUPPLE_TRY(const XmlTag tag, next());
    if (tag.kind == XmlTag::Kind::Eof) {
      return m_cursor.error(fmt::format("the element {} does not end", in_quotes(element.name)));
    }
    if (tag.kind == XmlTag::Kind::End) --depth;
    if (tag.kind == XmlTag::Kind::Start && !tag.empty) ++depth;
  }
  return longest;
}

}  // namespace supple::io::detail
