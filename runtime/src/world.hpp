// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigid.hpp"

#include "supple.h"

#include "supple/format/layout.hpp"

#include <cstddef>
#include <cstdint>

namespace supple::player {

/// The program's world and bind space beside the file's: other axes, another unit. Inside, the
/// player knows the file's axes and metres only; shapes are the exception (copy_shapes), so that
/// drawing costs nothing more.
struct World {
  bool same_axes = true;
  int axis[3] = {0, 1, 2};     ///< the program's axis that the file's runs along ...
  double sign[3] = {1, 1, 1};  ///< ... and whether against it
  double handedness = 1;       ///< -1: the program's is left-handed
  double metres = 1;           ///< per unit of positions
  double physical_metres = 1;  ///< per unit of length in velocities, accelerations and forces
  double units_of_file = 1;    ///< units of the program in one of the file, in bind space

  /// A vector of the program's in the file's axes.
  [[nodiscard]] SUPPLE_FOR_SIZE Vec3 in(Vec3 v) const {
    if (same_axes) return v;
    const double from[3] = {v.x, v.y, v.z};
    return {sign[0] * from[axis[0]], sign[1] * from[axis[1]], sign[2] * from[axis[2]]};
  }
  [[nodiscard]] SUPPLE_FOR_SIZE Vec3 out(Vec3 v) const {
    if (same_axes) return v;
    double to[3];
    to[axis[0]] = sign[0] * v.x;
    to[axis[1]] = sign[1] * v.y;
    to[axis[2]] = sign[2] * v.z;
    return {to[0], to[1], to[2]};
  }

  /// A velocity, acceleration or force, in SI units.
  [[nodiscard]] SUPPLE_FOR_SIZE Vec3 physical_in(const double v[3]) const {
    return physical_metres * in(Vec3{v[0], v[1], v[2]});
  }

  /// A turn as a rotation vector: a mirror changes its sense.
  [[nodiscard]] Vec3 turn_in(Vec3 w) const { return handedness * in(w); }

  /// M^T R M, of a rotation whose own axes change like the world's.
  [[nodiscard]] SUPPLE_FOR_SIZE Rotation in(Rotation r) const {
    if (same_axes) return r;
    const Vec3 v = handedness * in(Vec3{r.x, r.y, r.z});
    return {v.x, v.y, v.z, r.w};
  }
  [[nodiscard]] SUPPLE_FOR_SIZE Rotation out(Rotation r) const {
    if (same_axes) return r;
    const Vec3 v = handedness * out(Vec3{r.x, r.y, r.z});
    return {v.x, v.y, v.z, r.w};
  }

  /// Bits of SUPPLE_HANDLE_*: position x y z, turn x y z.
  [[nodiscard]] std::uint32_t components_in(std::uint32_t bits) const;
  [[nodiscard]] std::uint32_t components_out(std::uint32_t bits) const;
};

/// False, with a detail, where the options make no sense. `unit` is the file's, in metres.
[[nodiscard]] bool make_world(const supple_open_options& options, double unit, World& world);

}  // namespace supple::player
