// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace supple::bake::samples {

/// Keys that are added to sections, and another palette.
struct BlockParts {
  std::string sampling = {};
  std::string shapes = "tolerance = 0.05\n";
  std::string entries =
      "[[entry]]\nname = \"left\"\nkey = \"l\"\n[entry.impulse]\nvelocity = [-0.6, 0, 0]\n"
      "[[entry]]\nname = \"up\"\n[entry.impulse]\nvelocity = [0, 0.4, 0.3]\n";
};

/// A block of 27 vertices on its foot, damped, with two impulses: the smallest scene there is.
inline std::string soft_block(const BlockParts& parts = {}) {
  std::string sampling = "[sampling]\nstates = 150\nsettle = 0.5\nrest = 4\nchain = 2\n";
  if (parts.sampling.find("shortest") == std::string::npos) {
    sampling += "shortest = 0.1\nlongest = 0.3\n";
  }
  return "rate = 30\n" + sampling + parts.sampling + "[shapes]\n" + parts.shapes +
         "[solver]\nmass_damping = 4\n"
         "[[solid]]\nname = \"block\"\nsize = [0.1, 0.1, 0.1]\ncells = 2\n"
         "material = {youngs_modulus = 2e4, poisson_ratio = 0.4, density = 1000}\n"
         "[[pin]]\nbody = \"block\"\nwhere = [\"y<-0.049\"]\n" +
         parts.entries;
}

}  // namespace supple::bake::samples
