// SPDX-License-Identifier: Apache-2.0
#include "supple/core/markup.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace supple {
namespace {

/// How many bytes the UTF-8 letter at the start of `text` has; 0 where there is none.
std::size_t letter_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool forbidden = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
  return overlong || surrogate || forbidden ? 0 : length;
}

std::string_view escaped_letter(std::string_view letter) {
  switch (letter.front()) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\t':
    case '\n':
    case '\r':
      return letter;
    default:
      return static_cast<unsigned char>(letter.front()) < ' ' ? "?" : letter;
  }
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = letter_length(text);
    result += length == 0 ? "?" : escaped_letter(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}

}  // namespace supple
