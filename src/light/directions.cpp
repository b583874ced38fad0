// SPDX-License-Identifier: Apache-2.0
#include "light/directions.hpp"

#include "light/morton.hpp"
#include "supple/core/random.hpp"
#include "supple/light/harmonics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace supple::light {
namespace {

constexpr unsigned kSobolBits = 32;

/// The first two dimensions of Sobol's sequence: mirrored binary digits, and those times Pascal's
/// triangle modulo 2.
std::array<std::uint32_t, 2> sobol(std::uint32_t index) {
  std::array<std::uint32_t, 2> point{};
  std::uint32_t second = 1U << 31U;
  for (unsigned bit = 0; bit < kSobolBits; ++bit, second ^= second >> 1U) {
    if ((index >> bit & 1U) == 0) continue;
    point[0] ^= 1U << (31U - bit);
    point[1] ^= second;
  }
  return point;
}

/// Each digit is flipped at random, by a coin that belongs to the digits before it.
std::uint32_t scrambled(std::uint32_t x, std::uint64_t seed) {
  std::uint32_t result = 0;
  for (unsigned bit = 0; bit < kSobolBits; ++bit) {
    const unsigned shift = 31U - bit;
    const std::uint64_t before = bit == 0 ? 0 : x >> (shift + 1);
    const std::uint64_t coin = Random(seed, (std::uint64_t{bit} << 32U) | before).next() >> 63U;
    result |= (x ^ static_cast<std::uint32_t>(coin << shift)) & (1U << shift);
  }
  return result;
}

}  // namespace

DirectionSet make_directions(std::size_t begin, std::size_t end, int order, std::uint64_t seed) {
  struct Numbered {
    std::uint64_t key;
    Eigen::Vector3d direction;
  };
  std::vector<Numbered> list;
  for (std::size_t i = begin; i < end; ++i) {
    const auto point = sobol(static_cast<std::uint32_t>(i));
    const std::uint32_t a = scrambled(point[0], 2 * seed);
    const std::uint32_t b = scrambled(point[1], 2 * seed + 1);
    const double z = 1 - 2 * (a + 0.5) * 0x1.0p-32;
    const double phi = 2 * std::numbers::pi * (b + 0.5) * 0x1.0p-32;
    const double r = std::sqrt(1 - z * z);
    const Eigen::Vector3d direction(r * std::cos(phi), r * std::sin(phi), z);
    const auto cell = [](double x) { return static_cast<std::uint64_t>((x + 1) * 0x1.0p19); };
    list.push_back({morton(cell(direction.x()), cell(direction.y()), cell(z)), direction});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Numbered& a, const Numbered& b) { return a.key < b.key; });
  DirectionSet set;
  set.coefficients = coefficient_count(order);
  for (const Numbered& item : list) {
    set.directions.emplace_back(item.direction.cast<float>());
    const Eigen::VectorXf y = harmonics(order, item.direction).cast<float>();
    set.harmonics.insert(set.harmonics.end(), y.begin(), y.end());
  }
  return set;
}

}  // namespace supple::light
