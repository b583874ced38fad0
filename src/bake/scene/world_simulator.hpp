// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/certificate.hpp"

#include "supple/bake/scene_settings.hpp"
#include "supple/scene/palette.hpp"
#include "supple/scene/simulator.hpp"
#include "supple/simulator/world.hpp"

#include <memory>
#include <vector>

namespace supple::bake::detail {

/// The palette of a scene's settings.
[[nodiscard]] Result<scene::Palette> make_palette(const SceneSettings& settings);

/// Until the scene rests, or as long as the settings say; then nothing moves.
[[nodiscard]] Result<void> settle(simulator::World& world, const SceneSettings& settings);

/// What intersects where the recorded vertices of the bodies that deform are; obstacles stay where
/// they are now. `world` must outlive it.
[[nodiscard]] CrossingTest crossings_in(const simulator::World& world);

/// Our own simulator as a black box. It records the vertices of all bodies that deform. Obstacles
/// stand still: the frame is that of what supports the scene, and a support that moves is felt as
/// the inertia of its frame.
class WorldSimulator final : public scene::Simulator {
 public:
  /// `rest` is the state to which it resets; empty: the world's own.
  WorldSimulator(simulator::World world, const SceneSettings& settings, Bytes rest);

  [[nodiscard]] Result<void> reset() override;
  [[nodiscard]] Bytes state() const override;
  [[nodiscard]] Result<void> set_state(std::span<const std::byte> state) override;
  [[nodiscard]] Result<void> step(const scene::Action& action) override;
  [[nodiscard]] std::vector<geometry::Vec3> positions() const override;
  [[nodiscard]] std::size_t intersections() const override;

 private:
  simulator::World m_world;
  const SceneSettings* m_settings;
  Bytes m_rest;
};

}  // namespace supple::bake::detail
