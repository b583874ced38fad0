// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/drawn_scene.hpp"
#include "bake/scene/recorded.hpp"
#include "bake/scene/sampler.hpp"
#include "bake/scene/world_simulator.hpp"

#include "supple/bake/baked_file.hpp"
#include "supple/bake/scene.hpp"
#include "supple/core/files.hpp"
#include "supple/scene/palette.hpp"
#include "supple/scene/portrait.hpp"
#include "supple/scene/recording.hpp"
#include "supple/scene/reduction.hpp"

#include <gtest/gtest.h>
#include <supple.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// Sampled sequences, played again from the file that was baked of them.
namespace supple::bake::testing {

/// All chains that a bake left in its folder.
inline std::vector<scene::Chain> load_chains(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".bin") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<scene::Chain> chains;
  for (const auto& file : files) chains.push_back(*scene::load_chain(*read_file(file)));
  return chains;
}

/// How far the vertices of the player are from those that were sampled.
struct ReplayReport {
  std::size_t frames = 0;     ///< that were played
  std::size_t responses = 0;  ///< whose every frame was
  double played = 0;          ///< root of the sum of squared errors, relative to the motion's
  double shapes = 0;          ///< the same of the shapes alone, over the same frames
};

class SceneReplay {
 public:
  SceneReplay(const detail::DrawnScene& drawn, const scene::Palette& palette,
              std::vector<scene::Chain> chains, std::size_t rank, double h, std::size_t shortest)
      : m_drawn(drawn), m_chains(std::move(chains)), m_h(h) {
    const scene::Draw draw = [&](std::span<const float> recorded, Eigen::VectorXd& points) {
      m_drawn.draw(recorded, points);
    };
    scene::ShapeSettings settings;
    settings.rank = static_cast<Eigen::Index>(rank);
    scene::ShapeReducer reducer(drawn.rest(), draw, settings);
    for (const scene::Chain& chain : m_chains) EXPECT_TRUE(reducer.add(chain).ok());
    m_shapes = *reducer.finish();
    const scene::Portrait portrait = scene::make_portrait(
        scene::join_responses(m_chains), scene::project_all(m_chains, m_shapes, draw), h, shortest);
    m_kept = *scene::find_playable(portrait, palette);
  }

  /// Triggers at the frames at which the sampler did. Chains that begin at rest are played as far
  /// as the player has no other response that begins in the same state.
  [[nodiscard]] ReplayReport play(const BakedFile& file) {
    supple_player* created = nullptr;
    EXPECT_EQ(supple_player_create(file.asset(), &created), SUPPLE_OK);
    const std::unique_ptr<supple_player, decltype(&supple_player_destroy)> player(
        created, supple_player_destroy);
    m_report = {};
    m_error = m_left = m_motion = 0;
    std::size_t first = 0;
    for (const scene::Chain& chain : m_chains) {
      supple_player_reset(player.get());
      if (chain.origin.at_rest()) play_chain(*player, chain, first);
      first += chain.responses.size();
    }
    m_report.played = std::sqrt(m_error / m_motion);
    m_report.shapes = std::sqrt(m_left / m_motion);
    return m_report;
  }

 private:
  void play_chain(supple_player& player, const scene::Chain& chain, std::size_t first) {
    std::size_t frame = 0;  // of the chain's positions
    std::vector<std::size_t> begins;
    for (const scene::Response& response : chain.responses) {
      begins.push_back(frame);
      frame += response.frames + 1;
    }
    const std::size_t count = chain.responses.size();
    for (std::size_t r = 0; r < count;) {
      std::size_t next = r + 1;
      while (next < count && chain.responses[next].group == r) ++next;
      // The chain went on from one strength of a group: the origin of the next one tells which.
      const std::size_t taken = next < count ? chain.responses[next].origin.response : r;
      const scene::Response& response = chain.responses[taken];
      if (supple_player_trigger(&player, 0, static_cast<std::uint32_t>(response.entry),
                                response.strength) != SUPPLE_OK) {
        return;
      }
      supple_scene_state state;
      EXPECT_EQ(supple_player_scene_state(&player, 0, &state), SUPPLE_OK);
      if (state.response >= m_kept.size() || m_kept[state.response] != first + taken) return;
      for (std::size_t f = 1; f <= response.frames; ++f) {
        EXPECT_EQ(supple_player_step(&player, m_h), SUPPLE_OK);
        compare(player, chain, begins[taken] + f);
      }
      ++m_report.responses;
      r = next;
    }
  }

  void compare(const supple_player& player, const scene::Chain& chain, std::size_t frame) {
    Eigen::VectorXd truth;
    const std::size_t size = 3 * chain.vertices;
    m_drawn.draw(std::span(chain.positions).subspan(frame * size, size), truth);
    const Eigen::VectorXf rest = m_drawn.rest().cast<float>();
    Eigen::VectorXf played = rest;
    supple_deformation d{};
    d.rest_positions = {rest.data(), 0};
    d.positions = {played.data(), 0};
    EXPECT_EQ(supple_player_deform(&player, &d), SUPPLE_OK) << supple_error_detail();
    const Eigen::VectorXd moved = truth - m_drawn.rest();
    m_error += (played.cast<double>() - truth).squaredNorm();
    m_left += (moved - m_shapes.basis * (m_shapes.basis.transpose() * moved)).squaredNorm();
    m_motion += moved.squaredNorm();
    ++m_report.frames;
  }

  const detail::DrawnScene& m_drawn;
  std::vector<scene::Chain> m_chains;
  double m_h;
  scene::Shapes m_shapes;
  std::vector<std::size_t> m_kept;
  ReplayReport m_report;
  double m_error = 0, m_left = 0, m_motion = 0;
};

/// What 16 bits of shapes and of states leave, relative to the motion, at most.
inline constexpr double kSixteenBitScene = 5e-4;

/// Bakes a scene into a folder, commits its files, and keeps its samples in OUT.glb.work.
inline Result<SceneReport> bake_into(const std::filesystem::path& folder, SceneRequest request) {
  request.output = (folder / "scene.glb").string();
  OutputSet output;
  auto report = bake_scene(request, output);
  if (report.ok()) SUPPLE_TRY_VOID(output.commit());
  return report;
}

/// Bakes a scene of another simulator of chains at random, and plays what was sampled again.
inline ReplayReport bake_and_replay(ForeignScene foreign, const std::filesystem::path& folder,
                                    SceneReport& report) {
  foreign.settings.sampling.adaptive = false;
  SceneRequest request;
  request.foreign = foreign;
  auto baked = bake_into(folder, request);
  EXPECT_TRUE(baked.ok()) << baked.error().describe();
  if (!baked.ok()) return {};
  report = *std::move(baked);
  const detail::DrawnMesh mesh(foreign.title, foreign.rest, foreign.colour);
  const detail::DrawnScene drawn(mesh.bodies, mesh.drawn, mesh.rest);
  const scene::Palette palette = *detail::make_palette(foreign.settings);
  SceneReplay replay(drawn, palette, load_chains(folder / "scene.glb.work"), report.rank,
                     1 / foreign.settings.simulation.rate,
                     detail::sampling_settings(foreign.settings).shortest);
  const BakedFile file = *BakedFile::open(*read_file(folder / "scene.supple"), "scene.supple");
  return replay.play(file);
}

}  // namespace supple::bake::testing
