// SPDX-License-Identifier: Apache-2.0
#include "supple/io/radiance_image.hpp"

#include "fuzz/harness.hpp"

#include <cmath>

/// What is read is complete, finite and not negative.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  io::ImageLimits limits;
  limits.pixels = std::size_t{1} << 20U;
  const auto read = io::read_hdr(fuzz::bytes_of(data, size), "fuzz.hdr", limits);
  if (!read.ok()) return 0;
  SUPPLE_CHECK_OP(read->rgb.size(), ==, 3 * read->width * read->height);
  for (const float value : read->rgb) SUPPLE_CHECK(std::isfinite(value) && value >= 0);
  return 0;
}
