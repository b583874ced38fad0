// SPDX-License-Identifier: Apache-2.0
#include "render_options.hpp"

#include "cli/force_options.hpp"
#include "cli/usage_error.hpp"
#include "colour_map.hpp"

#include "supple/core/output.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

namespace supple::app {
namespace {

namespace fs = std::filesystem;

std::optional<int> whole_number(std::string_view text, int base = 10) {
  int value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failure != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

Result<void> read_size(const std::string& text, RenderPlan& plan) {
  const std::size_t cross = text.find('x');
  const auto width = whole_number(text.substr(0, cross));
  const auto height =
      cross == std::string::npos ? std::nullopt : whole_number(text.substr(cross + 1));
  constexpr int kSmallest = 16;
  constexpr int kLargest = 16384;
  const auto sane = [](std::optional<int> n) { return n && *n >= kSmallest && *n <= kLargest; };
  if (!sane(width) || !sane(height)) {
    return usage_error(
        fmt::format("--size '{}' must be WIDTHxHEIGHT with sides from {} to {}, 1280x720", text,
                    kSmallest, kLargest));
  }
  plan.width = *width;
  plan.height = *height;
  if (plan.video && (plan.width % 2 != 0 || plan.height % 2 != 0)) {
    return usage_error(fmt::format("--size {}: the sides of a video must be even; try {}x{}", text,
                                   plan.width + plan.width % 2, plan.height + plan.height % 2));
  }
  if (plan.compare() && plan.width % 4 != 0) {
    return usage_error(
        fmt::format("--size {}: two pictures side by side need a width divisible by 4; "
                    "try {}x{}",
                    text, (plan.width + 3) / 4 * 4, plan.height));
  }
  return {};
}

Result<void> read_background(const std::string& text, RenderPlan& plan) {
  using Kind = render::Backdrop::Kind;
  if (text == "light") return {};
  if (text == "dark") {
    plan.backdrop.kind = Kind::Dark;
    return {};
  }
  if (text == "transparent") {
    if (plan.video)
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
  plan.backdrop.colour = Eigen::Vector3d(
      from_srgb8(*number / 65536), from_srgb8(*number / 256 % 256), from_srgb8(*number % 256));
  return {};
}

Result<void> read_shown(const RenderOptions& options, RenderPlan& plan) {
  if (options.compare == "linear") {
    if (options.linear) return usage_error("--compare linear shows both; leave --linear out");
    plan.shown = {Deformation::Linear, Deformation::Full};
    return {};
  }
  plan.shown = {options.linear ? Deformation::Linear : Deformation::Full};
  if (options.compare == "undeformed") plan.shown.insert(plan.shown.begin(), Deformation::None);
  return {};
}

Result<void> read_camera(const std::vector<double>& numbers, RenderPlan& plan) {
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
      "distance from 0.1 to 20 times that which fits");
}

}  // namespace

void add_render_options(CLI::App& parser, RenderOptions& options) {
  parser
      .add_option("FILE", options.subject.file,
                  "a glTF file (.glb, .gltf; the .supple beside it is its flesh), or a .supple")
      ->required();
  parser.add_option("-o,--output", options.output, "what to write: .png, .mp4 or .webm")
      ->type_name("FILE")
      ->required();
  const std::string who = "Subject";
  parser.add_option("--character", options.subject.character, "the glTF file of a .supple FILE")
      ->type_name("FILE")
      ->group(who);
  auto* flesh = parser.add_option("--flesh", options.subject.flesh, "its flesh (.supple)")
                    ->type_name("FILE")
                    ->group(who);
  parser.add_flag("--no-flesh", options.subject.without_flesh, "leave out a .supple beside FILE")
      ->excludes(flesh)
      ->group(who);
  auto* clip =
      parser.add_option("--clip", options.subject.clip, "a clip of the file, by name or number")
          ->type_name("CLIP")
          ->group(who);
  parser
      .add_option("--motion", options.subject.motion.what,
                  "any motion of 'supple play': built-in, a clip, a .bvh or .csv file, "
                  "swim:STROKE, gravity, wind")
      ->type_name("SPEC")
      ->excludes(clip)
      ->group(who);
  parser
      .add_option("--map", options.subject.motion.bone_map, "lines 'joint = bone' for a BVH file")
      ->type_name("FILE")
      ->group(who);
  parser.add_option("--gain", options.subject.gain, "of the flesh's motion (1)")
      ->type_name("G")
      ->check(CLI::Range(-100.0, 100.0))
      ->group(who);
  add_force_options(parser, options.subject.record, "Forces");
  const std::string when = "Time";
  parser.add_option("--at", options.at, "the moment of a picture in seconds; else a lively one")
      ->type_name("T")
      ->group(when);
  parser.add_option("--from", options.from, "where a video begins (0)")
      ->type_name("T")
      ->group(when);
  parser
      .add_option("--to", options.to, "where it ends; loops go on (once, or about 4 s of a loop)")
      ->type_name("T")
      ->group(when);
  parser.add_option("--fps", options.fps, "pictures per second of video (30)")
      ->type_name("HZ")
      ->check(CLI::Range(1.0, 240.0))
      ->group(when);
  const std::string how = "Picture";
  parser
      .add_option(
          "--camera", options.camera,
          "seen from: degrees around (0 front, 90 the character's left), degrees above, and "
          "times the distance that fits (28,8,1)")
      ->type_name("YAW,PITCH[,DISTANCE]")
      ->delimiter(',')
      ->group(how);
  parser.add_option("--focus", options.focus, "look closely at this object of the flesh")
      ->type_name("OBJECT")
      ->group(how);
  parser.add_option("--size", options.size, "pixels (1280x720)")->type_name("WxH")->group(how);
  parser.add_option("--samples", options.samples, "per pixel, for smooth edges (4)")
      ->type_name("N")
      ->check(CLI::IsMember({1, 2, 4, 8, 16}))
      ->group(how);
  parser
      .add_option("--compare", options.compare,
                  "side by side: 'undeformed' beside the same with flesh and shells, or 'linear' "
                  "beside warped shells")
      ->type_name("WHAT")
      ->check(CLI::IsMember({"undeformed", "linear"}))
      ->group(how);
  parser.add_flag("--linear", options.linear, "shells by linear modes, without warping")
      ->group(how);
  parser.add_flag("--handles", options.subject.handles, "draw what bones hold of the shells")
      ->group(how);
  parser
      .add_option("--background", options.background,
                  "light, dark, transparent (.png) or a colour #rrggbb (light)")
      ->type_name("COLOUR")
      ->group(how);
  add_common_options(parser, options.common);
}

Result<RenderPlan> plan_render(const RenderOptions& options) {
  RenderPlan plan;
  const SubjectRequest& subject = options.subject;
  SUPPLE_TRY_VOID(keep_apart({subject.file, subject.character, subject.flesh, subject.motion.what,
                              subject.motion.bone_map},
                             {options.output}));
  const std::string ending = fs::path(options.output).extension().string();
  plan.webm = ending == ".webm";
  plan.video = plan.webm || ending == ".mp4";
  if (!plan.video && ending != ".png") {
    return usage_error(fmt::format("-o '{}' must end in .png, .mp4 or .webm", options.output));
  }
  SUPPLE_TRY_VOID(read_shown(options, plan));
  SUPPLE_TRY_VOID(read_size(options.size, plan));
  SUPPLE_TRY_VOID(read_background(options.background, plan));
  SUPPLE_TRY_VOID(read_camera(options.camera, plan));
  if (plan.video && options.at)
    return usage_error("--at is for a picture; a video has --from and --to");
  if (!plan.video && (options.from || options.to)) {
    return usage_error("--from and --to are for a video; a picture has --at");
  }
  return plan;
}

Result<std::vector<double>> plan_times(const RenderOptions& options, const RenderPlan& plan,
                                       const RenderSubject& subject) {
  const double duration = subject.duration();
  constexpr double kRounding = 1e-6;  // a duration copied from a printed line
  const auto check = [&](const char* option, double time) -> Result<void> {
    if (time >= 0 && (time <= duration + kRounding || (subject.loops() && std::isfinite(time)))) {
      return {};
    }
    return usage_error(
        duration > 0
            ? fmt::format("{} {:g}: '{}' lasts from 0 to {:.6g} s", option, time,
                          subject.motion_name(), duration)
            : fmt::format("{} {:g}: there is no motion; give --clip or --motion", option, time));
  };
  if (!plan.video) {
    const double time = options.at.value_or(subject.liveliest_time());
    SUPPLE_TRY_VOID(check("--at", time));
    return std::vector<double>{time};
  }
  const double from = options.from.value_or(0);
  SUPPLE_TRY_VOID(check("--from", from));
  constexpr double kAboutFourSeconds = 4;
  const double rounds =
      subject.loops() ? std::max(1.0, std::round(kAboutFourSeconds / duration)) : 1.0;
  const double to =
      options.to.value_or(from < duration ? rounds * duration : from + rounds * duration);
  SUPPLE_TRY_VOID(check("--to", to));
  if (!(to > from))
    return usage_error(fmt::format("--to {:g} must be after --from {:g}", to, from));
  constexpr double kMostFrames = 100000;
  const double count = std::max(1.0, std::round((to - from) * options.fps));
  if (count > kMostFrames) {
    return usage_error(fmt::format(
        "{:g} frames are more than {:g}: give a nearer --to or fewer --fps", count, kMostFrames));
  }
  std::vector<double> times(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = std::min(to, from + static_cast<double>(i) / options.fps);
  }
  return times;
}

}  // namespace supple::app
