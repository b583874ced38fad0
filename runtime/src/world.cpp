// SPDX-License-Identifier: Apache-2.0
#include "world.hpp"

#include "detail.hpp"

namespace supple::player {
namespace {

/// Units of a program: from an atom to the solar system, and far from overflow when squared.
constexpr double kSmallestUnit = 1e-10;
constexpr double kLargestUnit = 1e13;
/// Between the program's unit and the file's.
constexpr double kLargestRatio = 1e7;

/// False unless the three are different axes, of either sign.
bool set_axes(const std::int32_t axes[3], World& world) {
  bool taken[3] = {};
  bool against = false;
  for (int i = 0; i < 3; ++i) {
    if (axes[i] < SUPPLE_AXIS_MINUS_Z || axes[i] > SUPPLE_AXIS_Z || axes[i] == 0) return false;
    const std::int32_t named = axes[i] < 0 ? -axes[i] : axes[i];
    if (taken[named - 1]) return false;
    taken[named - 1] = true;
    world.axis[i] = named - 1;
    world.sign[i] = axes[i] < 0 ? -1 : 1;
    against ^= axes[i] < 0;
  }
  // Sign of the permutation: an even one goes round, x y z, y z x or z x y.
  const bool odd = (world.axis[0] + 1) % 3 != world.axis[1];
  world.handedness = odd != against ? -1 : 1;
  world.same_axes = world.axis[0] == 0 && world.axis[1] == 1 && world.sign[0] > 0 &&
                    world.sign[1] > 0 && world.sign[2] > 0;
  return true;
}

}  // namespace

std::uint32_t World::components_in(std::uint32_t bits) const {
  std::uint32_t result = 0;
  for (int i = 0; i < 3; ++i) {
    result |= (bits >> axis[i] & 1U) << i | (bits >> (axis[i] + 3) & 1U) << (i + 3);
  }
  return result;
}

std::uint32_t World::components_out(std::uint32_t bits) const {
  std::uint32_t result = 0;
  for (int i = 0; i < 3; ++i) {
    result |= (bits >> i & 1U) << axis[i] | (bits >> (i + 3) & 1U) << (axis[i] + 3);
  }
  return result;
}

bool make_world(const supple_open_options& options, double unit, World& world) {
  const std::int32_t axes[3] = {options.axis_x, options.axis_y, options.axis_z};
  const bool any = axes[0] != 0 || axes[1] != 0 || axes[2] != 0;
  if (any && !set_axes(axes, world)) {
    return refuse("axis_x, axis_y and axis_z must be three different axes, or all 0");
  }
  world.metres = unit;
  if (options.metres_per_unit == 0) return true;
  if (!(options.metres_per_unit >= kSmallestUnit && options.metres_per_unit <= kLargestUnit)) {
    return refuse("metres_per_unit is not a length; 0.01 means centimetres");
  }
  world.metres = world.physical_metres = options.metres_per_unit;
  world.units_of_file = unit / options.metres_per_unit;
  // Beyond, shapes in such units would leave the range of floats.
  return (world.units_of_file >= 1 / kLargestRatio && world.units_of_file <= kLargestRatio) ||
         refuse("metres_per_unit is too far from the file's unit");
}

}  // namespace supple::player
