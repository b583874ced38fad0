// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/simulate/surfaces.hpp"

#include "supple/core/files.hpp"

namespace supple::bake::detail {

/// The scene as glTF with one clip.
struct SimulatedGlb {
  Bytes bytes;
  std::vector<ReducedBody> reduced;
  std::vector<std::string> warnings;
};

/// A node per body follows the rigid motion that is closest to the body's; morph targets, the
/// leading singular vectors of what is left, show the rest.
[[nodiscard]] Result<SimulatedGlb> write_simulated_glb(const std::vector<MovingSurface>& surfaces,
                                                       const SimulateInput& input);

}  // namespace supple::bake::detail
