// SPDX-License-Identifier: Apache-2.0
#include "swim/water_drag.hpp"

#include <cmath>

namespace supple::swim {
namespace {

/// Every law here is a force -(a n + b u) on a face with the normal n that moves with velocity u
/// through the water, with a damping p n n^T + q I. The quadratic law takes about 110 operations
/// per face, 48 of them for the matrix.
struct Coefficients {
  Lanes a = Lanes::Zero();
  Lanes b = Lanes::Zero();
  Lanes p = Lanes::Zero();
  Lanes q = Lanes::Zero();
};

// Added to speeds before dividing: a face at rest then gets no force and, under the linear law, the
// mean damping over all directions.
constexpr double kTiny = 1e-150;

Lanes dot(const LaneVector& a, const LaneVector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Lanes dot(const LaneVector& a, const Eigen::Vector3d& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

LaneVector velocities(const Water::Parts::Block& block, const Vector6d& twist,
                      const WaterSettings& water, const Place& place) {
  const LaneVector& c = block.centre;
  LaneVector u{twist[3] + twist[1] * c[2] - twist[2] * c[1],
               twist[4] + twist[2] * c[0] - twist[0] * c[2],
               twist[5] + twist[0] * c[1] - twist[1] * c[0]};
  if (!water.flow) return u;
  for (int i = 0; i < kLanes; ++i) {
    const Eigen::Vector3d at(c[0][i], c[1][i], c[2][i]);
    const Eigen::Vector3d flow =
        place.motion.axes.transpose() *
        water.flow->velocity(place.motion.origin + place.motion.axes * at, place.time);
    for (std::size_t axis = 0; axis < 3; ++axis) u[axis][i] -= flow[static_cast<int>(axis)];
  }
  return u;
}

/// The share of each face below the surface: heights on a face are taken as uniformly distributed
/// with the variance of those on a square.
Lanes wet_shares(const Water::Parts::Block& block, const Place& place) {
  // A horizontal face fades in over this share of its side: a jump would shake the swimmer.
  constexpr double kFlat = 0.1;
  const Lanes slope = dot(block.normal, place.up);
  const Lanes half_height = block.half_side * (1 - slope * slope).max(kFlat * kFlat).sqrt() + kTiny;
  const Lanes depth = place.depth - dot(block.centre, place.up);
  return (0.5 + 0.5 * depth / half_height).max(0.0).min(1.0);
}

/// Of area times density `weight`.
void add_along_faces(const WaterSettings& water, const Water::Parts::Block& block,
                     const LaneVector& u, const Lanes& normal_speed, const Lanes& weight,
                     Coefficients& k) {
  if (water.friction > 0) {
    LaneVector t;
    for (std::size_t i = 0; i < 3; ++i) t[i] = u[i] - normal_speed * block.normal[i];
    const Lanes friction = water.friction / 2 * weight * dot(t, t).sqrt();
    k.a -= friction * normal_speed;
    k.b += friction;
    k.p -= friction;
    k.q += friction;
  }
  if (water.lift > 0) {
    // Across the velocity, of length (n . v) |t|, written so that nothing divides by |t|.
    const Lanes leading = (normal_speed + normal_speed.abs()) / 2;
    const Lanes lift = water.lift / 2 * weight * leading;
    const Lanes speed = dot(u, u).sqrt();
    k.a += lift * speed;
    k.b -= lift * leading / (speed + kTiny);
  }
}

template <DragLaw kLaw>
Coefficients coefficients(const WaterSettings& water, const Water::Parts::Block& block,
                          const LaneVector& u, const Place& place) {
  Coefficients k;
  const Lanes normal_speed = dot(block.normal, u);
  if constexpr (kLaw == DragLaw::Quadratic) {
    // Not max(0, .): NaN must stay NaN.
    const Lanes leading = (normal_speed + normal_speed.abs()) / 2;
    k.p = block.pressure * leading;
    k.a = k.p * leading / 2;
  } else if constexpr (kLaw != DragLaw::None) {
    k.q = water.viscosity * block.area;
    if constexpr (kLaw == DragLaw::Linear)
      k.q *= (normal_speed.abs() + kTiny / 2) / (dot(u, u).sqrt() + kTiny);
    k.b = k.q;
  }
  if (water.friction > 0 || water.lift > 0)
    add_along_faces(water, block, u, normal_speed, water.density * block.area, k);
  if (place.cut) {
    const Lanes wet = wet_shares(block, place);
    k.a *= wet;
    k.b *= wet;
    k.p *= wet;
    k.q *= wet;
  }
  return k;
}

/// Isotropic terms, as moments of their coefficients.
struct Moments {
  double zeroth = 0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();  ///< its lower triangle

  void add(const Lanes& q, const LaneVector& centre) {
    zeroth += q.sum();
    for (int i = 0; i < 3; ++i) {
      const Lanes moment = q * centre[static_cast<std::size_t>(i)];
      first[i] += moment.sum();
      for (int j = 0; j <= i; ++j)
        second(i, j) += (moment * centre[static_cast<std::size_t>(j)]).sum();
    }
  }
  /// The sum of J^T q J, J = (-[c]x, I).
  void add_to(Matrix6d& damping) const {
    const Eigen::Matrix3d full = second.selfadjointView<Eigen::Lower>();
    damping.topLeftCorner<3, 3>() -= full;
    damping.topLeftCorner<3, 3>().diagonal().array() += full.trace();
    damping.bottomRightCorner<3, 3>().diagonal().array() += zeroth;
    Eigen::Matrix3d cross;
    cross << 0, -first.z(), first.y(), first.z(), 0, -first.x(), -first.y(), first.x(), 0;
    damping.topRightCorner<3, 3>() += cross;
    damping.bottomLeftCorner<3, 3>() += cross.transpose();
  }
};

void add_force(const Water::Parts::Block& block, const LaneVector& u, const Coefficients& k,
               Vector6d& drag) {
  LaneVector f;
  for (std::size_t i = 0; i < 3; ++i) f[i] = k.a * block.normal[i] + k.b * u[i];
  const LaneVector& c = block.centre;
  drag[0] -= (c[1] * f[2] - c[2] * f[1]).sum();
  drag[1] -= (c[2] * f[0] - c[0] * f[2]).sum();
  drag[2] -= (c[0] * f[1] - c[1] * f[0]).sum();
  for (std::size_t i = 0; i < 3; ++i) drag[static_cast<int>(i) + 3] -= f[i].sum();
}

/// Adds to the lower triangle.
void add_along_normals(const Lanes& p, const Water::Parts::Block& block, Matrix6d& damping) {
  for (std::size_t i = 0; i < 6; ++i) {
    const Lanes scaled = p * block.arm[i];
    for (std::size_t j = 0; j <= i; ++j)
      damping(static_cast<int>(i), static_cast<int>(j)) += (scaled * block.arm[j]).sum();
  }
}

template <DragLaw kLaw>
void add_drag_by(const Water::Parts& parts, const WaterSettings& water, const Place& place,
                 SegmentForce& out) {
  const bool along_normals = kLaw == DragLaw::Quadratic || water.friction > 0;
  const bool all_round =
      kLaw == DragLaw::Linear || kLaw == DragLaw::Isotropic || water.friction > 0;
  Vector6d twist;
  twist << place.motion.axes.transpose() * place.motion.spin,
      place.motion.axes.transpose() * place.motion.velocity;
  Matrix6d damping = Matrix6d::Zero();
  Moments moments;
  for (const Water::Parts::Block& block : parts.blocks) {
    const LaneVector u = velocities(block, twist, water, place);
    const Coefficients k = coefficients<kLaw>(water, block, u, place);
    add_force(block, u, k, out.drag);
    if (along_normals) add_along_normals(k.p, block, damping);
    if (all_round) moments.add(k.q, block.centre);
  }
  out.damping = damping.selfadjointView<Eigen::Lower>();
  if (all_round) moments.add_to(out.damping);
}

}  // namespace

void add_drag(const Water::Parts& parts, const WaterSettings& water, const Place& place,
              SegmentForce& out) {
  switch (water.drag) {
    case DragLaw::None:
      if (water.friction > 0 || water.lift > 0)
        add_drag_by<DragLaw::None>(parts, water, place, out);
      return;
    case DragLaw::Linear:
      add_drag_by<DragLaw::Linear>(parts, water, place, out);
      return;
    case DragLaw::Isotropic:
      add_drag_by<DragLaw::Isotropic>(parts, water, place, out);
      return;
    case DragLaw::Quadratic:
      add_drag_by<DragLaw::Quadratic>(parts, water, place, out);
      return;
  }
}

}  // namespace supple::swim
