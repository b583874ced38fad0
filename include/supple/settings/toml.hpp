// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/settings/field.hpp"

#include <string>
#include <string_view>

namespace supple::settings {

/// The table that a TOML text is. `name` stands in messages.
[[nodiscard]] Result<Value> parse_toml(std::string_view text, std::string_view name);

/// Text as a TOML string.
[[nodiscard]] std::string toml_quoted(std::string_view text);

enum class Comments { Yes, No };

/// A table that `write` made, with the descriptions as comments.
[[nodiscard]] std::string print_toml(const FieldList& list, const Value& table,
                                     Comments comments = Comments::Yes);

/// The text with these settings in it. Only values that changed are touched, so that comments and
/// layout stay; where that is not possible, because tables came or went, the whole is printed.
[[nodiscard]] Result<std::string> edit_toml(const FieldList& list, std::string_view text,
                                            std::string_view name, const void* settings);

}  // namespace supple::settings
