// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace supple::io::detail {

/// A word of an untrusted file, made safe for a message: short, printable, in quotes.
[[nodiscard]] std::string in_quotes(std::string_view text);

[[nodiscard]] std::string to_upper(std::string_view text);
[[nodiscard]] std::string_view trim(std::string_view text);

/// Numbers at the start of [at, end): advance `at` past them, or leave it and return false. Reals
/// may have a leading '+' and Fortran's 'D' exponents; "nan" and "inf" are accepted here and
/// rejected by the readers, which can name the place.
[[nodiscard]] bool scan_real(const char*& at, const char* end, double& value);
[[nodiscard]] bool scan_integer(const char*& at, const char* end, std::int64_t& value);

/// A number that fills the whole field.
[[nodiscard]] bool parse_real(std::string_view field, double& value);
[[nodiscard]] bool parse_integer(std::string_view field, std::int64_t& value);

/// A position in a text (or in a file that mixes text and binary blocks), with its line.
///
/// "Blanks" are spaces, tabs and carriage returns, so files with CRLF need no special care.
class TextCursor {
 public:
  TextCursor(std::string_view text, std::string_view name)
      : m_begin(text.data()),
        m_at(text.data()),
        m_end(text.data() + text.size()),
        m_line_start(text.data()),
        m_name(name) {}

  [[nodiscard]] bool at_end() const { return m_at == m_end; }
  [[nodiscard]] bool at_line_end() const { return m_at == m_end || *m_at == '\n'; }
  [[nodiscard]] char peek() const { return m_at == m_end ? '\0' : *m_at; }
  [[nodiscard]] char peek(std::size_t ahead) const {
    return ahead < remaining() ? m_at[ahead] : '\0';
  }
  [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(m_end - m_at); }
  [[nodiscard]] std::size_t offset() const { return static_cast<std::size_t>(m_at - m_begin); }
  [[nodiscard]] std::size_t line_number() const { return m_line; }
  [[nodiscard]] std::string_view name() const { return m_name; }
  [[nodiscard]] std::string_view rest() const { return {m_at, remaining()}; }

  void skip_blanks() {
    while (m_at != m_end && is_blank(*m_at)) ++m_at;
  }
  /// Blanks and line ends.
  void skip_space() {
    for (skip_blanks(); m_at != m_end && *m_at == '\n'; skip_blanks()) pass_newline();
  }
  /// Moves to the first character of the next line.
  void next_line();
  /// The rest of this line, without its end; moves to the next line.
  [[nodiscard]] std::string_view take_line();
  /// The next word, across lines; empty at the end.
  [[nodiscard]] std::string_view take_word() {
    skip_space();
    return word_here();
  }
  /// The next word of this line; empty at its end.
  [[nodiscard]] std::string_view take_word_in_line() {
    skip_blanks();
    return word_here();
  }
  [[nodiscard]] bool take(char wanted) {
    if (m_at == m_end || *m_at != wanted) return false;
    ++m_at;
    return true;
  }
  [[nodiscard]] bool take_real(double& value) { return scan_real(m_at, m_end, value); }
  [[nodiscard]] bool take_integer(std::int64_t& value) { return scan_integer(m_at, m_end, value); }
  /// The next number, across lines.
  [[nodiscard]] bool next_real(double& value) {
    skip_space();
    return take_real(value);
  }
  [[nodiscard]] bool next_integer(std::int64_t& value) {
    skip_space();
    return take_integer(value);
  }
  /// The next `count` bytes as they are; false if fewer are left. Lines inside do not count.
  [[nodiscard]] bool take_bytes(std::size_t count, std::span<const std::byte>& bytes);
  /// Moves past the next occurrence of `text`; false, without moving, if there is none.
  [[nodiscard]] bool skip_past(std::string_view text);

  /// "expected ..." at this place, quoting the text found here instead.
  [[nodiscard]] Error expected(std::string_view what) const;
  [[nodiscard]] Error error(std::string message) const;

 private:
  [[nodiscard]] static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
  }
  void pass_newline() {
    ++m_at;
    ++m_line;
    m_line_start = m_at;
  }
  [[nodiscard]] std::string_view word_here();

  const char* m_begin;
  const char* m_at;
  const char* m_end;
  const char* m_line_start;
  std::size_t m_line = 1;
  std::string_view m_name;
};

}  // namespace supple::io::detail
