// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <string>

namespace supple::samples {

/// Figure 8 of [CWK07]: a dancer of 2 m with hat, whose hat, coat and trouser legs are shells.
/// Bones carry each shell and hold it at other points by handles. The dancer looks along +Z and
/// stands on y = 0; the clip "dance" of 8 s is a loop.
[[nodiscard]] io::SkinnedModel shell_dancer();
[[nodiscard]] std::string shell_dancer_toml();

}  // namespace supple::samples
