// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/plot/drawing.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace supple::plot {

/// Rows from the top; red, green, blue and alpha (not premultiplied), sRGB.
struct Pixels {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;
};

/// The drawing as pixels; `scale` of them a side for each of the drawing's. What it leaves free is
/// transparent. Not on several threads at once.
[[nodiscard]] Result<Pixels> rasterise(const Drawing& drawing, double scale = 1);

/// The bytes of a PNG file without transparency: what the drawing leaves free is white.
[[nodiscard]] Result<Bytes> to_png(const Drawing& drawing, double scale = 1);

/// A file to be written.
struct PlotFile {
  std::string name;
  Bytes bytes;
};
/// What plot_files calls its files: NAME.svg and NAME.png.
[[nodiscard]] std::vector<std::string> plot_file_names(const std::string& name);
/// The plot as SVG and as PNG, the latter twice as large: sharp on any screen.
[[nodiscard]] Result<std::vector<PlotFile>> plot_files(const std::string& name,
                                                       const Drawing& drawing);

/// What a file name that ends in .svg or .png asks for.
[[nodiscard]] Result<Bytes> to_file(const Drawing& drawing, const std::filesystem::path& path);

}  // namespace supple::plot
