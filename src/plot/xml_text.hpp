// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace supple::plot {

/// Text for XML: markup is escaped; bytes that are not UTF-8 and letters that XML 1.0 forbids
/// become '?'.
[[nodiscard]] std::string escaped(std::string_view text);

/// Hundredths are enough for pixels: "12.5", "-0.25", "3".
[[nodiscard]] std::string number(double value);

}  // namespace supple::plot
