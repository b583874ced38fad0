// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sampled.hpp"
#include "supple/io/supple_file.hpp"

#include <supple.h>

#include <cstdlib>
#include <memory>

namespace supple::scene {

/// A sampled scene in a player.
class Playing {
 public:
  explicit Playing(const Sampled& sampled) {
    const std::vector<std::size_t> kept = *find_playable(sampled.portrait, sampled.palette);
    portrait = keep_responses(sampled.portrait, kept);
    transitions = find_transitions(portrait, sampled.palette);
    constexpr double kHalfLife = 0.1;
    traits = make_traits(portrait, sampled.palette, transitions, kHalfLife);
    soft::Asset asset;
    asset.vertex_count = static_cast<std::uint32_t>(sampled.shapes.rest.size() / 3);
    asset.parts.push_back({0, 0, 0, asset.vertex_count});
    asset.objects.push_back(make_object("springs", sampled.shapes, traits));
    const auto written = io::write_supple(asset, {});
    EXPECT_TRUE(written.ok()) << (written.ok() ? "" : written.error().describe());
    m_bytes.reset(std::aligned_alloc(64, written->bytes.size()));
    std::memcpy(m_bytes.get(), written->bytes.data(), written->bytes.size());
    EXPECT_EQ(supple_asset_open(m_bytes.get(), written->bytes.size(), &m_asset), SUPPLE_OK)
        << supple_error_detail();
    EXPECT_EQ(supple_player_create(m_asset, &player), SUPPLE_OK);
    rank = portrait.rank();
  }
  ~Playing() {
    supple_player_destroy(player);
    supple_asset_close(m_asset);
  }
  Playing(const Playing&) = delete;
  Playing& operator=(const Playing&) = delete;

  [[nodiscard]] Eigen::VectorXd q() const {
    return Eigen::Map<const Eigen::VectorXf>(supple_player_coefficients(player), rank)
        .cast<double>();
  }
  [[nodiscard]] supple_scene_state state() const {
    supple_scene_state state;
    EXPECT_EQ(supple_player_scene_state(player, 0, &state), SUPPLE_OK);
    return state;
  }
  void step(double dt) const { EXPECT_EQ(supple_player_step(player, dt), SUPPLE_OK); }
  void trigger(std::uint32_t entry, double strength = 1) const {
    EXPECT_EQ(supple_player_trigger(player, 0, entry, strength), SUPPLE_OK)
        << supple_error_detail();
  }
  [[nodiscard]] const supple_asset* asset() const { return m_asset; }

  supple_player* player = nullptr;
  Portrait portrait;
  Transitions transitions;
  soft::SceneTraits traits;
  Eigen::Index rank = 0;

 private:
  struct Free {
    void operator()(void* block) const { std::free(block); }
  };
  std::unique_ptr<void, Free> m_bytes;
  supple_asset* m_asset = nullptr;
};

}  // namespace supple::scene
