// SPDX-License-Identifier: Apache-2.0
#include "gallery/gallery.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kManifestVersion = 1;
constexpr std::size_t kManifestLimit = 1 << 20;

/// One list for reading and writing: a manifest's key and its member.
template <class Item, class Text, class Path>
void visit(Item& item, Text text, Path path) {
  text("id", item.id);
  text("title", item.title);
  text("about", item.about);
  text("try", item.hint);
  path("picture", item.picture);
  path("character", item.character);
  path("flesh", item.flesh);
  path("settings", item.settings);
  path("values", item.values);
  path("comparison", item.comparison);
  path("video", item.video);
  text("clip", item.clip);
  text("action", item.action);
}

Json item_json(const GalleryItem& item) {
  Json json;
  visit(
      item,
      [&](const char* key, const std::string& text) {
        if (!text.empty()) json[key] = text;
      },
      [&](const char* key, const fs::path& path) {
        if (!path.empty()) json[key] = path.generic_string();
      });
  if (item.baking) json["baking"] = true;
  return json;
}

/// A file below the directory, after following links: a downloaded gallery must not show, export or
/// overwrite files outside its directory.
Result<fs::path> path_inside(const fs::path& directory, const std::string& text,
                             std::string_view where) {
  const fs::path path = fs::path(text).lexically_normal();
  std::error_code failure;
  const fs::path root = fs::canonical(directory, failure);
  const fs::path target = fs::weakly_canonical(root / path, failure);
  const auto border = std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first;
  if (failure || path.is_absolute() || path.empty() || border != root.end()) {
    return bad_input(fmt::format("{}: '{}' is outside the gallery's directory", where, text));
  }
  if (!fs::is_regular_file(target, failure)) {
    return bad_input(
        fmt::format("{}: the file '{}' does not exist", where, (directory / path).string()));
  }
  return fs::is_symlink(directory / path, failure) ? target : directory / path;
}

/// Whether a file may be served under a page's own origin: anything but pages and scripts.
Result<void> check_kind(const fs::path& path, const std::vector<std::string_view>& extensions,
                        const char* key, const std::string& where) {
  const std::string extension = path.extension().string();
  if (path.empty() ||
      std::find(extensions.begin(), extensions.end(), extension) != extensions.end()) {
    return {};
  }
  return bad_input(fmt::format("{}, '{}': '{}' is not one of {}", where, key,
                               path.filename().string(), fmt::join(extensions, " ")));
}

Result<GalleryItem> read_item(const Json& json, const fs::path& directory,
                              const std::string& where) {
  if (!json.is_object()) return bad_input(where + " is not an object");
  GalleryItem item;
  Result<void> outcome;
  const auto read = [&](const char* key, auto use) {
    const auto found = json.find(key);
    if (found == json.end() || !outcome.ok()) return;
    if (!found->is_string()) {
      outcome = bad_input(fmt::format("{}: '{}' is not text", where, key));
      return;
    }
    use(found->template get<std::string>());
  };
  visit(
      item,
      [&](const char* key, std::string& text) {
        read(key, [&](std::string s) { text = std::move(s); });
      },
      [&](const char* key, fs::path& path) {
        read(key, [&](const std::string& text) {
          auto inside = path_inside(directory, text, fmt::format("{}, '{}'", where, key));
          if (inside.ok()) {
            path = *inside;
          } else {
            outcome = inside.error();
          }
        });
      });
  SUPPLE_TRY_VOID(std::move(outcome));
  SUPPLE_TRY_VOID(check_kind(item.picture, {".png", ".jpg", ".jpeg", ".webp"}, "picture", where));
  SUPPLE_TRY_VOID(check_kind(item.comparison, {".json"}, "comparison", where));
  SUPPLE_TRY_VOID(check_kind(item.video, {".mp4", ".webm"}, "video", where));
  if (item.title.empty() || item.character.empty() || item.id != make_id(item.id)) {
    return bad_input(where + " needs 'id' (letters, digits, '-', '_'), 'title' and 'character'");
  }
  return item;
}

}  // namespace

std::string write_manifest(const Gallery& gallery, const LiveCalls& live) {
  Json json{{"version", kManifestVersion},
            {"title", gallery.title},
            {"gallery", gallery.first_page},
            {"items", Json::array()}};
  for (const GalleryItem& item : gallery.items) json["items"].push_back(item_json(item));
  if (!live.token.empty()) {
    json["live"] = {
        {"token", live.token}, {"events", live.events}, {"save", live.save}, {"edit", live.edit}};
    if (!live.swim.empty()) json["live"]["swim"] = live.swim;
    if (!live.bake.empty()) {
      json["live"]["bake"] = live.bake;
      json["live"]["simulation"] = live.simulation;
      json["live"]["uploadBytes"] = live.upload_bytes;
    }
  }
  // File names need not be UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Gallery> read_gallery(const fs::path& directory) {
  const fs::path file = directory / kGalleryFile;
  std::error_code failure;
  if (!fs::exists(file, failure)) {
    return io_error(
        fmt::format("no gallery in '{}' ({} is missing); create one with 'supple demo -o {}'",
                    directory.string(), kGalleryFile, directory.string()));
  }
  SUPPLE_TRY(const Bytes bytes, read_file(file, kManifestLimit));
  const Json json = Json::parse(as_text(bytes), nullptr, false);
  const auto items = json.is_object() ? json.find("items") : json.end();
  if (!json.is_object() || items == json.end() || !items->is_array()) {
    return bad_input(fmt::format("'{}' is not a gallery: it has no list 'items'", file.string()));
  }
  if (json.value("version", Json()) != kManifestVersion) {
    return bad_input(fmt::format("'{}' does not have version {}; make it again", file.string(),
                                 kManifestVersion));
  }
  Gallery gallery;
  gallery.first_page = true;
  const Json title = json.value("title", Json());
  if (title.is_string()) gallery.title = title.get<std::string>();
  for (const Json& entry : *items) {
    const std::string where = fmt::format("'{}', item {}", file.string(), gallery.items.size() + 1);
    SUPPLE_TRY(GalleryItem item, read_item(entry, directory, where));
    for (const GalleryItem& other : gallery.items) {
      if (other.id == item.id) {
        return bad_input(fmt::format("{}: two items have the id '{}'", where, item.id));
      }
    }
    gallery.items.push_back(std::move(item));
  }
  return gallery;
}

GalleryItem published(const GalleryItem& item) {
  GalleryItem result = item;
  const auto publish = [&](fs::path& path, const std::string& extension) {
    if (!path.empty()) path = fmt::format("files/{}{}", item.id, extension);
  };
  publish(result.character, ".glb");
  publish(result.flesh, ".supple");
  publish(result.settings, ".toml");
  publish(result.comparison, ".comparison.json");
  publish(result.picture, item.picture.extension().string());
  publish(result.video, item.video.extension().string());
  return result;
}

std::vector<std::pair<std::string, fs::path>> published_files(const GalleryItem& item) {
  const GalleryItem shown = published(item);
  std::vector<std::pair<std::string, fs::path>> files;
  for (const auto member : {&GalleryItem::flesh, &GalleryItem::settings, &GalleryItem::comparison,
                            &GalleryItem::picture, &GalleryItem::video}) {
    if (!(item.*member).empty()) {
      files.emplace_back((shown.*member).generic_string(), item.*member);
    }
  }
  return files;
}

std::string make_id(std::string_view name) {
  std::string id;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || c == '-' || c == '_') {
      id += c;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (id.ends_with('-')) id.pop_back();
  return id.empty() ? "item" : id;
}

GrowingGallery::GrowingGallery(Gallery gallery) : m_gallery(std::move(gallery)) {}

Gallery GrowingGallery::now() const {
  const std::lock_guard lock(m_mutex);
  return m_gallery;
}

void GrowingGallery::replace(Gallery gallery) {
  const std::lock_guard lock(m_mutex);
  m_gallery = std::move(gallery);
  ++m_version;
}

int GrowingGallery::version() const {
  const std::lock_guard lock(m_mutex);
  return m_version;
}

}  // namespace supple::gallery
