// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/swim_stroke.hpp"
#include "supple/swim/steering.hpp"
#include "swim/strokes.hpp"

#include <string>

namespace supple::swim::test {

/// A shipped stroke for water without weight. Its perturbations are in its file; a stroke that was
/// changed and has none gets them here, which takes some seconds.
inline PoseGraph turning_stroke(const std::string& name) {
  PoseGraph graph = bake::load_swim_stroke(name).value().graph;
  if (can_steer(graph).ok()) return graph;
  const Body body = body_of(graph.hinges);
  return find_perturbations(graph, body, {}).value();
}

inline const PoseGraph& turning_breaststroke() {
  static const PoseGraph graph = turning_stroke("breaststroke_14");
  return graph;
}

}  // namespace supple::swim::test
