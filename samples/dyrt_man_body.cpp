// SPDX-License-Identifier: Apache-2.0
#include "samples/dyrt_man_body.hpp"

#include "samples/curves.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::samples::dyrt_man_body {
namespace {

/// A pair of lumps that also blend into each other across the middle of the body.
double ellipsoids(const Vec3& p, const Vec3& centre, const Vec3& radii, double blend) {
  return melt(ellipsoid(p, centre, radii), ellipsoid(mirrored(p), centre, radii), blend);
}

double torso(const Vec3& p) {
  double d = ellipsoid(p, {0, 0.945, -0.010}, {0.178, 0.125, 0.128});                     // pelvis
  d = melt(d, ellipsoid(p, {0, 1.065, 0.045}, {0.178, 0.150, 0.150}), 0.060);             // belly
  d = melt(d, ellipsoid(p, {0.115, 1.045, -0.010}, {0.080, 0.090, 0.100}), 0.060);        // flanks
  d = melt(d, ellipsoid(p, {0, 1.275, -0.015}, {0.172, 0.190, 0.118}), 0.090);            // ribs
  d = melt(d, ellipsoids(p, {0.078, 1.285, 0.070}, {0.086, 0.066, 0.050}, 0.03), 0.05);   // breasts
  d = melt(d, ellipsoids(p, {0.090, 1.340, -0.075}, {0.085, 0.120, 0.055}, 0.04), 0.06);  // back
  d = melt(d, cone(p, {0, 1.500, -0.035}, {0.150, 1.428, -0.025}, 0.046, 0.052), 0.07);   // nape
  d = melt(d, ellipsoids(p, {0.080, 0.905, -0.082}, {0.090, 0.095, 0.082}, 0.02), 0.045);  // seat
  d = melt(d, ellipsoid(p, {0, 0.862, 0.058}, {0.050, 0.058, 0.050}), 0.060);              // groin
  return carve(d, 0.012 - ellipsoid(p, {0, 1.055, 0.204}, {0.008, 0.010, 0.016}), 0.020);  // navel
}

double face(const Vec3& p, double d) {
  d = melt(d, ellipsoid(p, {0, 1.566, 0.064}, {0.042, 0.030, 0.038}), 0.035);              // jaw
  d = melt(d, ellipsoid(p, {0, 1.534, 0.042}, {0.052, 0.024, 0.042}), 0.040);              // chins
  d = melt(d, ellipsoid(p, {0.040, 1.592, 0.060}, {0.034, 0.034, 0.034}), 0.035);          // cheeks
  d = melt(d, cone(p, {0.010, 1.656, 0.097}, {0.044, 1.656, 0.081}, 0.011, 0.010), 0.02);  // brows
  d = carve(d, -ellipsoid(p, {0.031, 1.636, 0.117}, {0.019, 0.012, 0.018}), 0.020);     // sockets
  d = melt(d, ellipsoid(p, {0.031, 1.636, 0.086}, {0.015, 0.013, 0.013}), 0.006);       // eyes
  d = melt(d, cone(p, {0, 1.644, 0.101}, {0, 1.607, 0.119}, 0.009, 0.012), 0.020);      // nose
  d = melt(d, ellipsoid(p, {0.012, 1.603, 0.108}, {0.009, 0.008, 0.010}), 0.010);       // nostrils
  d = melt(d, cone(p, {0, 1.576, 0.099}, {0.022, 1.575, 0.089}, 0.012, 0.007), 0.015);  // mouth
  return carve(d, -cone(p, {0, 1.5765, 0.1145}, {0.025, 1.581, 0.101}, 0.0035, 0.0025),
               0.006);  // between the lips
}

double head(const Vec3& p) {
  double d = ellipsoid(p, {0, 1.653, 0.005}, {0.080, 0.097, 0.100});  // skull
  d = face(p, d);
  const Vec3 axis = Vec3(0.85, 0, 0.5).normalized();
  const double ear =
      flat_cone(p, {0.082, 1.645, -0.006}, {0.077, 1.612, 0.002}, 0.022, 0.014, axis, 2.4);
  d = melt(d, ear, 0.012);
  return melt(d, cone(p, {0, 1.440, -0.030}, {0, 1.570, -0.008}, 0.066, 0.060), 0.040);  // neck
}

double hand(const Vec3& p) {
  const Vec3 along = (kFingertip - kWrist).normalized();
  const Vec3 across = (Vec3::UnitZ() - along.z() * along).normalized();  // towards the thumb
  const Vec3 flat = along.cross(across);
  const auto at = [&](double u, double v, double w) -> Vec3 {
    return kWrist + u * along + v * across + w * flat;
  };
  double d = flat_cone(p, at(0.020, 0, 0), at(0.075, 0.002, 0), 0.034, 0.043, flat, 2.2);  // palm
  const double fingers =
      flat_cone(p, at(0.090, 0.002, 0.001), at(0.152, 0.000, 0.014), 0.040, 0.030, flat, 2.4);
  d = melt(d, fingers, 0.020);
  d = melt(d, cone(p, at(0.028, 0.022, 0.006), at(0.068, 0.050, 0.014), 0.018, 0.014), 0.016);
  return melt(d, cone(p, at(0.068, 0.050, 0.014), at(0.104, 0.062, 0.020), 0.0135, 0.0105), 0.008);
}

double arm(const Vec3& p) {
  const Vec3 upper = kElbow - kShoulder;
  const Vec3 fore = kWrist - kElbow;
  double d = cone(p, kShoulder + Vec3(0.004, 0, 0), kElbow, 0.066, 0.040);
  d = melt(d,
           cone(p, kShoulder + 0.30 * upper + Vec3(0.004, 0.004, 0.018), kElbow + Vec3(0, 0, 0.004),
                0.046, 0.028),
           0.05);  // biceps
  d = melt(d,
           cone(p, kShoulder + 0.30 * upper + Vec3(-0.008, -0.008, -0.016),
                kElbow + Vec3(0, 0, -0.002), 0.048, 0.032),
           0.05);  // triceps
  d = melt(d, cone(p, kElbow, kWrist, 0.036, 0.027), 0.04);
  d = melt(
      d,
      cone(p, kElbow + 0.20 * fore + Vec3(0.004, 0.004, 0.004), kElbow + 0.75 * fore, 0.042, 0.024),
      0.05);
  return melt(d, hand(p), 0.025);
}

double foot(const Vec3& p) {
  double d = cone(p, {0.140, 0.036, -0.054}, {0.142, 0.070, -0.046}, 0.038, 0.036);         // heel
  d = melt(d, cone(p, {0.144, 0.075, -0.012}, {0.156, 0.030, 0.095}, 0.043, 0.033), 0.03);  // arch
  d = melt(d, cone(p, {0.148, 0.026, -0.040}, {0.170, 0.020, 0.080}, 0.032, 0.028), 0.02);  // sole
  d = melt(d, cone(p, {0.130, 0.024, 0.100}, {0.190, 0.022, 0.080}, 0.030, 0.028), 0.025);  // ball
  d = melt(d, cone(p, {0.138, 0.018, 0.120}, {0.142, 0.016, 0.165}, 0.026, 0.020), 0.015);  // toes
  d = melt(d, cone(p, {0.168, 0.016, 0.110}, {0.171, 0.013, 0.155}, 0.024, 0.017), 0.012);
  return melt(d, cone(p, {0.192, 0.015, 0.095}, {0.194, 0.012, 0.132}, 0.021, 0.015), 0.012);
}

double leg(const Vec3& p) {
  double d = cone(p, {0.112, 0.850, -0.005}, {0.128, 0.500, 0.006}, 0.096, 0.054);         // thigh
  d = melt(d, cone(p, {0.116, 0.800, 0.030}, {0.128, 0.540, 0.022}, 0.082, 0.044), 0.06);  // front
  d = melt(d, cone(p, {0.116, 0.790, -0.038}, {0.128, 0.540, -0.010}, 0.078, 0.040), 0.06);  // back
  d = melt(d, ellipsoid(p, {0.129, 0.500, 0.024}, {0.046, 0.056, 0.044}), 0.04);             // knee
  d = melt(d, cone(p, {0.130, 0.480, 0.004}, {0.141, 0.110, -0.022}, 0.050, 0.035), 0.05);   // shin
  d = melt(d, ellipsoid(p, {0.136, 0.345, -0.026}, {0.056, 0.150, 0.058}), 0.05);            // calf
  d = melt(d, ellipsoid(p, {0.142, 0.088, -0.024}, {0.041, 0.022, 0.032}), 0.02);  // ankle
  d = melt(d, foot(p), 0.025);
  return carve(d, -p.y(), 0.012);  // the sole is flat
}

/// Computes a part's exact distance only near it: most of the lattice is far from most parts.
/// `bound` is the distance from a shape that contains the part.
template <class Part>
double near_only(const Vec3& p, double bound, const Part& part) {
  constexpr double kFar = 0.09;  // more than any blend
  return bound > kFar ? bound : part(p);
}

using Rgba = std::array<double, 4>;
Rgba mix(const Rgba& a, const Rgba& b, double t) {
  Rgba result{};
  for (std::size_t k = 0; k < 4; ++k) result[k] = a[k] + t * (b[k] - a[k]);
  return result;
}

Vec3 left_half(const Vec3& p) {
  return {std::abs(p.x()), p.y(), p.z()};
}

}  // namespace

Parts parts(const Vec3& point) {
  const Vec3 p = left_half(point);
  return {near_only(p, cone(p, {0, 0.95, 0}, {0, 1.35, 0}, 0.25, 0.25), torso),
          near_only(p, cone(p, {0, 1.48, 0}, {0, 1.65, 0}, 0.15, 0.15), head),
          near_only(p, cone(p, kShoulder, kFingertip, 0.11, 0.11), arm),
          near_only(p, cone(p, kHip, {0.15, 0.05, 0.02}, 0.18, 0.18), leg)};
}

double body(const Vec3& point) {
  const Parts d = parts(point);
  // In the armpit a wide blend would web the arm to the ribs.
  const double arm_blend = 0.015 + 0.055 * smooth_step(1.28, 1.42, point.y());
  double whole = melt(d.torso, d.head, 0.05);
  whole = melt(whole, d.arm, arm_blend);
  return melt(whole, d.leg, 0.035);
}

double relative_edge(const Vec3& point) {
  const Vec3 p = left_half(point);
  const double at_face = smooth_step(1.50, 1.57, p.y()) * smooth_step(-0.02, 0.07, p.z());
  const double at_head = smooth_step(1.48, 1.56, p.y());
  const double at_hand =
      smooth_step(-0.06, 0.02, (p - kWrist).dot((kFingertip - kWrist).normalized())) *
      smooth_step(0.40, 0.50, p.x());
  const double at_foot = 1 - smooth_step(0.06, 0.16, p.y());
  return 1 - std::max({0.25 * at_head, 0.55 * at_face, 0.45 * at_hand, 0.30 * at_foot});
}

double trunks_edge(const Vec3& point) {
  const Vec3 p = left_half(point);
  const double waist = 0.985 - 0.22 * p.z();
  const double hem = 0.720 + 0.05 * smooth_step(0.03, 0.15, p.x());
  return std::max(p.y() - waist, hem - p.y());
}

double hairline(const Vec3& point) {
  // High above the brow, low at the neck.
  const Vec3 p = left_half(point);
  const double line = 1.645 + 0.62 * p.z() - 0.25 * smooth_step(0, 0.06, p.z()) * p.x();
  const double ear = cone(p, {0.084, 1.640, -0.006}, {0.079, 1.612, 0.002}, 0.027, 0.020);
  return std::max({line - p.y(), 1.59 - p.y(), -ear});
}

std::array<double, 4> colour(const Vec3& point) {
  const Vec3 p = left_half(point);
  const Rgba skin{0.78, 0.48, 0.35, 1};
  const Rgba warm{0.74, 0.34, 0.25, 1};
  const Rgba lips{0.62, 0.27, 0.21, 1};
  const Rgba hair{0.085, 0.050, 0.032, 1};
  const Rgba eyes{0.03, 0.025, 0.025, 1};
  const Rgba trunks{0.035, 0.125, 0.24, 1};
  constexpr double kOnEdge = 0.002;  // vertices were moved onto the borders
  Rgba c = skin;
  const auto stroke = [&](const Vec3& a, const Vec3& b, double radius, const Rgba& paint,
                          double strength) {
    c = mix(c, paint,
            strength * (1 - smooth_step(-0.5 * radius, 0, cone(p, a, b, radius, radius))));
  };
  const auto spot = [&](const Vec3& at, double radius, const Rgba& paint, double strength) {
    stroke(at, at + Vec3(1e-6, 0, 0), radius, paint, strength);
  };
  spot({0.046, 1.592, 0.090}, 0.034, warm, 0.5);  // cheeks
  spot({0, 1.604, 0.130}, 0.022, warm, 0.5);      // nose
  spot({0.078, 1.270, 0.122}, 0.020, lips, 0.7);  // nipples
  spot(kKnee + Vec3(0, 0.005, 0.058), 0.045, warm, 0.3);
  spot(kElbow + Vec3(-0.01, 0.01, -0.045), 0.040, warm, 0.3);
  stroke({0, 1.575, 0.110}, {0.020, 1.579, 0.099}, 0.011, lips, 0.6);
  stroke({0.015, 1.661, 0.106}, {0.046, 1.663, 0.087}, 0.0075, hair, 0.9);  // brows
  spot({0.031, 1.636, 0.099}, 0.011, eyes, 1);
  if (p.y() > 1.5 && hairline(point) < kOnEdge) c = hair;
  const Parts d = parts(point);
  if (p.y() < 1.2 && d.arm > std::min(d.torso, d.leg)) {
    // Fades over one triangle; colour that changes from vertex to vertex would leave a frayed hem.
    constexpr double kFade = 0.012;
    c = mix(trunks, c, std::clamp(trunks_edge(point) / kFade, 0.0, 1.0));
  }
  return c;
}

double belly_mask(const Vec3& point) {
  // Around the middle of the belly, measured in its own half axes, without the back.
  const Vec3 q = (point - Vec3(0, 1.060, 0.110)).cwiseQuotient(Vec3(0.245, 0.185, 0.220));
  return 1 - smooth_step(0.45, 1.0, q.norm());
}

}  // namespace supple::samples::dyrt_man_body
