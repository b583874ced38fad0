// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/image.hpp"
#include "supple/plot/raster.hpp"

#include <string_view>

namespace supple::pictures {

/// A caption in the lower left corner of pictures of one size. Omitted if the picture is too small.
class Caption {
 public:
  [[nodiscard]] static Result<Caption> create(std::string_view text, int width, int height,
                                              bool on_dark);

  /// `shift`: pixels from the left edge to the part of the picture it belongs to.
  void lay_over(io::Image& picture, std::size_t shift) const;

 private:
  plot::Pixels m_pixels;
  int m_left = 0, m_top = 0;
  bool m_fits = false;
};

}  // namespace supple::pictures
