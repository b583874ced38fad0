// SPDX-License-Identifier: Apache-2.0
#include "view/command.hpp"

#include "cli/report.hpp"
#include "gallery/export.hpp"
#include "gallery/files.hpp"
#include "gallery/swim_live_item.hpp"
#include "gallery/temporary_folder.hpp"
#include "view/session.hpp"
#include "view/viewer_files.hpp"

#include "supple/core/console.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::app {
namespace {

struct ViewOptions {
  CommonOptions common;
  std::vector<std::string> files;
  std::string gallery;
  std::string directory;  ///< target of an export
  std::string viewer;
  std::optional<std::string> swim;  ///< a stroke, or "" for the default
  std::uint16_t port = 0;
  bool no_browser = false;
};

Result<gallery::Gallery> load(const ViewOptions& options, gallery::TemporaryFolder& folder) {
  if (options.swim) {
    if (!options.files.empty() || !options.gallery.empty()) {
      return Error(ErrorCode::Usage, "give only one of --swim, files or --gallery");
    }
    return gallery::swim_gallery(*options.swim, folder);
  }
  if (options.gallery.empty()) return gallery::find_items(options.files);
  if (options.files.empty()) return gallery::read_gallery(options.gallery);
  return Error(ErrorCode::Usage, "give files or --gallery, not both");
}

Result<void> write_static(const ViewOptions& options, const gallery::Gallery& shown,
                          const std::filesystem::path& viewer) {
  SUPPLE_TRY(const gallery::ExportSummary summary,
             gallery::export_gallery(shown, viewer, options.directory));
  if (options.common.json) {
    const nlohmann::ordered_json json{
        {"command", "view"},      {"version", version()},   {"directory", options.directory},
        {"files", summary.files}, {"bytes", summary.bytes}, {"warnings", warnings_json()}};
    return print_machine_text(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                              "\n");
  }
  if (!options.common.quiet) {
    tell(fmt::format(
        "{}: {} files, {}; serve it with any static web server (browsers do not load modules from "
        "file://)\n",
        options.directory, summary.files, format_si(static_cast<double>(summary.bytes), "B")));
  }
  return {};
}

Result<void> run_view(const ViewOptions& options) {
  SUPPLE_TRY_VOID(apply(options.common));
  SUPPLE_TRY(const std::filesystem::path viewer, find_viewer(options.viewer));
  gallery::TemporaryFolder folder;
  SUPPLE_TRY(gallery::Gallery shown, load(options, folder));
  if (!options.directory.empty()) return write_static(options, shown, viewer);
  ViewSettings settings;
  settings.port = options.port;
  settings.browser = !options.no_browser;
  settings.json = options.common.json;
  settings.quiet = options.common.quiet;
  settings.stroke = options.swim.value_or("");
  return serve_gallery(std::make_shared<gallery::GrowingGallery>(std::move(shown)), viewer,
                       settings);
}

}  // namespace

Command make_view_command(CLI::App& program) {
  CLI::App* parser =
      program.add_subcommand("view", "show characters and their soft parts in a browser");
  auto options = std::make_shared<ViewOptions>();
  parser->add_option(
      "FILE", options->files,
      "characters (.glb .gltf), with NAME.supple and NAME.bake.toml beside them; soft parts "
      "(.supple) and settings (.toml) can be given too; without files, drop them onto the page");
  parser->add_option("--gallery", options->gallery, "a folder made by 'supple demo'")
      ->type_name("DIR");
  parser
      ->add_option_function<std::string>(
          "--swim", [options](const std::string& stroke) { options->swim = stroke; },
          "simulate a swimmer that you steer in the page (default: breaststroke)")
      ->type_name("STROKE|FILE.toml")
      ->expected(0, 1);
  auto* port =
      parser->add_option("--port", options->port, "port on 127.0.0.1; 0: any free port (0)")
          ->type_name("N");
  auto* browser = parser->add_flag("--no-browser", options->no_browser,
                                   "print the address without opening a browser");
  parser
      ->add_option("--export", options->directory,
                   "write viewer and files to a folder for any static web server, then exit")
      ->type_name("DIR")
      ->excludes(port)
      ->excludes(browser);
  parser
      ->add_option(
          "--viewer", options->viewer,
          "folder of a built viewer (default: $SUPPLE_VIEWER, or the one built with this program)")
      ->type_name("DIR");
  add_common_options(*parser, options->common);
  parser->footer(
      "The server is reachable from this machine only and serves only the given files. Files that\n"
      "change on disk are reloaded. Settings saved in the page go to the item's .toml file.\n"
      "\nExamples:\n"
      "  supple view hero_soft.glb\n"
      "  supple view hero_soft.glb --export site\n"
      "  supple view --swim\n");
  return {parser, [options] { return run_view(*options); }};
}

}  // namespace supple::app
