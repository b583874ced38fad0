// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace supple::gallery {

/// One item to show. Paths are file paths or, once published, addresses relative to the viewer's
/// page; empty: none.
struct GalleryItem {
  std::string id;  ///< letters, digits, '-' and '_'
  std::string title;
  std::string about;  ///< one sentence
  std::string hint;   ///< what to try
  std::filesystem::path character;
  std::filesystem::path flesh;
  std::filesystem::path settings;
  std::filesystem::path values;  ///< of the settings, as JSON, for pages without a server
  std::filesystem::path
      comparison;  ///< a shell computed with other methods: see shell_comparison.hpp
  std::filesystem::path picture;
  std::filesystem::path video;
  std::string clip;     ///< played first
  std::string action;   ///< what to do with it: "shake", "poke", "drag", "clips" or "swim"
  bool baking = false;  ///< its files are still being made
};

struct Gallery {
  std::string title = "Supple";
  bool first_page = false;  ///< show cards to choose from, even for a single item
  std::vector<GalleryItem> items;
};

/// A gallery that grows while it is shown. Any thread may call.
class GrowingGallery {
 public:
  explicit GrowingGallery(Gallery gallery = {});
  [[nodiscard]] Gallery now() const;
  void replace(Gallery gallery);
  /// How many times it was replaced.
  [[nodiscard]] int version() const;

 private:
  mutable std::mutex m_mutex;
  Gallery m_gallery;
  int m_version = 0;
};

/// How a page reaches its server; a page without a token is static.
struct LiveCalls {
  std::string token;
  std::string events = "api/events";
  std::string save = "api/settings";
  std::string edit = "api/edit";
  std::string swim;              ///< address of a swimmer that can be steered; "": none
  std::string bake;              ///< where files can be baked; "": nowhere
  std::string simulation;        ///< where scenes can be simulated; "": nowhere
  std::size_t upload_bytes = 0;  ///< the largest such request
};

/// The viewer's manifest.json or, with paths in its own directory, a gallery.json.
[[nodiscard]] std::string write_manifest(const Gallery& gallery, const LiveCalls& live = {});

/// Reads a directory with a gallery.json, as made by `supple demo`. A path or link that leads out
/// of the directory, a missing file, a missing key, and pictures or videos of the wrong type are
/// bad input.
[[nodiscard]] Result<Gallery> read_gallery(const std::filesystem::path& directory);
inline constexpr std::string_view kGalleryFile = "gallery.json";

/// The addresses of an item's files beside the viewer's page: "files/<id>.glb" and so on.
[[nodiscard]] GalleryItem published(const GalleryItem& item);
/// Address and file for all files of an item except the character, which may have to be packed.
[[nodiscard]] std::vector<std::pair<std::string, std::filesystem::path>> published_files(
    const GalleryItem& item);

/// "Ärmel 2.final" becomes "rmel-2-final", which needs no encoding in addresses.
[[nodiscard]] std::string make_id(std::string_view name);

}  // namespace supple::gallery
