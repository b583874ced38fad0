// SPDX-License-Identifier: Apache-2.0
#include "render/options.hpp"

#include "cli/force_options.hpp"
#include "cli/loop_option.hpp"
#include "cli/usage_error.hpp"

#include "supple/core/output.hpp"
#include "supple/plot/colour.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace supple::app {
namespace {

namespace fs = std::filesystem;
using pictures::Deformation;
using pictures::RenderRequest;

std::optional<int> whole_number(std::string_view text, int base = 10) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failure != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

Result<void> read_size(const std::string& text, RenderRequest& plan) {
  const std::size_t cross = text.find('x');
  const auto width = whole_number(text.substr(0, cross));
  const auto height =
      cross == std::string::npos ? std::nullopt : whole_number(text.substr(cross + 1));
  constexpr int kSmallest = 16;
  constexpr int kLargest = 16384;
  const auto sane = [](std::optional<int> n) { return n && *n >= kSmallest && *n <= kLargest; };
  if (!sane(width) || !sane(height)) {
    return usage_error(
        fmt::format("--size '{}' must be WIDTHxHEIGHT, such as 1280x720, with sides from {} to {}",
                    text, kSmallest, kLargest));
  }
  plan.width = *width;
  plan.height = *height;
  if (plan.video() && (plan.width % 2 != 0 || plan.height % 2 != 0)) {
    return usage_error(fmt::format("--size {}: the sides of a video must be even; try {}x{}", text,
                                   plan.width + plan.width % 2, plan.height + plan.height % 2));
  }
  if (plan.shown.size() > 1 && plan.width % 4 != 0) {
    return usage_error(
        fmt::format("--size {}: two pictures side by side need a width divisible by 4; "
                    "try {}x{}",
                    text, (plan.width + 3) / 4 * 4, plan.height));
  }
  return {};
}

Result<void> read_background(const std::string& text, RenderRequest& plan) {
  using Kind = render::Backdrop::Kind;
  if (text == "light") return {};
  if (text == "dark") {
    plan.backdrop.kind = Kind::Dark;
    return {};
  }
  if (text == "transparent") {
    if (plan.video())
      return usage_error("--background transparent is for pictures (.png), not for video");
    plan.backdrop.kind = Kind::Transparent;
    return {};
  }
  const auto number =
      text.starts_with('#') ? whole_number(std::string_view(text).substr(1), 16) : std::nullopt;
  if (text.size() != 7 || !number || *number < 0) {
    return usage_error(fmt::format(
        "--background '{}' must be light, dark, transparent or a colour like #203040", text));
  }
  plan.backdrop.kind = Kind::Colour;
  plan.backdrop.colour =
      Eigen::Vector3d(plot::from_srgb8(*number / 65536), plot::from_srgb8(*number / 256 % 256),
                      plot::from_srgb8(*number % 256));
  return {};
}

Result<void> read_shown(const RenderOptions& options, RenderRequest& plan) {
  if (options.compare == "linear") {
    if (options.linear) return usage_error("--compare linear already shows both; omit --linear");
    plan.shown = {Deformation::Linear, Deformation::Full};
    return {};
  }
  plan.shown = {options.linear ? Deformation::Linear : Deformation::Full};
  if (options.compare == "undeformed") plan.shown.insert(plan.shown.begin(), Deformation::None);
  return {};
}

Result<void> read_camera(const std::vector<double>& numbers, RenderRequest& plan) {
  if (numbers.empty()) return {};
  if (numbers.size() < 2 || numbers.size() > 3) {
    return usage_error("--camera takes YAW,PITCH or YAW,PITCH,DISTANCE");
  }
  plan.direction = {numbers[0], numbers[1]};
  if (numbers.size() == 3) plan.distance = numbers[2];
  const bool fine = std::abs(numbers[0]) <= 360 && std::abs(numbers[1]) <= 89 &&
                    plan.distance >= 0.1 && plan.distance <= 20;
  if (fine) return {};
  return usage_error(
      "--camera YAW,PITCH[,DISTANCE]: yaw from -360 to 360 and pitch from -89 to 89 degrees, "
      "distance from 0.1 to 20 times the one that fits the picture");
}

/// FILE, --character, --flesh and --no-flesh together name a glTF file and a .supple.
Result<void> read_files(const RenderOptions& options, pictures::SubjectRequest& subject) {
  if (fs::path(options.file).extension() == ".supple") {
    if (options.character.empty()) {
      return usage_error(
          fmt::format("'{}' has no mesh to draw: give the glTF file that it was "
                      "baked from with --character",
                      options.file));
    }
    if (!options.flesh.empty()) {
      return usage_error("--flesh needs a glTF file, but FILE is a .supple");
    }
    subject.file = options.character;
    if (!options.without_flesh) subject.soft = options.file;
    return {};
  }
  if (!options.character.empty()) {
    return usage_error(
        "--character needs a .supple file; give a glTF file its soft parts with --flesh");
  }
  subject.file = options.file;
  subject.soft = options.flesh;
  if (subject.soft.empty() && !options.without_flesh) pictures::take_soft_beside(subject);
  return {};
}

}  // namespace

void add_render_options(CLI::App& parser, RenderOptions& options) {
  parser
      .add_option(
          "FILE", options.file,
          "a glTF file (.glb, .gltf; soft parts come from the .supple beside it), or a .supple")
      ->required();
  parser.add_option("-o,--output", options.request.output, "file to write: .png, .mp4 or .webm")
      ->type_name("FILE")
      ->required();
  const std::string who = "Subject";
  parser.add_option("--character", options.character, "the glTF file of a .supple FILE")
      ->type_name("FILE")
      ->group(who);
  auto* flesh = parser.add_option("--flesh", options.flesh, "the file of its soft parts (.supple)")
                    ->type_name("FILE")
                    ->group(who);
  parser.add_flag("--no-flesh", options.without_flesh, "ignore a .supple beside FILE")
      ->excludes(flesh)
      ->group(who);
  auto* clip = parser
                   .add_option("--clip", options.request.subject.clip,
                               "a clip of the file, by name or number")
                   ->type_name("CLIP")
                   ->group(who);
  parser
      .add_option("--motion", options.request.subject.motion.what,
                  "any motion of 'supple play': built-in, a clip, a .bvh or .csv file, "
                  "swim:STROKE, gravity, wind")
      ->type_name("SPEC")
      ->excludes(clip)
      ->group(who);
  parser
      .add_option("--palette", options.request.subject.palette,
                  "entries of a scene's palette with times and strengths, such as "
                  "\"poke-left@0,kick@1.5*0.5\"")
      ->type_name("ENTRY@T,...")
      ->excludes(clip)
      ->group(who);
  parser
      .add_option("--bone-map", options.request.subject.motion.bone_map,
                  "lines 'joint = bone' for a BVH file")
      ->type_name("FILE")
      ->group(who);
  parser
      .add_option("--gain", options.request.subject.gain, "factor on the motion of soft parts (1)")
      ->type_name("G")
      ->check(CLI::Range(-100.0, 100.0))
      ->group(who);
  add_loop_option(parser, options.request.subject.motion.looping, who);
  add_force_options(parser, options.request.subject.record, "Forces");
  const std::string when = "Time";
  parser
      .add_option("--at", options.request.at,
                  "the time of a picture in seconds (default: a lively moment)")
      ->type_name("T")
      ->group(when);
  parser.add_option("--from", options.request.from, "start time of a video in seconds (0)")
      ->type_name("T")
      ->group(when);
  parser
      .add_option("--to", options.request.to,
                  "end time; loops repeat (default: once through, or about 4 s of a loop)")
      ->type_name("T")
      ->group(when);
  parser.add_option("--fps", options.request.fps, "frames per second of a video (30)")
      ->type_name("HZ")
      ->check(CLI::Range(1.0, 240.0))
      ->group(when);
  const std::string how = "Picture";
  parser
      .add_option("--camera", options.camera,
                  "direction of view: degrees around (0 front, 90 the character's left), degrees "
                  "above, and a factor on the distance that fits (28,8,1)")
      ->type_name("YAW,PITCH[,DISTANCE]")
      ->delimiter(',')
      ->group(how);
  parser.add_option("--focus", options.request.focus, "zoom in on this soft part")
      ->type_name("OBJECT")
      ->group(how);
  parser.add_option("--size", options.size, "pixels (1280x720)")->type_name("WxH")->group(how);
  parser
      .add_option("--samples", options.request.samples, "samples per pixel, for smooth edges (4)")
      ->type_name("N")
      ->check(CLI::IsMember({1, 2, 4, 8, 16}))
      ->group(how);
  parser
      .add_option("--compare", options.compare,
                  "side by side: 'undeformed' beside the character with its soft parts, or "
                  "'linear' beside warped shells")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"undeformed", "linear"}))
      ->group(how);
  parser.add_flag("--linear", options.linear, "draw shells with linear modes, without warping")
      ->group(how);
  parser
      .add_flag("--handles", options.request.subject.handles,
                "draw the handles by which bones hold shells")
      ->group(how);
  parser
      .add_option("--background", options.background,
                  "light, dark, transparent (.png) or a colour #rrggbb (light)")
      ->type_name("COLOUR")
      ->group(how);
  add_common_options(parser, options.common);
}

Result<RenderRequest> plan_render(const RenderOptions& options) {
  RenderRequest plan = options.request;
  SUPPLE_TRY_VOID(keep_apart({options.file, options.character, options.flesh,
                              plan.subject.motion.what, plan.subject.motion.bone_map},
                             {plan.output}));
  if (!plan.video() && fs::path(plan.output).extension() != ".png") {
    return usage_error(fmt::format("-o '{}' must end in .png, .mp4 or .webm", plan.output));
  }
  SUPPLE_TRY_VOID(read_shown(options, plan));
  SUPPLE_TRY_VOID(read_size(options.size, plan));
  SUPPLE_TRY_VOID(read_background(options.background, plan));
  SUPPLE_TRY_VOID(read_camera(options.camera, plan));
  if (plan.video() && plan.at) {
    return usage_error("--at is for pictures; use --from and --to for a video");
  }
  if (!plan.video() && (plan.from || plan.to)) {
    return usage_error("--from and --to are for videos; use --at for a picture");
  }
  SUPPLE_TRY_VOID(read_files(options, plan.subject));
  return plan;
}

}  // namespace supple::app
