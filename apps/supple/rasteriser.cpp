// SPDX-License-Identifier: Apache-2.0
#include "rasteriser.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace supple::app {
namespace {

using Eigen::Vector3f;

/// Twice the signed area of (a, b, p) on the screen.
float edge(const Vector3f& a, const Vector3f& b, float x, float y) {
  return (b.x() - a.x()) * (y - a.y()) - (b.y() - a.y()) * (x - a.x());
}

void rasterise_triangle(const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c,
                        Fragments& fragments) {
  const float area = edge(a.position, b.position, c.position.x(), c.position.y());
  if (!(std::abs(area) > 0)) return;
  const Vector3f low = a.position.cwiseMin(b.position).cwiseMin(c.position);
  const Vector3f high = a.position.cwiseMax(b.position).cwiseMax(c.position);
  const int left = std::max(0, static_cast<int>(std::floor(low.x() - 0.5F)));
  const int right = std::min(fragments.width - 1, static_cast<int>(std::ceil(high.x())));
  const int top = std::max(0, static_cast<int>(std::floor(low.y() - 0.5F)));
  const int bottom = std::min(fragments.height - 1, static_cast<int>(std::ceil(high.y())));
  for (int y = top; y <= bottom; ++y) {
    for (int x = left; x <= right; ++x) {
      const float px = static_cast<float>(x) + 0.5F;
      const float py = static_cast<float>(y) + 0.5F;
      const float wa = edge(b.position, c.position, px, py) / area;
      const float wb = edge(c.position, a.position, px, py) / area;
      const float wc = 1.0F - wa - wb;
      if (wa < 0 || wb < 0 || wc < 0) continue;
      const float depth = wa * a.position.z() + wb * b.position.z() + wc * c.position.z();
      const std::size_t pixel = fragments.index(x, y);
      if (depth >= fragments.depth[pixel]) continue;
      fragments.depth[pixel] = depth;
      fragments.normal[pixel] = wa * a.normal + wb * b.normal + wc * c.normal;
      fragments.value[pixel] = wa * a.value + wb * b.value + wc * c.value;
      fragments.colour[pixel] = wa * a.colour + wb * b.colour + wc * c.colour;
    }
  }
}

/// A fixed angle per pixel: neighbours differ, and averaging blocks of pixels hides the pattern.
float pixel_angle(int x, int y) {
  auto h =
      static_cast<std::uint32_t>(x) * 0x9e3779b1U ^ static_cast<std::uint32_t>(y) * 0x85ebca77U;
  h ^= h >> 15U;
  h *= 0x2c1b3c6dU;
  h ^= h >> 12U;
  return static_cast<float>(h & 0xffffU) / 65536.0F * 2.0F * std::numbers::pi_v<float>;
}

float openness(const Fragments& fragments, int x, int y, float radius) {
  constexpr int kSamples = 10;
  constexpr float kGoldenAngle = 2.39996323F;
  const std::size_t pixel = fragments.index(x, y);
  const Vector3f normal = fragments.normal[pixel];
  const float start = pixel_angle(x, y);
  float shut = 0;
  for (int i = 0; i < kSamples; ++i) {
    const float r = radius * std::sqrt((static_cast<float>(i) + 0.5F) / kSamples);
    const float angle = start + kGoldenAngle * static_cast<float>(i);
    const int sx = x + static_cast<int>(std::lround(r * std::cos(angle)));
    const int sy = y + static_cast<int>(std::lround(r * std::sin(angle)));
    if (!fragments.covered(sx, sy)) continue;
    const Vector3f away(static_cast<float>(sx - x), static_cast<float>(sy - y),
                        fragments.depth[fragments.index(sx, sy)] - fragments.depth[pixel]);
    const float squared = away.squaredNorm();
    const float bias = 0.02F * radius;
    // Occluders beyond the radius fade out, so that a far limb casts no halo.
    const float reach = std::max(0.0F, 1.0F - squared / (4.0F * radius * radius));
    shut += reach * std::max(0.0F, away.dot(normal) - bias) / (std::sqrt(squared) + bias);
  }
  return std::clamp(1.0F - 1.6F * shut / kSamples, 0.0F, 1.0F);
}

}  // namespace

Fragments::Fragments(int columns, int rows) : width(columns), height(rows) {
  const std::size_t count = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  depth.assign(count, std::numeric_limits<float>::infinity());
  normal.assign(count, Vector3f::Zero());
  value.assign(count, 0.0F);
  colour.assign(count, Vector3f::Zero());
}

void rasterise(std::span<const ScreenVertex> corners, Fragments& fragments) {
  for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
    rasterise_triangle(corners[i], corners[i + 1], corners[i + 2], fragments);
  }
  for (Vector3f& normal : fragments.normal) {
    // Smooth normals lean away from the viewer near a silhouette; light those as seen edge-on.
    normal.z() = std::min(normal.z(), 0.0F);
    const float length = normal.norm();
    if (length > 0) normal /= length;
  }
}

std::vector<float> ambient_openness(const Fragments& fragments, float radius) {
  std::vector<float> result(fragments.depth.size(), 1.0F);
  for (int y = 0; y < fragments.height; ++y) {
    for (int x = 0; x < fragments.width; ++x) {
      if (fragments.covered(x, y)) {
        result[fragments.index(x, y)] = openness(fragments, x, y, radius);
      }
    }
  }
  return result;
}

std::vector<float> smoothed(const Fragments& fragments, const std::vector<float>& values, int reach,
                            float depth) {
  std::vector<float> result = values;
  std::vector<float> source;
  for (const bool across : {true, false}) {
    source = result;
    for (int y = 0; y < fragments.height; ++y) {
      for (int x = 0; x < fragments.width; ++x) {
        if (!fragments.covered(x, y)) continue;
        const std::size_t pixel = fragments.index(x, y);
        float sum = 0;
        float count = 0;
        for (int step = -reach; step <= reach; ++step) {
          const int sx = across ? x + step : x;
          const int sy = across ? y : y + step;
          if (!fragments.covered(sx, sy)) continue;
          const std::size_t other = fragments.index(sx, sy);
          if (std::abs(fragments.depth[other] - fragments.depth[pixel]) > depth) continue;
          sum += source[other];
          count += 1;
        }
        result[pixel] = sum / count;
      }
    }
  }
  return result;
}

}  // namespace supple::app
