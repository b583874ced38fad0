// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace supple {

/// Text for XML and HTML, between tags and in attributes: markup is escaped; bytes that are not
/// UTF-8 and letters that XML 1.0 forbids become '?'.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace supple
