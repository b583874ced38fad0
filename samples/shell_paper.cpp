// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_paper.hpp"

#include "samples/curves.hpp"
#include "samples/shell_parts.hpp"
#include "samples/tube.hpp"

#include <cmath>
#include <numbers>

namespace supple::samples {
namespace {

using geometry::Vec3;

constexpr double kLength = 0.297;
constexpr double kWidth = 0.210;
constexpr double kRadius = 0.30;  ///< of the gutter
constexpr double kPaperHeight = 0.20;
constexpr double kRise = 0.20;  ///< radians over the horizontal

Vec3 on_sheet(double along, double across) {
  const double angle = across / kRadius;
  const Vec3 flat(along, kRadius * (1 - std::cos(angle)), kRadius * std::sin(angle));
  return Eigen::AngleAxisd(kRise, Vec3::UnitZ()) * flat + Vec3(0, kPaperHeight, 0);
}

io::SkinnedPart sheet() {
  io::SkinnedPart part = bound_part(
      "paper",
      make_sheet(
          {42, 30, [](double u, double v) { return on_sheet(u * kLength, (0.5 - v) * kWidth); }}),
      0);
  part.base_colour = {0.86, 0.85, 0.82, 1};
  part.roughness = 0.85;
  part.double_sided = true;
  return part;
}

/// Two rods that follow the gutter, one over and one under the sheet, and a post.
void add_holder(io::SkinnedModel& model) {
  const auto add = [&](const std::vector<TubePoint>& path) {
    Tube tube = make_tube(path, 20);
    io::SkinnedPart part = bound_part("holder", std::move(tube.mesh), 0);
    part.normals = std::move(tube.normals);
    part.material = "brass";
    part.base_colour = {0.62, 0.44, 0.18, 1};
    part.metallic = 1;
    part.roughness = 0.32;
    model.parts.push_back(std::move(part));
  };
  constexpr double kRodRadius = 0.0035;
  const Vec3 up = Eigen::AngleAxisd(kRise, Vec3::UnitZ()) * Vec3::UnitY();
  for (const double side : {-1.0, 1.0}) {
    std::vector<TubePoint> path;
    for (int k = -12; k <= 12; ++k) {
      path.push_back({on_sheet(0.004, 0.0092 * k) + side * kRodRadius * up, kRodRadius});
    }
    add(path);
  }
  const Vec3 top = on_sheet(0.004, 0) - 2 * kRodRadius * up;
  std::vector<TubePoint> post;
  for (int k = 0; k <= 20; ++k) post.push_back({top * (k / 20.0), 0.005});
  for (TubePoint& point : post) point.position.x() = 0.004;
  add(post);
  const auto foot = [](double y, double radius) { return TubePoint{{0.004, y, 0}, radius}; };
  add({foot(0.0004, 0.001), foot(0.0006, 0.061), foot(0.004, 0.062), foot(0.007, 0.059),
       foot(0.012, 0.012), foot(0.020, 0.006)});
}

}  // namespace

io::SkinnedModel shell_paper() {
  io::SkinnedModel model;
  model.name = "paper";
  model.bones = {{"Holder", {}, Vec3::Zero(), Eigen::Quaterniond::Identity()}};
  model.parts.push_back(sheet());
  add_holder(model);
  // Fanned as by hand: quick half turns about the post that die away.
  model.clips.push_back(make_shell_clip("fan", 6, {0}, [](double t, io::SkinnedClip& clip) {
    const double rise = smooth_step(0.3, 1.0, t) - smooth_step(3.2, 4.0, t);
    const double turn = 0.22 * rise * std::sin(2 * std::numbers::pi * 1.25 * (t - 0.3));
    clip.tracks[0].rotations.emplace_back(Eigen::AngleAxisd(turn, Vec3::UnitY()));
    clip.tracks[0].translations.emplace_back(
        0, 0.012 * rise * std::sin(2 * std::numbers::pi * 2.5 * (t - 0.3)), 0);
  }));
  return model;
}

std::string shell_paper_toml() {
  return R"(# A sheet of office paper, 80 g/m^2.
[[shell]]
name = "paper"
mesh = "paper"
bone = "Holder"
modes = 12
fix = ["x<0.0085"]
material = {youngs_modulus = 3e9, poisson_ratio = 0.2, density = 800, thickness = 1e-4}
damping = {ratio = 0.05}
)";
}

}  // namespace supple::samples
