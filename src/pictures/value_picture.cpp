// SPDX-License-Identifier: Apache-2.0
#include "pictures/value_picture.hpp"

#include "supple/io/image.hpp"
#include "supple/plot/sheet.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace supple::pictures {
namespace {

using geometry::Vec3;
using plot::Colour;

/// Pixels a side for each of the picture's.
constexpr int kFiner = 2;
constexpr double kMargin = 0.08;
/// Pixels: beyond every depth of a picture.
constexpr double kOnTop = 1e7;

/// Colours and depths of pixels.
class DepthPicture {
 public:
  DepthPicture(int width, int height)
      : m_width(width),
        m_height(height),
        m_depth(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                -std::numeric_limits<double>::infinity()) {
    m_image.width = static_cast<std::size_t>(width);
    m_image.height = static_cast<std::size_t>(height);
    m_image.rgba.assign(4 * m_depth.size(), 0);
  }

  [[nodiscard]] const io::Image& image() const { return m_image; }

  /// Corners in pixels, z towards the viewer.
  void triangle(const std::array<Vec3, 3>& p, const std::array<Colour, 3>& colours, double light) {
    const double area = cross(p[1] - p[0], p[2] - p[0]);
    if (std::abs(area) < 1e-9) return;
    const auto low = [&](int k, int most) {
      const double least = std::min({p[0][k], p[1][k], p[2][k]});
      return static_cast<int>(std::clamp(std::floor(least), 0.0, most - 1.0));
    };
    const auto high = [&](int k, int most) {
      const double largest = std::max({p[0][k], p[1][k], p[2][k]});
      return static_cast<int>(std::clamp(std::ceil(largest), 0.0, most - 1.0));
    };
    const int right = high(0, m_width);
    const int bottom = high(1, m_height);
    for (int y = low(1, m_height); y <= bottom; ++y) {
      for (int x = low(0, m_width); x <= right; ++x) {
        const Vec3 at(x + 0.5, y + 0.5, 0);
        const double b = cross(at - p[0], p[2] - p[0]) / area;
        const double c = cross(p[1] - p[0], at - p[0]) / area;
        const double a = 1 - b - c;
        if (a < 0 || b < 0 || c < 0) continue;
        const Colour colour = static_cast<float>(a) * colours[0] +
                              static_cast<float>(b) * colours[1] +
                              static_cast<float>(c) * colours[2];
        put(x, y, a * p[0].z() + b * p[1].z() + c * p[2].z(), static_cast<float>(light) * colour);
      }
    }
  }

 private:
  static double cross(const Vec3& u, const Vec3& v) { return u.x() * v.y() - u.y() * v.x(); }

  void put(int x, int y, double depth, const Colour& colour) {
    const auto pixel = static_cast<std::size_t>(y) * m_image.width + static_cast<std::size_t>(x);
    if (depth <= m_depth[pixel]) return;
    m_depth[pixel] = depth;
    for (std::size_t k = 0; k < 3; ++k) {
      m_image.rgba[4 * pixel + k] =
          static_cast<std::uint8_t>(plot::to_srgb8(colour[static_cast<Eigen::Index>(k)]));
    }
    m_image.rgba[4 * pixel + 3] = 255;
  }

  int m_width, m_height;
  std::vector<double> m_depth;
  io::Image m_image;
};

/// From the world to pixels: rows right, down and towards the viewer.
struct Projection {
  geometry::Mat3 axes;
  double scale = 1;
  Vec3 shift = Vec3::Zero();

  [[nodiscard]] Vec3 operator()(const Vec3& point) const { return scale * (axes * point) + shift; }
};

Projection fit(const std::vector<ColouredMesh>& meshes, const render::Direction& direction,
               double width, double height) {
  Projection projection;
  projection.axes = render::view_axes(direction);
  projection.axes.row(1) *= -1;
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;
  for (const ColouredMesh& mesh : meshes) {
    if (mesh.context) continue;
    for (const Vec3& point : mesh.positions) {
      low = low.cwiseMin(projection.axes * point);
      high = high.cwiseMax(projection.axes * point);
    }
  }
  if (!(low.x() <= high.x())) return projection;
  const Vec3 size = (high - low).cwiseMax(1e-9);
  projection.scale = (1 - 2 * kMargin) * std::min(width / size.x(), height / size.y());
  projection.shift = -projection.scale * 0.5 * (low + high) + Vec3(0.5 * width, 0.5 * height, 0);
  return projection;
}

}  // namespace

Result<plot::Drawing> draw_values(const std::vector<ColouredMesh>& meshes,
                                  const ValuePictureSettings& settings) {
  const int width = kFiner * settings.width;
  const int height = kFiner * settings.height;
  DepthPicture picture(width, height);
  const Projection projection = fit(meshes, settings.direction, width, height);
  for (const ColouredMesh& mesh : meshes) {
    for (const geometry::Triangle& t : mesh.triangles) {
      std::array<Vec3, 3> corners;
      std::array<Colour, 3> colours;
      for (std::size_t c = 0; c < 3; ++c) {
        corners[c] = projection(mesh.positions[static_cast<std::size_t>(t[c])]);
        if (mesh.on_top) corners[c].z() += kOnTop;
        colours[c] = mesh.colours[static_cast<std::size_t>(t[c])];
      }
      const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
      const double facing = std::abs(normal.z()) / std::max(normal.norm(), 1e-12);
      picture.triangle(corners, colours, 0.45 + 0.55 * facing);
    }
  }
  SUPPLE_TRY(const Bytes png, io::write_png(picture.image()));
  return plot::picture_of(png, settings.width, settings.height);
}

}  // namespace supple::pictures
