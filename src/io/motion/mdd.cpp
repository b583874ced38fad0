// SPDX-License-Identifier: Apache-2.0
#include "supple/io/point_cache.hpp"

#include "io/binary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>

namespace supple::io {

/// The layout of LightWave's motion designer: big-endian, the numbers of frames and of points, the
/// times of all frames, then x y z of all points of each frame.
Result<PointCache> read_mdd(std::span<const std::byte> bytes, std::string_view name) {
  const auto fail = [&](std::string text) { return bad_input(std::move(text)).at(name); };
  constexpr std::size_t kMddHeader = 8;
  if (bytes.empty()) return fail("the file is empty; export or copy it again");
  if (bytes.size() < kMddHeader) {
    return fail("this is not an MDD point cache: it ends before its header does");
  }
  const auto whole = [&](std::size_t at) {
    return detail::load<std::int32_t>(bytes.data() + at, std::endian::big);
  };
  const auto number = [&](std::size_t at) {
    return double{detail::load<float>(bytes.data() + at, std::endian::big)};
  };
  if (whole(0) < 0 || whole(4) < 0) {
    return fail("this is not an MDD point cache: its header has negative numbers");
  }
  const auto frames = static_cast<std::size_t>(whole(0));
  PointCache cache;
  cache.points = static_cast<std::size_t>(whole(4));
  const std::size_t size = bytes.size() - kMddHeader;
  const std::size_t frame_size = 4 + 12 * cache.points;  // with its time
  if (size % frame_size != 0 || size / frame_size != frames) {
    return fail(fmt::format(
        "the MDD header announces {} frames of {} points, which the {} bytes after it are not; "
        "export the file again",
        frames, cache.points, size));
  }
  cache.frames.resize(frames);
  std::size_t at = kMddHeader + 4 * frames;
  for (std::size_t f = 0; f < frames; ++f) {
    cache.times.push_back(number(kMddHeader + 4 * f));
    if (!std::isfinite(cache.times.back())) {
      return fail(fmt::format("the time of sample {} is not finite", f + 1));
    }
    cache.frames[f].resize(cache.points);
    for (geometry::Vec3& point : cache.frames[f]) {
      for (double& coordinate : point) {
        coordinate = number(at);
        at += 4;
      }
      if (!point.allFinite()) return fail(fmt::format("sample {} is not finite", f + 1));
    }
  }
  return cache;
}

}  // namespace supple::io
