// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/simulator/world.hpp"

#include <string>

namespace supple::bake::detail {

/// An error if bodies overlap where they start: it names up to twenty pairs, and the mesh of all of
/// them beside the output, OUT.overlaps.ply.
[[nodiscard]] Result<void> refuse_overlaps(const simulator::Description& description,
                                           const std::string& output);

}  // namespace supple::bake::detail
