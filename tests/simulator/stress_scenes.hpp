// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/simulator/world.hpp"

#include <functional>
#include <string>
#include <vector>

namespace supple::simulator {

/// A scene that is hard on contact, and the seconds after which it has shown what it can.
struct StressScene {
  std::string name;
  double seconds = 0.5;
  std::function<Description()> make;
};

[[nodiscard]] const std::vector<StressScene>& stress_scenes();

}  // namespace supple::simulator
