// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/served_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace supple::server {

/// A response: a body in memory, or a piece of a file.
struct Reply {
  int status = 200;
  std::vector<std::pair<std::string, std::string>>
      fields;  ///< in addition to those of all responses
  std::string type;
  std::string body;
  std::unique_ptr<ServedFile> file;
  std::uint64_t offset = 0;  ///< of the piece
  std::uint64_t length = 0;
  bool keep_alive = true;
};

/// A readable response: "404: not found".
[[nodiscard]] Reply refusal(int status, std::string_view why);

/// Status line and header fields. `with_length` is false for streams.
[[nodiscard]] std::string write_head(const Reply& reply, bool with_length = true);

}  // namespace supple::server
