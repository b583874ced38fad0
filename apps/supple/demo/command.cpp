// SPDX-License-Identifier: Apache-2.0
#include "demo/command.hpp"

#include "gallery_bake.hpp"
#include "gallery_export.hpp"
#include "gallery_page.hpp"
#include "view/session.hpp"
#include "view/viewer_files.hpp"

#include "supple/core/console.hpp"
#include "supple/core/files.hpp"
#include "supple/core/log.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace supple::app {
namespace {

namespace fs = std::filesystem;

struct DemoOptions {
  CommonOptions common;
  std::string directory = "out";
  std::vector<std::string> only;
  std::optional<std::size_t> elements;
  std::string viewer;
  std::uint16_t port = 0;
  bool no_browser = false;
  bool no_pictures = false;
};

constexpr const char* kViewerFolder = "viewer";

/// The page that needs no scripts, and beside it, where it can be had, the viewer that does.
Result<void> write_pages(const DemoOptions& options, const Gallery& gallery) {
  const fs::path directory = options.directory;
  auto viewer = find_viewer(options.viewer);
  if (viewer.ok()) {
    SUPPLE_TRY_VOID(export_gallery(gallery, *viewer, directory / kViewerFolder));
  } else {
    log::warn("the page has no viewer: {}", viewer.error().message());
  }
  return write_file(directory / "index.html",
                    gallery_page(gallery, viewer.ok() ? kViewerFolder : ""));
}

std::string describe_gallery(const GalleryItem& item) {
  std::string text = fmt::format("  {:<10} {}\n", item.id, item.title);
  for (const fs::path& path :
       {item.character, item.flesh, item.settings, item.picture, item.video}) {
    if (path.empty()) continue;
    std::error_code ignored;
    text += fmt::format("             {:<28} {:>8}\n", path.string(),
                        format_si(static_cast<double>(fs::file_size(path, ignored)), "B"));
  }
  return text;
}

Result<void> tell_result(const DemoOptions& options, const Gallery& gallery) {
  const std::string page = (fs::path(options.directory) / "index.html").string();
  if (options.common.json) {
    nlohmann::ordered_json json{{"command", "demo"},
                                {"version", version()},
                                {"directory", options.directory},
                                {"page", page},
                                {"items", nlohmann::json::array()}};
    for (const GalleryItem& item : gallery.items) json["items"].push_back(item.id);
    return print_machine_text(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                              "\n");
  }
  if (options.common.quiet) return {};
  std::string text = "\n";
  for (const GalleryItem& item : gallery.items) text += describe_gallery(item);
  tell(text + fmt::format("\nLook at them:\n"
                          "  {}   pictures and videos, in any browser\n"
                          "  supple view --gallery {}   the same live: shake, poke, tune\n"
                          "  .glb files: Blender, or any glTF viewer; clips have the flesh baked "
                          "in\n"
                          "  .supple files: for engines; 'supple info' tells what is inside\n",
                          page, options.directory));
  return {};
}

Result<void> run_demo(const DemoOptions& options) {
  apply(options.common);
  fs::path viewer;
  if (!options.no_browser) {  // better now than after minutes of work
    SUPPLE_TRY(viewer, find_viewer(options.viewer));
  }
  GalleryBakeSettings settings;
  settings.directory = options.directory;
  settings.only = options.only;
  settings.elements = options.elements;
  settings.pictures = !options.no_pictures;
  settings.videos = options.no_browser && !options.no_pictures;
  SUPPLE_TRY(const Gallery gallery, bake_gallery(settings));
  if (options.no_browser) {
    SUPPLE_TRY_VOID(write_pages(options, gallery));
    return tell_result(options, gallery);
  }
  ViewSettings view;
  view.port = options.port;
  view.json = options.common.json;
  view.quiet = options.common.quiet;
  return serve_gallery(gallery, viewer, view);
}

}  // namespace

Command make_demo_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand("demo", "our own samples, baked, in a browser");
  auto options = std::make_shared<DemoOptions>();
  parser->add_option("-o,--output", options->directory, "where files go and are kept (out)")
      ->type_name("DIR");
  parser->add_flag("--no-browser", options->no_browser,
                   "write pictures, a video per sample and a page, and stop");
  parser->add_option("--only", options->only, "this sample; repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
  parser->add_option("--elements", options->elements, "tetrahedra per object, for a quick look")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  parser->add_flag("--no-pictures", options->no_pictures, "without pictures and videos");
  parser->add_option("--port", options->port, "on 127.0.0.1; 0: any free one (0)")->type_name("N");
  parser->add_option("--viewer", options->viewer, "a built viewer; else SUPPLE_VIEWER, else ours")
      ->type_name("DIR");
  add_common_options(*parser, options->common);
  parser->footer(
      "What was made before is used again. Change a sample's NAME.bake.toml there and call this\n"
      "again: it is baked with your settings; delete the file to have its own back.\n");
  return {parser, [options] { return run_demo(*options); }};
}

}  // namespace supple::app
