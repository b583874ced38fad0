// SPDX-License-Identifier: Apache-2.0
#include "gallery/site.hpp"

#include "gallery/character.hpp"
#include "gallery/page_bake.hpp"
#include "gallery/page_truth.hpp"
#include "gallery/settings_edit.hpp"

#include "supple/core/files.hpp"
#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include <unistd.h>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;
using server::Answer;
using server::Call;

constexpr const char* kText = "text/plain; charset=utf-8";

/// Packed on request, so that a page that reloads a changed file gets the change.
Answer serve_packed(const fs::path& character, const Call& call) {
  if (!call.rest.empty()) return {404, kText, "404: no such file\n"};
  auto packed = pack_character(character);
  if (!packed.ok()) return {500, kText, packed.error().describe() + "\n"};
  return {200, "model/gltf-binary", std::string(as_text(*packed))};
}

/// Why a file cannot be replaced, or nothing. A pipe would block the whole server; a link created
/// since the start may lead to any file.
std::optional<Answer> check_place(const fs::path& file) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(file, ignored);
  const std::string name = file.filename().string();
  if (status.type() == fs::file_type::not_found) return {};
  if (!fs::is_regular_file(status)) {
    return Answer{409, kText, fmt::format("409: '{}' is not a regular file; move it away\n", name)};
  }
  constexpr fs::perms kAnyWrite =
      fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  if ((status.permissions() & kAnyWrite) == fs::perms::none || ::access(file.c_str(), W_OK) != 0) {
    return Answer{409, kText,
                  fmt::format("409: '{}' is protected; make it writable with 'chmod u+w'\n", name)};
  }
  return {};
}

/// Saves settings only if they are valid.
Answer save_settings(const std::map<std::string, GalleryItem>& items, GalleryWatch& watch,
                     const Call& call) {
  const auto item = items.find(call.rest);
  if (item == items.end()) {
    return {404, kText, fmt::format("404: no such item: '{}'\n", call.rest)};
  }
  const fs::path& file = item->second.settings;
  if (call.body.empty()) return {400, kText, "400: the request contains no settings\n"};
  if (auto refused = check_place(file)) return *std::move(refused);
  const bake::BakeCommand command = command_of(item->second.flesh);
  if (auto read = settings_values(command, call.body, file.filename().string()); !read.ok()) {
    return {400, kText, read.error().describe() + "\n"};
  }
  if (auto written = write_file(file, call.body); !written.ok()) {
    return {500, kText, written.error().describe() + "\n"};
  }
  watch.forget_change(file);
  log::info("settings saved to {}", file.string());
  return {200, kText, fmt::format("saved to {}\n", file.filename().string())};
}

/// Where settings are or will be: the given file, with links resolved now and not later, else a
/// file beside the character.
fs::path settings_place(const GalleryItem& item) {
  std::error_code failure;
  if (item.settings.empty()) {
    const std::string_view command = bake::command_name(command_of(item.flesh));
    return fs::path(item.character).replace_extension(fmt::format(".{}.toml", command));
  }
  fs::path real = fs::canonical(item.settings, failure);
  return failure ? item.settings : real;
}

/// Links to the given settings are already resolved: a link found now may be an attack.
bool has_settings(const GalleryItem& item) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(item.settings, ignored));
}

Answer serve_settings(const GalleryItem& item, const Call& call) {
  Answer missing{404, kText, "404: no such file\n"};
  if (!call.rest.empty() || !has_settings(item)) return missing;
  const auto text = read_file(item.settings);
  return text.ok() ? Answer{200, kText, std::string(as_text(*text))} : missing;
}

/// Built for each request: settings are listed once they exist, because a page that gets a 404 for
/// a listed file shows nothing.
Answer serve_manifest(const GrowingGallery& gallery, const LiveCalls& live, const Call& call) {
  if (!call.rest.empty()) return {404, kText, "404: no such file\n"};
  Gallery shown = gallery.now();
  for (GalleryItem& item : shown.items) {
    item.settings = settings_place(item);
    if (item.baking || !has_settings(item)) item.settings.clear();
    item = published(item);
    if (!item.baking) continue;
    for (auto member : {&GalleryItem::flesh, &GalleryItem::comparison, &GalleryItem::picture,
                        &GalleryItem::video}) {
      (item.*member).clear();
    }
  }
  return {200, "application/json", write_manifest(shown, live)};
}

/// Of all items, those that are still being baked included.
ItemFolders folders_of(const Gallery& gallery) {
  ItemFolders folders;
  for (const GalleryItem& item : gallery.items) {
    const fs::path folder = fs::path(item.character).parent_path();
    folders[item.id] = folder.empty() ? fs::path(".") : folder;
  }
  return folders;
}

}  // namespace

Result<server::Site> make_site(const std::shared_ptr<const GrowingGallery>& gallery,
                               const fs::path& viewer, const std::shared_ptr<GalleryWatch>& watch,
                               const std::shared_ptr<SwimLive>& swimmer,
                               const std::shared_ptr<PageJobs>& jobs) {
  server::Site site;
  site.root = viewer;
  SUPPLE_TRY(site.token, server::make_token());
  LiveCalls live;
  live.token = site.token;
  site.events = live.events;
  if (swimmer) {
    live.swim = kSwimAddress;
    SwimLive::add_to(site, swimmer);
  }
  if (jobs) {
    live.bake = kBakeAddress;
    live.simulation = kTruthAddress;
    live.upload_bytes = kMostPageBytes;
    add_page_bakes(site, jobs);
    add_page_truths(site, jobs, folders_of(gallery->now()));
  }
  Gallery placed = gallery->now();
  std::map<std::string, GalleryItem> items;
  for (GalleryItem& item : placed.items) {
    item.settings = settings_place(item);
    watch->add(item.id, item.character);
    const GalleryItem shown = published(item);
    for (const auto& [address, file] : published_files(item)) {
      watch->add(item.id, file);
      if (address != shown.settings) site.files[address] = file;
    }
    site.handlers.push_back({"GET", shown.settings.generic_string(),
                             [item](const Call& call) { return serve_settings(item, call); }});
    items[item.id] = item;
    const std::string address = shown.character.generic_string();
    bool pack = false;  // characters baked by us are self-contained
    if (!item.baking) {
      SUPPLE_TRY(pack, needs_packing(item.character));
    }
    if (pack) {
      const auto serve = [character = item.character](const Call& call) {
        return serve_packed(character, call);
      };
      site.handlers.push_back({"GET", address, serve});
    } else {
      site.files[address] = item.character;
    }
  }
  site.handlers.push_back({"PUT", live.save + "/", [items, watch](const Call& call) {
                             return save_settings(items, *watch, call);
                           }});
  site.handlers.push_back({"POST", live.edit, edit_settings});
  // Without items, the viewer waits for dropped files.
  site.handlers.push_back({"GET", "manifest.json", [gallery, live](const Call& call) {
                             return serve_manifest(*gallery, live, call);
                           }});
  return site;
}

}  // namespace supple::gallery
