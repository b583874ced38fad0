// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"
#include "match.hpp"

namespace supple::player {

/// The shell that has each part, an object, or kNone. A shell has whole parts: those in which a
/// mode moves a vertex or a bone holds one.
void find_shells(const supple_asset& asset, std::uint32_t* shell_of_part);

/// Whether a space lays the vertices of a part where the part's own does, within the tolerance.
[[nodiscard]] bool same_space(const supple_mesh& mesh, const MeshMatch& match, std::uint32_t part,
                              const PartMatch& space);

}  // namespace supple::player
