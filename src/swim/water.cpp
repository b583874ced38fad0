// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/water.hpp"

#include "swim/added_mass.hpp"
#include "swim/water_drag.hpp"
#include "swim/water_parts.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::swim {
namespace {

Result<void> check_segment(const Segment& segment, bool added_mass) {
  const auto wrong = [&](const char* what) {
    return bad_input(fmt::format("segment '{}': {}", segment.name, what));
  };
  for (const Face& face : segment.faces) {
    if (!face.centre.allFinite() || !face.normal.allFinite() || !std::isfinite(face.end))
      return wrong("a face has a coordinate that is not finite");
    if (!(std::isfinite(face.area) && face.area >= 0))
      return wrong("a face has an area that is negative or not finite");
    constexpr double kUnit = 1e-6;  // a normal read from a text file
    if (std::abs(face.normal.norm() - 1) > kUnit)
      return wrong("a face's normal does not have length 1; divide it by its length");
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

/// Enough in each direction that the moment of a tilting, floating box is right to a sixteenth.
constexpr int kCells = 4;

void cut_into_cells(const Segment& segment, Water::Parts& parts) {
  parts.cell_half_size = segment.size / (2 * kCells);
  parts.cells.resize(3, kCells * kCells * kCells);
  const Eigen::Vector3d corner = segment.centre_of_volume - segment.size / 2;
  for (int i = 0; i < parts.cells.cols(); ++i) {
    const Eigen::Array3i odd(2 * (i % kCells) + 1, 2 * (i / kCells % kCells) + 1,
                             2 * (i / (kCells * kCells)) + 1);
    parts.cells.col(i) = corner.array() + odd.cast<double>() * parts.cell_half_size.array();
  }
}

void put(const Face& face, const WaterSettings& water, int lane, Water::Parts::Block& block) {
  for (int axis = 0; axis < 3; ++axis) {
    block.centre[static_cast<std::size_t>(axis)][lane] = face.centre[axis];
    block.normal[static_cast<std::size_t>(axis)][lane] = face.normal[axis];
  }
  const double c = water.side_drag + (water.end_drag - water.side_drag) * face.end;
  block.area[lane] = face.area;
  block.pressure[lane] = water.density * c * face.area;
  block.half_side[lane] = std::sqrt(face.area) / 2;
  const Eigen::Vector3d moment = face.centre.cross(face.normal);
  for (int axis = 0; axis < 3; ++axis) {
    block.arm[static_cast<std::size_t>(axis)][lane] = moment[axis];
    block.arm[static_cast<std::size_t>(axis) + 3][lane] = face.normal[axis];
  }
}

Water::Parts pack(const Segment& segment, const WaterSettings& water) {
  Water::Parts parts;
  parts.centre_of_volume = segment.centre_of_volume;
  parts.lift = water.density * water.gravity * segment.volume;
  parts.reach = segment.size.norm() / 2;
  cut_into_cells(segment, parts);
  const std::size_t count = segment.faces.size();
  parts.blocks.resize((count + kLanes - 1) / kLanes);
  for (std::size_t i = 0; i < parts.blocks.size() * kLanes; ++i) {
    Face face = segment.faces[std::min(i, count - 1)];
    if (i >= count) face.area = 0;
    put(face, water, static_cast<int>(i % kLanes), parts.blocks[i / kLanes]);
    parts.reach = std::max(
        parts.reach, (face.centre - segment.centre_of_volume).norm() + std::sqrt(face.area / 2));
  }
  return parts;
}

void add_buoyancy(const Water::Parts& parts, const Place& place, SegmentForce& out) {
  if (parts.lift <= 0) return;
  double share = 1;
  Eigen::Vector3d centre = parts.centre_of_volume;
  if (place.cut) {
    // Replaces the heights in a tilted cell by a uniform distribution of the same variance.
    const double height = 2 * parts.cell_half_size.cwiseProduct(place.up).norm();
    const double steepness = 1 / std::max(height, 1e-12);
    share = 0;
    centre.setZero();
    for (Eigen::Index i = 0; i < parts.cells.cols(); ++i) {
      const Eigen::Vector3d cell = parts.cells.col(i);
      const double depth = place.depth - place.up.dot(cell);
      const double wet = std::clamp(0.5 + depth * steepness, 0.0, 1.0);
      share += wet;
      centre += wet * cell;
    }
    if (share <= 0) return;
    centre /= share;
    share /= static_cast<double>(parts.cells.cols());
  }
  const Eigen::Vector3d force = share * parts.lift * place.up;
  out.buoyancy << centre.cross(force), force;
}

}  // namespace

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
    if (m_settings.flow) {
      place.depth +=
          m_settings.flow->surface_rise(motion.origin + motion.axes * parts.centre_of_volume, time);
    }
    const double middle = place.depth - place.up.dot(parts.centre_of_volume);
    if (middle <= -parts.reach) return out;
    place.cut = middle < parts.reach;
  }
  add_buoyancy(parts, place, out);
  add_drag(parts, m_settings, place, out);
  return out;
}

std::string Water::blame_flow(std::size_t index, const SegmentMotion& motion, double time) const {
  if (!m_settings.flow) return {};
  for (const Parts::Block& block : m_parts[index]->blocks) {
    for (int i = 0; i < kLanes; ++i) {
      const Eigen::Vector3d centre(block.centre[0][i], block.centre[1][i], block.centre[2][i]);
      const Eigen::Vector3d at = motion.origin + motion.axes * centre;
      const Eigen::Vector3d v = m_settings.flow->velocity(at, time);
      if (v.allFinite() && std::isfinite(m_settings.flow->surface_rise(at, time))) continue;
      return fmt::format(
          "the flow is ({:.4g}, {:.4g}, {:.4g}) m/s at ({:.4g}, {:.4g}, {:.4g}) m after {:.4g} s",
          v.x(), v.y(), v.z(), at.x(), at.y(), at.z(), time);
    }
  }
  return {};
}

}  // namespace supple::swim
