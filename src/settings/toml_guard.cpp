// SPDX-License-Identifier: Apache-2.0
#include "settings/toml_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace supple::settings {
namespace {

constexpr std::size_t kLargestText = std::size_t{1} << 20;
constexpr std::size_t kMostDots = 64;  // of one key; ours have three
constexpr unsigned char kLastAscii = 0x7F;
constexpr unsigned char kLastPrintable = '~';

/// The length of the string that `text` begins with, quotes included. One without an end reaches to
/// that of its line, or of the text: what follows is no concern, parsers stop there.
std::size_t string_length(std::string_view text) {
  const char quote = text.front();
  const std::string three(3, quote);
  const bool several_lines = text.starts_with(three);
  for (std::size_t i = several_lines ? 3 : 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (several_lines) {
      if (text.substr(i, 3) != three) continue;
      i += 3;
      for (int extra = 0; extra < 2 && i < text.size() && text[i] == quote; ++extra) ++i;
      return i;
    } else if (text[i] == '\n') {
      return i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

/// Whether `text`, what follows the first bracket of a table's header, goes on with its name, or
/// with the end that the parser refuses.
bool begins_a_name(std::string_view text) {
  const auto skip_spaces = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  };
  skip_spaces();
  if (text.starts_with('[')) text.remove_prefix(1);
  skip_spaces();
  if (text.empty()) return true;
  const char c = text.front();
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-\"']").find(c) != std::string_view::npos;
}

/// Whether a string of several lines (quotes included) has a backslash before a character beyond
/// ASCII, with or without spaces and ends of lines between.
bool escapes_beyond_ascii(std::string_view text) {
  for (std::size_t i = text.find('\\'); i < text.size(); i = text.find('\\', i)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", i + 1);
    if (next < text.size() && static_cast<unsigned char>(text[next]) > kLastAscii) return true;
    i += 2;  // an escaped backslash escapes nothing
  }
  return false;
}

/// One pass over the text. What is refused is no TOML; other errors are left to the parser.
class Guard {
 public:
  Guard(std::string_view text, std::string_view name) : m_text(text), m_name(name) {}

  Result<void> run() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (m_text.starts_with(kByteOrderMark)) m_text.remove_prefix(kByteOrderMark.size());
    while (m_at < m_text.size()) {
      const char c = m_text[m_at];
      if (c == '"' || c == '\'') {
        SUPPLE_TRY_VOID(pass_string());
      } else if (c == '#') {
        m_at = std::min(m_text.find('\n', m_at), m_text.size());
      } else {
        SUPPLE_TRY_VOID(look_at(c));
        ++m_at;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] Error wrong(std::string why) const {
    return bad_input(std::move(why)).at(m_name, m_line);
  }

  /// There the parser takes quotes and brackets for letters.
  [[nodiscard]] bool within_a_word() const {
    constexpr std::string_view kBetween = " \t\n=,[]{}\"'";
    return m_at > 0 && kBetween.find(m_text[m_at - 1]) == std::string_view::npos;
  }

  Result<void> pass_string() {
    if (within_a_word() && !(m_in_key && m_text[m_at - 1] == '.')) {
      return wrong("quotes within a word or a number; a text begins and ends with them");
    }
    const std::string_view text = m_text.substr(m_at, string_length(m_text.substr(m_at)));
    if (text.starts_with("\"\"\"") && escapes_beyond_ascii(text)) {
      return wrong("a backslash before a letter that is not ASCII; write two, or no backslash");
    }
    m_line += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    m_at += text.size();
    return {};
  }

  Result<void> look_at(char c) {
    // The parser asks a broken table whether others are spaces.
    const bool line_end = c == '\n' || (c == '\r' && m_text.substr(m_at).starts_with("\r\n"));
    if (!line_end && c != '\t' && (c < ' ' || static_cast<unsigned char>(c) > kLastPrintable)) {
      return wrong(
          "a letter or sign that belongs in quotes or in a comment; write \"..\" around it");
    }
    if (c == '.') {
      if (++m_dots <= kMostDots) return {};
      return wrong(
          fmt::format("a key of more than {} parts; known keys have three at most", kMostDots));
    }
    if (std::string_view("\n=,[]{}").find(c) == std::string_view::npos) return {};
    m_dots = 0;  // the key or the number before is over
    return look_at_sign(c);
  }

  Result<void> look_at_sign(char c) {
    if (c == '\n') {
      ++m_line;
      if (m_open.empty()) m_in_value = false;
      if (m_open.empty()) m_in_key = true;
    } else if (c == '=') {
      if (!m_in_key) return wrong("a '=' within a value; write key = value, each on its line");
      m_in_value = true;
      m_in_key = false;
    } else if (c == ',') {
      m_in_key = m_open.ends_with('{');
    } else if (!m_in_value) {
      if (c == '[' && !begins_a_name(m_text.substr(m_at + 1))) {
        return wrong("a table without a name; write [name], or [[name]] for one of several");
      }
    } else if (c == '[' || c == '{') {
      if (within_a_word()) return wrong(fmt::format("a '{}' within a word or a number", c));
      m_open.push_back(c);
      m_in_key = c == '{';
    } else if ((c == ']' || c == '}') && !m_open.empty()) {
      const char opening = c == ']' ? '[' : '{';
      if (m_open.back() != opening) {
        return wrong(
            fmt::format("a '{}' ends what a '{}' began; they go in pairs", c, m_open.back()));
      }
      m_open.pop_back();
    }
    return {};
  }

  std::string_view m_text;
  std::string_view m_name;
  std::size_t m_at = 0;
  std::size_t m_line = 1;
  std::size_t m_dots = 0;
  std::string m_open;       ///< brackets and braces of the value that we are in
  bool m_in_value = false;  ///< else a bracket begins a table
  bool m_in_key = true;
};

}  // namespace

Result<void> guard_toml(std::string_view text, std::string_view name) {
  if (text.size() > kLargestText) {
    return bad_input(fmt::format("{} bytes are too many for settings; at most {} are read",
                                 text.size(), kLargestText))
        .at(name);
  }
  return Guard(text, name).run();
}

}  // namespace supple::settings
