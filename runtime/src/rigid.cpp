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

/// Newton-Schulz: X (3 I - X^T X) / 2 converges to the nearest rotation from unit columns. One
/// pass is usual, for matrices that were rounded to float.
void orthonormalise(Vec3 c[3]) {
  for (int pass = 0; pass < kMostPasses; ++pass) {
    const double g[6] = {dot(c[0], c[0]), dot(c[1], c[1]), dot(c[2], c[2]),
                         dot(c[0], c[1]), dot(c[0], c[2]), dot(c[1], c[2])};
    double error = 0;
    for (int i = 0; i < 6; ++i) {
      const double e = i < 3 ? g[i] - 1 : g[i];
      error += e * e;
    }
    if (error < kOrthogonal * kOrthogonal) return;
    const Vec3 old[3] = {c[0], c[1], c[2]};
    c[0] = 0.5 * ((3 - g[0]) * old[0] - g[3] * old[1] - g[4] * old[2]);
    c[1] = 0.5 * ((3 - g[1]) * old[1] - g[3] * old[0] - g[5] * old[2]);
    c[2] = 0.5 * ((3 - g[2]) * old[2] - g[4] * old[0] - g[5] * old[1]);
    if (error < kLastPass) return;
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

/// atan(t) / t for 0 <= t <= 0.2, to the last digits. Most turns from frame to frame are small.
double atan_ratio(double t) {
  const double z = t * t;
  if (t <= 0.02) {
    return 1 - z * (1.0 / 3 - z * (1.0 / 5 - z * (1.0 / 7 - z * (1.0 / 9))));
  }
  double sum = 1.0 / 23;
  for (int n = 21; n >= 1; n -= 2) sum = 1.0 / n - z * sum;
  return sum;
}

}  // namespace

Vec3 turn_between(Rotation a, Rotation b) {
  // conj(a) * b
  Vec3 v = b.w * Vec3{-a.x, -a.y, -a.z} + a.w * Vec3{b.x, b.y, b.z} -
           cross({a.x, a.y, a.z}, {b.x, b.y, b.z});
  double c = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  if (c < 0) {
    v = -1.0 * v;
    c = -c;
  }
  const double s = length(v);
  // tan of half the half angle, halved again until the series is short.
  const double half = s / (1 + c);
  double t = half;
  double doublings = 4;
  while (t > 0.2) {
    t = t / (1 + __builtin_sqrt(1 + t * t));
    doublings *= 2;
  }
  const double angle_over_s = s > 0 ? doublings * t * atan_ratio(t) / s : 2.0;
  return angle_over_s * v;
}

bool normalise(Rotation& r) {
  const double size = __builtin_sqrt(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
  if (!(size > kShortest && size < kLongest)) return false;
  const double s = 1 / size;
  r = {s * r.x, s * r.y, s * r.z, s * r.w};
  return true;
}

bool rotation_of(const Vec3 columns[3], Rotation& rotation) {
  Vec3 c[3];
  for (int i = 0; i < 3; ++i) {
    const double size = length(columns[i]);
    if (!(size > kShortest && size < kLongest)) return false;
    c[i] = (1 / size) * columns[i];
  }
  if (!(dot(cross(c[0], c[1]), c[2]) > kLeastVolume)) return false;
  orthonormalise(c);
  rotation = quaternion(c);
  return true;
}

}  // namespace supple::player
