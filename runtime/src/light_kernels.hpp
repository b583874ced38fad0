// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"

#include <cstddef>
#include <cstdint>

namespace supple::player {

/// The light as one frame has it: a number for each row of the transfer, with the row's scale
/// multiplied in.
struct FrameLight {
  float* rows;
  bool stale;  ///< changed since the colours were computed
};

/// Colours of all bases from the transfer: C_k = M_k L, where the light of a vertex's frame has
/// changed. They are floats: for each block and side, rank + 1 bases of red, green and blue rows of
/// kBlock numbers.
struct RelightJob {
  const supple_asset* asset;
  const FrameLight* frames;  ///< of each object, and of none at the end
  float* colours;
};

/// Colours of vertices: max(0, C_0 + sum a_k C_k).
struct ShadeJob {
  const supple_asset* asset;
  const float* colours;
  const float* appearance;
  std::size_t side;
  supple_stream_out out;  ///< of all vertices; its stride is not 0
  std::size_t first_vertex, end_vertex;
};

/// The same bits whatever the set of instructions: lanes never meet, and nothing is fused.
struct LightKernels {
  void (*relight)(const RelightJob& job);
  void (*shade)(const ShadeJob& job);
};

extern const LightKernels kLightKernelsBaseline;
extern const LightKernels kLightKernelsAvx2;
extern const LightKernels kLightKernelsAvx512;

}  // namespace supple::player
