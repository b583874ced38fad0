// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/kept_settings.hpp"
#include "supple/bake/scene_truth.hpp"
#include "supple/settings/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace supple::bake {
namespace {

/// What an object's coefficients move, x y z of all vertices that are drawn.
void add_scene_motion(const soft::Object& object, const Eigen::RowVectorXd& q,
                      Eigen::VectorXd& moved) {
  for (std::size_t k = 0; k < object.modes.size(); ++k) {
    for (std::size_t i = 0; i < object.vertices.size(); ++i) {
      moved.segment<3>(3 * Eigen::Index{object.vertices[i]}) +=
          q[static_cast<Eigen::Index>(k)] * object.modes[k].displacements[i];
    }
  }
}

}  // namespace

Result<SceneInput> kept_scene(const BakedFile& file, std::string directory) {
  SUPPLE_TRY(const std::uint32_t object, find_scene_object(file));
  if (file.settings().empty()) {
    return bad_input(
               "it does not contain the scene that was simulated: it is a recording of another "
               "program, or an earlier version wrote it; bake the scene again")
        .at(file.name());
  }
  SUPPLE_TRY(const KeptSettings kept, kept_settings(file));
  SceneInput input;
  input.title = file.objects()[object].name;
  input.directory = std::move(directory);
  SUPPLE_TRY_VOID(scene_fields()
                      .read(kept.values, "", input.settings)
                      .during(fmt::format("reading the scene in '{}'", file.name())));
  return input;
}

std::vector<SceneAction> nearest_actions(const std::vector<SceneTrigger>& triggers,
                                         double frame_seconds) {
  std::vector<SceneAction> actions;
  for (const SceneTrigger& trigger : triggers) {
    auto frame = static_cast<std::size_t>(std::lround(trigger.time / frame_seconds));
    if (!actions.empty()) frame = std::max(frame, actions.back().frame + 1);
    actions.push_back({frame, trigger.entry, trigger.strength});
  }
  return actions;
}

std::vector<SceneTrigger> triggers_of(const std::vector<SceneAction>& actions,
                                      double frame_seconds) {
  std::vector<SceneTrigger> triggers;
  for (const SceneAction& action : actions) {
    triggers.push_back({static_cast<double>(action.frame) * frame_seconds,
                        static_cast<std::uint32_t>(action.entry), action.strength});
  }
  return triggers;
}

Result<SceneDifference> compare_with_simulation(const BakedFile& file, const Tracks& tracks,
                                                const Eigen::MatrixXf& motion) {
  const std::vector<soft::Object> objects = file.objects();
  const Eigen::Index frames = std::min(tracks.values.rows(), motion.cols());
  for (const soft::Object& object : objects) {
    if (object.vertices.empty()) continue;
    const auto last = std::max_element(object.vertices.begin(), object.vertices.end());
    if (3 * (Eigen::Index{*last} + 1) > motion.rows()) {
      return bad_input(
                 fmt::format(
                     "the scene that it contains has {} vertices, and its shapes move more; bake "
                     "the scene again",
                     motion.rows() / 3))
          .at(file.name());
    }
  }
  SceneDifference difference;
  const double vertices = static_cast<double>(motion.rows()) / 3;
  double error = 0;
  double moved = 0;
  for (Eigen::Index f = 0; f < frames; ++f) {
    const Eigen::VectorXd truth = (motion.col(f) - motion.col(0)).cast<double>();
    Eigen::VectorXd played = Eigen::VectorXd::Zero(motion.rows());
    Eigen::Index first = 0;
    for (const soft::Object& object : objects) {
      const auto modes = static_cast<Eigen::Index>(object.modes.size());
      add_scene_motion(object, tracks.values.row(f).segment(first, modes), played);
      first += modes;
    }
    const Eigen::VectorXd apart = truth - played;
    difference.rms.push_back(std::sqrt(apart.squaredNorm() / vertices));
    error += apart.squaredNorm();
    moved += truth.squaredNorm();
    for (Eigen::Index i = 0; i < apart.size(); i += 3) {
      const double distance = apart.segment<3>(i).norm();
      if (distance <= difference.largest) continue;
      difference.largest = distance;
      difference.largest_frame = static_cast<std::size_t>(f);
    }
  }
  difference.rms_all = std::sqrt(error / (vertices * static_cast<double>(frames)));
  if (moved > 0) difference.relative = std::sqrt(error / moved);
  return difference;
}

Result<ComparedPlay> play_beside_simulation(const BakedFile& file, std::uint32_t object,
                                            const SceneInput& input,
                                            const std::vector<SceneTrigger>& triggers,
                                            const ScenePlaySettings& settings) {
  const double frame_seconds = 1 / input.settings.simulation.rate;
  const std::vector<SceneAction> actions = nearest_actions(triggers, frame_seconds);
  ComparedPlay compared;
  SUPPLE_TRY(compared.play,
             play_scene(file, object, triggers_of(actions, frame_seconds), settings));
  const auto frames = static_cast<std::size_t>(compared.play.tracks.values.rows() - 1);
  SUPPLE_TRY(const Eigen::MatrixXf motion, simulate_scene(input, actions, frames));
  SUPPLE_TRY(compared.difference, compare_with_simulation(file, compared.play.tracks, motion));
  return compared;
}

}  // namespace supple::bake
