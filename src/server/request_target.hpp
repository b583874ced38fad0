// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace supple::server {

/// The address line of a request, taken apart.
struct RequestTarget {
  std::string authority;  ///< of an absolute address; "" for the usual "/path"
  std::string path;       ///< decoded, without the leading '/'; "" is the root
};

/// Nothing for what no honest client sends: bad percent-encoding, control characters, backslashes,
/// encoded slashes, "." and ".." in any encoding, empty segments, bytes that are not UTF-8. A path
/// that still holds a '%' after decoding is refused too, so that no second decoding, ours or
/// somebody else's, can ever find anything.
[[nodiscard]] std::optional<RequestTarget> parse_target(std::string_view target);

}  // namespace supple::server
