// SPDX-License-Identifier: Apache-2.0
#include "io/text_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>

namespace supple::io::detail {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// from_chars reports overflow and underflow in the same way; the sign of the exponent distinguishes
// them.
double out_of_range_value(std::string_view digits) {
  const std::size_t exponent = digits.find_first_of("eE");
  const bool tiny = exponent != std::string_view::npos && exponent + 1 < digits.size() &&
                    digits[exponent + 1] == '-';
  return tiny ? 0.0 : std::numeric_limits<double>::infinity();
}

bool real_of(const char*& at, const char* end, double& value) {
  const auto [stop, status] = std::from_chars(at, end, value);
  if (status == std::errc::invalid_argument) return false;
  if (status == std::errc::result_out_of_range) {
    value = out_of_range_value({at, static_cast<std::size_t>(stop - at)});
  }
  at = stop;
  return true;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text.size() > kShown ? fmt::format("'{}...'", shown) : fmt::format("'{}'", shown);
}

std::string to_upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool scan_real(const char*& at, const char* end, double& value) {
  const char* start = at;
  if (start != end && *start == '+') {
    ++start;
    if (start != end && *start == '-') return false;
  }
  const char* stop = start;
  if (!real_of(stop, end, value)) return false;
  const bool fortran = end - stop >= 2 && (*stop == 'd' || *stop == 'D') &&
                       (is_digit(stop[1]) || stop[1] == '+' || stop[1] == '-');
  if (fortran) {
    // Rare enough to afford a copy with the letter that from_chars accepts.
    std::array<char, 80> copy{};
    const char* last = stop + 2;
    while (last != end && is_digit(*last)) ++last;
    const auto length = static_cast<std::size_t>(last - start);
    if (length > copy.size()) return false;
    std::memcpy(copy.data(), start, length);
    copy[static_cast<std::size_t>(stop - start)] = 'e';
    const char* from = copy.data();
    if (!real_of(from, copy.data() + length, value)) return false;
    stop = last;
  }
  at = stop;
  return true;
}

bool scan_integer(const char*& at, const char* end, std::int64_t& value) {
  const char* start = at;
  if (start != end && *start == '+') {
    ++start;
    if (start != end && *start == '-') return false;
  }
  const auto [stop, status] = std::from_chars(start, end, value);
  if (status != std::errc()) return false;
  at = stop;
  return true;
}

bool parse_real(std::string_view field, double& value) {
  const char* at = field.data();
  const char* end = at + field.size();
  return scan_real(at, end, value) && at == end;
}

bool parse_integer(std::string_view field, std::int64_t& value) {
  const char* at = field.data();
  const char* end = at + field.size();
  return scan_integer(at, end, value) && at == end;
}

void TextCursor::next_line() {
  const void* newline = m_at == m_end ? nullptr : std::memchr(m_at, '\n', remaining());
  if (newline == nullptr) {
    m_at = m_end;
    return;
  }
  m_at = static_cast<const char*>(newline);
  pass_newline();
}

std::string_view TextCursor::take_line() {
  const char* start = m_at;
  const void* newline = m_at == m_end ? nullptr : std::memchr(m_at, '\n', remaining());
  m_at = newline == nullptr ? m_end : static_cast<const char*>(newline);
  std::string_view line(start, static_cast<std::size_t>(m_at - start));
  if (m_at != m_end) pass_newline();
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string_view TextCursor::word_here() {
  const char* start = m_at;
  while (m_at != m_end && !is_blank(*m_at) && *m_at != '\n') ++m_at;
  return {start, static_cast<std::size_t>(m_at - start)};
}

bool TextCursor::take_bytes(std::size_t count, std::span<const std::byte>& bytes) {
  if (count > remaining()) return false;
  bytes = {reinterpret_cast<const std::byte*>(m_at), count};
  m_at += count;
  return true;
}

bool TextCursor::skip_past(std::string_view text) {
  const std::size_t found = rest().find(text);
  if (found == std::string_view::npos) return false;
  const char* stop = m_at + found + text.size();
  m_line += static_cast<std::size_t>(std::count(m_at, stop, '\n'));
  m_at = stop;
  while (stop != m_begin && stop[-1] != '\n') --stop;
  m_line_start = stop;
  return true;
}

Error TextCursor::expected(std::string_view what) const {
  TextCursor here = *this;
  here.skip_blanks();
  const std::string_view word = here.take_word_in_line();
  if (!word.empty()) return error(fmt::format("expected {}, found {}", what, in_quotes(word)));
  return error(
      fmt::format("expected {}, found the end of the {}", what, here.at_end() ? "file" : "line"));
}

Error TextCursor::error(std::string message) const {
  return bad_input(std::move(message))
      .at(m_name, m_line, static_cast<std::size_t>(m_at - m_line_start) + 1);
}

}  // namespace supple::io::detail
