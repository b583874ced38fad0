// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"

namespace supple::player {

/// Checks every byte and every number of a file, and points the asset's views into it. Whoever
/// reads through those views afterwards needs no check of his own.
[[nodiscard]] supple_status read(const void* bytes, std::size_t size, supple_asset& asset);

}  // namespace supple::player
