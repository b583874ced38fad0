// SPDX-License-Identifier: Apache-2.0
#include "samples/tissue.hpp"

#include "samples/curves.hpp"
#include "samples/implicit_surface.hpp"
#include "samples/tube.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace supple::samples {
namespace {

using geometry::TriMesh;
using geometry::Vec3;

enum TissueBone : std::uint32_t { Table, Tissue, Instrument };

constexpr double kSlabHalfWidth = 0.10;

double rounded_box(const Vec3& p, const Vec3& centre, const Vec3& half, double radius) {
  const Vec3 q = (p - centre).cwiseAbs() - half + Vec3::Constant(radius);
  return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0) - radius;
}

/// Height of the free surface: folds over a soft dome.
double surface_height(double x, double z) {
  const double folds = 0.0035 * std::sin(58 * x + 14 * std::sin(17 * z)) * std::cos(24 * z - 9 * x);
  const double dome = 0.010 * std::exp(-(x * x + z * z) / 0.0035);
  return 0.042 + folds + dome;
}

double patch(const Vec3& p) {
  const double slab = rounded_box(p, {0, 0.030, 0}, {kSlabHalfWidth, 0.030, kSlabHalfWidth}, 0.012);
  double d = carve(slab, 0.75 * (p.y() - surface_height(p.x(), p.z())), 0.015);
  // A gland and two vessels under the skin.
  d = melt(d, ellipsoid(p, {0.042, 0.040, 0.030}, {0.024, 0.014, 0.018}), 0.012);
  d = melt(d, cone(p, {-0.085, 0.037, -0.055}, {-0.010, 0.043, -0.030}, 0.006, 0.005), 0.008);
  return melt(d, cone(p, {-0.010, 0.043, -0.030}, {0.080, 0.038, -0.060}, 0.005, 0.0045), 0.008);
}

double tray(const Vec3& p) {
  const double slab = rounded_box(p, {0, -0.004, 0}, {0.135, 0.014, 0.135}, 0.008);
  const double hollow = rounded_box(p, {0, 0.020, 0}, {0.122, 0.0215, 0.122}, 0.010);
  return carve(slab, -hollow, 0.004);
}

double free_mask(const Vec3& p) {
  const double rim = kSlabHalfWidth - std::max(std::abs(p.x()), std::abs(p.z()));
  return smooth_step(0.005, 0.028, rim) * smooth_step(0.010, 0.034, p.y());
}

std::array<double, 4> tissue_colour(const Vec3& p) {
  const double depth = smooth_step(0.030, 0.052, p.y());
  const double mottle =
      0.5 + 0.5 * std::sin(90 * p.x() + 3 * std::sin(70 * p.z())) * std::sin(80 * p.z());
  std::array<double, 4> c{0.46 + 0.22 * depth, 0.085 + 0.13 * depth + 0.02 * mottle,
                          0.075 + 0.10 * depth + 0.02 * mottle, 1};
  const double vessel = std::min(cone(p, {-0.085, 0.043, -0.055}, {-0.010, 0.048, -0.030}, 0, 0),
                                 cone(p, {-0.010, 0.048, -0.030}, {0.080, 0.043, -0.060}, 0, 0));
  const double vein = 1 - smooth_step(0.003, 0.007, vessel);
  const double gland =
      1 -
      smooth_step(0.9, 1.15,
                  (p - Vec3(0.042, 0.040, 0.030)).cwiseQuotient(Vec3(0.027, 0.018, 0.021)).norm());
  const std::array<double, 3> blue{0.22, 0.045, 0.10};
  const std::array<double, 3> pale{0.80, 0.50, 0.34};
  for (std::size_t k = 0; k < 3; ++k) {
    c[k] += vein * (blue[k] - c[k]);
    c[k] += 0.7 * gland * (pale[k] - c[k]);
  }
  return c;
}

io::SkinnedPart rigid_part(TriMesh mesh, std::vector<Vec3> normals, TissueBone bone) {
  io::SkinnedPart part;
  part.skin.assign(mesh.positions.size(), io::SkinnedVertex{{bone, 0, 0, 0}, {1, 0, 0, 0}});
  part.positions = std::move(mesh.positions);
  part.triangles = std::move(mesh.triangles);
  part.normals = std::move(normals);
  return part;
}

std::vector<Vec3> implicit_normals(const Implicit& shape, const TriMesh& mesh) {
  std::vector<Vec3> normals;
  for (const Vec3& p : mesh.positions) normals.push_back(implicit_normal(shape, p));
  return normals;
}

io::SkinnedPart tissue_part(std::size_t vertices) {
  // An equilateral mesh of n vertices per area A has edges sqrt(2 A / (sqrt(3) n)).
  constexpr double kArea = 0.1048;
  const double edge = std::sqrt(2 * kArea / (std::sqrt(3.0) * static_cast<double>(vertices)));
  geometry::Box box;
  box.add({-0.11, -0.01, -0.11});
  box.add({0.11, 0.07, 0.11});
  TriMesh mesh =
      triangulate(patch, box, std::min(0.9 * edge, 0.006), [&](const Vec3&) { return edge; });
  std::vector<Vec3> normals = implicit_normals(patch, mesh);
  io::SkinnedPart part = rigid_part(std::move(mesh), std::move(normals), Tissue);
  part.material = "tissue";
  part.base_colour = {1, 1, 1, 1};
  part.roughness = 0.3;
  io::GltfAttribute mask{"_TISSUE", 1, {}};
  for (const Vec3& p : part.positions) {
    part.colours.push_back(tissue_colour(p));
    mask.values.push_back(static_cast<float>(free_mask(p)));
  }
  part.attributes.push_back(std::move(mask));
  return part;
}

/// The point where the hook's bend touches the tissue at rest, and the rod's direction from there.
const Vec3 kTip{0, 0.075, 0};
const Vec3 kRod = Vec3(-0.35, 0.80, 0.30).normalized();

io::SkinnedPart instrument_part() {
  // A half circle for the hook, the rod, and a thick grip.
  const Vec3 side = (Vec3::UnitX() - kRod.x() * kRod).normalized();
  constexpr double kBend = 0.008;
  std::vector<TubePoint> path;
  for (int k = 0; k <= 16; ++k) {
    const double angle = std::numbers::pi * (1 - k / 16.0);
    path.push_back({kTip + kBend * (1 - std::sin(angle)) * kRod +
                        kBend * (1 - std::cos(angle)) * -side + kBend * side,
                    0.0012 + 0.0010 * k / 16});
  }
  const Vec3 shaft = path.back().position;
  const auto add = [&](double along, double radius) {
    path.push_back({shaft + along * kRod, radius});
  };
  for (int k = 1; k <= 20; ++k) add(0.0055 * k, 0.0022 + 0.0003 * k / 20);
  add(0.113, 0.0030);
  add(0.117, 0.0052);
  add(0.121, 0.0060);
  for (int k = 1; k <= 12; ++k) add(0.121 + 0.0055 * k, k % 2 == 0 ? 0.0060 : 0.0055);
  Tube tube = make_tube(path, 20);
  io::SkinnedPart part = rigid_part(std::move(tube.mesh), std::move(tube.normals), Instrument);
  part.material = "steel";
  part.base_colour = {0.56, 0.57, 0.58, 1};
  part.metallic = 1;
  part.roughness = 0.28;
  return part;
}

io::SkinnedPart tray_part() {
  geometry::Box box;
  box.add({-0.145, -0.025, -0.145});
  box.add({0.145, 0.02, 0.145});
  // Fine along the rounded rim, coarse where it is flat.
  TriMesh mesh = triangulate(tray, box, 0.0045, [](const Vec3& p) {
    const double rim = std::abs(std::max(std::abs(p.x()), std::abs(p.z())) - 0.1285);
    return 0.0042 + 0.010 * smooth_step(0.010, 0.035, rim);
  });
  std::vector<Vec3> normals = implicit_normals(tray, mesh);
  io::SkinnedPart part = rigid_part(std::move(mesh), std::move(normals), Table);
  part.material = "tray";
  part.base_colour = {0.30, 0.36, 0.40, 1};
  part.roughness = 0.5;
  return part;
}

/// 0 before `start`, 1 after `end`.
double ramp(double t, double start, double end) {
  return smooth_step(start, end, t);
}

/// A knock against the table: away and back within an eighth of a second.
Vec3 table_shift(double t) {
  const double upward = ramp(t, 0.40, 0.45) - ramp(t, 0.45, 0.53);
  const double sideways = ramp(t, 2.80, 2.85) - ramp(t, 2.85, 2.93);
  return {0.010 * sideways, 0.008 * upward, 0.006 * sideways};
}

/// The hook drags the patch along and lets it slip at 2.2 s.
double drag(double t) {
  return ramp(t, 1.2, 2.15) - ramp(t, 2.20, 2.25);
}

Vec3 instrument_shift(double t) {
  const double down = ramp(t, 0.7, 1.15) - ramp(t, 2.20, 2.60);
  const double across = ramp(t, 1.2, 2.2) - ramp(t, 2.7, 3.7);
  const double x = -0.045 + 0.075 * across;
  const double over = 0.030 * (1 - down) + 0.0045;
  return Vec3(x, surface_height(x, 0) + over, 0) - kTip;
}

io::SkinnedClip probe() {
  constexpr int kPokeRate = 60;
  constexpr int kPokeSeconds = 4;
  io::SkinnedClip clip;
  clip.name = "probe";
  clip.tracks = {{Table, {}, {}}, {Tissue, {}, {}}, {Instrument, {}, {}}};
  for (int key = 0; key <= kPokeRate * kPokeSeconds; ++key) {
    const double t = static_cast<double>(key) / kPokeRate;
    clip.times.push_back(t);
    const Vec3 table = table_shift(t);
    clip.tracks[Table].translations.push_back(table);
    clip.tracks[Tissue].translations.emplace_back(0.009 * drag(t), 0.002 * drag(t), 0);
    clip.tracks[Tissue].rotations.emplace_back(Eigen::AngleAxisd(0.05 * drag(t), Vec3::UnitY()));
    // A hand holds it, so the table's knocks do not reach it.
    clip.tracks[Instrument].translations.emplace_back(kTip + instrument_shift(t) - table);
    clip.tracks[Instrument].rotations.emplace_back(
        Eigen::AngleAxisd(0.25 * drag(t), Vec3::UnitZ()));
  }
  return clip;
}

}  // namespace

Result<io::SkinnedModel> tissue(std::size_t vertices) {
  constexpr std::size_t kLeast = 1000;
  constexpr std::size_t kMost = 100'000;
  if (vertices < kLeast || vertices > kMost) {
    return Error(ErrorCode::Usage,
                 fmt::format("the patch of tissue can have {} to {} vertices, not {}", kLeast,
                             kMost, vertices));
  }
  io::SkinnedModel model;
  model.name = "tissue";
  model.bones = {{"Table", {}, Vec3::Zero(), Eigen::Quaterniond::Identity()},
                 {"Tissue", Table, Vec3::Zero(), Eigen::Quaterniond::Identity()},
                 {"Instrument", Table, kTip, Eigen::Quaterniond::Identity()}};
  model.parts.push_back(tissue_part(vertices));
  model.parts.push_back(instrument_part());
  model.parts.push_back(tray_part());
  model.clips.push_back(probe());
  return model;
}

std::string tissue_bake_toml() {
  return R"(# A patch of tissue, attached at its rim and below, as in [JP02 6].
unit = 1

[[object]]
name = "patch"
mask = "_TISSUE"
driver = "Tissue"
elements = 20000
modes = 8
core = false
border = 0.08  # soft far down: half-way between the free and the fixed side the weight is 0.5
ramp = 0.35
limit = 0.008
sag = 0  # as soft as its material
material = {E = 800, nu = 0.47, rho = 1050}
damping = {ratio = 0.08}
)";
}

}  // namespace supple::samples
