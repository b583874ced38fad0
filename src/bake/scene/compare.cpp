// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/kept_settings.hpp"
#include "supple/bake/scene_truth.hpp"
#include "supple/settings/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
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

/// What acts on parts that all do the same, and their vertices.
struct PartActions {
  std::vector<SceneAction> actions;
  std::vector<std::uint32_t> vertices;
};

/// The number of an entry in the settings, whose palette is that of all parts together.
Result<std::size_t> number_of(const std::string& name, const SceneInput& input) {
  const auto& entries = input.settings.entries;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].name == name) return e;
  }
  return bad_input(fmt::format("the scene that it contains has no entry '{}'", name));
}

bool same_actions(const std::vector<SceneAction>& a, const std::vector<SceneAction>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const SceneAction& one, const SceneAction& other) {
                      return one.frame == other.frame && one.entry == other.entry &&
                             one.strength == other.strength;
                    });
}

Result<std::vector<PartActions>> sequences_of(const BakedFile& file, const SceneInput& input,
                                              const std::vector<SceneTrigger>& triggers) {
  SUPPLE_TRY(const std::vector<ScenePart> parts, scene_parts(file));
  const std::vector<soft::Object> objects = file.objects();
  std::vector<PartActions> sequences;
  for (const ScenePart& part : parts) {
    PartActions one{{}, objects[part.object].vertices};
    for (const SceneTrigger& trigger : triggers) {
      if (trigger.object != part.object) continue;
      SUPPLE_TRY(const std::size_t entry, number_of(part.palette[trigger.entry].name, input));
      const double frame = trigger.time * input.settings.simulation.rate;
      one.actions.push_back(
          {static_cast<std::size_t>(std::lround(frame)), entry, trigger.strength});
    }
    if (one.actions.empty()) continue;
    const auto same = std::find_if(sequences.begin(), sequences.end(), [&](const PartActions& s) {
      return same_actions(s.actions, one.actions);
    });
    if (same == sequences.end()) {
      sequences.push_back(std::move(one));
    } else {
      same->vertices.insert(same->vertices.end(), one.vertices.begin(), one.vertices.end());
    }
  }
  if (sequences.empty()) return bad_input("nothing acts on the scene; give an action");
  return sequences;
}

}  // namespace

Result<SceneInput> kept_scene(const BakedFile& file, std::string directory) {
  SUPPLE_TRY(const std::vector<ScenePart> parts, scene_parts(file));
  if (file.settings().empty()) {
    return bad_input(
               "it does not contain the scene that was simulated: it is a recording of another "
               "program, or an earlier version wrote it; bake the scene again")
        .at(file.name());
  }
  SUPPLE_TRY(const KeptSettings kept, kept_settings(file));
  SceneInput input;
  input.title = parts.front().name;
  input.directory = std::move(directory);
  SUPPLE_TRY_VOID(scene_fields()
                      .read(kept.values, "", input.settings)
                      .during(fmt::format("reading the scene in '{}'", file.name())));
  return input;
}

std::vector<SceneTrigger> at_nearest_frames(std::vector<SceneTrigger> triggers,
                                            double frame_seconds) {
  std::map<std::uint32_t, double> last;  // frame, by part
  for (SceneTrigger& trigger : triggers) {
    double frame = std::round(trigger.time / frame_seconds);
    if (const auto before = last.find(trigger.object); before != last.end()) {
      frame = std::max(frame, before->second + 1);
    }
    last[trigger.object] = frame;
    trigger.time = frame * frame_seconds;
  }
  return triggers;
}

Result<Eigen::MatrixXf> simulate_parts(const BakedFile& file, const SceneInput& input,
                                       const std::vector<SceneTrigger>& triggers,
                                       std::size_t frames, const ShowFrame& show) {
  SUPPLE_TRY(const std::vector<PartActions> sequences, sequences_of(file, input, triggers));
  Eigen::MatrixXf all;
  for (const PartActions& sequence : sequences) {
    const std::size_t begin = sequence.actions.front().frame;
    if (begin > frames) return bad_input("an entry acts after the last frame; simulate longer");
    const auto take = [&](std::size_t frame, const Eigen::VectorXf& points) {
      if (all.size() == 0) {
        all = points.replicate(1, static_cast<Eigen::Index>(frames + 1));
      }
      const auto column = static_cast<Eigen::Index>(frame + begin);
      for (const std::uint32_t v : sequence.vertices) {
        const Eigen::Index at = 3 * Eigen::Index{v};
        all.col(column).segment<3>(at) = points.segment<3>(at);
      }
      const bool last = &sequence == &sequences.back();
      if (!last || !show) return;
      // Those before it acts are known, too.
      for (Eigen::Index f = frame == 0 ? 0 : column; f <= column; ++f) {
        show(static_cast<std::size_t>(f), all.col(f));
      }
    };
    std::vector<SceneAction> actions = sequence.actions;
    for (SceneAction& action : actions) action.frame -= begin;
    SUPPLE_TRY_VOID(simulate_scene(input, actions, frames - begin, take));
  }
  return all;
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

Result<ComparedPlay> play_beside_simulation(const BakedFile& file, const SceneInput& input,
                                            const std::vector<SceneTrigger>& triggers,
                                            const ScenePlaySettings& settings) {
  const std::vector<SceneTrigger> whole =
      at_nearest_frames(triggers, 1 / input.settings.simulation.rate);
  ComparedPlay compared;
  SUPPLE_TRY(compared.play, play_scene(file, whole, settings));
  const auto frames = static_cast<std::size_t>(compared.play.tracks.values.rows() - 1);
  SUPPLE_TRY(const Eigen::MatrixXf motion, simulate_parts(file, input, whole, frames));
  SUPPLE_TRY(compared.difference, compare_with_simulation(file, compared.play.tracks, motion));
  return compared;
}

}  // namespace supple::bake
