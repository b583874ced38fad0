// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"

#include <cstddef>
#include <cstdint>

namespace supple::player {

/// What is done with the turns of an object's modes.
enum class Bend : std::uint8_t {
  None,    ///< flesh: there are corrections of normals instead
  Warped,  ///< a shell
  Linear   ///< a shell drawn by linear modes, for comparison
};

/// A call of supple_player_deform that has been checked; no stride is 0 any more.
struct DeformJob {
  const supple_asset* asset;
  const float* scaled;          ///< per mode: coefficient times scale, for positions and normals
  const std::uint32_t* active;  ///< per object: modes that do anything now
  const Bend* bends;            ///< per object
  supple_deformation d;
  std::size_t end_vertex;
};

struct DeformKernels {
  void (*deform)(const DeformJob& job);
};

extern const DeformKernels kDeformKernelsBaseline;
extern const DeformKernels kDeformKernelsAvx2;
extern const DeformKernels kDeformKernelsAvx512;

}  // namespace supple::player
