// SPDX-License-Identifier: Apache-2.0
// Scenes: replayed responses of a simulator [JF03]. Their memory and their place among the kinds;
// scene_track.cpp moves them.
#include "scene.hpp"

#include "reader.hpp"
#include "scene_reader.hpp"

namespace supple::player {
namespace {

void lay_out_scenes(Arena& arena, const supple_asset& asset, supple_player& placed) {
  each_object(asset, kScene, [&](std::size_t i, const format::Object& object) {
    auto* state = arena.take<SceneState>(1);
    auto* offset = arena.take<double>(object.mode_count);
    auto* velocity = arena.take<double>(object.mode_count);
    if (placed.objects == nullptr) return;
    placed.objects[i].state = state;
    state->offset = offset;
    state->offset_velocity = velocity;
  });
}

void reset_scene(supple_player& player, std::size_t object) {
  SceneState& state = scene_of(player, object);
  state.track = {};
  state.frame = 0;
  state.entry = SUPPLE_NO_ENTRY;
  state.last_blend = 0;
  state.transitions = 0;
  for (std::uint32_t k = 0; k < state.view.modes; ++k) {
    state.offset[k] = state.offset_velocity[k] = 0;
    player.coefficients[player.asset->objects[object].first_mode + k] = 0;
  }
  publish(player, object);
}

void prepare_scene(supple_player& player, std::size_t object) {
  SceneState& state = scene_of(player, object);
  state.view = view_of(*player.asset, object);
  state.settings.struct_size = sizeof state.settings;
  state.settings.half_life = state.view.scene->half_life;
  state.settings.blend = SUPPLE_BLEND_SMOOTH;
  reset_scene(player, object);
}

/// Neither the settings of an object nor gravity change what was recorded.
void adjust_scene(supple_player& /*player*/, std::size_t /*object*/) {}

/// A scene answers to its palette alone.
void push_scene(supple_player& /*player*/, const format::Entry& /*entry*/, std::uint32_t /*vertex*/,
                Vec3 /*force*/) {}

void step_scene(supple_player& player, std::size_t object, double dt) {
  const supple_object_settings& settings = player.objects[object].settings;
  if (settings.enabled == 0) return;
  SceneState& state = scene_of(player, object);
  advance(state, dt);
  float* coefficients = player.coefficients + player.asset->objects[object].first_mode;
  for (std::uint32_t k = 0; k < state.view.modes; ++k) {
    const double q = curve(state.view, state.track, state.frame, k).q + state.offset[k];
    coefficients[k] = k < settings.modes ? static_cast<float>(settings.gain * q) : 0.0F;
  }
  publish(player, object);
}

}  // namespace

SceneView view_of(const supple_asset& asset, std::size_t object) {
  SceneView view{asset.scenes,    asset.palette, asset.responses,      asset.states,
                 asset.portraits, nullptr,       asset.next_responses, 0};
  for (;; ++view.scene) {
    const format::Scene& scene = *view.scene;
    view.modes = asset.objects[scene.object].mode_count;
    view.origin_velocities = view.scales + view.modes;
    if (scene.object == object) return view;
    view.entries += scene.entry_count;
    view.responses += scene.response_count;
    view.states += std::size_t{scene.state_count} * view.modes;
    view.scales = view.origin_velocities + std::size_t{scene.response_count} * view.modes;
    view.next += (std::size_t{scene.state_count} + 1) * scene.entry_count;
  }
}

const Kind kScene{
    .code = format::Kind::Scene,
    .name = SUPPLE_SCENE,
    .has_turns = false,
    .read = read_scenes,
    .lay_out = lay_out_scenes,
    .prepare = prepare_scene,
    .adjust = adjust_scene,
    .reset = reset_scene,
    .push = push_scene,
    .step = step_scene,
};

}  // namespace supple::player
