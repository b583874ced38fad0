// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace supple::gpu {

struct ShaderChunk {
  std::string_view name, text;
};

/// The files of runtime/shaders; the build writes the function.
[[nodiscard]] std::span<const ShaderChunk> shader_chunks();

}  // namespace supple::gpu
