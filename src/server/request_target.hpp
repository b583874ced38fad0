// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace supple::server {

/// The parsed target of a request.
struct RequestTarget {
  std::string authority;  ///< of an absolute address; "" for the usual "/path"
  std::string path;       ///< decoded, without the leading '/'; "" is the root
};

/// Empty for targets that no honest client sends: bad percent-encoding, control characters,
/// backslashes, encoded slashes, "." and ".." in any encoding, empty segments, bytes that are not
/// UTF-8. A path that still contains a '%' after decoding is rejected too, so that a second
/// decoding can never change it.
[[nodiscard]] std::optional<RequestTarget> parse_target(std::string_view target);

}  // namespace supple::server
