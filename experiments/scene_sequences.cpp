// SPDX-License-Identifier: Apache-2.0
#include "experiments/scene_parts.hpp"

#include "supple/bake/baked_file.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"

#include <supple.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace supple::experiments {
namespace {

constexpr std::size_t kActions = 5;          ///< of a sequence
constexpr std::uint64_t kSequenceSeed = 71;  ///< not that of any sample

/// Numbers of the entries that may act after `previous`; at the beginning: from rest.
std::vector<std::size_t> entries_after(const bake::SceneSettings& settings,
                                       const bake::SceneEntrySettings* previous) {
  std::vector<std::size_t> entries;
  for (std::size_t e = 0; e < settings.entries.size(); ++e) {
    const bake::SceneEntrySettings& entry = settings.entries[e];
    bool may = entry.from_rest;
    if (previous != nullptr) {
      const std::vector<std::string>& names = previous->followed_by;
      may = names.empty() || std::ranges::find(names, entry.name) != names.end();
    }
    if (may) entries.push_back(e);
  }
  return entries;
}

std::size_t random_frames(const bake::SceneSettings& settings, Random& random) {
  const bake::SceneSampling& sampling = settings.sampling;
  const double seconds = random.uniform(sampling.shortest, sampling.longest);
  return static_cast<std::size_t>(
      std::max<long>(2, std::lround(seconds * settings.simulation.rate)));
}

/// The last number is the length of the sequence.
std::pair<std::vector<bake::SceneAction>, std::size_t> random_actions(
    const bake::SceneSettings& settings, std::uint64_t number) {
  Random random(kSequenceSeed, number);
  std::vector<bake::SceneAction> actions;
  std::size_t frame = 0;
  const bake::SceneEntrySettings* previous = nullptr;
  for (std::size_t i = 0; i < kActions; ++i) {
    const std::vector<std::size_t> entries = entries_after(settings, previous);
    const std::size_t entry = entries[random.below(entries.size())];
    previous = &settings.entries[entry];
    actions.push_back({frame, entry, previous->strengths.back()});
    frame += random_frames(settings, random);
  }
  return {std::move(actions), frame};
}

struct DestroySequencePlayer {
  void operator()(supple_player* player) const { supple_player_destroy(player); }
};
using SequencePlayer = std::unique_ptr<supple_player, DestroySequencePlayer>;

/// Coordinates at every frame, and the distances of all transitions.
struct PlayedSequence {
  Eigen::MatrixXd q;
  std::vector<double> blends;
};

Result<PlayedSequence> play_sequence(const bake::BakedFile& file, std::size_t modes,
                                     const TrueSequence& sequence) {
  supple_player* created = nullptr;
  if (supple_player_create(file.asset(), &created) != SUPPLE_OK) {
    return bad_input(supple_error_detail());
  }
  const SequencePlayer player(created);
  supple_scene_info info;
  (void)supple_asset_scene(file.asset(), 0, &info);
  PlayedSequence played;
  played.q = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(modes), sequence.motion.cols());
  std::size_t next = 0;
  for (Eigen::Index f = 0; f + 1 < sequence.motion.cols(); ++f) {
    if (next < sequence.actions.size() &&
        sequence.actions[next].frame == static_cast<std::size_t>(f)) {
      const bake::SceneAction& action = sequence.actions[next++];
      const auto entry = static_cast<std::uint32_t>(action.entry);
      if (supple_player_trigger(player.get(), 0, entry, action.strength) != SUPPLE_OK) {
        return bad_input(
            fmt::format("action {} cannot be played: {}", next, supple_error_detail()));
      }
      supple_scene_state state;
      (void)supple_player_scene_state(player.get(), 0, &state);
      played.blends.push_back(state.last_blend);
    }
    (void)supple_player_step(player.get(), info.frame_seconds);
    played.q.col(f + 1) =
        Eigen::Map<const Eigen::VectorXf>(supple_player_coefficients(player.get()), played.q.rows())
            .cast<double>();
  }
  return played;
}

/// `rows`: of all vertices that are drawn; those that no shape moves are not the object's.
Eigen::MatrixXd shapes_of(const soft::Object& object, Eigen::Index rows) {
  Eigen::MatrixXd shapes =
      Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(object.modes.size()));
  for (std::size_t k = 0; k < object.modes.size(); ++k) {
    for (std::size_t i = 0; i < object.vertices.size(); ++i) {
      shapes.col(static_cast<Eigen::Index>(k)).segment<3>(3 * Eigen::Index{object.vertices[i]}) =
          object.modes[k].displacements[i];
    }
  }
  return shapes;
}

}  // namespace

Result<std::vector<TrueSequence>> simulate_sequences(const bake::SceneInput& input,
                                                     std::size_t count) {
  std::vector<TrueSequence> sequences(count);
  std::vector<Result<void>> results(count);
  parallel_for(count, 1, [&](std::size_t i) {
    auto [actions, frames] = random_actions(input.settings, i);
    auto motion = bake::simulate_scene(input, actions, frames);
    if (!motion.ok()) {
      results[i] = std::move(motion).error();
      return;
    }
    sequences[i] = {std::move(actions), *std::move(motion)};
  });
  for (Result<void>& result : results) SUPPLE_TRY_VOID(std::move(result));
  return sequences;
}

Result<SequenceFigures> play_sequences(const std::string& supple,
                                       const std::vector<TrueSequence>& sequences) {
  SUPPLE_TRY(const Bytes bytes, read_file(supple));
  SUPPLE_TRY(const bake::BakedFile file, bake::BakedFile::open(bytes, supple));
  const Eigen::MatrixXd shapes = shapes_of(file.objects().front(), sequences.front().motion.rows());
  double error = 0;
  double floor = 0;
  double motion = 0;
  double blend = 0;
  std::size_t blends = 0;
  for (const TrueSequence& sequence : sequences) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(const PlayedSequence played,
               play_sequence(file, static_cast<std::size_t>(shapes.cols()), sequence));
    const Eigen::MatrixXd moved =
        (sequence.motion.colwise() - sequence.motion.col(0)).cast<double>();
    const Eigen::MatrixXd best = shapes.transpose() * moved;  // orthonormal but for rounding
    motion += moved.squaredNorm();
    error += (moved - shapes * played.q).squaredNorm();
    floor += (moved - shapes * best).squaredNorm();
    for (const double distance : played.blends) blend += distance;
    blends += played.blends.size();
  }
  SequenceFigures figures;
  if (motion > 0) {
    figures.error = std::sqrt(error / motion);
    figures.floor = std::sqrt(floor / motion);
  }
  if (blends > 0) figures.blend = blend / static_cast<double>(blends);
  return figures;
}

}  // namespace supple::experiments
