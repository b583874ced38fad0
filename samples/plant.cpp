// SPDX-License-Identifier: Apache-2.0
#include "samples/plant.hpp"

#include "samples/curves.hpp"

#include <algorithm>
#include <cmath>

namespace supple::samples {
namespace {

using geometry::Vec3;

/// One leaf of the ring that it belongs to.
struct PlantLeaf {
  double azimuth;    ///< radians, about y
  double foot;       ///< m from the axis, where it leaves the soil
  double rise;       ///< radians above the horizontal, there
  double stalk;      ///< m
  double blade;      ///< m
  double half_wide;  ///< m
  double droop;      ///< radians by which the blade turns down to its tip
};

/// Half the width at the length s from the soil.
double width_at(const PlantLeaf& leaf, double s) {
  // Cells of stalks and tips must be wider than leaves are thick in contact: tips are blunt.
  constexpr double kStalkHalf = 0.0048;
  const double t = std::clamp((s - leaf.stalk) / leaf.blade, 0.0, 1.0);
  const double outline = 2.25 * std::pow(t, 0.65) * std::pow(1 - t, 0.85);
  const double stalk = kStalkHalf * (1 - 0.25 * smooth_step(0.6, 1.0, t));
  return std::max(stalk, leaf.half_wide * outline);
}

/// Angle of the midrib above the horizontal: stalks are nearly straight, blades arch over.
double angle_at(const PlantLeaf& leaf, double s) {
  const double u = s / (leaf.stalk + leaf.blade);
  return leaf.rise - leaf.droop * u * u;
}

/// v from -1 at one margin to 1 at the other.
Vec3 point_of_leaf(const PlantLeaf& leaf, double s, double v) {
  constexpr int kSteps = 48;
  double out = leaf.foot;
  double up = 0;
  for (int k = 0; k < kSteps; ++k) {
    const double a = angle_at(leaf, (k + 0.5) * s / kSteps);
    out += s / kSteps * std::cos(a);
    up += s / kSteps * std::sin(a);
  }
  const double a = angle_at(leaf, s);
  const double off = v * width_at(leaf, s);
  // Both halves rise from the midrib: a gutter, which makes stalks and blades stiff.
  const double gutter = 0.55 * std::abs(off) - 4.0 * off * off;
  const Vec3 in_plane(out - gutter * std::sin(a), up + gutter * std::cos(a), off);
  const double c = std::cos(leaf.azimuth);
  const double d = std::sin(leaf.azimuth);
  return {c * in_plane.x() + d * in_plane.z(), in_plane.y(), -d * in_plane.x() + c * in_plane.z()};
}

Rgba leaf_colour(const PlantLeaf& leaf, double s, double v) {
  const double t = std::clamp((s - leaf.stalk) / leaf.blade, 0.0, 1.0);
  const Rgba stalk{0.20, 0.27, 0.06, 1};
  const Rgba blade{0.035, 0.135, 0.025, 1};
  const Rgba margin{0.30, 0.33, 0.12, 1};
  Rgba c = mix(stalk, blade, smooth_step(0.0, 0.08, t));
  if (t > 0.02) c = mix(c, margin, 0.7 * smooth_step(0.72, 0.95, std::abs(v)));
  return mix(c, stalk, 0.8 * (1 - smooth_step(0.0, 0.12, std::abs(v))));
}

void add_leaf(PlantLeaves& plant, const PlantLeaf& leaf, int along, int across) {
  const double length = leaf.stalk + leaf.blade;
  const geometry::TriMesh sheet = make_sheet({along, across, [&](double u, double v) {
                                                return point_of_leaf(leaf, u * length, 2 * v - 1);
                                              }});
  const auto first = static_cast<geometry::Index>(plant.mesh.positions.size());
  for (int i = 0; i <= along; ++i) {
    for (int j = 0; j <= across; ++j) {
      plant.colours.push_back(leaf_colour(leaf, length * i / along, 2.0 * j / across - 1));
    }
  }
  plant.mesh.positions.insert(plant.mesh.positions.end(), sheet.positions.begin(),
                              sheet.positions.end());
  for (const geometry::Triangle& t : sheet.triangles) {
    plant.mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
}

}  // namespace

PlantLeaves plant_leaves(int inner, int outer, int along, int across) {
  PlantLeaves plant;
  const auto uneven = [](int i, double amount) { return 1 + amount * std::sin(2.4 * i + 0.7); };
  for (int i = 0; i < inner; ++i) {
    add_leaf(plant,
             {kTwoPi * i / inner + 0.12 * std::sin(3.1 * i), 0.014, 1.45, 0.15 * uneven(i, 0.12),
              0.20 * uneven(i + 3, 0.08), 0.040, 1.05 * uneven(i + 5, 0.12)},
             along, across);
  }
  for (int i = 0; i < outer; ++i) {
    add_leaf(plant,
             {kTwoPi * (i + 0.5) / outer + 0.10 * std::sin(1.7 * i), 0.040, 1.12,
              0.09 * uneven(i, 0.12), 0.17 * uneven(i + 2, 0.08), 0.036, 1.25 * uneven(i + 4, 0.1)},
             along, across);
  }
  return plant;
}

}  // namespace supple::samples
