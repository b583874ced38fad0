// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/image.hpp"
#include "supple/render/renderer.hpp"

#include <cstdint>
#include <vector>

namespace supple::pictures {

/// The strength of a silhouette's parts, each from 0 to 1.
struct OutlineStyle {
  float fill = 0;    ///< inside it, over the background
  float beside = 0;  ///< its line, beside the body
  float across = 0;  ///< its line across the body, in white
};

/// More sky light than in a portrait: the colours of a map must be readable in the shade too.
[[nodiscard]] render::Look even_light(render::Look look);

/// Draws the silhouette of another shape over the picture of a body. Both coverages come from
/// render::Renderer::coverage and have the picture's size.
void draw_outline(io::Image& picture, const std::vector<std::uint8_t>& silhouette,
                  const std::vector<std::uint8_t>& body, const OutlineStyle& style);

}  // namespace supple::pictures
