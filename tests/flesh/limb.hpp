// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "character/limb.hpp"
#include "supple/flesh/settings.hpp"

namespace supple::flesh::testing {

using character::testing::limb;

inline ObjectSettings thigh() {
  ObjectSettings settings;
  settings.name = "thigh";
  settings.region.bones = {"Thigh"};
  settings.layers = {{{"flesh", 8e3, 0.45, 1000}, 0}};
  settings.elements = 700;
  settings.sag = 0;
  return settings;
}

}  // namespace supple::flesh::testing
