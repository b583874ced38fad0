// SPDX-License-Identifier: Apache-2.0
#include "modes_output.hpp"

#include "usage_error.hpp"

#include "supple/core/console.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/io/gltf_morph_animation.hpp"
#include "supple/io/volume.hpp"
#include "supple/pictures/mode_sheet.hpp"
#include "supple/plot/raster.hpp"

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

Result<Bytes> make_vtu(const ModesRun& run) {
  std::vector<io::NodalField> fields;
  const Eigen::VectorXd frequencies = run.modes.frequencies_hz();
  for (Eigen::Index i = 0; i < frequencies.size(); ++i) {
    const double* column = run.modes.shapes.col(i).data();
    fields.push_back(
        {fmt::format("mode {:03} ({})", i + 1, format_frequency(frequencies[i])), 3,
         std::span<const double>(column, static_cast<std::size_t>(run.modes.shapes.rows()))});
  }
  return io::write_vtu(run.input.model.mesh, fields);
}

/// Real periods are often too short or too long to watch: the slowest mode takes this long, the
/// others stand in true proportion to it down to a limit that a screen can still show.
constexpr double kSlowestPeriod = 1.6;   // seconds
constexpr double kShortestPeriod = 0.2;  // seconds

Result<Bytes> modes_glb(const ModesRun& run, const geometry::BoundarySurface& surface) {
  io::MorphAnimation animation;
  animation.surface = surface.mesh;
  const double peak = 0.1 * geometry::bounding_box(surface.mesh.positions).diagonal();
  const Eigen::VectorXd frequencies = run.modes.frequencies_hz();
  for (Eigen::Index i = 0; i < frequencies.size(); ++i) {
    io::MorphSwing swing;
    swing.name = fmt::format("mode {} ({})", i + 1, format_frequency(frequencies[i]));
    swing.period = std::max(kShortestPeriod, kSlowestPeriod * frequencies[0] / frequencies[i]);
    double largest = 0;
    for (const geometry::Index node : surface.node_of_vertex) {
      swing.displacement.push_back(run.modes.shapes.col(i).segment<3>(3 * Eigen::Index{node}));
      largest = std::max(largest, swing.displacement.back().norm());
    }
    if (largest > 0) {
      for (geometry::Vec3& displacement : swing.displacement) displacement *= peak / largest;
    }
    animation.swings.push_back(std::move(swing));
  }
  return io::write_morph_animation(animation);
}

Result<Bytes> make_png(const ModesRun& run, const geometry::BoundarySurface& surface) {
  SUPPLE_TRY(pictures::Studio studio, pictures::Studio::create());
  SUPPLE_TRY(const plot::Drawing sheet, pictures::draw_mode_sheet(studio, surface, run.modes.shapes,
                                                                  run.modes.frequencies_hz()));
  return plot::to_png(sheet);
}

Result<Bytes> make_file(const std::string& format, const ModesRun& run,
                        const geometry::BoundarySurface& surface) {
  if (format == "vtu") return make_vtu(run);
  if (format == "glb") return modes_glb(run, surface);
  if (format == "png") return make_png(run, surface);
  const std::string text = text_table(run);
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

Result<void> check_writable(const OutputPlan& plan) {
  OutputSet attempt;  // never committed: leaves nothing behind
  for (const std::string& format : plan.formats) {
    const std::string path = plan.path(format);
    if (std::filesystem::is_directory(path)) {
      return io_error(fmt::format("cannot write '{}': it is a directory", path));
    }
    SUPPLE_TRY_VOID(attempt.stage(path, std::string_view()));
  }
  if (!contains(plan.formats, "png")) return {};
  const auto studio = pictures::Studio::create();
  if (studio.ok()) return {};
  return Error(studio.error())
      .during(fmt::format("making '{}' (--write vtu,glb,txt leaves the picture out)",
                          plan.path("png")));
}

Result<void> write_output(const OutputPlan& plan, ModesRun& run) {
  if (plan.formats.empty()) return {};
  const geometry::BoundarySurface surface = geometry::boundary(run.input.model.mesh);
  OutputSet output;
  std::vector<std::string> files;
  for (const std::string& format : plan.formats) {
    SUPPLE_TRY_VOID(check_interrupt());
    const std::string path = plan.path(format);
    SUPPLE_TRY(const Bytes bytes,
               make_file(format, run, surface).during(fmt::format("making '{}'", path)));
    SUPPLE_TRY_VOID(output.stage(path, bytes));
    files.push_back(path);
  }
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY_VOID(output.commit());
  run.files = std::move(files);
  return {};
}

}  // namespace supple::app
