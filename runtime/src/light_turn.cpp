// SPDX-License-Identifier: Apache-2.0
// Spherical harmonics turned, band by band.
#include "light.hpp"

namespace supple::player {
namespace {

constexpr int kMostBands = static_cast<int>(format::kMostLightOrder);
constexpr int kMostInBand = 2 * kMostBands - 1;

/// The matrix of one band, by m from -l to l in both directions.
struct Band {
  double numbers[kMostInBand][kMostInBand];
  int l;

  [[nodiscard]] double at(int row, int column) const { return numbers[row + l][column + l]; }
};

/// Y_1 is proportional to y, z, x.
Band first_band(const Turn& turn) {
  constexpr int kAxis[3] = {1, 2, 0};
  Band band{};
  band.l = 1;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) band.numbers[i][j] = turn.m[kAxis[i]][kAxis[j]];
  }
  return band;
}

/// P of [IR96], with their errata: a product of the first band with the band before.
double product_with(const Band& first, const Band& before, int i, int row, int column) {
  const int l = before.l + 1;
  if (column == l) {
    return first.at(i, 1) * before.at(row, l - 1) - first.at(i, -1) * before.at(row, 1 - l);
  }
  if (column == -l) {
    return first.at(i, 1) * before.at(row, 1 - l) + first.at(i, -1) * before.at(row, l - 1);
  }
  return first.at(i, 0) * before.at(row, column);
}

double root_of(int n) {
  return __builtin_sqrt(static_cast<double>(n));
}

/// The term with V of [IR96], without its factor.
double sideways(const Band& first, const Band& before, int m, int n) {
  const auto p = [&](int i, int row) { return product_with(first, before, i, row, n); };
  if (m == 0) return p(1, 1) + p(-1, -1);
  if (m > 0) return m == 1 ? root_of(2) * p(1, 0) : p(1, m - 1) - p(-1, 1 - m);
  return m == -1 ? root_of(2) * p(-1, 0) : p(1, m + 1) + p(-1, -m - 1);
}

/// The recurrence of [IR96]: a band follows from the one before and from the first.
Band next_band(const Band& first, const Band& before) {
  Band band{};
  const int l = band.l = before.l + 1;
  for (int m = -l; m <= l; ++m) {
    const int size = m < 0 ? -m : m;
    for (int n = -l; n <= l; ++n) {
      const int below = n == l || n == -l ? 2 * l * (2 * l - 1) : (l + n) * (l - n);
      double sum = 0;
      if (size < l) {
        sum += root_of((l + m) * (l - m)) * product_with(first, before, 0, m, n);
      }
      const int twice = m == 0 ? 2 : 1;
      const double v = root_of(twice * (l + size - 1) * (l + size)) * (m == 0 ? -0.5 : 0.5);
      sum += v * sideways(first, before, m, n);
      if (m != 0 && size < l - 1) {
        const double w = -0.5 * root_of((l - size - 1) * (l - size));
        const int step = m > 0 ? 1 : -1;
        const double one = product_with(first, before, 1, m + step, n);
        const double other = product_with(first, before, -1, -m - step, n);
        sum += w * (m > 0 ? one + other : one - other);
      }
      band.numbers[m + l][n + l] = sum / root_of(below);
    }
  }
  return band;
}

/// Y(turn d) = band Y(d), so that the coefficients are multiplied by the transposed band.
void turn_band(const Band& band, const double* light, double* turned) {
  const int size = 2 * band.l + 1;
  for (int n = 0; n < size; ++n) {
    for (int colour = 0; colour < 3; ++colour) {
      double sum = 0;
      for (int m = 0; m < size; ++m) sum += band.numbers[m][n] * light[3 * m + colour];
      turned[3 * n + colour] = sum;
    }
  }
}

}  // namespace

void turn_light(const Turn& turn, std::uint32_t order, const double* light, double* turned) {
  for (int colour = 0; colour < 3; ++colour) turned[colour] = light[colour];
  if (order < 2) return;
  const Band first = first_band(turn);
  Band band = first;
  for (int l = 1;; ++l) {
    turn_band(band, light + 3 * l * l, turned + 3 * l * l);
    if (l + 1 == static_cast<int>(order)) return;
    band = next_band(first, band);
  }
}

Turn turn_of_frame(const supple_player& player, std::size_t object) {
  const supple_asset& asset = *player.asset;
  Rotation since{0, 0, 0, 1};
  if (object < asset.summary->object_count) {
    since =
        product(frame_of(player, object).rotation, inverse(rest_rotation(asset.objects[object])));
  }
  Turn turn{};
  for (int column = 0; column < 3; ++column) {
    const Vec3 axis{column == 0 ? 1.0 : 0, column == 1 ? 1.0 : 0, column == 2 ? 1.0 : 0};
    const Vec3 now = asset.world.out(to_world(since, axis));
    turn.m[0][column] = now.x;
    turn.m[1][column] = now.y;
    turn.m[2][column] = now.z;
  }
  return turn;
}

}  // namespace supple::player
