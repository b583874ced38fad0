// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/raster.hpp"

#include <fmt/format.h>
#include <librsvg/rsvg.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>

namespace supple::plot {
namespace {

template <auto Release>
struct ReleaseBy {
  template <class T>
  void operator()(T* thing) const {
    Release(thing);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, ReleaseBy<cairo_surface_destroy>>;
using Painter = std::unique_ptr<cairo_t, ReleaseBy<cairo_destroy>>;
using Stream = std::unique_ptr<GInputStream, ReleaseBy<g_object_unref>>;
using Document = std::unique_ptr<RsvgHandle, ReleaseBy<g_object_unref>>;
using Failure = std::unique_ptr<GError, ReleaseBy<g_error_free>>;

Error drawing_failed(const char* reason) {
  return io_error(fmt::format("cannot turn a drawing into pixels: {}", reason));
}

Result<void> check_surface(const Surface& surface) {
  const cairo_status_t status = cairo_surface_status(surface.get());
  if (status == CAIRO_STATUS_SUCCESS) return {};
  return drawing_failed(cairo_status_to_string(status));
}

Result<Document> parse(const std::string& svg) {
  const Stream stream(
      g_memory_input_stream_new_from_data(svg.data(), static_cast<gssize>(svg.size()), nullptr));
  GError* failure = nullptr;
  // Unlimited: pictures in it may be longer than what a parser takes from strangers.
  Document document(rsvg_handle_new_from_stream_sync(
      stream.get(), nullptr, RSVG_HANDLE_FLAG_UNLIMITED, nullptr, &failure));
  if (document) return document;
  return drawing_failed(Failure(failure)->message);
}

/// Premultiplied, one 32-bit word a pixel.
Result<Surface> paint(const Drawing& drawing, double scale, bool on_white) {
  const std::string svg = drawing.svg();
  SUPPLE_TRY(const Document document, parse(svg));
  const double width = std::max(1.0, std::round(scale * drawing.width()));
  const double height = std::max(1.0, std::round(scale * drawing.height()));
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width),
                                             static_cast<int>(height)));
  SUPPLE_TRY_VOID(check_surface(surface));
  const Painter painter(cairo_create(surface.get()));
  if (on_white) {
    cairo_set_source_rgb(painter.get(), 1, 1, 1);
    cairo_paint(painter.get());
  }
  const RsvgRectangle whole{0, 0, width, height};
  GError* failure = nullptr;
  if (rsvg_handle_render_document(document.get(), painter.get(), &whole, &failure) == 0) {
    return drawing_failed(Failure(failure)->message);
  }
  cairo_surface_flush(surface.get());
  return surface;
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  auto* all = static_cast<Bytes*>(bytes);
  all->insert(all->end(), begin, begin + length);
  return CAIRO_STATUS_SUCCESS;
}

Bytes svg_bytes(const Drawing& drawing) {
  const std::string svg = drawing.svg();
  const auto bytes = as_bytes(svg);
  return {bytes.begin(), bytes.end()};
}

std::uint8_t divided(std::uint32_t channel, std::uint32_t alpha) {
  return static_cast<std::uint8_t>(
      alpha == 0 ? 0 : std::min(255U, (255 * channel + alpha / 2) / alpha));
}

}  // namespace

Result<Pixels> rasterise(const Drawing& drawing, double scale) {
  SUPPLE_TRY(const Surface surface, paint(drawing, scale, false));
  Pixels pixels{cairo_image_surface_get_width(surface.get()),
                cairo_image_surface_get_height(surface.get()),
                {}};
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  pixels.rgba.reserve(4 * static_cast<std::size_t>(pixels.width) *
                      static_cast<std::size_t>(pixels.height));
  for (std::size_t y = 0; y < static_cast<std::size_t>(pixels.height); ++y) {
    for (std::size_t x = 0; x < static_cast<std::size_t>(pixels.width); ++x) {
      std::uint32_t word = 0;
      std::memcpy(&word, data + y * stride + 4 * x, 4);
      const std::uint32_t alpha = word >> 24U;
      for (const std::uint32_t shift : {16U, 8U, 0U}) {
        pixels.rgba.push_back(divided(word >> shift & 0xFFU, alpha));
      }
      pixels.rgba.push_back(static_cast<std::uint8_t>(alpha));
    }
  }
  return pixels;
}

Result<Bytes> to_png(const Drawing& drawing, double scale) {
  SUPPLE_TRY(const Surface surface, paint(drawing, scale, true));
  // The same memory without its alpha, which is 1 everywhere: smaller files.
  const Surface opaque(cairo_image_surface_create_for_data(
      cairo_image_surface_get_data(surface.get()), CAIRO_FORMAT_RGB24,
      cairo_image_surface_get_width(surface.get()), cairo_image_surface_get_height(surface.get()),
      cairo_image_surface_get_stride(surface.get())));
  SUPPLE_TRY_VOID(check_surface(opaque));
  Bytes bytes;
  const cairo_status_t status = cairo_surface_write_to_png_stream(opaque.get(), append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) return drawing_failed(cairo_status_to_string(status));
  return bytes;
}

std::vector<std::string> plot_file_names(const std::string& name) {
  return {name + ".svg", name + ".png"};
}

Result<std::vector<PlotFile>> plot_files(const std::string& name, const Drawing& drawing) {
  constexpr double kSharp = 2;
  const std::vector<std::string> names = plot_file_names(name);
  SUPPLE_TRY(Bytes png, to_png(drawing, kSharp));
  return std::vector<PlotFile>{{names[0], svg_bytes(drawing)}, {names[1], std::move(png)}};
}

Result<Bytes> to_file(const Drawing& drawing, const std::filesystem::path& path) {
  if (path.extension() == ".svg") return svg_bytes(drawing);
  return to_png(drawing);
}

}  // namespace supple::plot
