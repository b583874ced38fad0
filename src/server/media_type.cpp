// SPDX-License-Identifier: Apache-2.0
#include "server/media_type.hpp"

#include <array>
#include <utility>

namespace supple::server {

std::string_view media_type(std::string_view path) {
  using Entry = std::pair<std::string_view, std::string_view>;
  static constexpr std::array kTypes{
      Entry{".html", "text/html; charset=utf-8"},
      Entry{".js", "text/javascript; charset=utf-8"},
      Entry{".mjs", "text/javascript; charset=utf-8"},
      Entry{".css", "text/css; charset=utf-8"},
      Entry{".json", "application/json"},
      Entry{".map", "application/json"},
      Entry{".webmanifest", "application/manifest+json"},
      Entry{".wasm", "application/wasm"},
      Entry{".glb", "model/gltf-binary"},
      Entry{".gltf", "model/gltf+json"},
      Entry{".toml", "text/plain; charset=utf-8"},
      Entry{".txt", "text/plain; charset=utf-8"},
      Entry{".png", "image/png"},
      Entry{".jpg", "image/jpeg"},
      Entry{".jpeg", "image/jpeg"},
      Entry{".webp", "image/webp"},
      Entry{".svg", "image/svg+xml"},
      Entry{".ico", "image/x-icon"},
      Entry{".mp4", "video/mp4"},
      Entry{".webm", "video/webm"},
      Entry{".woff2", "font/woff2"},
  };
  for (const auto& [extension, type] : kTypes) {
    if (path.ends_with(extension)) return type;
  }
  return "application/octet-stream";
}

}  // namespace supple::server
