// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/image_reader.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace supple::io {

/// Linear radiance: rows from the top, red, green and blue of each pixel.
struct RadianceImage {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<float> rgb;
};

/// Reads Radiance .hdr (RGBE), with old, new or no run lengths, of any of the eight orientations;
/// EXPOSURE and COLORCORR are divided out. Truncated files, runs that do not fit and sizes beyond
/// the limits are errors that name the row.
[[nodiscard]] Result<RadianceImage> read_hdr(std::span<const std::byte> bytes,
                                             std::string_view name, const ImageLimits& limits = {});

/// The same, and a panorama must be twice as wide as high.
[[nodiscard]] Result<RadianceImage> read_hdr_panorama(std::span<const std::byte> bytes,
                                                      std::string_view name,
                                                      const ImageLimits& limits = {});

}  // namespace supple::io
