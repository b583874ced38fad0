// SPDX-License-Identifier: Apache-2.0
#include "supple/io/volume.hpp"

#include "fuzz/harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto mesh = supple::io::read_msh(supple::fuzz::bytes_of(data, size), "fuzz.msh");
  if (mesh.ok()) supple::fuzz::check_sound(*mesh);
  return 0;
}
