// SPDX-License-Identifier: Apache-2.0
#include "supple/io/point_cache.hpp"

#include "fuzz/harness.hpp"

/// What is read is complete, and is written as it was read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  const auto bytes = fuzz::bytes_of(data, size);
  const auto read = io::read_pc2(bytes, "fuzz.pc2");
  if (!read.ok()) return 0;
  const Bytes again = io::write_pc2(*read);
  SUPPLE_CHECK(again.size() == bytes.size());
  SUPPLE_CHECK(std::equal(again.begin(), again.end(), bytes.begin()));
  return 0;
}
