// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/simulate/surfaces.hpp"

#include "supple/core/output.hpp"

namespace supple::bake::detail {

/// OUT_0000.ply, OUT_0001.ply, ..: all surfaces of a frame as one mesh.
[[nodiscard]] Result<void> stage_ply(const std::string& output,
                                     const std::vector<MovingSurface>& surfaces, OutputSet& files);

/// OUT_0000.vtu, ..: tetrahedra and triangles with the cell array "body", and OUT.pvd, which lists
/// their times for ParaView.
[[nodiscard]] Result<void> stage_vtu(const std::string& output,
                                     const std::vector<simulator::Body>& bodies,
                                     const BuiltScene& scene, const FrameFile& frames, double rate,
                                     OutputSet& files);

/// OUT.pc2 of the only body that deforms; of several, OUT_NAME.pc2 each.
[[nodiscard]] Result<void> stage_pc2(const std::string& output,
                                     const std::vector<MovingSurface>& surfaces, OutputSet& files);

[[nodiscard]] Result<void> stage_hdf5(const std::string& output,
                                      const std::vector<MovingSurface>& surfaces, double rate,
                                      OutputSet& files);

}  // namespace supple::bake::detail
