// SPDX-License-Identifier: Apache-2.0
#include "gallery/files.hpp"

#include "gallery/character.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_character(const fs::path& path) {
  return path.extension() == ".glb" || path.extension() == ".gltf";
}

/// "hero" of "hero.glb", "hero.supple", "hero.toml", "hero.bake.toml" and "hero.shell.toml".
fs::path stem(const fs::path& path) {
  fs::path result = path;
  result.replace_extension();
  const bool of_command = result.extension() == ".bake" || result.extension() == ".shell";
  if (path.extension() == ".toml" && of_command) result.replace_extension();
  return result;
}

fs::path with(const fs::path& path, const char* extension) {
  return fs::path(path.string() + extension);
}

/// "hero_soft" as a readable title.
std::string make_title(const fs::path& path) {
  std::string title = path.stem().string();
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

class Finder {
 public:
  [[nodiscard]] Result<Gallery> run(const std::vector<std::string>& files) {
    for (const std::string& file : files) SUPPLE_TRY_VOID(check_kind(file));
    for (const std::string& file : files) {
      if (is_character(file)) add(file);
    }
    for (const std::string& file : files) {
      if (fs::path(file).extension() == ".supple") SUPPLE_TRY_VOID(add_flesh(file));
    }
    for (const std::string& file : files) {
      if (fs::path(file).extension() == ".toml") SUPPLE_TRY_VOID(add_settings(file));
    }
    for (GalleryItem& item : m_gallery.items) SUPPLE_TRY_VOID(complete(item));
    if (m_gallery.items.size() == 1) m_gallery.title = m_gallery.items.front().title;
    m_gallery.first_page = m_gallery.items.size() > 1;
    return std::move(m_gallery);
  }

 private:
  static Result<void> check_kind(const fs::path& file) {
    const fs::path extension = file.extension();
    if (!is_character(file) && extension != ".supple" && extension != ".toml") {
      return Error(
          ErrorCode::Usage,
          fmt::format("cannot show '{}': give characters (.glb .gltf), soft parts (.supple) or "
                      "settings (.toml)",
                      file.string()));
    }
    return check_plain_file(file);
  }

  GalleryItem& add(const fs::path& character) {
    for (GalleryItem& item : m_gallery.items) {
      if (item.character == character) return item;
    }
    GalleryItem item;
    const std::string id = make_id(character.stem().string());
    const auto taken = [&] {
      return std::any_of(m_gallery.items.begin(), m_gallery.items.end(),
                         [&](const GalleryItem& other) { return other.id == item.id; });
    };
    item.id = id;
    for (int number = 2; taken(); ++number) item.id = fmt::format("{}-{}", id, number);
    item.title = make_title(character);
    item.character = character;
    m_gallery.items.push_back(std::move(item));
    return m_gallery.items.back();
  }

  GalleryItem* find_by_stem(const fs::path& file) {
    for (GalleryItem& item : m_gallery.items) {
      if (stem(item.character) == stem(file)) return &item;
    }
    return nullptr;
  }

  Result<void> add_flesh(const fs::path& flesh) {
    if (GalleryItem* item = find_by_stem(flesh)) {
      item->flesh = flesh;
      return {};
    }
    // Its name differs from its character's: find the character by the mesh.
    for (GalleryItem& item : m_gallery.items) {
      if (item.flesh.empty() && check_flesh(item.character, flesh).ok()) {
        item.flesh = flesh;
        return {};
      }
    }
    for (const char* extension : {".glb", ".gltf"}) {
      const fs::path character = with(stem(flesh), extension);
      if (!is_file(character)) continue;
      add(character).flesh = flesh;
      return {};
    }
    if (m_gallery.items.size() == 1) {
      return check_flesh(m_gallery.items.front().character, flesh);  // says why they do not match
    }
    return bad_input(
        fmt::format("'{}' needs its character: '{}' does not exist; give the character's file",
                    flesh.string(), with(stem(flesh).filename(), ".glb").string()));
  }

  Result<void> add_settings(const fs::path& settings) {
    GalleryItem* item = find_by_stem(settings);
    if (item == nullptr && m_gallery.items.size() == 1) item = &m_gallery.items.front();
    if (item == nullptr) {
      return Error(
          ErrorCode::Usage,
          fmt::format("'{}' belongs to none of the characters; rename it after one of them",
                      settings.string()));
    }
    item->settings = settings;
    return {};
  }

  static Result<void> complete(GalleryItem& item) {
    const fs::path base = stem(item.character);
    if (item.flesh.empty() && is_file(with(base, ".supple"))) item.flesh = with(base, ".supple");
    for (const char* extension : {".bake.toml", ".shell.toml", ".toml"}) {
      if (item.settings.empty() && is_file(with(base, extension))) {
        item.settings = with(base, extension);
      }
    }
    SUPPLE_TRY_VOID(needs_packing(item.character));
    if (!item.flesh.empty()) SUPPLE_TRY_VOID(check_flesh(item.character, item.flesh));
    return {};
  }

  Gallery m_gallery;
};

}  // namespace

Result<Gallery> find_items(const std::vector<std::string>& files) {
  return Finder().run(files);
}

}  // namespace supple::gallery
