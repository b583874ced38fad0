// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"

#include <cstring>

namespace supple::player {

/// What a mode does to one vertex at coefficient 1, in bind space.
struct VertexShape {
  float displacement[3];
  float normal[3];
};

/// One number of the rows that an entry points at.
[[nodiscard]] inline float shape_number(const supple_asset& asset, const format::Entry& entry,
                                        std::size_t index) {
  const unsigned char* rows = asset.shapes + std::size_t{entry.offset} * format::kAlignment;
  if (asset.summary->encoding == format::Encoding::Int16) {
    std::int16_t number = 0;
    std::memcpy(&number, rows + 2 * index, sizeof number);
    return number;
  }
  float number = 0;
  std::memcpy(&number, rows + 4 * index, sizeof number);
  return number;
}

[[nodiscard]] inline VertexShape vertex_shape(const supple_asset& asset, const format::Entry& entry,
                                              std::size_t mode, std::size_t lane) {
  const format::Mode& scales = asset.modes[asset.objects[entry.object].first_mode + mode];
  VertexShape shape{};
  for (std::size_t row = 0; row < 3; ++row) {
    const std::size_t at = (mode * format::kRows + row) * format::kBlock + lane;
    shape.displacement[row] = shape_number(asset, entry, at) * scales.position_scale;
    shape.normal[row] = shape_number(asset, entry, at + 3 * format::kBlock) * scales.normal_scale;
  }
  return shape;
}

}  // namespace supple::player
