// SPDX-License-Identifier: Apache-2.0
#include "samples/dinosaur.hpp"

#include "samples/curves.hpp"
#include "samples/implicit_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace supple::samples {
namespace {

using geometry::Vec3;

double trunk(const Vec3& p) {
  double d = ellipsoid(p, {-0.02, 0.430, 0}, {0.270, 0.165, 0.145});
  d = melt(d, ellipsoid(p, {-0.15, 0.430, 0}, {0.160, 0.160, 0.140}), 0.08);
  return melt(d, ellipsoid(p, {0.15, 0.455, 0}, {0.130, 0.135, 0.115}), 0.08);
}

double neck_and_tail(const Vec3& p) {
  double d = cone(p, {0.180, 0.480, 0}, {0.330, 0.630, 0}, 0.098, 0.066);
  d = melt(d, cone(p, {0.330, 0.630, 0}, {0.405, 0.790, 0}, 0.066, 0.050), 0.05);
  d = melt(d, cone(p, {0.405, 0.790, 0}, {0.475, 0.890, 0}, 0.050, 0.045), 0.05);
  double tail = cone(p, {-0.200, 0.430, 0}, {-0.440, 0.385, 0}, 0.110, 0.062);
  tail = melt(tail, cone(p, {-0.440, 0.385, 0}, {-0.660, 0.400, 0}, 0.062, 0.036), 0.05);
  tail = melt(tail, cone(p, {-0.660, 0.400, 0}, {-0.870, 0.510, 0}, 0.036, 0.018), 0.04);
  return std::min(d, tail);
}

double dinosaur_head(const Vec3& p) {
  double d = ellipsoid(p, {0.500, 0.905, 0}, {0.068, 0.056, 0.050});
  d = melt(d, cone(p, {0.520, 0.895, 0}, {0.605, 0.872, 0}, 0.044, 0.032), 0.03);         // muzzle
  d = melt(d, ellipsoid(p, {0.520, 0.932, 0.036}, {0.024, 0.020, 0.018}), 0.02);          // brow
  d = carve(d, -cone(p, {0.575, 0.862, 0.040}, {0.648, 0.864, 0}, 0.005, 0.005), 0.010);  // mouth
  return carve(d, -ellipsoid(p, {0.625, 0.888, 0.016}, {0.009, 0.007, 0.007}), 0.008);    // nostril
}

double dinosaur_leg(const Vec3& p, double x, double lean, double thick) {
  const Vec3 hip(x, 0.370, 0.085);
  const Vec3 knee(x + lean, 0.190, 0.112);
  const Vec3 foot(x + 0.2 * lean, 0.045, 0.115);
  double d = cone(p, hip, knee, 1.35 * thick, thick);
  d = melt(d, cone(p, knee, foot, thick, 0.92 * thick), 0.04);
  d = melt(d, ellipsoid(p, foot + Vec3(0.018, -0.012, 0), {1.25 * thick, 0.040, 1.10 * thick}),
           0.03);
  return carve(d, -p.y(), 0.016);  // flat feet
}

/// A sail along neck and back, scalloped.
double crest(const Vec3& p) {
  const std::array<Vec3, 6> ridge{{{0.470, 0.945, 0},
                                   {0.365, 0.815, 0},
                                   {0.275, 0.690, 0},
                                   {0.120, 0.595, 0},
                                   {-0.080, 0.575, 0},
                                   {-0.290, 0.510, 0}}};
  double d = 1;
  for (std::size_t k = 0; k + 1 < ridge.size(); ++k) {
    const double rise = k < 3 ? 0.046 : 0.034;
    d = melt(d, flat_cone(p, ridge[k], ridge[k + 1], rise, rise, Vec3::UnitZ(), 3.4), 0.02);
  }
  const double along = std::sin(46 * (p.x() - 0.6 * p.y()));
  return d + 0.006 * along;
}

}  // namespace

double dinosaur(const Vec3& point) {
  const Vec3 p(point.x(), point.y(), std::abs(point.z()));
  double d = melt(trunk(p), neck_and_tail(p), 0.07);
  d = melt(d, dinosaur_leg(p, -0.150, 0.030, 0.060), 0.05);
  d = melt(d, dinosaur_leg(p, 0.150, -0.020, 0.052), 0.05);
  d = melt(d, dinosaur_head(p), 0.03);
  return melt(d, crest(p), 0.022);
}

Rgba dinosaur_colour(const Vec3& p) {
  const Rgba back{0.060, 0.190, 0.160, 1};
  const Rgba belly{0.560, 0.500, 0.300, 1};
  const Rgba sail{0.640, 0.150, 0.040, 1};
  // Bands over the back that thin out towards the belly.
  const double height = p.y() - (p.x() > 0.25 ? 0.35 + 1.15 * (p.x() - 0.25) : 0.33);
  Rgba c = mix(belly, back, smooth_step(-0.02, 0.12, height + 0.02 * std::sin(25 * p.x())));
  const double band = smooth_step(0.35, 0.75, std::sin(30 * p.x() + 9 * p.y()));
  c = mix(c, {0.022, 0.085, 0.085, 1}, 0.75 * band * smooth_step(0.05, 0.16, height));
  const Vec3 q(p.x(), p.y(), std::abs(p.z()));
  const double off = crest(q) - std::min(melt(trunk(q), neck_and_tail(q), 0.07), dinosaur_head(q));
  c = mix(c, sail, smooth_step(-0.002, -0.016, off));
  const double eye = (q - Vec3(0.535, 0.917, 0.046)).norm();
  c = mix({0.004, 0.004, 0.004, 1}, c, smooth_step(0.008, 0.012, eye));
  return mix(c, {0.030, 0.060, 0.055, 1}, smooth_step(0.030, 0.016, p.y()));  // soles
}

geometry::TriMesh dinosaur_surface(double edge) {
  geometry::Box box;
  box.add({-0.92, -0.02, -0.24});
  box.add({0.68, 1.02, 0.24});
  constexpr double kFinestCell = 0.010;  // the crest is 25 mm thick
  return triangulate(dinosaur, box, std::max(kFinestCell, 0.6 * edge), [edge](const Vec3& p) {
    const double fine = 1 - 0.35 * smooth_step(0.36, 0.48, p.x());
    return edge * fine;
  });
}

}  // namespace supple::samples
