// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/image.hpp"
#include "supple/render/renderer.hpp"

#include <cstdint>
#include <vector>

namespace supple::pictures {

/// How strongly a silhouette shows, each from 0 to 1.
struct OutlineStyle {
  float fill = 0;    ///< inside it, where nothing else is
  float beside = 0;  ///< its line, beside the body
  float across = 0;  ///< its line across the body, in white
};

/// More sky than a portrait has: the colours of a map are to be read in the shade too.
[[nodiscard]] render::Look even_light(render::Look look);

/// Lays the silhouette of something else over the picture of a body. Both coverages are those of
/// render::Renderer::coverage, of the picture's size.
void draw_outline(io::Image& picture, const std::vector<std::uint8_t>& silhouette,
                  const std::vector<std::uint8_t>& body, const OutlineStyle& style);

}  // namespace supple::pictures
