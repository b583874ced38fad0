// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/image.hpp"
#include "supple/plot/raster.hpp"

#include <string_view>

namespace supple::pictures {

/// A few words in the lower left corner, laid over pictures of one size. Too small a picture has no
/// room for them.
class Caption {
 public:
  [[nodiscard]] static Result<Caption> create(std::string_view text, int width, int height,
                                              bool on_dark);

  /// `shift`: pixels from the left edge to the part of the picture that it is for.
  void lay_over(io::Image& picture, std::size_t shift) const;

 private:
  plot::Pixels m_pixels;
  int m_left = 0, m_top = 0;
  bool m_fits = false;
};

}  // namespace supple::pictures
