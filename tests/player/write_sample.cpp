// SPDX-License-Identifier: Apache-2.0
// write_sample FILE: a small .supple file for programs that need one.
#include "player/synthetic_asset.hpp"

#include "supple/core/files.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto written = supple::io::write_supple(supple::player::testing::random_asset({}, 1));
  if (!written.ok()) return 3;
  return supple::write_file(argv[1], written->bytes).ok() ? 0 : 5;
}
