// SPDX-License-Identifier: Apache-2.0
#include "gallery/page.hpp"

#include "supple/core/markup.hpp"

#include <fmt/format.h>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --ground: #f3f2ef; --raised: #fff; --text: #23211d;
  --quiet: #6a665e; --line: #dcd9d2; --accent: #9c4422 }
@media (prefers-color-scheme: dark) { :root { --ground: #16171a; --raised: #202227;
  --text: #ecebe8; --quiet: #a09c94; --line: #33363d; --accent: #f0a27e } }
* { box-sizing: border-box }
body { margin: 0; padding: 3rem 1.5rem; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif }
main { max-width: 72rem; margin: auto }
h1 { margin: 0; font-size: 2rem; letter-spacing: -0.02em }
header p { margin: 0.25rem 0 2rem; color: var(--quiet) }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
  gap: 1.5rem; margin: 0; padding: 0; list-style: none }
li { overflow: hidden; background: var(--raised); border: 1px solid var(--line);
  border-radius: 0.75rem }
img { display: block; width: 100%; aspect-ratio: 16 / 10; object-fit: cover }
.text { padding: 1rem 1.25rem 1.25rem }
h2 { margin: 0 0 0.25rem; font-size: 1.2rem }
.text p { margin: 0 0 0.5rem }
.links { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.9rem }
a { color: var(--accent) }
footer { margin-top: 2rem; color: var(--quiet); font-size: 0.9rem }
code { font-size: 0.95em }
)";

/// A file beside the page.
std::string link(const fs::path& path, std::string_view text) {
  if (path.empty()) return {};
  return fmt::format("<a href=\"{}\">{}</a>\n", escape_markup(path.filename().string()), text);
}

std::string card(const GalleryItem& item, const std::string& viewer) {
  const std::string open =
      viewer.empty() ? "" : fmt::format("{}/index.html#item={}", viewer, item.id);
  std::string media;
  if (!item.picture.empty()) {
    media = fmt::format("<img src=\"{}\" alt=\"{}\">",
                        escape_markup(item.picture.filename().string()), escape_markup(item.title));
    media = item.video.empty() ? media + "\n" : link(item.video, media);
  }
  std::string links;
  if (!open.empty()) links = fmt::format("<a href=\"{}\">Open in the viewer</a>\n", open);
  links += link(item.video, "Video") + link(item.settings, "Settings (.toml)") +
           link(item.character, "glTF (.glb)") + link(item.flesh, "Soft parts (.supple)");
  return fmt::format(
      "<li>\n{}<div class=\"text\">\n<h2>{}</h2>\n<p>{}</p>\n<p><strong>Try:</strong> {}</p>\n"
      "<div class=\"links\">\n{}</div>\n</div>\n</li>\n",
      media, escape_markup(item.title), escape_markup(item.about), escape_markup(item.hint), links);
}

}  // namespace

std::string gallery_page(const Gallery& gallery, const std::string& viewer) {
  std::string cards;
  for (const GalleryItem& item : gallery.items) cards += card(item, viewer);
  const std::string_view live =
      "show it live with <code>supple view --gallery</code> and this folder";
  const std::string footer = viewer.empty()
                                 ? fmt::format("{}.", live)
                                 : fmt::format(
                                       "Browsers do not run the viewer from a local folder: put "
                                       "this folder on any web server, or {}.",
                                       live);
  return fmt::format(
      "<!doctype html>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n<html lang=\"en\">\n"
      "<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n<main>\n<header>\n<h1>{0}</h1>\n"
      "<p>Meshes made soft: flesh that follows bones, driven by a handful of numbers per "
      "frame.</p>\n"
      "</header>\n<ul>\n{2}</ul>\n<footer>{3}</footer>\n</main>\n</html>\n",
      escape_markup(gallery.title), kStyle, cards, footer);
}

}  // namespace supple::gallery
