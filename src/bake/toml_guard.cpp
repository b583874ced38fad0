// SPDX-License-Identifier: Apache-2.0
#include "bake/toml_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace supple::bake {
namespace {

constexpr std::size_t kLargestText = std::size_t{1} << 20;
constexpr std::size_t kMostDots = 64;  // of one key; ours have three

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

}  // namespace

Result<void> guard_toml(std::string_view text, std::string_view name) {
  if (text.size() > kLargestText) {
    return bad_input(fmt::format("{} bytes are too many for settings; at most {} are read",
                                 text.size(), kLargestText))
        .at(name);
  }
  std::size_t line = 1;
  std::size_t dots = 0;
  std::size_t open = 0;   // brackets and braces of the value that we are in
  bool in_value = false;  // else a bracket begins a table
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    std::size_t length = 1;
    if (c == '"' || c == '\'') {
      length = string_length(text.substr(i));
      for (const char inside : text.substr(i, length)) line += inside == '\n' ? 1 : 0;
    } else if (c == '#') {
      length = std::min(text.find('\n', i), text.size()) - i;
    } else if (c == '.') {
      if (++dots > kMostDots) {
        return bad_input(fmt::format("a key of more than {} parts; known keys have few, see "
                                     "'supple bake --print-config'",
                                     kMostDots))
            .at(name, line);
      }
    } else if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) {
      dots = 0;  // the key or the number before is over
      if (c == '\n') ++line;
      if (c == '=') in_value = true;
      if (c == '\n' && open == 0) in_value = false;
      if (c == '[' && !in_value && !begins_a_name(text.substr(i + 1))) {
        return bad_input("a table without a name; write [name], or [[name]] for one of several")
            .at(name, line);
      }
      if (in_value && (c == '[' || c == '{')) ++open;
      if (in_value && (c == ']' || c == '}') && open > 0) --open;
    }
    i += length;
  }
  return {};
}

}  // namespace supple::bake
