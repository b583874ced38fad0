// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace supple::plot {

/// Hundredths are enough for pixels: "12.5", "-0.25", "3".
[[nodiscard]] std::string number(double value);

}  // namespace supple::plot
