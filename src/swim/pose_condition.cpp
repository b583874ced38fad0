// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/pose_graph.hpp"

#include "supple/core/suggest.hpp"
#include "supple/core/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace supple::swim {
namespace {

/// In the order of Condition::Of.
constexpr std::array<std::string_view, 5> kQuantities{"speed", "depth", "pitch", "roll", "error"};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

double largest_error(const Swimmer& swimmer, const std::vector<double>& targets) {
  double largest = 0;
  for (std::size_t j = 0; j < targets.size(); ++j) {
    largest = std::max(largest, std::abs(targets[j] - swimmer.angles()[j]));
  }
  return largest * kDegreesPerRadian;
}

double value_of(Condition::Of of, const Swimmer& swimmer, const std::vector<double>& targets) {
  const auto axes = [&] { return swimmer.segment(0).axes; };
  switch (of) {
    case Condition::Of::Speed:
      return swimmer.velocity().norm();
    case Condition::Of::Depth:
      return swimmer.water().settings().surface.value_or(0) - swimmer.centre_of_mass().y();
    case Condition::Of::Pitch:
      return std::asin(std::clamp(axes()(1, 0), -1.0, 1.0)) * kDegreesPerRadian;
    case Condition::Of::Roll:
      return std::atan2(-axes()(1, 2), axes()(1, 1)) * kDegreesPerRadian;
    case Condition::Of::Error:
      break;
  }
  return largest_error(swimmer, targets);
}

}  // namespace

Result<Condition> Condition::parse(std::string_view text) {
  const auto sign = text.find_first_of("<>");
  if (sign == std::string_view::npos) {
    return bad_input(
        fmt::format("the condition '{}' has no < or >; write one such as \"speed < 0.4\"", text));
  }
  Condition condition;
  condition.above = text[sign] == '>';
  const std::string_view quantity = trimmed(text.substr(0, sign));
  const auto found = std::ranges::find(kQuantities, quantity);
  if (found == kQuantities.end()) {
    const std::vector<std::string> known(kQuantities.begin(), kQuantities.end());
    return bad_input(
        fmt::format("the condition '{}' uses the unknown quantity '{}'{}; known are {}", text,
                    quantity, did_you_mean(quantity, known), fmt::join(kQuantities, ", ")));
  }
  condition.of = static_cast<Of>(found - kQuantities.begin());
  const std::string_view number = trimmed(text.substr(sign + 1));
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, condition.than);
  if (error != std::errc() || stop != end || !std::isfinite(condition.than)) {
    return bad_input(
        fmt::format("the condition '{}' compares with '{}', which is not a number", text, number));
  }
  return condition;
}

std::string Condition::text() const {
  return fmt::format("{} {} {}", kQuantities[static_cast<std::size_t>(of)], above ? '>' : '<',
                     than);
}

bool Condition::holds(const Swimmer& swimmer, const std::vector<double>& targets) const {
  const double value = value_of(of, swimmer, targets);
  return above ? value > than : value < than;
}

}  // namespace supple::swim
