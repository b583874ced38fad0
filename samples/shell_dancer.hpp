// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <string>

namespace supple::samples {

/// Figure 8 of [CWK07]: a dancer of 2 m with hat, whose hat, coat and trouser legs are shells.
/// Bones carry each and hold it elsewhere by handles. He looks along +Z and stands on y = 0; the
/// clip "dance" of 8 s is a loop.
[[nodiscard]] io::SkinnedModel shell_dancer();
[[nodiscard]] std::string shell_dancer_toml();

}  // namespace supple::samples
