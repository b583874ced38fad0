// SPDX-License-Identifier: Apache-2.0
#include "render/command.hpp"

#include "cli/report.hpp"
#include "render/options.hpp"

#include "supple/core/console.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace supple::app {
namespace {

using pictures::RenderReport;
using pictures::RenderRequest;

std::string render_json(const RenderRequest& request, const RenderReport& report) {
  nlohmann::ordered_json json;
  json["output"] = request.output;
  json["width"] = request.width;
  json["height"] = request.height;
  json["samples"] = report.samples;
  json["frames"] = report.frames;
  if (request.video()) json["fps"] = request.fps;
  json["from"] = report.from;
  json["to"] = report.to;
  json["motion"] = report.motion;
  json["loops"] = report.loops;
  json["flesh"] = report.soft;
  json["renderer"] = report.renderer;
  json["seconds"] = report.seconds;
  json["warnings"] = warnings_json(report.warnings);
  return json.dump() + "\n";
}

const char* soft_kinds(const RenderReport& report) {
  if (report.has_scene) return "scene";
  if (!report.has_shells) return "flesh";
  return report.has_flesh ? "flesh and shells" : "shells";
}

std::string render_text(const RenderRequest& request, const RenderReport& report) {
  std::string what = report.motion.empty() ? "at rest" : fmt::format("'{}'", report.motion);
  if (request.video()) {
    what += fmt::format(", {} frames, {}", report.frames, format_seconds(report.to - report.from));
  } else if (report.duration > 0) {
    what += fmt::format(" at {:.3g} s", report.from);
  }
  if (!report.soft.empty()) what += fmt::format(", {} of '{}'", soft_kinds(report), report.soft);
  return fmt::format("{}\nwrote {} ({} x {}, {} samples) in {} on {}\n", what, request.output,
                     request.width, request.height, report.samples, format_seconds(report.seconds),
                     report.renderer);
}

/// If a .supple that the user did not name is faulty, it can be left out.
Result<RenderReport> explain_soft(const RenderRequest& request, Result<RenderReport> drawn) {
  const std::string& soft = request.subject.soft;
  if (drawn.ok() || !request.subject.soft_is_optional) return drawn;
  const std::optional<Place>& place = drawn.error().place();
  if (!place || place->file != soft) return drawn;
  return std::move(drawn).during(
      fmt::format("using '{}', found beside it (--no-flesh ignores it)", soft));
}

}  // namespace

Result<void> render_and_tell(const RenderOptions& options) {
  SUPPLE_TRY(const RenderRequest request, plan_render(options));
  SUPPLE_TRY(const RenderReport report, explain_soft(request, pictures::render_file(request)));
  if (options.common.json) return print_machine_text(render_json(request, report));
  if (!options.common.quiet) tell(render_text(request, report));
  return {};
}

Command make_render_command(CLI::App& program) {
  CLI::App* parser = program.add_subcommand(
      "render", "render pictures and videos of a character without a screen");
  auto options = std::make_shared<RenderOptions>();
  add_render_options(*parser, *options);
  parser->footer(
      "Examples:\n"
      "  supple render hero.glb -o hero.png\n"
      "  supple render hero.glb --clip Run --at 0.4 --camera 60,10 -o run.png\n"
      "  supple render hero.glb --motion jump --compare undeformed -o jump.mp4\n"
      "  supple render leaf.glb --gravity 0,-20,0 --compare linear -o leaf.png\n"
      "  supple render door.glb --palette push@0,pull@0.6 -o door.mp4\n"
      "  supple render leaf.glb --wind 4,0,0,0.5 --handles -o leaf.mp4\n"
      "  supple render hero.supple --character hero.glb --motion walk.bvh --focus belly -o b.webm\n"
      "\nThe GPU is found through EGL; SUPPLE_GPU=software draws on the processor.\n");
  return {parser, [options]() -> Result<void> {
            SUPPLE_TRY_VOID(apply(options->common));
            return render_and_tell(*options);
          }};
}

}  // namespace supple::app
