// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace supple::bake {

/// One clip of OUT.glb.
struct ClipSummary {
  std::string name;
  double seconds = 0;
  bool loops = false;
  int cycles = 0;       ///< until a loop became periodic
  double at_limit = 0;  ///< see Tracks::at_limit
};

}  // namespace supple::bake
