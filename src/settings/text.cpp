// SPDX-License-Identifier: Apache-2.0
#include "settings/text.hpp"

#include "supple/settings/toml.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::settings {
namespace {

struct InlineText {
  std::string operator()(std::monostate) const { return "\"\""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return toml_quoted(value); }
  std::string operator()(const Value::List& list) const {
    std::string text;
    for (const Value& value : list) text += (text.empty() ? "" : ", ") + inline_text(value);
    return "[" + text + "]";
  }
  std::string operator()(const Value::Table& table) const {
    std::string text;
    for (const Entry& entry : table) {
      text +=
          fmt::format("{}{} = {}", text.empty() ? "" : ", ", entry.key, inline_text(entry.value));
    }
    return "{" + text + "}";
  }
};

}  // namespace

bool is_number(const Value& value) {
  return std::holds_alternative<double>(value.data) ||
         std::holds_alternative<std::int64_t>(value.data);
}

bool has_bare_words(const Form& form) {
  return !form.words.empty() && std::ranges::all_of(form.words, [](const std::string& word) {
    return word.find_first_not_of("0123456789") == std::string::npos;
  });
}

std::string words_text(const Form& form) {
  std::string text;
  for (std::size_t i = 0; i < form.words.size(); ++i) {
    const bool last = i + 1 == form.words.size();
    text += i == 0 ? "" : (last ? " or " : ", ");
    text += has_bare_words(form) ? form.words[i] : toml_quoted(form.words[i]);
  }
  return form.words_are.empty() ? text : fmt::format("{} ({})", form.words_are, text);
}

Value word_value(const Form& form, std::size_t word) {
  if (has_bare_words(form)) return {.data = std::int64_t{std::stoll(form.words[word])}};
  return {.data = form.words[word]};
}

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

std::string inline_text(const Value& value) {
  return std::visit(InlineText{}, value.data);
}

}  // namespace supple::settings
