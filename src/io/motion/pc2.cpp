// SPDX-License-Identifier: Apache-2.0
#include "supple/io/point_cache.hpp"

#include "io/binary.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace supple::io {
namespace {

using geometry::Vec3;

constexpr std::string_view kPc2Magic{"POINTCACHE2\0", 12};
constexpr std::int32_t kPc2Version = 1;
constexpr std::size_t kPc2Header = 32;

}  // namespace

Bytes write_pc2(const PointCache& cache) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
  SUPPLE_CHECK(cache.points <= kMost && cache.frames.size() <= kMost);
  Bytes out;
  out.reserve(kPc2Header + 12 * cache.points * cache.frames.size());
  detail::append_text(out, kPc2Magic);
  detail::append_little(out, kPc2Version);
  detail::append_little(out, static_cast<std::int32_t>(cache.points));
  detail::append_little(out, static_cast<float>(cache.start));
  detail::append_little(out, static_cast<float>(cache.rate));
  detail::append_little(out, static_cast<std::int32_t>(cache.frames.size()));
  for (const std::vector<Vec3>& frame : cache.frames) {
    SUPPLE_CHECK_OP(frame.size(), ==, cache.points);
    for (const Vec3& point : frame) {
      for (const double coordinate : point) {
        detail::append_little(out, static_cast<float>(coordinate));
      }
    }
  }
  return out;
}

Result<PointCache> read_pc2(std::span<const std::byte> bytes, std::string_view name) {
  const auto fail = [&](std::string text) { return bad_input(std::move(text)).at(name); };
  if (bytes.empty()) return fail("the file is empty; export or copy it again");
  if (bytes.size() < kPc2Header || !as_text(bytes).starts_with(kPc2Magic)) {
    return fail("this is not a PC2 point cache: it must begin with 'POINTCACHE2'");
  }
  const auto whole = [&](std::size_t at) {
    return detail::load<std::int32_t>(bytes.data() + at, std::endian::little);
  };
  const auto number = [&](std::size_t at) {
    return double{detail::load<float>(bytes.data() + at, std::endian::little)};
  };
  if (whole(12) != kPc2Version) {
    return fail(fmt::format("the version {} of this PC2 file is unknown; expected {}", whole(12),
                            kPc2Version));
  }
  if (whole(16) < 0 || whole(28) < 0) return fail("the PC2 header has a negative number of points");
  PointCache cache;
  cache.points = static_cast<std::size_t>(whole(16));
  cache.start = number(20);
  cache.rate = number(24);
  if (!std::isfinite(cache.start) || !std::isfinite(cache.rate)) {
    return fail("the frame numbers of the PC2 header are not finite");
  }
  const auto samples = static_cast<std::size_t>(whole(28));
  const std::size_t numbers = 3 * cache.points;  // of a sample
  const std::size_t size = bytes.size() - kPc2Header;
  const bool fits = numbers == 0 ? samples == 0 && size == 0
                                 : size % (4 * numbers) == 0 && size / (4 * numbers) == samples;
  if (!fits) {
    return fail(fmt::format(
        "the PC2 header announces {} samples of {} points, which the {} bytes after it are not",
        samples, cache.points, size));
  }
  std::size_t at = kPc2Header;
  cache.frames.resize(samples);
  for (std::size_t s = 0; s < samples; ++s) {
    cache.frames[s].resize(cache.points);
    for (Vec3& point : cache.frames[s]) {
      for (double& coordinate : point) {
        coordinate = number(at);
        at += 4;
      }
      if (!point.allFinite()) return fail(fmt::format("sample {} is not finite", s + 1));
    }
  }
  return cache;
}

}  // namespace supple::io
