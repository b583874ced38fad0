// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/simulator/world.hpp"

namespace supple::simulator {

/// A state as little-endian bytes: magic, version, sizes, numbers, checksum.
[[nodiscard]] std::vector<std::byte> to_bytes(const State& state);
/// Damage of any kind is an error.
[[nodiscard]] Result<State> from_bytes(std::span<const std::byte> bytes);

}  // namespace supple::simulator
