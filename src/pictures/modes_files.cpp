// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/modes_files.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/pictures/mode_sheet.hpp"
#include "supple/plot/raster.hpp"

#include <fmt/format.h>

namespace supple::pictures {
namespace {

Result<Bytes> modes_png(const bake::ModesRun& run, const geometry::BoundarySurface& surface) {
  SUPPLE_TRY(Studio studio, Studio::create());
  SUPPLE_TRY(const plot::Drawing sheet,
             draw_mode_sheet(studio, surface, run.modes.shapes, run.modes.frequencies_hz()));
  return plot::to_png(sheet);
}

Result<Bytes> modes_file(const std::string& format, const bake::ModesRun& run,
                         const geometry::BoundarySurface& surface) {
  if (format == "vtu") return bake::modes_vtu(run);
  if (format == "glb") return bake::modes_glb(run, surface);
  if (format == "png") return modes_png(run, surface);
  const std::string text = bake::modes_table(run);
  const auto bytes = as_bytes(text);
  return Bytes(bytes.begin(), bytes.end());
}

}  // namespace

Result<void> stage_modes(const ModesFiles& files, const bake::ModesRun& run, OutputSet& output) {
  if (files.formats.empty()) return {};
  const geometry::BoundarySurface surface = geometry::boundary(run.input.model.mesh);
  for (const std::string& format : files.formats) {
    SUPPLE_TRY_VOID(check_interrupt());
    const std::string path = files.path(format);
    SUPPLE_TRY(const Bytes bytes,
               modes_file(format, run, surface).during(fmt::format("making '{}'", path)));
    SUPPLE_TRY_VOID(output.stage(path, bytes));
  }
  return check_interrupt();
}

}  // namespace supple::pictures
