// SPDX-License-Identifier: Apache-2.0
#include "supple/character/motion.hpp"

#include "supple/character/pose_chain.hpp"
#include "supple/core/check.hpp"
#include "supple/core/interrupt.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::character {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using geometry::Vec3;

namespace {

using Frame = std::vector<Matrix4d>;

double pose_size(const Frame& pose) {
  Vec3 low = Vec3::Constant(1e300);
  Vec3 high = -low;
  for (const Matrix4d& matrix : pose) {
    low = low.cwiseMin(matrix.topRightCorner<3, 1>());
    high = high.cwiseMax(matrix.topRightCorner<3, 1>());
  }
  // A skeleton of one bone has no size; use the length of its axes instead.
  return std::max((high - low).norm(), pose[0].topLeftCorner<3, 3>().norm() * 0.1);
}

/// Every bone's origin and the ends of its axes, `arm` long: they say where it is and how it turns.
Eigen::Matrix3Xd points_of(const Frame& pose, double arm) {
  Eigen::Matrix3Xd points(3, static_cast<Eigen::Index>(4 * pose.size()));
  for (std::size_t b = 0; b < pose.size(); ++b) {
    const Vec3 origin = pose[b].topRightCorner<3, 1>();
    auto own = points.middleCols<4>(static_cast<Eigen::Index>(4 * b));
    own.rightCols<3>() = arm * pose[b].topLeftCorner<3, 3>().colwise().normalized();
    own.col(0).setZero();
    own.colwise() += origin;
  }
  return points;
}

/// The movement and the turn about the vertical that bring pose `a` closest to pose `b`: neither
/// changes what gravity does to flesh.
Matrix4d whole_movement(const Frame& a, const Frame& b) {
  const double arm = 0.1 * pose_size(a);
  const Eigen::Matrix3Xd from = points_of(a, arm);
  const Eigen::Matrix3Xd to = points_of(b, arm);
  const Vec3 from_centre = from.rowwise().mean();
  const Vec3 to_centre = to.rowwise().mean();
  const Eigen::Matrix3Xd p = from.colwise() - from_centre;
  const Eigen::Matrix3Xd q = to.colwise() - to_centre;
  // The yaw that maximises the sum of q . R p in the plane of x and z.
  const double along = p.row(0).dot(q.row(0)) + p.row(2).dot(q.row(2));
  const double across = p.row(2).dot(q.row(0)) - p.row(0).dot(q.row(2));
  const Matrix3d turn =
      Eigen::AngleAxisd(std::atan2(across, along), Vec3::UnitY()).toRotationMatrix();
  Matrix4d movement = Matrix4d::Identity();
  movement.topLeftCorner<3, 3>() = turn;
  movement.topRightCorner<3, 1>() = to_centre - turn * from_centre;
  return movement;
}

Frame moved(const Matrix4d& movement, const Frame& pose) {
  Frame result;
  result.reserve(pose.size());
  for (const Matrix4d& matrix : pose) result.emplace_back(movement * matrix);
  return result;
}

/// Frames within 1/24 s, the coarsest usual distance of keys.
std::size_t frames_of_a_key(const Motion& motion) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(1.0 / 24 / motion.step())));
}

/// Whether the last pose continues in the first, carried on by `travel`.
bool poses_close(const Motion& motion, const Matrix4d& travel) {
  constexpr double kSame = 1e-3;
  constexpr double kLargestGap = 0.2;
  const double gap =
      pose_difference(moved(travel, motion.frames[motion.first_frame]), motion.frames.back());
  if (gap <= kSame) return true;
  if (gap > kLargestGap || !(motion.step() > 0)) return false;
  const std::size_t key = frames_of_a_key(motion);
  for (std::size_t f = motion.first_frame + key; f < motion.frames.size(); ++f) {
    if (pose_difference(motion.frames[f - key], motion.frames[f]) >= gap) return true;
  }
  return false;
}

/// Whether the character is under way at the seam, and goes on there without a jerk of its own.
bool keeps_travelling(const Motion& motion, const Matrix4d& travel) {
  constexpr double kPace = 0.5;     // of the mean, at least
  constexpr double kSmooth = 0.05;  // of the mean: a jerk too small to matter
  const std::size_t begin = motion.first_frame;
  const std::size_t last = motion.frames.size() - 1;
  if (last <= begin) return false;
  const Frame& first = motion.frames[begin];
  const double arm = 0.1 * pose_size(first);
  const auto movement = [&](const Frame& from, const Frame& to) {
    return Eigen::Matrix3Xd(points_of(to, arm) - points_of(from, arm));
  };
  const auto from_frame = [&](std::size_t f) {
    return movement(motion.frames[f], motion.frames[f + 1]);
  };
  const Eigen::Matrix3Xd mean =
      movement(first, moved(travel, first)) / static_cast<double>(last - begin);
  const Eigen::Matrix3Xd starts = from_frame(begin);
  // Most bones: an arm or a leg may swing against the travel.
  std::size_t under_way = 0;
  for (Eigen::Index p = 0; p < mean.cols(); p += 4) {
    const auto own = mean.middleCols<4>(p);
    if (starts.middleCols<4>(p).cwiseProduct(own).sum() >= kPace * own.squaredNorm()) ++under_way;
  }
  if (2 * under_way < first.size()) return false;
  const Matrix3d back = travel.topLeftCorner<3, 3>().transpose();
  const double jerk = (back * from_frame(last - 1) - starts).norm();
  if (jerk <= kSmooth * mean.norm()) return true;
  const std::size_t key = frames_of_a_key(motion);
  for (std::size_t f = begin; f + key < last; ++f) {
    if ((from_frame(f + key) - from_frame(f)).norm() >= jerk) return true;
  }
  return false;
}

}  // namespace

std::vector<std::size_t> parents_first(const Character& character) {
  const std::size_t count = character.bones.size();
  std::vector<std::vector<std::size_t>> children(count);
  std::vector<std::size_t> order;
  for (std::size_t b = 0; b < count; ++b) {
    const auto& parent = character.bones[b].parent;
    if (parent) {
      children[*parent].push_back(b);
    } else {
      order.push_back(b);
    }
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& next = children[order[i]];
    order.insert(order.end(), next.begin(), next.end());
  }
  SUPPLE_CHECK_OP(order.size(), ==, count);
  return order;
}

std::vector<Matrix4d> turned_pose(const Character& character, const std::vector<std::size_t>& order,
                                  const std::vector<std::optional<Matrix3d>>& turns,
                                  const std::vector<std::optional<Vec3>>& places) {
  std::vector<Matrix4d> world(order.size());
  std::vector<Matrix3d> turned(order.size(), Matrix3d::Identity());
  const auto rest = [&](std::size_t bone) {
    return Vec3(character.bones[bone].rest_world.topRightCorner<3, 1>());
  };
  for (const std::size_t b : order) {
    const Bone& bone = character.bones[b];
    world[b] = bone.rest_world;
    if (bone.parent) {
      turned[b] = turned[*bone.parent];
      world[b].topRightCorner<3, 1>() =
          world[*bone.parent].topRightCorner<3, 1>() + turned[b] * (rest(b) - rest(*bone.parent));
    }
    if (turns[b]) turned[b] = *turns[b];
    if (places[b]) world[b].topRightCorner<3, 1>() = *places[b];
    world[b].topLeftCorner<3, 3>() = turned[b] * bone.rest_world.topLeftCorner<3, 3>();
  }
  return world;
}

Result<std::size_t> count_steps(std::string_view name, double duration, double rate,
                                std::size_t bones) {
  SUPPLE_CHECK(rate > 0);
  constexpr double kMostMatrices = 8'000'000;  // 1 GB
  constexpr std::size_t kFewest = 16;          // what is played in a frame takes room, too
  if (!(duration > 0)) return 0;
  const double steps = std::max(1.0, std::round(duration * rate));
  const double most = kMostMatrices / static_cast<double>(std::max(bones, kFewest));
  if (steps <= most) return static_cast<std::size_t>(steps);
  return bad_input(
      fmt::format("motion '{}' is {:.6g} s long; at {:g} Hz and with {} bones, {:.0f} s are "
                  "possible. Delete stray keys at its end, shorten it or lower the rate",
                  name, duration, rate, bones, most / rate));
}

Result<void> sample_motion(Motion& motion, const Character& character, double rate,
                           const std::function<std::vector<Matrix4d>(double)>& pose) {
  for (const Bone& bone : character.bones) motion.bones.push_back(bone.name);
  SUPPLE_TRY(const std::size_t steps,
             count_steps(motion.name, motion.duration, rate, motion.bones.size()));
  motion.frames.reserve(steps + 1);
  for (std::size_t i = 0; i <= steps; ++i) {
    SUPPLE_TRY_VOID(check_interrupt());
    const double t = steps == 0 ? 0 : static_cast<double>(i) / static_cast<double>(steps);
    motion.frames.push_back(pose(motion.duration * t));
  }
  find_loop(motion);
  return {};
}

double pose_difference(const std::vector<Matrix4d>& a, const std::vector<Matrix4d>& b) {
  const double size = pose_size(a);
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    // A small turn moves two of three unit axes by its angle.
    const double axes = a[i].topLeftCorner<3, 3>().norm() / std::sqrt(3.0);
    const Matrix4d apart = a[i] - b[i];
    largest = std::max({largest, apart.topRightCorner<3, 1>().norm() / size,
                        apart.topLeftCorner<3, 3>().norm() / (std::sqrt(2.0) * axes)});
  }
  return largest;
}

void find_loop(Motion& motion, Looping looping) {
  motion.travel.setIdentity();
  motion.loops = looping != Looping::No && poses_close(motion, motion.travel);
  if (motion.loops || looping == Looping::No) return;
  const Matrix4d travel = whole_movement(motion.frames[motion.first_frame], motion.frames.back());
  motion.loops =
      looping == Looping::Yes || (poses_close(motion, travel) && keeps_travelling(motion, travel));
  if (motion.loops) motion.travel = travel;
}

Result<Motion> still_motion(const Character& character, std::string name, double seconds,
                            double rate) {
  SUPPLE_TRY(const std::size_t steps, count_steps(name, seconds, rate, character.bones.size()));
  Motion motion;
  motion.name = std::move(name);
  motion.duration = seconds;
  std::vector<Matrix4d> rest;
  rest.reserve(character.bones.size());
  motion.bones.reserve(character.bones.size());
  for (const Bone& bone : character.bones) {
    motion.bones.push_back(bone.name);
    rest.push_back(bone.rest_world);
  }
  motion.frames.assign(steps + 1, rest);
  return motion;
}

}  // namespace supple::character
