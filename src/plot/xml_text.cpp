// SPDX-License-Identifier: Apache-2.0
#include "plot/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::plot {
std::string number(double value) {
  constexpr double kFarthest = 1e6;  // renderers count in fixed point
  const double kept = std::isfinite(value) ? std::clamp(value, -kFarthest, kFarthest) : 0.0;
  std::string text = fmt::format("{:.2f}", kept);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace supple::plot
