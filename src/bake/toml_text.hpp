// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Settings as TOML with comments.
namespace supple::bake::detail {

[[nodiscard]] std::string toml_quoted(std::string_view text);
[[nodiscard]] std::string quoted_list(const std::vector<std::string>& words);

/// `key = value  # why`, with the comments in one column where values are short.
[[nodiscard]] std::string line(std::string_view key, std::string_view value,
                               std::string_view comment);
[[nodiscard]] std::string line(std::string_view key, double value, std::string_view comment);
[[nodiscard]] std::string line(std::string_view key, bool value, std::string_view comment);

}  // namespace supple::bake::detail
