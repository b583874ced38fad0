// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "size.hpp"

/// Just enough of rotations and vectors for one bone.
namespace supple::player {

struct Vec3 {
  double x, y, z;
};

SUPPLE_INLINE Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
SUPPLE_INLINE Vec3 operator-(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SUPPLE_INLINE Vec3 operator*(double s, Vec3 a) {
  return {s * a.x, s * a.y, s * a.z};
}
SUPPLE_INLINE double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
SUPPLE_INLINE double length(Vec3 a) {
  return __builtin_sqrt(dot(a, a));
}
SUPPLE_INLINE Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

[[nodiscard]] inline bool finite(double x) {
  return x - x == 0;
}
[[nodiscard]] inline bool finite(const double* numbers, int count) {
  bool good = true;
  for (int i = 0; i < count; ++i) good &= finite(numbers[i]);
  return good;
}
[[nodiscard]] inline bool finite(Vec3 v) {
  return finite(v.x) && finite(v.y) && finite(v.z);
}

inline constexpr double kTwoPi = 6.283185307179586476925;

/// A unit quaternion, frame to world.
struct Rotation {
  double x, y, z, w;
};

/// Where a frame is, in metres.
struct Pose {
  Vec3 position;
  Rotation rotation;
};

/// A world vector in the frame's axes.
inline Vec3 to_frame(Rotation r, Vec3 v) {
  const Vec3 axis{-r.x, -r.y, -r.z};
  const Vec3 t = 2 * cross(axis, v);
  return v + r.w * t + cross(axis, t);
}

/// A vector of the frame in the world's axes.
inline Vec3 to_world(Rotation r, Vec3 v) {
  return to_frame({-r.x, -r.y, -r.z, r.w}, v);
}

/// a after b.
inline Rotation product(Rotation a, Rotation b) {
  const Vec3 u{a.x, a.y, a.z};
  const Vec3 v{b.x, b.y, b.z};
  const Vec3 w = a.w * v + b.w * u + cross(u, v);
  return {w.x, w.y, w.z, a.w * b.w - dot(u, v)};
}

inline Rotation inverse(Rotation r) {
  return {-r.x, -r.y, -r.z, r.w};
}

/// atan(t) / t for z = t^2, to the last digits.
[[nodiscard]] SUPPLE_FOR_SIZE double atan_ratio(double z);

/// The turn from `a` to `b` as a rotation vector in the axes of the frame itself; its length is at
/// most pi.
[[nodiscard]] inline Vec3 turn_between(Rotation a, Rotation b) {
  // conj(a) * b
  const Vec3 v = b.w * Vec3{-a.x, -a.y, -a.z} + a.w * Vec3{b.x, b.y, b.z} -
                 cross({a.x, a.y, a.z}, {b.x, b.y, b.z});
  const double cosine = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  const double side = cosine < 0 ? -1 : 1;
  // z: the square of the tangent of a quarter of the angle. Most turns between frames are small.
  const double scale = 1 / (1 + side * cosine);
  const double z = scale * scale * dot(v, v);
  const double ratio =
      z <= 4e-4 ? 1 - z * (1.0 / 3 - z * (1.0 / 5 - z * (1.0 / 7 - z * (1.0 / 9)))) : atan_ratio(z);
  return 4 * side * scale * ratio * v;
}

/// False if it is not finite or about zero.
[[nodiscard]] bool normalise(Rotation& rotation);

/// False if the columns are not finite, mirrored, or span (almost) no volume. Scale is dropped, and
/// of a sheared matrix the nearest rotation of its unit columns is taken.
[[nodiscard]] bool rotation_of(const Vec3 columns[3], Rotation& rotation);

}  // namespace supple::player
