// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_leaf.hpp"

#include "samples/curves.hpp"
#include "samples/shell_parts.hpp"
#include "samples/tube.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::samples {
namespace {

using geometry::Vec3;

constexpr double kJoint = 0.115;  ///< height at which the stalk leaves the twig
constexpr double kStalk = 0.035;  ///< metres along the midrib before the blade begins
constexpr double kBlade = 0.200;
constexpr double kLeafHalfWidth = 0.047;
constexpr double kEdge = 0.0019;  ///< of the triangles

/// Half the width at the length s along the midrib: widest before the middle, a long tip.
double half_width(double s) {
  constexpr double kStalkHalf = 0.0022;
  const double t = std::clamp((s - kStalk) / kBlade, 0.0, 1.0);
  const double outline = 2.62 * std::pow(t, 0.62) * std::pow(1 - t, 1.05);
  const double tip = 0.0009 * (1 - t);
  return std::max(kStalkHalf * (1 - smooth_step(0.0, 0.10, t)),
                  kLeafHalfWidth * outline / 1.28 + tip);
}

/// The midrib: rises from the twig and bends over under the blade's own weight.
struct Frame {
  Vec3 at;
  Vec3 along;
  Vec3 up;
};

Frame midrib(double s) {
  constexpr double kStart = 0.95;  // radians over the horizontal
  constexpr double kTurn = 6.2;    // radians per metre
  constexpr int kSteps = 64;
  Frame frame{{0, kJoint, 0}, Vec3::UnitX(), Vec3::UnitY()};
  const auto angle = [&](double x) { return kStart - kTurn * x * (0.55 + 0.9 * x / 0.235); };
  for (int k = 0; k < kSteps; ++k) {
    const double a = angle((k + 0.5) * s / kSteps);
    frame.at += s / kSteps * Vec3(std::cos(a), std::sin(a), 0);
  }
  const double a = angle(s);
  frame.along = {std::cos(a), std::sin(a), 0};
  frame.up = {-std::sin(a), std::cos(a), 0};
  return frame;
}

/// v from -1 at one margin to 1 at the other.
Vec3 on_leaf(double s, double v) {
  const Frame frame = midrib(s);
  const double off = v * half_width(s);
  const double t = std::clamp((s - kStalk) / kBlade, 0.0, 1.0);
  // The halves rise from the midrib; the margin waves, and between the veins the blade is quilted.
  const double gutter = 0.30 * std::abs(off) - 1.3 * off * off;
  const double wave = 0.0028 * v * v * std::sin(2 * std::numbers::pi * (4.6 * t + 0.11 * v)) *
                      smooth_step(0, 0.15, t) * smooth_step(1, 0.8, t);
  return frame.at + (gutter + wave) * frame.up + off * Vec3::UnitZ();
}

/// 1 on the midrib and the side veins, 0 between them.
double vein(double s, double off) {
  const double rib = 0.0030 - 0.0016 * std::clamp((s - kStalk) / kBlade, 0.0, 1.0);
  double value = 1 - smooth_step(0.55 * rib, rib, std::abs(off));
  if (s <= kStalk) return 1;
  // Side veins leave the midrib every 22 mm, alternating, and curve towards the tip.
  constexpr double kEvery = 0.022;
  const double reach = std::abs(off);
  const double origin = s - 0.70 * reach - 5.0 * reach * reach + (off > 0 ? 0.5 * kEvery : 0);
  const double from = std::abs(origin - kEvery * std::round(origin / kEvery));
  const double fades = 1 - smooth_step(0.75, 0.98, reach / std::max(half_width(s), 1e-6));
  const double begins = smooth_step(kStalk - 0.002, kStalk + 0.006, origin);
  value = std::max(value, fades * begins * (1 - smooth_step(0.0007, 0.0019, from)));
  return value;
}

Rgba leaf_colour(double s, double v) {
  const double off = v * half_width(s);
  const double t = std::clamp((s - kStalk) / kBlade, 0.0, 1.0);
  Rgba blade = mix({0.035, 0.165, 0.022, 1}, {0.075, 0.260, 0.030, 1}, std::abs(v));
  blade = mix(blade, {0.130, 0.250, 0.025, 1}, 0.5 * smooth_step(0.7, 1, t));
  return mix(blade, {0.420, 0.520, 0.160, 1}, 0.92 * vein(s, off));
}

/// Position of the k-th vertex of a row, -1 to 1: the first on either side lies close to the
/// midrib, so that the rib has its own triangles.
double across(int k, int half, double width) {
  const double first = std::min(0.0014 / width, 1.0 / half);
  const double side = k < 0 ? -1 : 1;
  if (k == 0) return 0;
  if (half == 1) return side;
  return side * (first + (1 - first) * (std::abs(k) - 1) / (half - 1));
}

io::SkinnedPart leaf_part() {
  std::vector<std::vector<Vec3>> rows;
  std::vector<Rgba> colours;
  constexpr double kEnd = kStalk + kBlade;
  const int count = static_cast<int>(std::lround(kEnd / (0.92 * kEdge)));
  for (int r = 0; r <= count; ++r) {
    const double s = kEnd * r / count;
    const int half =
        r == count ? 0 : std::max(1, static_cast<int>(std::lround(half_width(s) / kEdge)));
    auto& row = rows.emplace_back();
    for (int k = half; k >= -half; --k) {
      const double v = half == 0 ? 0 : across(k, half, half_width(s));
      row.push_back(on_leaf(s, v));
      colours.push_back(leaf_colour(s, v));
    }
  }
  io::SkinnedPart part = bound_part("leaf", sew_rows(rows), 0);
  part.colours = std::move(colours);
  part.roughness = 0.42;
  part.double_sided = true;
  return part;
}

io::SkinnedPart twig_part() {
  std::vector<TubePoint> path;
  for (int k = 0; k <= 48; ++k) {
    const double y = 0.0037 * k - 0.010;
    const double knot = std::exp(-std::pow((y - kJoint) / 0.008, 2));
    path.push_back({{-0.004 + 0.008 * std::sin(13 * (y - kJoint)), y, 0.003 * std::sin(17 * y - 2)},
                    0.0044 - 0.0014 * k / 48 + 0.0011 * knot});
  }
  Tube tube = make_tube(path, 24);
  io::SkinnedPart part = bound_part("twig", std::move(tube.mesh), 0);
  part.normals = std::move(tube.normals);
  part.base_colour = {0.115, 0.075, 0.045, 1};
  part.roughness = 0.8;
  return part;
}

/// A breeze moves the twig, irregularly but with a period of eight seconds.
io::SkinnedClip breeze() {
  return make_shell_clip("breeze", 8, {0}, [](double t, io::SkinnedClip& clip) {
    const auto wave = [&](double cycles, double phase) {
      return std::sin(2 * std::numbers::pi * (cycles * t / 8 + phase));
    };
    const double lean = 0.050 * wave(5, 0) + 0.035 * wave(12, 0.3) * (0.5 + 0.5 * wave(1, 0.1));
    const double nod = 0.045 * wave(7, 0.2) + 0.040 * wave(17, 0.6) * (0.5 + 0.5 * wave(2, 0.4));
    clip.tracks[0].rotations.emplace_back(Eigen::AngleAxisd(lean, Vec3::UnitX()) *
                                          Eigen::AngleAxisd(nod, Vec3::UnitZ()));
  });
}

}  // namespace

io::SkinnedModel shell_leaf() {
  io::SkinnedModel model;
  model.name = "leaf";
  model.bones = {{"Twig", {}, Vec3::Zero(), Eigen::Quaterniond::Identity()}};
  model.parts.push_back(leaf_part());
  model.parts.push_back(twig_part());
  model.clips.push_back(breeze());
  return model;
}

std::string shell_leaf_toml() {
  return R"(# A leaf: a thin blade between stiff veins. It was modelled as it hangs.
[[shell]]
name = "leaf"
mesh = "leaf"
bone = "Twig"
modes = 12
fix = ["x<0.008"]  # the foot of the stalk
material = {youngs_modulus = 40e6, poisson_ratio = 0.3, density = 850, thickness = 3.5e-4}
gravity = "modelled"
damping = {ratio = 0.07}

[[shell.region]]
where = ["colour:COLOR_0.r>0.2"]  # veins and stalk
stiffness = 6
thickness = 3
)";
}

}  // namespace supple::samples
