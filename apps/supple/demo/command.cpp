// SPDX-License-Identifier: Apache-2.0
#include "demo/command.hpp"

#include "cli/report.hpp"
#include "gallery/bake.hpp"
#include "gallery/export.hpp"
#include "gallery/page.hpp"
#include "view/session.hpp"
#include "view/viewer_files.hpp"

#include "supple/core/console.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
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

/// Writes the page that needs no scripts and, if available, the viewer beside it.
Result<void> write_pages(const DemoOptions& options, const gallery::Gallery& shown) {
  const fs::path directory = options.directory;
  auto viewer = find_viewer(options.viewer);
  if (viewer.ok()) {
    SUPPLE_TRY_VOID(gallery::export_gallery(shown, *viewer, directory / kViewerFolder));
  } else {
    log::warn("the page has no viewer: {}", viewer.error().message());
  }
  return write_file(directory / "index.html",
                    gallery::gallery_page(shown, viewer.ok() ? kViewerFolder : ""));
}

std::string describe_gallery(const gallery::GalleryItem& item) {
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

Result<void> tell_result(const DemoOptions& options, const gallery::Gallery& shown) {
  const std::string page = (fs::path(options.directory) / "index.html").string();
  if (options.common.json) {
    nlohmann::ordered_json json{
        {"command", "demo"}, {"version", version()},        {"directory", options.directory},
        {"page", page},      {"warnings", warnings_json()}, {"items", nlohmann::json::array()}};
    for (const gallery::GalleryItem& item : shown.items) json["items"].push_back(item.id);
    return print_machine_text(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                              "\n");
  }
  if (options.common.quiet) return {};
  std::string text = "\n";
  for (const gallery::GalleryItem& item : shown.items) text += describe_gallery(item);
  tell(text + fmt::format("\nLook at them:\n"
                          "  {}   pictures and videos, in any browser\n"
                          "  supple view --gallery {}   live: shake, poke, tune\n"
                          "  .glb files: for Blender or any glTF viewer; the motion of soft parts "
                          "is baked into the clips\n"
                          "  .supple files: for engines; 'supple info' shows what is inside\n",
                          page, options.directory));
  return {};
}

gallery::GalleryBakeSettings bake_settings(const DemoOptions& options) {
  gallery::GalleryBakeSettings settings;
  settings.directory = options.directory;
  settings.only = options.only;
  settings.elements = options.elements;
  settings.pictures = !options.no_pictures;
  settings.videos = options.no_browser && !options.no_pictures;
  return settings;
}

/// Bakes on its own thread and signals when the first sample can be shown.
class Kitchen {
 public:
  explicit Kitchen(const gallery::GalleryBakeSettings& settings)
      : m_thread([this, settings] { run(settings); }) {}
  ~Kitchen() {
    set_interrupted(true);  // the viewer was closed
    m_thread.join();
  }
  Kitchen(const Kitchen&) = delete;
  Kitchen& operator=(const Kitchen&) = delete;

  /// Returns the error of a bake that failed before that.
  [[nodiscard]] Result<void> wait_for_first() {
    std::unique_lock lock(m_mutex);
    m_news.wait(lock, [this] { return m_outcome.has_value() || something_ready(); });
    if (m_outcome && !m_outcome->ok()) return m_outcome->error();
    return {};
  }

  [[nodiscard]] std::shared_ptr<const gallery::GrowingGallery> shown() const { return m_shown; }

 private:
  void run(const gallery::GalleryBakeSettings& settings) {
    const auto baked = gallery::bake_gallery(settings, [this](const gallery::Gallery& now) {
      m_shown->replace(now);
      const std::lock_guard lock(m_mutex);
      m_news.notify_all();
    });
    const std::lock_guard lock(m_mutex);
    m_outcome = baked.ok() ? Result<void>() : Result<void>(baked.error());
    if (!baked.ok() && something_ready() && baked.error().code() != ErrorCode::Interrupted) {
      log::warn("the gallery is incomplete: {}", baked.error().describe());
    }
    m_news.notify_all();
  }

  [[nodiscard]] bool something_ready() const {
    const gallery::Gallery now = m_shown->now();
    return std::any_of(now.items.begin(), now.items.end(),
                       [](const gallery::GalleryItem& item) { return !item.baking; });
  }

  std::shared_ptr<gallery::GrowingGallery> m_shown = std::make_shared<gallery::GrowingGallery>();
  std::mutex m_mutex;
  std::condition_variable m_news;
  std::optional<Result<void>> m_outcome;
  std::thread m_thread;
};

/// Opens the gallery with its first card and adds the others while the user looks at it.
Result<void> show_while_baking(const DemoOptions& options) {
  // Fail now rather than after minutes of work.
  SUPPLE_TRY(const fs::path viewer, find_viewer(options.viewer));
  Kitchen kitchen(bake_settings(options));
  SUPPLE_TRY_VOID(kitchen.wait_for_first());
  ViewSettings view;
  view.port = options.port;
  view.json = options.common.json;
  view.quiet = options.common.quiet;
  return serve_gallery(kitchen.shown(), viewer, view);
}

Result<void> run_demo(const DemoOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  if (!options.no_browser) return show_while_baking(options);
  SUPPLE_TRY(const gallery::Gallery baked, gallery::bake_gallery(bake_settings(options)));
  SUPPLE_TRY_VOID(write_pages(options, baked));
  return tell_result(options, baked);
}

}  // namespace

Command make_demo_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("demo", "bake the built-in samples and show them in a browser");
  auto options = std::make_shared<DemoOptions>();
  parser
      ->add_option("-o,--output", options->directory, "folder for the files, which are kept (out)")
      ->type_name("DIR");
  parser->add_flag("--no-browser", options->no_browser,
                   "write pictures, a video per sample and a page, then exit");
  parser->add_option("--only", options->only, "only this sample; repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
  parser->add_option("--elements", options->elements, "tetrahedra per object, for a quick look")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  parser->add_flag("--no-pictures", options->no_pictures, "skip pictures and videos");
  parser->add_option("--port", options->port, "port on 127.0.0.1; 0: any free port (0)")
      ->type_name("N");
  parser
      ->add_option(
          "--viewer", options->viewer,
          "folder of a built viewer (default: $SUPPLE_VIEWER, or the one built with this program)")
      ->type_name("DIR");
  add_common_options(*parser, options->common);
  parser->footer(
      "Existing results are reused. If you change a sample's NAME.bake.toml there and run this\n"
      "again, it is baked with your settings; delete the file to restore the original ones.\n");
  return {parser, [options] { return run_demo(*options); }};
}

}  // namespace supple::app
