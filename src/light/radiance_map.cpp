// SPDX-License-Identifier: Apache-2.0
#include "light/quadrature.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"
#include "supple/light/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::light {
namespace {

using geometry::Mat3;
using geometry::Vec3;
using std::numbers::pi;

/// From the frame of a panorama, whose poles are on its third axis, into the world.
Mat3 panorama_frame() {
  Mat3 frame;
  frame << 1, 0, 0,  //
      0, 0, 1,       //
      0, -1, 0;
  return frame;
}

/// int cos(m phi) for m >= 0 and int sin(-m phi) for m < 0, over one texel of each column. Angles
/// of the panorama's frame fall from left to right.
Eigen::MatrixXd column_integrals(int order, std::size_t width) {
  Eigen::MatrixXd table(2 * order - 1, static_cast<Eigen::Index>(width));
  for (std::size_t x = 0; x < width; ++x) {
    const auto angle = [&](std::size_t edge) {
      return pi - 2 * pi * static_cast<double>(edge) / static_cast<double>(width);
    };
    const double a = angle(x + 1);
    const double b = angle(x);
    const auto column = static_cast<Eigen::Index>(x);
    table(order - 1, column) = b - a;
    for (int m = 1; m < order; ++m) {
      table(order - 1 + m, column) = (std::sin(m * b) - std::sin(m * a)) / m;
      table(order - 1 - m, column) = (std::cos(m * a) - std::cos(m * b)) / m;
    }
  }
  return table;
}

/// int K_lm P_lm(cos theta) sin(theta) over one row of texels, at the index of m >= 0.
Eigen::VectorXd row_integrals(int order, const GaussRule& rule, std::size_t y, std::size_t height) {
  const double step = pi / static_cast<double>(height);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(coefficient_count(order));
  for (Eigen::Index i = 0; i < rule.nodes.size(); ++i) {
    const double theta = (static_cast<double>(y) + 0.5 + 0.5 * rule.nodes(i)) * step;
    const Vec3 direction(std::sin(theta), 0, std::cos(theta));
    sum += 0.5 * step * rule.weights(i) * std::sin(theta) * harmonics(order, direction);
  }
  return sum;
}

}  // namespace

Result<void> RadianceMap::validate() const {
  if (height < 1 || width != 2 * height) {
    return bad_input(fmt::format("a panorama of {} x {} pixels; it must be twice as wide as high",
                                 width, height));
  }
  if (rgb.size() != 3 * width * height) {
    return bad_input(fmt::format("a panorama of {} x {} pixels has {} numbers instead of {}", width,
                                 height, rgb.size(), 3 * width * height));
  }
  const auto bad = std::find_if(rgb.begin(), rgb.end(),
                                [](float value) { return !(std::isfinite(value) && value >= 0); });
  if (bad == rgb.end()) return {};
  const auto texel = static_cast<std::size_t>(bad - rgb.begin()) / 3;
  return bad_input(fmt::format(
      "row {}, column {} of the panorama has the radiance {}; it must be finite and not negative",
      texel / width + 1, texel % width + 1, *bad));
}

Vec3 RadianceMap::radiance(const Vec3& direction) const {
  const double across = 0.5 + std::atan2(direction.z(), direction.x()) / (2 * pi);
  const double down = std::acos(std::clamp(direction.y(), -1.0, 1.0)) / pi;
  const auto cell = [](double part, std::size_t count) {
    const double scaled = part * static_cast<double>(count);
    return std::min(static_cast<std::size_t>(std::max(scaled, 0.0)), count - 1);
  };
  const float* texel = &rgb[3 * (cell(down, height) * width + cell(across, width))];
  return {texel[0], texel[1], texel[2]};
}

Coefficients RadianceMap::coefficients(int order) const {
  SUPPLE_CHECK_OP(rgb.size(), ==, 3 * width * height);
  constexpr int kPointsPerRow = 16;
  constexpr std::size_t kRowsAtOnce = 16;
  const Eigen::MatrixXd columns = column_integrals(order, width);
  const GaussRule rule = gauss_rule(kPointsPerRow);
  using Texels = Eigen::Map<const Eigen::Matrix<float, 3, Eigen::Dynamic>>;
  const auto rows = [&](std::size_t begin, std::size_t end) {
    Coefficients c = Coefficients::Zero(coefficient_count(order), 3);
    for (std::size_t y = begin; y < end; ++y) {
      const Texels texels(&rgb[3 * width * y], 3, static_cast<Eigen::Index>(width));
      const Eigen::MatrixXd waves = columns * texels.cast<double>().transpose();
      const Eigen::VectorXd heights = row_integrals(order, rule, y, height);
      for (int l = 0; l < order; ++l) {
        for (int m = -l; m <= l; ++m) {
          c.row(l * (l + 1) + m) += heights(l * (l + 1) + std::abs(m)) * waves.row(order - 1 + m);
        }
      }
    }
    return c;
  };
  const Coefficients zero = Coefficients::Zero(coefficient_count(order), 3);
  const Coefficients c = parallel_reduce(
      height, kRowsAtOnce, zero, rows,
      [](const Coefficients& a, const Coefficients& b) -> Coefficients { return a + b; });
  return rotated(c, panorama_frame());
}

}  // namespace supple::light
