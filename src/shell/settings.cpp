// SPDX-License-Identifier: Apache-2.0
#include "supple/shell/settings.hpp"

#include <fmt/format.h>

#include <cmath>

namespace supple::shell {
namespace {

constexpr int kMostModes = 1000;
constexpr std::size_t kMostPoints = 1'000'000;
constexpr double kHighest = 1000;        // Hz
constexpr double kLongestLength = 1000;  // metres
constexpr double kDensest = 20000;       // kg/m^3
constexpr double kMostSag = 10;

bool within(double value, double most) {
  return std::isfinite(value) && value >= 0 && value <= most;
}

/// What is wrong, or nothing.
std::string complaint_about(const Damping& damping) {
  if (const auto* ratio = std::get_if<DampingRatio>(&damping)) {
    if (!within(ratio->ratio, 10)) {
      return fmt::format(
          "the damping ratio is {}; it must be from 0 (rings for ever) to 10; 1 is critical",
          ratio->ratio);
    }
  } else if (const auto* rayleigh = std::get_if<RayleighDamping>(&damping)) {
    constexpr double kMost = 1e6;
    if (!within(rayleigh->mass, kMost)) {
      return fmt::format("mass of the damping is {}; it must be from 0 to {:.0g} (1/s)",
                         rayleigh->mass, kMost);
    }
    if (!within(rayleigh->stiffness, kMost)) {
      return fmt::format("stiffness of the damping is {}; it must be from 0 to {:.0g} (s)",
                         rayleigh->stiffness, kMost);
    }
  }
  return {};
}

std::string complaint_about(const ObjectSettings& settings) {
  if (settings.name.empty()) return "a shell needs a name";
  if (std::string text = complaint_about(settings.damping); !text.empty()) return text;
  if (settings.modes < 1 || settings.modes > kMostModes) {
    return fmt::format("modes is {}; it must be from 1 to {}", settings.modes, kMostModes);
  }
  if (!within(settings.tether, kHighest)) {
    return fmt::format(
        "tether is {}; it must be a frequency of at most {} Hz, or 0 to follow rigidly",
        settings.tether, kHighest);
  }
  if (!within(settings.medium.density, kDensest)) {
    return fmt::format("the medium's density is {}; it must be from 0 (none) to {} kg/m^3",
                       settings.medium.density, kDensest);
  }
  if (settings.medium.chord && !within(*settings.medium.chord, kLongestLength)) {
    return fmt::format("the medium's chord is {}; it must be a length of at most {} metres",
                       *settings.medium.chord, kLongestLength);
  }
  if (!within(settings.sag, kMostSag)) {
    return fmt::format(
        "sag is {}; it must be from 0 (as soft as its material) to {} times the turn that its "
        "modes follow",
        settings.sag, kMostSag);
  }
  if (settings.points > kMostPoints) {
    return fmt::format("points is {}; it must be at most {}, or 0 to choose", settings.points,
                       kMostPoints);
  }
  if (!within(settings.limit, kLongestLength)) {
    return fmt::format("limit is {}; it must be a length of at most {} metres, or 0 for none",
                       settings.limit, kLongestLength);
  }
  return {};
}

}  // namespace

Result<void> ObjectSettings::validate() const {
  const std::string complaint = complaint_about(*this);
  if (complaint.empty()) return {};
  return bad_input(fmt::format("shell '{}': {}", name, complaint));
}

}  // namespace supple::shell
