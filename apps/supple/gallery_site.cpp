// SPDX-License-Identifier: Apache-2.0
#include "gallery_site.hpp"

#include "gallery_character.hpp"

#include "supple/bake/settings.hpp"
#include "supple/core/files.hpp"
#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <map>

namespace supple::app {
namespace {

namespace fs = std::filesystem;
using server::Answer;
using server::Call;

constexpr const char* kText = "text/plain; charset=utf-8";

/// Packed when asked for, so that a page that loads a changed file again gets the change.
Answer serve_packed(const fs::path& character, const Call& call) {
  if (!call.rest.empty()) return {404, kText, "404: there is no such file here\n"};
  auto packed = pack_character(character);
  if (!packed.ok()) return {500, kText, packed.error().describe() + "\n"};
  return {200, "model/gltf-binary", std::string(as_text(*packed))};
}

/// Settings go to disk only if a bake would read them.
Answer save_settings(const std::map<std::string, fs::path>& places, GalleryWatch& watch,
                     const Call& call) {
  const auto place = places.find(call.rest);
  if (place == places.end()) {
    return {404, kText, fmt::format("404: there is no item '{}'\n", call.rest)};
  }
  const fs::path& file = place->second;
  if (auto read = bake::parse_bake_settings(call.body, file.filename().string()); !read.ok()) {
    return {400, kText, read.error().describe() + "\n"};
  }
  if (auto written = write_file(file, call.body); !written.ok()) {
    return {500, kText, written.error().describe() + "\n"};
  }
  watch.forget_change(file);
  log::info("settings saved to {}", file.string());
  return {200, kText, fmt::format("saved to {}\n", file.filename().string())};
}

/// The settings beside the character, whether they exist yet or not.
fs::path settings_place(const GalleryItem& item) {
  if (!item.settings.empty()) return item.settings;
  return fs::path(item.character).replace_extension(".bake.toml");
}

}  // namespace

Result<server::Site> make_site(const Gallery& gallery, const fs::path& viewer,
                               const std::shared_ptr<GalleryWatch>& watch) {
  server::Site site;
  site.root = viewer;
  SUPPLE_TRY(site.token, server::make_token());
  LiveCalls live;
  live.token = site.token;
  site.events = live.events;
  Gallery shown = gallery;
  std::map<std::string, fs::path> places;
  for (GalleryItem& item : shown.items) {
    watch->add(item.id, item.character);
    for (const auto& [address, file] : published_files(item)) {
      site.files[address] = file;
      watch->add(item.id, file);
    }
    places[item.id] = settings_place(item);
    const std::string address = published(item).character.generic_string();
    SUPPLE_TRY(const bool pack, needs_packing(item.character));
    if (pack) {
      const auto serve = [character = item.character](const Call& call) {
        return serve_packed(character, call);
      };
      site.handlers.push_back({"GET", address, serve});
    } else {
      site.files[address] = item.character;
    }
    item = published(item);
  }
  site.handlers.push_back({"PUT", live.save + "/", [places, watch](const Call& call) {
                             return save_settings(places, *watch, call);
                           }});
  // Without items the viewer waits for files to be dropped.
  if (!shown.items.empty()) {
    site.documents["manifest.json"] = {"application/json", write_manifest(shown, live)};
  }
  return site;
}

}  // namespace supple::app
