// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"

#include <string>

namespace supple::gallery {

/// A page of cards that needs neither scripts nor a server: pictures, videos and links. `viewer`
/// is the folder of an export that its cards open, seen from the page; "": there is none. Paths of
/// the items are taken from beside the page.
[[nodiscard]] std::string gallery_page(const Gallery& gallery, const std::string& viewer);

}  // namespace supple::gallery
