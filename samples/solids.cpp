// SPDX-License-Identifier: Apache-2.0
#include "samples/solids.hpp"

#include "supple/geometry/shapes.hpp"
#include "supple/geometry/volume_meshing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::samples {
namespace {

using geometry::BlendedCapsules;
using geometry::Vec3;

/// Cells along the edge of a part, if the whole takes `elements_per_unit` tetrahedra at 1.
int cells_for(std::size_t target_elements, double elements_per_unit) {
  const double cells = std::cbrt(static_cast<double>(target_elements) / elements_per_unit);
  return std::max(1, static_cast<int>(std::lround(cells)));
}

/// A four-legged animal, 80 cm long, standing on y = 0 and looking along +x.
BlendedCapsules creature() {
  BlendedCapsules shape;
  shape.blend = 0.06;
  const auto limb = [&](const Vec3& a, const Vec3& b, double radius_a, double radius_b) {
    shape.capsules.push_back({a, b, radius_a, radius_b});
  };
  const auto pair = [&](const Vec3& a, const Vec3& b, double radius_a, double radius_b) {
    limb(a, b, radius_a, radius_b);
    limb({a.x(), a.y(), -a.z()}, {b.x(), b.y(), -b.z()}, radius_a, radius_b);
  };
  limb({-0.16, 0.28, 0}, {0.14, 0.29, 0}, 0.120, 0.105);            // trunk
  limb({0.18, 0.34, 0}, {0.27, 0.48, 0}, 0.070, 0.060);             // neck
  limb({0.27, 0.50, 0}, {0.38, 0.475, 0}, 0.080, 0.055);            // head
  limb({-0.25, 0.32, 0}, {-0.36, 0.42, 0}, 0.065, 0.050);           // tail
  limb({-0.36, 0.42, 0}, {-0.40, 0.51, 0}, 0.050, 0.045);           // its tip
  pair({0.13, 0.22, 0.075}, {0.15, 0.048, 0.100}, 0.058, 0.048);    // forelegs
  pair({-0.17, 0.22, 0.080}, {-0.18, 0.048, 0.105}, 0.068, 0.048);  // hind legs
  pair({0.245, 0.56, 0.045}, {0.215, 0.64, 0.085}, 0.042, 0.036);   // ears
  return shape;
}

Result<SampleMesh> make_creature(std::size_t target_elements) {
  const BlendedCapsules shape = creature();
  const auto distance = [&](const Vec3& point) { return shape.signed_distance(point); };
  geometry::StuffingSettings settings;
  settings.target_elements = target_elements;
  SampleMesh sample;
  SUPPLE_TRY(sample.mesh, geometry::stuff(distance, shape.bounds(), settings));
  // Fine enough that its facets are smaller than curved elements can resolve.
  sample.surface = geometry::polygonise(distance, shape.bounds(), 0.01);
  return sample;
}

SampleMesh make_beam(std::size_t target_elements) {
  const int cells = cells_for(target_elements, 6.0 * 10.0);
  return {geometry::beam_mesh(0.5, 0.05, 0.05, 10 * cells, cells, cells), {}};
}

SampleMesh make_bracket(std::size_t target_elements) {
  // Arms of 4 thicknesses, 2 deep: 4 * 1 * 2 + 3 * 1 * 2 = 14 cubes of six tetrahedra.
  const int cells = cells_for(target_elements, 6.0 * 14.0);
  return {geometry::l_bracket_mesh(0.1 / (4 * cells), 4 * cells, cells, 2 * cells), {}};
}

SampleMesh make_sphere(std::size_t target_elements) {
  constexpr double kBallRadius = 0.1;
  const int cells = cells_for(target_elements, 6.0 * 8.0);
  return {geometry::ball_mesh(kBallRadius, cells), geometry::sphere_surface(kBallRadius, 6)};
}

}  // namespace

const std::vector<SolidSample>& solid_samples() {
  static const std::vector<SolidSample> samples{
      {"creature", "a plump animal of 80 cm, blended capsules", "silicone", {"y<0.03"}},
      {"beam", "a square bar, 500 x 50 x 50 mm, clamped at one end", "steel", {"set:x_min"}},
      {"bracket", "an L of 100 x 100 x 50 mm, clamped at one arm", "aluminium", {"set:y_max"}},
      {"sphere", "a free ball of 200 mm", "rubber", {}},
  };
  return samples;
}

const SolidSample* find_solid_sample(std::string_view name) {
  for (const SolidSample& sample : solid_samples()) {
    if (sample.name == name) return &sample;
  }
  return nullptr;
}

Result<SampleMesh> make_solid_sample(std::string_view name, std::size_t target_elements) {
  if (name == "creature") return make_creature(target_elements);
  if (name == "beam") return make_beam(target_elements);
  if (name == "bracket") return make_bracket(target_elements);
  if (name == "sphere") return make_sphere(target_elements);
  return Error(ErrorCode::Usage, fmt::format("unknown sample '{}'", name));
}

}  // namespace supple::samples
