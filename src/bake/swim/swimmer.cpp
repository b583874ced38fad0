// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swimmer.hpp"

#include "supple/bake/swim_body.hpp"

#include <fmt/format.h>

namespace supple::bake {
namespace {

int hinge_count(swim::HingeSet set) {
  return set == swim::HingeSet::Paper14 ? 14 : 24;
}

Error other_hinges(swim::HingeSet body, const std::string& stroke, swim::HingeSet wanted) {
  return bad_input(
      fmt::format("the body has {} hinges, but the stroke '{}' needs {}; write hinges = {} in the "
                  "body's file, or choose another stroke",
                  hinge_count(body), stroke, hinge_count(wanted), hinge_count(wanted)));
}

}  // namespace

Result<PreparedSwimmer> prepare_swimmer(const std::string& stroke,
                                        const SwimmerSettings& settings) {
  PreparedSwimmer swimmer;
  SUPPLE_TRY(swimmer.stroke, load_swim_stroke(stroke));
  const swim::HingeSet hinges = swimmer.stroke.graph.hinges;
  swimmer.shape = settings.body.value_or(swim::BodySettings{.hinges = hinges});
  if (swimmer.shape.hinges != hinges) {
    return other_hinges(swimmer.shape.hinges, stroke, hinges).at(settings.body_file);
  }
  if (!settings.mesh.empty()) swimmer.shape.mesh = settings.mesh;
  SUPPLE_TRY(swimmer.body, build_swim_body(swimmer.shape, settings.bone_map));
  SUPPLE_TRY_VOID(
      swimmer.stroke.graph.validate(swimmer.body).during(fmt::format("stroke '{}'", stroke)));
  swimmer.water = settings.water.value_or(swimmer.stroke.water.value_or(swim::WaterSettings()));
  return swimmer;
}

}  // namespace supple::bake
