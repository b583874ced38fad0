// SPDX-License-Identifier: Apache-2.0
#include "supple/io/point_cache.hpp"

#include "fuzz/harness.hpp"

#include <cmath>

/// What is read is complete and finite, and as large as the file says.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  const auto read = io::read_mdd(fuzz::bytes_of(data, size), "fuzz.mdd");
  if (!read.ok()) return 0;
  SUPPLE_CHECK_OP(read->times.size(), ==, read->frames.size());
  SUPPLE_CHECK_OP(8 + read->frames.size() * (4 + 12 * read->points), ==, size);
  for (const double time : read->times) SUPPLE_CHECK(std::isfinite(time));
  for (const auto& frame : read->frames) {
    SUPPLE_CHECK_OP(frame.size(), ==, read->points);
    for (const geometry::Vec3& point : frame) SUPPLE_CHECK(point.allFinite());
  }
  return 0;
}
