// SPDX-License-Identifier: Apache-2.0
#include "samples/dyrt_man_rig.hpp"

#include "samples/curves.hpp"
#include "samples/dyrt_man_body.hpp"

#include "supple/core/check.hpp"

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace supple::samples::dyrt_man_rig {
namespace {

using namespace dyrt_man_body;
using geometry::Index;
using geometry::TriMesh;

/// A bone of the middle or the left.
struct Segment {
  const char* name;
  std::size_t parent;  ///< BoneCount: none
  Vec3 head;
  Vec3 tail;
};

const std::array<Segment, RightShoulder>& segments() {
  static const std::array<Segment, RightShoulder> all{
      {{"Hips", BoneCount, kPelvis, kWaist},
       {"Spine", Hips, kWaist, kRibs},
       {"Chest", Spine, kRibs, kThroat},
       {"Neck", Chest, kThroat, kSkull},
       {"Head", Neck, kSkull, kCrown},
       {"LeftShoulder", Chest, kCollar, kShoulder},
       {"LeftUpperArm", LeftShoulder, kShoulder, kElbow},
       {"LeftForeArm", LeftUpperArm, kElbow, kWrist},
       {"LeftHand", LeftForeArm, kWrist, kFingertip},
       {"LeftThigh", Hips, kHip, kKnee},
       {"LeftShin", LeftThigh, kKnee, kAnkle},
       {"LeftFoot", LeftShin, kAnkle, kBall},
       {"LeftToe", LeftFoot, kBall, kToes}}};
  return all;
}

/// +Y along the bone; +Z as far ahead as possible, or up if the bone itself points ahead.
Eigen::Isometry3d bone_frame(const Vec3& head, const Vec3& tail) {
  const Vec3 y = (tail - head).normalized();
  const Vec3 hint = y.z() > 0.7 ? Vec3::UnitY() : Vec3::UnitZ();
  const Vec3 x = y.cross(hint).normalized();
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.linear() << x, y, x.cross(y);
  frame.translation() = head;
  return frame;
}

// ---- Assignment of skin to bones before smoothing --------------------------------

std::size_t nearest(const Vec3& p, std::size_t first, std::size_t last) {
  std::size_t best = first;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t b = first; b <= last; ++b) {
    const double distance = cone(p, segments()[b].head, segments()[b].tail, 0, 0);
    if (distance < least) {
      least = distance;
      best = b;
    }
  }
  return best;
}

/// Below the groin in front and below the seat behind.
bool on_leg(const Vec3& p) {
  const double forward = std::clamp((p.z() + 0.05) / 0.10, 0.0, 1.0);
  const double crease = 0.80 + (0.35 + 0.45 * forward) * p.x();
  const bool crotch = p.x() < 0.03 && p.y() > 0.77;
  return p.y() < crease && !crotch;
}

/// Of the left half; bones of the trunk by height.
std::size_t owner(const Vec3& p) {
  const Parts d = parts(p);
  const Vec3 out = ((kShoulder - kCollar).normalized() + (kElbow - kShoulder).normalized());
  if (d.arm < std::min(d.torso, d.leg) + 0.01 && (p - kShoulder).dot(out) > 0) {
    return nearest(p, LeftUpperArm, LeftHand);
  }
  if (p.y() < 1.0 && on_leg(p)) {
    // The heel belongs to the foot, though it is nearer to the shin.
    const std::size_t bone = nearest(p, LeftThigh, LeftToe);
    return bone == LeftShin && p.y() < kAnkle.y() - 0.01 ? std::size_t{LeftFoot} : bone;
  }
  if (p.y() + 0.7 * p.z() > 1.555 && p.y() > 1.49) return Head;
  if (p.y() > 1.465 && p.x() < 0.09) return Neck;
  if (p.y() > 1.355 && p.x() > 0.075) return LeftShoulder;
  if (p.y() > 1.205) return Chest;
  return p.y() > 1.045 ? Spine : Hips;
}

std::size_t owner_of_side(const Vec3& p) {
  const std::size_t bone = owner(p.x() < 0 ? mirrored(p) : p);
  return p.x() < 0 && bone >= LeftShoulder ? bone + kToRight : bone;
}

/// How far a bone's influence reaches across a joint, metres: thick limbs bend softly.
double reach(const Vec3& point, std::size_t bone) {
  const std::size_t left = bone >= RightShoulder ? bone - kToRight : bone;
  const Vec3 p = point.x() < 0 ? mirrored(point) : point;
  const double thickness = cone(p, segments()[left].head, segments()[left].tail, 0, 0);
  return std::clamp(0.45 * thickness, 0.010, 0.042);
}

// ---- Smoothing --------------------------------------------------------------------------------

using Sparse = Eigen::SparseMatrix<double>;

/// M and M + L of the surface, L the cotangent Laplacian times the square of the reach. Negative
/// cotangents are dropped, so that weights stay between 0 and 1.
struct Diffusion {
  Eigen::VectorXd mass;
  Sparse matrix;
};

Diffusion diffusion(const TriMesh& mesh, const std::vector<double>& reaches) {
  const auto count = static_cast<Eigen::Index>(mesh.positions.size());
  Diffusion result{Eigen::VectorXd::Zero(count), Sparse(count, count)};
  std::vector<Eigen::Triplet<double>> entries;
  for (const geometry::Triangle& t : mesh.triangles) {
    for (std::size_t c = 0; c < 3; ++c) {
      const Index i = t[c];
      const Index j = t[(c + 1) % 3];
      const Vec3& apex = mesh.positions[t[(c + 2) % 3]];
      const Vec3 a = mesh.positions[i] - apex;
      const Vec3 b = mesh.positions[j] - apex;
      const double doubled_area = a.cross(b).norm();
      result.mass[i] += doubled_area / 6;
      const double radius = 0.5 * (reaches[i] + reaches[j]);
      const double w = std::max(0.0, 0.5 * a.dot(b) / doubled_area) * radius * radius;
      entries.emplace_back(i, i, w);
      entries.emplace_back(j, j, w);
      entries.emplace_back(i, j, -w);
      entries.emplace_back(j, i, -w);
    }
  }
  for (Eigen::Index v = 0; v < count; ++v) entries.emplace_back(v, v, result.mass[v]);
  result.matrix.setFromTriplets(entries.begin(), entries.end());
  return result;
}

/// Diffusion spreads around the crotch; below it, one leg must not affect the other.
void release_other_leg(const Vec3& p, Eigen::RowVectorXd& all) {
  const double t = std::clamp((p.y() - 0.72) / 0.08, 0.0, 1.0);
  const Eigen::Index other = p.x() > 0 ? RightThigh : LeftThigh;
  all.segment(other, LeftToe - LeftThigh + 1) *= t * t * (3 - 2 * t);
}

io::SkinnedVertex strongest_four(const Eigen::RowVectorXd& all) {
  // Subtracted from every weight, so that the long thin tails of diffusion end without a step.
  constexpr double kTail = 0.025;
  std::array<std::size_t, BoneCount> order{};
  for (std::size_t b = 0; b < BoneCount; ++b) order[b] = b;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return all[static_cast<Eigen::Index>(a)] > all[static_cast<Eigen::Index>(b)];
  });
  io::SkinnedVertex vertex;
  double sum = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    vertex.weights[k] = std::max(0.0, all[static_cast<Eigen::Index>(order[k])] - kTail);
    vertex.bones[k] = vertex.weights[k] > 0 ? static_cast<std::uint32_t>(order[k]) : 0;
    sum += vertex.weights[k];
  }
  for (double& weight : vertex.weights) weight /= sum;
  return vertex;
}

}  // namespace

std::vector<io::SkinnedBone> skeleton() {
  std::vector<io::SkinnedBone> bones;
  std::vector<Eigen::Isometry3d> world;
  const auto add = [&](const std::string& name, std::size_t parent, const Vec3& head,
                       const Vec3& tail) {
    io::SkinnedBone bone;
    bone.name = name;
    world.push_back(bone_frame(head, tail));
    Eigen::Isometry3d local = world.back();
    if (parent != BoneCount) {
      bone.parent = parent;
      local = world[parent].inverse() * local;
    }
    bone.translation = local.translation();
    bone.rotation = Eigen::Quaterniond(local.linear()).normalized();
    bones.push_back(bone);
  };
  for (const Segment& s : segments()) add(s.name, s.parent, s.head, s.tail);
  for (std::size_t b = LeftShoulder; b <= LeftToe; ++b) {
    const Segment& s = segments()[b];
    const std::string name = "Right" + std::string(s.name).substr(std::string("Left").size());
    const std::size_t parent = s.parent >= LeftShoulder ? s.parent + kToRight : s.parent;
    add(name, parent, mirrored(s.head), mirrored(s.tail));
  }
  return bones;
}

std::vector<io::SkinnedVertex> skin_weights(const TriMesh& mesh) {
  const auto count = static_cast<Eigen::Index>(mesh.positions.size());
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(count, BoneCount);
  std::vector<double> reaches;
  for (Eigen::Index v = 0; v < count; ++v) {
    const Vec3& p = mesh.positions[static_cast<std::size_t>(v)];
    const std::size_t bone = owner_of_side(p);
    weights(v, static_cast<Eigen::Index>(bone)) = 1;
    reaches.push_back(reach(p, bone));
  }
  const Diffusion d = diffusion(mesh, reaches);
  const Eigen::SimplicialLDLT<Sparse> factor(d.matrix);
  SUPPLE_CHECK(factor.info() == Eigen::Success);
  // Twice: one step leaves a kink at the border between two bones.
  for (int step = 0; step < 2; ++step) {
    const Eigen::MatrixXd right = d.mass.asDiagonal() * weights;
    weights = factor.solve(right);
  }
  std::vector<io::SkinnedVertex> result;
  for (Eigen::Index v = 0; v < count; ++v) {
    Eigen::RowVectorXd all = weights.row(v).cwiseMax(0);
    release_other_leg(mesh.positions[static_cast<std::size_t>(v)], all);
    result.push_back(strongest_four(all));
  }
  return result;
}

}  // namespace supple::samples::dyrt_man_rig
