// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace supple::io {

/// What acted on a recorded run and when, read from CSV: lines "frame,entry" or
/// "frame,entry,strength". A first line of these words is a header.
struct ActionTable {
  struct Row {
    std::size_t frame = 0;
    std::string entry;
    double strength = 1;
    std::size_t line = 0;  ///< of the file, for messages
  };
  std::string name;       ///< the file's name in messages
  std::vector<Row> rows;  ///< at least one; frames ascend
};

/// Empty lines and lines that begin with '#' are ignored. Errors name the line.
[[nodiscard]] Result<ActionTable> read_action_table(std::span<const std::byte> bytes,
                                                    std::string_view name);
[[nodiscard]] Result<ActionTable> read_action_table(const std::filesystem::path& path);

}  // namespace supple::io
