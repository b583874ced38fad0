// SPDX-License-Identifier: Apache-2.0
#include "supple/io/surface.hpp"

#include "fuzz/harness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto mesh = supple::io::read_obj(supple::fuzz::bytes_of(data, size), "fuzz.obj");
  if (mesh.ok()) supple::fuzz::check_sound(*mesh);
  return 0;
}
