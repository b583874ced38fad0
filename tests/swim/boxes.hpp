// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/body.hpp"

#include <Eigen/Core>

#include <string>

namespace supple::swim::test {

/// A box of water's weight around `centre` in the segment's axes, x its long axis.
inline Segment box(const Eigen::Vector3d& size, int cuts = 2,
                   const Eigen::Vector3d& centre = Eigen::Vector3d::Zero()) {
  Segment segment;
  segment.name = "box";
  segment.size = size;
  segment.centre = centre;
  segment.centre_of_volume = centre;
  segment.volume = size.prod();
  segment.mass = 1000 * segment.volume;
  const Eigen::Vector3d squares = size.cwiseAbs2();
  segment.inertia.diagonal() =
      segment.mass / 12 * (Eigen::Vector3d::Constant(squares.sum()) - squares);
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    for (const double side : {-1.0, 1.0})
      for (int i = 0; i < cuts * cuts; ++i) {
        Face face;
        face.normal = side * Eigen::Vector3d::Unit(axis);
        face.centre = centre + side * size[axis] / 2 * Eigen::Vector3d::Unit(axis);
        face.centre[u] += size[u] * ((i % cuts + 0.5) / cuts - 0.5);
        face.centre[v] += size[v] * ((i / cuts + 0.5) / cuts - 0.5);
        face.area = size[u] * size[v] / (cuts * cuts);
        face.end = axis == 0 ? 1 : 0;
        segment.faces.push_back(face);
      }
  }
  return segment;
}

inline Body body_of(Segment segment) {
  Body body;
  body.segments.push_back(std::move(segment));
  return body;
}

}  // namespace supple::swim::test
