// SPDX-License-Identifier: Apache-2.0
#include "rigid.hpp"

namespace supple::player {
namespace {

/// Unit columns that span less than this are flat.
constexpr double kLeastVolume = 1e-3;
/// A column or quaternion too short or too long to square is no better than a broken one.
constexpr double kShortest = 1e-150;
constexpr double kLongest = 1e150;
constexpr double kOrthogonal = 1e-14;
/// Of the squared error: what one more pass brings below 1e-13. Rounding to float leaves less.
constexpr double kLastPass = 1e-13;
constexpr int kMostPasses = 40;

/// X^T X.
struct Gram {
  double xx, yy, zz, xy, xz, yz;

  explicit Gram(const Vec3 c[3])
      : xx(dot(c[0], c[0])),
        yy(dot(c[1], c[1])),
        zz(dot(c[2], c[2])),
        xy(dot(c[0], c[1])),
        xz(dot(c[0], c[2])),
        yz(dot(c[1], c[2])) {}

  /// How far it is from I, squared.
  [[nodiscard]] double error() const {
    return ((xx - 1) * (xx - 1) + (yy - 1) * (yy - 1) + (zz - 1) * (zz - 1)) +
           (xy * xy + xz * xz + yz * yz);
  }
};

/// Newton-Schulz: X (3 I - X^T X) / 2 converges to the nearest rotation from unit columns. One
/// pass is usual, for matrices that were rounded to float.
void orthonormalise(Vec3 c[3], Gram g) {
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const double error = g.error();
    if (error < kOrthogonal * kOrthogonal) return;
    const Vec3 old[3] = {c[0], c[1], c[2]};
    c[0] = 0.5 * ((3 - g.xx) * old[0] - g.xy * old[1] - g.xz * old[2]);
    c[1] = 0.5 * ((3 - g.yy) * old[1] - g.xy * old[0] - g.yz * old[2]);
    c[2] = 0.5 * ((3 - g.zz) * old[2] - g.xz * old[0] - g.yz * old[1]);
    if (error < kLastPass) return;
    g = Gram(c);
  }
}

/// Through the largest of the four numbers, so that nothing cancels.
Rotation quaternion(const Vec3 c[3]) {
  const double trace = c[0].x + c[1].y + c[2].z;
  Rotation q{};
  if (trace > 0) {
    q = {c[1].z - c[2].y, c[2].x - c[0].z, c[0].y - c[1].x, 1 + trace};
  } else if (c[0].x >= c[1].y && c[0].x >= c[2].z) {
    q = {1 + c[0].x - c[1].y - c[2].z, c[0].y + c[1].x, c[2].x + c[0].z, c[1].z - c[2].y};
  } else if (c[1].y >= c[2].z) {
    q = {c[0].y + c[1].x, 1 + c[1].y - c[0].x - c[2].z, c[1].z + c[2].y, c[2].x - c[0].z};
  } else {
    q = {c[2].x + c[0].z, c[1].z + c[2].y, 1 + c[2].z - c[0].x - c[1].y, c[0].y - c[1].x};
  }
  (void)normalise(q);  // never short: the largest of four was taken
  return q;
}

}  // namespace

double atan_ratio(double z) {
  double halved = 1;
  while (z > 0.04) {
    const double open = 1 + __builtin_sqrt(1 + z);
    z /= open * open;
    halved *= 2 / open;
  }
  constexpr double kTerms[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                               1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  double sum = 1.0 / 23;
  for (const double term : kTerms) sum = term - z * sum;
  return halved * sum;
}

bool normalise(Rotation& r) {
  const double size = __builtin_sqrt(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
  if (!(size > kShortest && size < kLongest)) return false;
  const double s = 1 / size;
  r = {s * r.x, s * r.y, s * r.z, s * r.w};
  return true;
}

bool rotation_of(const Vec3 columns[3], Rotation& rotation) {
  Vec3 c[3] = {columns[0], columns[1], columns[2]};
  Gram g(c);
  if (!(g.error() < kLastPass)) {  // most bones have no scale and need no roots
    for (Vec3& column : c) {
      const double size = length(column);
      if (!(size > kShortest && size < kLongest)) return false;
      column = (1 / size) * column;
    }
    g = Gram(c);
  }
  if (!(dot(cross(c[0], c[1]), c[2]) > kLeastVolume)) return false;
  orthonormalise(c, g);
  rotation = quaternion(c);
  return true;
}

}  // namespace supple::player
