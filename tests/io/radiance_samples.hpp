// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace supple::io::samples {

using HdrPixel = std::array<unsigned char, 4>;

inline std::string hdr_header(const std::string& size, const std::string& variables = "") {
  return "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n" + variables + "\n" + size + "\n";
}

inline std::string hdr_bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text.push_back(static_cast<char>(value));
  return text;
}

/// A row of pixels that vary, with new run lengths: literals of up to 100, and one run.
inline std::string hdr_run_row(const std::vector<HdrPixel>& row) {
  std::string text =
      hdr_bytes({2, 2, static_cast<int>(row.size() >> 8U), static_cast<int>(row.size() & 255U)});
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t x = 0; x < row.size();) {
      std::size_t same = 1;
      while (x + same < row.size() && same < 127 && row[x + same][c] == row[x][c]) ++same;
      if (same > 2) {
        text += hdr_bytes({static_cast<int>(128 + same), row[x][c]});
        x += same;
      } else {
        text += hdr_bytes({1, row[x][c]});
        ++x;
      }
    }
  }
  return text;
}

inline std::vector<HdrPixel> hdr_row(std::size_t length, std::uint64_t seed) {
  Random random(seed);
  std::vector<HdrPixel> row;
  for (std::size_t x = 0; x < length; ++x) {
    const auto any = [&] { return static_cast<unsigned char>(2 + random.below(254)); };
    const bool again = x > 0 && random.below(3) > 0;
    row.push_back(again ? row.back() : HdrPixel{any(), any(), any(), any()});
  }
  return row;
}

inline std::string hdr_plain_row(const std::vector<HdrPixel>& row) {
  std::string text;
  for (const HdrPixel& pixel : row) text += hdr_bytes({pixel[0], pixel[1], pixel[2], pixel[3]});
  return text;
}

}  // namespace supple::io::samples
