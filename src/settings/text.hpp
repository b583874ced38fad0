// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/settings/field.hpp"

#include <string>
#include <string_view>

/// Values and words as they stand in files and messages.
namespace supple::settings {

[[nodiscard]] bool is_number(const Value& value);
/// Words that are numbers, such as 14 and 24.
[[nodiscard]] bool has_bare_words(const Form& form);
/// `"box" or "capsule"`; `a preset ("fat", "muscle")`
[[nodiscard]] std::string words_text(const Form& form);
/// A word as a value: text, or a whole number for bare words.
[[nodiscard]] Value word_value(const Form& form, std::size_t word);

/// In one line of TOML. Numbers are the shortest that read back exactly.
[[nodiscard]] std::string inline_text(const Value& value);

}  // namespace supple::settings
