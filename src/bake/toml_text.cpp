// SPDX-License-Identifier: Apache-2.0
#include "bake/toml_text.hpp"

#include <fmt/format.h>

namespace supple::bake::detail {

std::string toml_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\u{:04X}", code);
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string quoted_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + toml_quoted(word);
  return "[" + text + "]";
}

std::string line(std::string_view key, std::string_view value, std::string_view comment) {
  const std::string assignment = fmt::format("{} = {}", key, value);
  return fmt::format("{:<28}  # {}\n", assignment, comment);
}

std::string line(std::string_view key, double value, std::string_view comment) {
  return line(key, fmt::format("{}", value), comment);  // the shortest text that reads back exactly
}

std::string line(std::string_view key, bool value, std::string_view comment) {
  return line(key, std::string_view(value ? "true" : "false"), comment);
}

}  // namespace supple::bake::detail
