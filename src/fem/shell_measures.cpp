// SPDX-License-Identifier: Apache-2.0
#include "fem/shell_measures.hpp"

#include "supple/geometry/cross_matrix.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace supple::fem {
namespace {

using geometry::cross_matrix;
using geometry::Mat3;
using geometry::Vec3;

/// Relative to the squared longest edge: twice the area below which a triangle counts as collapsed.
constexpr double kCollapsed = 1e-12;

/// If all corners coincide: large, but without a division by zero.
constexpr double kTiny = 1e-200;

Vec3 edge_opposite(const Corners& x, int corner) {
  return x.col((corner + 2) % 3) - x.col((corner + 1) % 3);
}

/// The normal, of length twice the area, and that length bounded from below.
std::pair<Vec3, double> area_normal(const Corners& x) {
  const Vec3 normal = edge_opposite(x, 2).cross(edge_opposite(x, 0));
  const double longest =
      std::max({edge_opposite(x, 0).squaredNorm(), edge_opposite(x, 1).squaredNorm(),
                edge_opposite(x, 2).squaredNorm()});
  return {normal, std::max(normal.norm(), std::max(kCollapsed * longest, kTiny))};
}

/// One side of a hinge: normal n = e x f of the triangle, f from the edge's start to the opposite
/// corner, and the position of its foot on the edge.
struct Wing {
  Vec3 arm;       // f
  Vec3 normal;    // of length twice the area
  double square;  // |normal|^2, bounded from below
  double foot;    // 0 at the start of the edge, 1 at its end
};

struct HingeParts {
  Vec3 edge;
  double length;
  Wing left, right;
};

Wing wing(const Vec3& edge, const Vec3& arm, double sign) {
  Wing w;
  w.arm = arm;
  w.normal = sign * edge.cross(arm);
  const double square = edge.squaredNorm();
  const double least = kCollapsed * std::max(square, arm.squaredNorm());
  w.square = std::max({w.normal.squaredNorm(), least * least, kTiny});
  w.foot = square > 0 ? arm.dot(edge) / square : 0.0;
  return w;
}

HingeParts parts(const Hinge& x) {
  HingeParts h;
  h.edge = x.col(1) - x.col(0);
  h.length = h.edge.norm();
  h.left = wing(h.edge, x.col(2) - x.col(0), 1);
  h.right = wing(h.edge, x.col(3) - x.col(0), -1);
  return h;
}

/// d angle / d opposite corner.
Vec3 tip_gradient(const HingeParts& h, const Wing& w) {
  return -h.length / w.square * w.normal;
}

/// Its derivative with respect to edge and arm.
struct TipHessian {
  Mat3 by_edge, by_arm;
};
TipHessian tip_hessian(const HingeParts& h, const Wing& w, double sign) {
  const Vec3 along = h.edge / std::max(h.length, kTiny);
  const Mat3 by_normal =
      -h.length / w.square * (Mat3::Identity() - 2 / w.square * w.normal * w.normal.transpose());
  TipHessian result;
  result.by_edge =
      -w.normal * along.transpose() / w.square - by_normal * (sign * cross_matrix(w.arm));
  result.by_arm = by_normal * (sign * cross_matrix(h.edge));
  return result;
}

}  // namespace

double triangle_area(const Corners& x) {
  return 0.5 * edge_opposite(x, 2).cross(edge_opposite(x, 0)).norm();
}

Vector9 area_gradient(const Corners& x) {
  const auto [normal, length] = area_normal(x);
  Vector9 gradient;
  for (int i = 0; i < 3; ++i) {
    gradient.segment<3>(3 * i) = (0.5 / length) * normal.cross(edge_opposite(x, i));
  }
  return gradient;
}

Matrix9 area_hessian(const Corners& x) {
  const auto [normal, length] = area_normal(x);
  const Vec3 unit = normal / length;
  Eigen::Matrix<double, 3, 9> by_node;  // d normal / d corners
  for (int i = 0; i < 3; ++i) by_node.middleCols<3>(3 * i) = cross_matrix(edge_opposite(x, i));
  const Mat3 across = Mat3::Identity() - unit * unit.transpose();
  Matrix9 hessian = (0.5 / length) * by_node.transpose() * across * by_node;
  const Mat3 turn = 0.5 * cross_matrix(unit);
  for (int i = 0; i < 3; ++i) {
    hessian.block<3, 3>(3 * i, 3 * ((i + 2) % 3)) += turn;
    hessian.block<3, 3>(3 * i, 3 * ((i + 1) % 3)) -= turn;
  }
  return 0.5 * (hessian + hessian.transpose());
}

Vector6 length_gradient(const Vec3& a, const Vec3& b) {
  const Vec3 along = (b - a) / std::max((b - a).norm(), kTiny);
  Vector6 gradient;
  gradient << -along, along;
  return gradient;
}

Matrix6 length_hessian(const Vec3& a, const Vec3& b) {
  const double length = std::max((b - a).norm(), kTiny);
  const Vec3 along = (b - a) / length;
  const Mat3 across = (Mat3::Identity() - along * along.transpose()) / length;
  Matrix6 hessian;
  hessian << across, -across, -across, across;
  return hessian;
}

double hinge_angle(const Hinge& x) {
  const HingeParts h = parts(x);
  const double sine = h.left.normal.cross(h.right.normal).dot(h.edge);
  return std::atan2(sine, h.length * h.left.normal.dot(h.right.normal));
}

Vector12 angle_gradient(const Hinge& x) {
  const HingeParts h = parts(x);
  const Vec3 left = tip_gradient(h, h.left);
  const Vec3 right = tip_gradient(h, h.right);
  // Moving an end of the edge turns each wing by the share of its tip.
  Vector12 gradient;
  gradient << -(1 - h.left.foot) * left - (1 - h.right.foot) * right,
      -h.left.foot * left - h.right.foot * right, left, right;
  return gradient;
}

Matrix12 angle_hessian(const Hinge& x) {
  const HingeParts h = parts(x);
  using Rows = Eigen::Matrix<double, 3, 12>;
  std::array<Rows, 2> ends{Rows::Zero(), Rows::Zero()};
  Matrix12 hessian;
  for (int side = 0; side < 2; ++side) {
    const Wing& w = side == 0 ? h.left : h.right;
    const Vec3 tip = tip_gradient(h, w);
    const TipHessian second = tip_hessian(h, w, side == 0 ? 1.0 : -1.0);
    const int column = 6 + 3 * side;
    Rows row = Rows::Zero();
    row.middleCols<3>(0) = -second.by_edge - second.by_arm;
    row.middleCols<3>(3) = second.by_edge;
    row.middleCols<3>(column) = second.by_arm;
    hessian.middleRows<3>(column) = row;
    // The foot (f . e) / (e . e) moves too.
    const double square = std::max(h.length * h.length, kTiny);
    const Vec3 by_arm = h.edge / square;
    const Vec3 by_edge = (w.arm - 2 * w.foot * h.edge) / square;
    Eigen::Matrix<double, 1, 12> foot = Eigen::Matrix<double, 1, 12>::Zero();
    foot.segment<3>(0) = -by_edge - by_arm;
    foot.segment<3>(3) = by_edge;
    foot.segment<3>(column) = by_arm;
    ends[0] += tip * foot - (1 - w.foot) * row;
    ends[1] -= tip * foot + w.foot * row;
  }
  hessian.middleRows<3>(0) = ends[0];
  hessian.middleRows<3>(3) = ends[1];
  return 0.5 * (hessian + hessian.transpose());
}

double angle_difference(double angle, double rest) {
  return std::remainder(angle - rest, 2 * std::numbers::pi);
}

}  // namespace supple::fem
