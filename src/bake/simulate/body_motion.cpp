// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/body_motion.hpp"

#include "supple/core/parallel.hpp"

#include <cmath>

namespace supple::bake::detail {
namespace {

using Eigen::Isometry3d;
using Eigen::VectorXd;
using geometry::Vec3;

/// glTF requires unit normals; a vertex without area around it gets an arbitrary one.
std::vector<Vec3> drawn_normals(const geometry::TriMesh& mesh) {
  std::vector<Vec3> normals = geometry::vertex_normals(mesh);
  for (Vec3& normal : normals) {
    if (!(normal.squaredNorm() > 0.5)) normal = Vec3::UnitY();
  }
  return normals;
}

Vec3 centre_of(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& point : points) sum += point;
  return points.empty() ? sum : Vec3(sum / static_cast<double>(points.size()));
}

/// How far vertices are from where a rigid motion takes them.
struct Distances {
  double squares = 0;
  double largest = 0;  ///< squared
};

Distances distances(const Isometry3d& motion, const std::vector<Vec3>& from,
                    const std::vector<Vec3>& to) {
  Distances result;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double square = (motion * from[i] - to[i]).squaredNorm();
    result.squares += square;
    result.largest = std::max(result.largest, square);
  }
  return result;
}

/// What one frame says about the poses.
struct FramePose {
  Isometry3d turned, moved;  ///< the closest rigid motion, the closest translation
  Distances turned_left, moved_left;
};

FramePose frame_pose(const std::vector<Vec3>& rest, const std::vector<Vec3>& now) {
  FramePose pose;
  pose.turned = closest_rigid_motion(rest, now);
  pose.moved = Isometry3d::Identity();
  pose.moved.translation() = centre_of(now) - centre_of(rest);
  pose.turned_left = distances(pose.turned, rest, now);
  pose.moved_left = distances(pose.moved, rest, now);
  return pose;
}

}  // namespace

Result<BodyMotion> BodyMotion::make(const MovingSurface& surface) {
  BodyMotion motion(surface);
  SUPPLE_TRY(const std::vector<Vec3> start, surface.positions(0));
  geometry::TriMesh mesh{start, surface.triangles()};
  const Vec3 centre = centre_of(start);
  for (Vec3& point : mesh.positions) point -= centre;
  motion.m_size = geometry::bounding_box(start).diagonal();
  constexpr double kCrease = 0.7;  // radians, as io::MorphAnimation has it
  motion.m_split = geometry::split_creases(mesh, kCrease);
  motion.m_normals = drawn_normals(motion.m_split.mesh);
  SUPPLE_TRY_VOID(motion.find_poses(mesh.positions));
  return motion;
}

/// The closest rigid motions where they explain most of the motion, else translations alone: a
/// cloth that folds has no rotation of its own, and the closest one may jump.
Result<void> BodyMotion::find_poses(const std::vector<Vec3>& start) {
  const std::size_t count = m_surface->frames();
  std::vector<FramePose> found(count);
  std::vector<Result<void>> read(count);
  parallel_for(count, 4, [&](std::size_t f) {
    const Result<std::vector<Vec3>> now = m_surface->positions(f);
    if (now.ok()) {
      found[f] = frame_pose(start, *now);
    } else {
      read[f] = now.error();
    }
  });
  Distances turned;
  Distances moved;
  for (std::size_t f = 0; f < count; ++f) {
    if (!read[f].ok()) return read[f].error();
    turned.squares += found[f].turned_left.squares;
    turned.largest = std::max(turned.largest, found[f].turned_left.largest);
    moved.squares += found[f].moved_left.squares;
    moved.largest = std::max(moved.largest, found[f].moved_left.largest);
  }
  constexpr double kMostLeft = 0.25;  // of the squares that a translation leaves
  const bool follows = turned.squares <= kMostLeft * moved.squares;
  for (const FramePose& pose : found) m_poses.push_back(follows ? pose.turned : pose.moved);
  constexpr double kRounding = 1e-9;  // of the body's size
  m_bends = std::sqrt(follows ? turned.largest : moved.largest) > kRounding * m_size;
  return {};
}

bool BodyMotion::moves() const {
  for (const Isometry3d& pose : m_poses) {
    if (!(pose.matrix().array() == m_poses.front().matrix().array()).all()) return true;
  }
  return false;
}

Result<std::vector<Vec3>> BodyMotion::local(std::size_t frame) const {
  SUPPLE_TRY(const std::vector<Vec3> now, m_surface->positions(frame));
  const Isometry3d inverse = m_poses[frame].inverse();
  std::vector<Vec3> result;
  result.reserve(m_split.source.size());
  for (const geometry::Index source : m_split.source) {
    result.emplace_back(inverse * now[static_cast<std::size_t>(source)]);
  }
  return result;
}

Result<VectorXd> BodyMotion::displacement(std::size_t frame) const {
  SUPPLE_TRY(const std::vector<Vec3> now, local(frame));
  VectorXd moved(rows());
  for (std::size_t i = 0; i < now.size(); ++i) {
    moved.segment<3>(static_cast<Eigen::Index>(3 * i)) = now[i] - m_split.mesh.positions[i];
  }
  return moved;
}

Result<VectorXd> BodyMotion::normal_change(std::size_t frame) const {
  geometry::TriMesh mesh{{}, m_split.mesh.triangles};
  SUPPLE_TRY(mesh.positions, local(frame));
  const std::vector<Vec3> normals = drawn_normals(mesh);
  VectorXd change(rows());
  for (std::size_t i = 0; i < normals.size(); ++i) {
    change.segment<3>(static_cast<Eigen::Index>(3 * i)) = normals[i] - m_normals[i];
  }
  return change;
}

}  // namespace supple::bake::detail
