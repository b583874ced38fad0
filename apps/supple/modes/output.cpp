// SPDX-License-Identifier: Apache-2.0
#include "modes/output.hpp"

#include "cli/usage_error.hpp"
#include "mode_sheet.hpp"

#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/io/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string_view>

namespace supple::app {
namespace {

constexpr std::array<std::string_view, 4> kFormats{"vtu", "glb", "txt", "png"};

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Result<std::vector<std::string>> parse_formats(std::string_view list) {
  std::vector<std::string> wanted;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    if (std::find(kFormats.begin(), kFormats.end(), word) == kFormats.end()) {
      return usage_error(
          fmt::format("--write: '{}' is none of {}", word, fmt::join(kFormats, ", ")));
    }
    wanted.emplace_back(word);
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  std::vector<std::string> ordered;
  for (const std::string_view format : kFormats) {
    if (contains(wanted, format)) ordered.emplace_back(format);
  }
  return ordered;
}

Result<Bytes> make_png(const bake::ModesRun& run, const geometry::BoundarySurface& surface) {
  return io::write_png(draw_mode_sheet(surface, run.modes.shapes, run.modes.frequencies_hz()));
}

Result<Bytes> make_file(const std::string& format, const bake::ModesRun& run,
                        const geometry::BoundarySurface& surface) {
  if (format == "vtu") return bake::modes_vtu(run);
  if (format == "glb") return bake::modes_glb(run, surface);
  if (format == "png") return make_png(run, surface);
  const std::string text = bake::modes_table(run);
  const auto bytes = as_bytes(text);
  return Bytes(bytes.begin(), bytes.end());
}

}  // namespace

Result<OutputPlan> plan_output(const std::string& prefix, const std::string& formats) {
  OutputPlan plan;
  if (prefix.empty()) {
    if (!formats.empty()) return usage_error("--write needs -o PREFIX");
    return plan;
  }
  plan.prefix = prefix;
  const std::filesystem::path path(prefix);
  if (path.filename().empty() || std::filesystem::is_directory(path)) {
    return usage_error(fmt::format("-o '{}' is a directory; give a prefix such as '{}'", prefix,
                                   (path / "modes").lexically_normal().string()));
  }
  const std::string extension = path.extension().string();
  if (!extension.empty() &&
      std::find(kFormats.begin(), kFormats.end(), extension.substr(1)) != kFormats.end()) {
    if (!formats.empty() && formats != extension.substr(1)) {
      return usage_error(fmt::format("-o '{}' names one file, --write {} others", prefix, formats));
    }
    plan.prefix = prefix.substr(0, prefix.size() - extension.size());
    plan.formats = {extension.substr(1)};
    return plan;
  }
  if (formats.empty()) {
    plan.formats.assign(kFormats.begin(), kFormats.end());
  } else {
    SUPPLE_TRY(plan.formats, parse_formats(formats));
  }
  return plan;
}

Result<void> check_plan(const OutputPlan& plan) {
  std::vector<std::string> paths;
  for (const std::string& format : plan.formats) paths.push_back(plan.path(format));
  return check_writable(paths);
}

Result<void> stage_modes(const OutputPlan& plan, const bake::ModesRun& run, OutputSet& output) {
  if (plan.formats.empty()) return {};
  const geometry::BoundarySurface surface = geometry::boundary(run.input.model.mesh);
  for (const std::string& format : plan.formats) {
    SUPPLE_TRY_VOID(check_interrupt());
    const std::string path = plan.path(format);
    SUPPLE_TRY(const Bytes bytes,
               make_file(format, run, surface).during(fmt::format("making '{}'", path)));
    SUPPLE_TRY_VOID(output.stage(path, bytes));
  }
  return check_interrupt();
}

}  // namespace supple::app
