// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"

#include <string>

namespace supple::gallery {

/// A page of cards with pictures, videos and links that needs neither scripts nor a server.
/// `viewer` is the folder of an export that its cards open, relative to the page; "": none. Only
/// the file names of the items' paths are used: the files are beside the page.
[[nodiscard]] std::string gallery_page(const Gallery& gallery, const std::string& viewer);

}  // namespace supple::gallery
