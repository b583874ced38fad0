// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/process.hpp"
#include "cli/small_characters.hpp"

#include <gtest/gtest.h>

#include <string>

namespace supple::testing {

/// The first line of a table that moves the tube.
inline constexpr const char* kHipsColumns =
    "time,Hips.px,Hips.py,Hips.pz,Hips.qx,Hips.qy,Hips.qz,Hips.qw\n";

/// A tube with soft flesh, baked coarsely.
struct SoftTube {
  TemporaryDirectory directory;
  std::string glb;
  std::string soft = directory.path("soft.glb");
  std::string flesh = directory.path("soft.supple");

  explicit SoftTube(const HandMade& character = tube_character())
      : glb(directory.write("tube.glb", glb_text(character))) {
    const std::string config = directory.write("bake.toml",
                                               "[[object]]\nname = \"shin\"\nbones = [\"Leg\"]\n"
                                               "elements = 400\nmodes = 2\nmaterial = \"fat\"\n");
    const Outcome outcome = supple({"bake", glb, "-c", config, "-o", soft, "-q"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
};

}  // namespace supple::testing
