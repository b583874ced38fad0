// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/water.hpp"

#include "swim/added_mass.hpp"
#include "swim/water_parts.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::swim {
namespace {

Result<void> check_not_negative(const char* name, double value) {
  if (std::isfinite(value) && value >= 0) return {};
  return bad_input(fmt::format("water: {} is {}; give a number that is not negative", name, value));
}

Result<void> check_segment(const Segment& segment, bool added_mass) {
  const auto wrong = [&](const char* what) {
    return bad_input(fmt::format("segment '{}': {}", segment.name, what));
  };
  for (const Face& face : segment.faces) {
    if (!face.centre.allFinite() || !face.normal.allFinite() || !std::isfinite(face.end))
      return wrong("a face has a coordinate that is not finite");
    if (!(std::isfinite(face.area) && face.area >= 0))
      return wrong("a face has a negative area or none that is finite");
    constexpr double kUnit = 1e-6;  // a normal read from a text file
    if (std::abs(face.normal.norm() - 1) > kUnit)
      return wrong("a face's normal has not the length 1; divide it by its length");
  }
  if (!(std::isfinite(segment.volume) && segment.volume >= 0) ||
      !segment.centre_of_volume.allFinite())
    return wrong("its volume is negative or not finite");
  if (!(segment.size.allFinite() && segment.size.minCoeff() >= 0))
    return wrong("the size of its box is negative or not finite");
  if (added_mass && segment.volume > 0 && segment.size.minCoeff() <= 0)
    return wrong("added mass needs a box with a size in every direction");
  return {};
}

/// So many each way that the moment of a floating box that tilts is right to a sixteenth.
constexpr int kCells = 4;

void cut_into_cells(const Segment& segment, Water::Parts& parts) {
  parts.cell_half_size = segment.size / (2 * kCells);
  parts.cells.resize(3, kCells * kCells * kCells);
  const Eigen::Vector3d corner = segment.centre_of_volume - segment.size / 2;
  for (int i = 0; i < parts.cells.cols(); ++i) {
    const Eigen::Array3d odd(2 * (i % kCells) + 1, 2 * (i / kCells % kCells) + 1,
                             2 * (i / (kCells * kCells)) + 1);
    parts.cells.col(i) = corner.array() + odd * parts.cell_half_size.array();
  }
}

Water::Parts pack(const Segment& segment, const WaterSettings& water) {
  const auto count = static_cast<Eigen::Index>(segment.faces.size());
  Water::Parts parts;
  parts.arms.resize(6, count);
  parts.centres.resize(3, count);
  parts.areas.resize(count);
  parts.pressures.resize(count);
  parts.half_sides.resize(count);
  parts.centre_of_volume = segment.centre_of_volume;
  parts.lift = water.density * water.gravity * segment.volume;
  cut_into_cells(segment, parts);
  parts.reach = segment.size.norm() / 2;
  for (Eigen::Index i = 0; i < count; ++i) {
    const Face& face = segment.faces[static_cast<std::size_t>(i)];
    parts.arms.col(i) << face.centre.cross(face.normal), face.normal;
    parts.centres.col(i) = face.centre;
    parts.areas[i] = face.area;
    const double c = water.side_drag + (water.end_drag - water.side_drag) * face.end;
    parts.pressures[i] = water.density * c * face.area;
    parts.half_sides[i] = std::sqrt(face.area) / 2;
    parts.reach = std::max(parts.reach, (face.centre - segment.centre_of_volume).norm() +
                                            std::sqrt(2.0) * parts.half_sides[i]);
  }
  return parts;
}

/// How much of something of this half height is under water, its middle so deep.
double wet_share(double depth, double half_height) {
  if (depth >= half_height) return 1;
  if (depth <= -half_height) return 0;
  return 0.5 + depth / (2 * half_height);
}

/// Sums over faces: rank-one terms one by one, terms that are alike in all directions as moments of
/// their coefficients.
struct Sum {
  SegmentForce& out;
  double round = 0;  ///< of coefficients k of k I, then k c and k c c^T
  Eigen::Vector3d round_c = Eigen::Vector3d::Zero();
  Eigen::Matrix3d round_cc = Eigen::Matrix3d::Zero();

  void force(const Eigen::Vector3d& at, const Eigen::Vector3d& f) {
    out.drag.head<3>() += at.cross(f);
    out.drag.tail<3>() += f;
  }
  void damp_along(double k, const Vector6d& arm) {
    const Vector6d scaled = k * arm;
    out.damping.noalias() += scaled * arm.transpose();
  }
  void damp_all_round(double k, const Eigen::Vector3d& at) {
    round += k;
    round_c += k * at;
    round_cc.noalias() += (k * at) * at.transpose();
  }
  /// Adds J^T k J of all the k I, J = (-[c]x, I).
  void finish() {
    out.damping.topLeftCorner<3, 3>() -= round_cc;
    out.damping.topLeftCorner<3, 3>().diagonal().array() += round_cc.trace();
    out.damping.bottomRightCorner<3, 3>().diagonal().array() += round;
    Eigen::Matrix3d cross;
    cross << 0, -round_c.z(), round_c.y(), round_c.z(), 0, -round_c.x(), -round_c.y(), round_c.x(),
        0;
    out.damping.topRightCorner<3, 3>() += cross;
    out.damping.bottomLeftCorner<3, 3>() += cross.transpose();
  }
};

/// Friction and lift of one face of area times density `weight`.
void add_along_face(const WaterSettings& water, const Eigen::Vector3d& at,
                    const Eigen::Vector3d& normal, const Eigen::Vector3d& velocity, double weight,
                    Sum& sum) {
  const double normal_speed = normal.dot(velocity);
  const Eigen::Vector3d tangential = velocity - normal_speed * normal;
  const double speed = velocity.norm();
  const double tangential_speed = tangential.norm();
  if (water.friction > 0 && !(tangential_speed <= 0)) {
    const double k = water.friction * weight / 2 * tangential_speed;
    sum.force(at, -k * tangential);
    // The derivative k (I - n n^T + t t^T / t^2).
    const Eigen::Vector3d way = tangential / tangential_speed;
    Vector6d arm;
    arm << at.cross(normal), normal;
    Vector6d along;
    along << at.cross(way), way;
    sum.damp_all_round(k, at);
    sum.damp_along(-k, arm);
    sum.damp_along(k, along);
  }
  if (water.lift > 0 && !(normal_speed <= 0)) {
    // Across the velocity, of length (n . v) |t|, written so that nothing divides by |t|.
    const double k = water.lift * weight / 2 * normal_speed;
    sum.force(at, -k * (speed * normal - normal_speed / speed * velocity));
  }
}

/// |n . v^|. At rest there is no direction and no force; the mean over all directions then keeps
/// the damping of a step from rest sensible.
double projected_share(double normal_speed, double speed) {
  return speed == 0 ? 0.5 : std::abs(normal_speed) / speed;
}

/// Drag with nothing but the body's own motion in it: no flow, no surface, no friction, no lift.
template <DragLaw kLaw>
void add_plain_drag(const Water::Parts& parts, const WaterSettings& water, const Vector6d& twist,
                    SegmentForce& out) {
  Sum sum{out};
  for (Eigen::Index i = 0; i < parts.areas.size(); ++i) {
    const Vector6d arm = parts.arms.col(i);
    const double normal_speed = arm.dot(twist);
    if constexpr (kLaw == DragLaw::Quadratic) {
      if (normal_speed <= 0) continue;
      sum.damp_along(parts.pressures[i] * normal_speed, arm);
    } else {
      const Eigen::Vector3d at = parts.centres.col(i);
      double share = 1;
      if constexpr (kLaw == DragLaw::Linear) {
        const Eigen::Vector3d velocity = twist.tail<3>() + twist.head<3>().cross(at);
        const double speed = velocity.norm();
        share = projected_share(normal_speed, speed);
      }
      sum.damp_all_round(water.viscosity * parts.areas[i] * share, at);
    }
  }
  sum.finish();
  // Of a quadratic law the force is half its derivative times the velocity, of a linear one all.
  out.drag.noalias() = (kLaw == DragLaw::Quadratic ? -0.5 : -1.0) * (out.damping * twist);
}

/// Where the segment is in a world with a surface and a flow.
struct Place {
  const SegmentMotion& motion;
  Eigen::Vector3d up;  ///< in the segment's axes
  bool cut = false;    ///< by the surface
  double depth = 0;    ///< of the segment's origin, where cut
  double time = 0;

  /// Of a face.
  [[nodiscard]] double wet(const Eigen::Vector3d& at, const Eigen::Vector3d& normal,
                           double half_side) const {
    if (!cut) return 1;
    // A face that lies flat fades in over this share of its side: a jump would shake the swimmer.
    constexpr double kFlat = 0.1;
    const double slope = normal.dot(up);
    const double half_height =
        half_side * std::max(kFlat, std::sqrt(std::max(0.0, 1 - slope * slope)));
    return wet_share(depth - up.dot(at), half_height);
  }
};

/// Drag with everything in it.
template <DragLaw kLaw>
void add_drag(const Water::Parts& parts, const WaterSettings& water, const Vector6d& twist,
              const Place& place, SegmentForce& out) {
  Sum sum{out};
  const bool along = water.friction > 0 || water.lift > 0;
  for (Eigen::Index i = 0; i < parts.areas.size(); ++i) {
    const Vector6d arm = parts.arms.col(i);
    const Eigen::Vector3d at = parts.centres.col(i);
    const Eigen::Vector3d normal = arm.tail<3>();
    const double wet = place.wet(at, normal, parts.half_sides[i]);
    if (wet <= 0) continue;
    Eigen::Vector3d velocity = twist.tail<3>() + twist.head<3>().cross(at);
    if (water.flow)
      velocity -= place.motion.axes.transpose() *
                  water.flow->velocity(place.motion.origin + place.motion.axes * at, place.time);
    const double normal_speed = normal.dot(velocity);
    if constexpr (kLaw == DragLaw::Quadratic) {
      if (!(normal_speed <= 0)) {  // so that what is not a number is not lost
        const double k = wet * parts.pressures[i] * normal_speed;
        out.drag -= k / 2 * normal_speed * arm;
        sum.damp_along(k, arm);
      }
    } else if constexpr (kLaw == DragLaw::Linear || kLaw == DragLaw::Isotropic) {
      const double share =
          kLaw == DragLaw::Linear ? projected_share(normal_speed, velocity.norm()) : 1;
      const double k = wet * water.viscosity * parts.areas[i] * share;
      sum.force(at, -k * velocity);
      sum.damp_all_round(k, at);
    }
    if (along)
      add_along_face(water, at, normal, velocity, wet * water.density * parts.areas[i], sum);
  }
  sum.finish();
}

template <DragLaw kLaw>
void add_drag_of(const Water::Parts& parts, const WaterSettings& water, const Place& place,
                 SegmentForce& out) {
  Vector6d twist;
  twist << place.motion.axes.transpose() * place.motion.spin,
      place.motion.axes.transpose() * place.motion.velocity;
  const bool plain = !place.cut && !water.flow && water.friction <= 0 && water.lift <= 0;
  if (!plain)
    add_drag<kLaw>(parts, water, twist, place, out);
  else if constexpr (kLaw != DragLaw::None)
    add_plain_drag<kLaw>(parts, water, twist, out);
}

void add_buoyancy(const Water::Parts& parts, const Place& place, SegmentForce& out) {
  if (parts.lift <= 0) return;
  double share = 1;
  Eigen::Vector3d centre = parts.centre_of_volume;
  if (place.cut) {
    // Spreads the heights in a tilted cell evenly, with the variance that they have.
    const double half_height = parts.cell_half_size.cwiseProduct(place.up).norm();
    share = 0;
    centre.setZero();
    for (Eigen::Index i = 0; i < parts.cells.cols(); ++i) {
      const Eigen::Vector3d cell = parts.cells.col(i);
      const double wet = wet_share(place.depth - place.up.dot(cell), half_height) /
                         static_cast<double>(parts.cells.cols());
      share += wet;
      centre += wet * cell;
    }
    if (share <= 0) return;
    centre /= share;
  }
  const Eigen::Vector3d force = share * parts.lift * place.up;
  out.buoyancy << centre.cross(force), force;
}

}  // namespace

Result<void> WaterSettings::validate() const {
  SUPPLE_TRY_VOID(check_not_negative("density", density));
  SUPPLE_TRY_VOID(check_not_negative("viscosity", viscosity));
  SUPPLE_TRY_VOID(check_not_negative("side_drag", side_drag));
  SUPPLE_TRY_VOID(check_not_negative("end_drag", end_drag));
  SUPPLE_TRY_VOID(check_not_negative("friction", friction));
  SUPPLE_TRY_VOID(check_not_negative("lift", lift));
  SUPPLE_TRY_VOID(check_not_negative("gravity", gravity));
  if (surface && !std::isfinite(*surface))
    return bad_input(
        "water: the height of the surface is not finite; leave it out for water "
        "everywhere");
  return {};
}

Result<Water> Water::create(const Body& body, const WaterSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  Water water;
  water.m_settings = settings;
  water.m_parts.reserve(body.segments.size());
  water.m_added.reserve(body.segments.size());
  for (const Segment& segment : body.segments) {
    SUPPLE_TRY_VOID(check_segment(segment, settings.added_mass));
    water.m_parts.push_back(std::make_shared<const Parts>(pack(segment, settings)));
    water.m_added.push_back(settings.added_mass ? swim::added_inertia(segment, settings.density)
                                                : Matrix6d(Matrix6d::Zero()));
  }
  return water;
}

SegmentForce Water::on_segment(std::size_t index, const SegmentMotion& motion, double time) const {
  const Parts& parts = *m_parts[index];
  SegmentForce out;
  Place place{.motion = motion, .up = motion.axes.row(1), .time = time};
  if (m_settings.surface) {
    place.depth = *m_settings.surface - motion.origin.y();
    if (m_settings.flow)
      place.depth +=
          m_settings.flow->surface_rise(motion.origin + motion.axes * parts.centre_of_volume, time);
    const double middle = place.depth - place.up.dot(parts.centre_of_volume);
    if (middle <= -parts.reach) return out;
    place.cut = middle < parts.reach;
  }
  add_buoyancy(parts, place, out);
  switch (m_settings.drag) {
    case DragLaw::None:
      add_drag_of<DragLaw::None>(parts, m_settings, place, out);
      break;
    case DragLaw::Linear:
      add_drag_of<DragLaw::Linear>(parts, m_settings, place, out);
      break;
    case DragLaw::Isotropic:
      add_drag_of<DragLaw::Isotropic>(parts, m_settings, place, out);
      break;
    case DragLaw::Quadratic:
      add_drag_of<DragLaw::Quadratic>(parts, m_settings, place, out);
      break;
  }
  return out;
}

std::string Water::blame_flow(std::size_t index, const SegmentMotion& motion, double time) const {
  if (!m_settings.flow) return {};
  for (const Eigen::Vector3d& centre : m_parts[index]->centres.colwise()) {
    const Eigen::Vector3d at = motion.origin + motion.axes * centre;
    const Eigen::Vector3d v = m_settings.flow->velocity(at, time);
    if (!v.allFinite() || !std::isfinite(m_settings.flow->surface_rise(at, time)))
      return fmt::format(
          "the flow is ({:.4g}, {:.4g}, {:.4g}) m/s at ({:.4g}, {:.4g}, {:.4g}) m "
          "after {:.4g} s",
          v.x(), v.y(), v.z(), at.x(), at.y(), at.z(), time);
  }
  return {};
}

}  // namespace supple::swim
