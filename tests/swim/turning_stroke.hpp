// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/swim/steering.hpp"
#include "swim/strokes.hpp"

namespace supple::swim::test {

/// The breaststroke in the plane with its perturbations, found once per program.
inline const PoseGraph& turning_breaststroke() {
  static const PoseGraph graph = [] {
    const Body body = body_of(HingeSet::Paper14);
    return find_perturbations(plane_breaststroke(body), body, {}).value();
  }();
  return graph;
}

}  // namespace supple::swim::test
