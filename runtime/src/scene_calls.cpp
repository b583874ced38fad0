// SPDX-License-Identifier: Apache-2.0
// What supple.h has for scenes.
#include "detail.hpp"
#include "scene.hpp"
#include "sized.hpp"

namespace supple::player {
namespace {

constexpr const char* kNotAScene = "the object is not a scene";

/// Of the asset; false, with a detail: the object is something else.
bool find_scene(const supple_asset* asset, std::uint32_t object, SceneView& view) {
  if (!given(asset, "asset")) return false;
  for (std::uint32_t i = 0; i < asset->scene_count; ++i) {
    if (asset->scenes[i].object != object) continue;
    view = view_of(*asset, object);
    return true;
  }
  return refuse(kNotAScene);
}

/// Of a player; null, with a detail.
SceneState* scene_at(const supple_player* player, std::uint32_t object) {
  if (!has_object(player, object)) return nullptr;
  if (player->objects[object].kind == &kScene) {
    return static_cast<SceneState*>(player->objects[object].state);
  }
  (void)refuse(kNotAScene);
  return nullptr;
}

}  // namespace
}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_asset_scene(const supple_asset* asset, uint32_t object,
                                 supple_scene_info* info) {
  player::SceneView view{};
  if (!player::find_scene(asset, object, view)) return SUPPLE_BAD_ARGUMENT;
  supple_scene_info ours{};
  ours.entry_count = view.scene->entry_count;
  ours.response_count = view.scene->response_count;
  ours.state_count = view.scene->state_count;
  ours.frame_seconds = view.scene->frame_seconds;
  return player::give(ours, info);
}

supple_status supple_asset_scene_entry(const supple_asset* asset, uint32_t object, uint32_t entry,
                                       supple_entry_info* info) {
  player::SceneView view{};
  if (!player::find_scene(asset, object, view) ||
      !player::is_one_of("entry", entry, view.scene->entry_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::PaletteEntry& e = view.entries[entry];
  supple_entry_info ours{};
  ours.name = asset->text + e.name;
  ours.key = asset->text + e.key;
  ours.weakest = e.weakest;
  ours.strongest = e.strongest;
  ours.followed_by = e.followed_by;
  ours.from_rest = e.from_rest != 0 ? 1 : 0;
  return player::give(ours, info);
}

supple_status supple_asset_scene_response(const supple_asset* asset, uint32_t object,
                                          uint32_t response, supple_response_info* info) {
  player::SceneView view{};
  if (!player::find_scene(asset, object, view) ||
      !player::is_one_of("response", response, view.scene->response_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Response& file = view.responses[response];
  supple_response_info ours{};
  ours.entry = file.entry;
  ours.first_state = file.first_state;
  ours.state_count = file.state_count;
  ours.rests = file.rests != 0 ? 1 : 0;
  ours.strength = file.strength;
  return player::give(ours, info);
}

supple_status supple_asset_scene_states(const supple_asset* asset, uint32_t object, uint32_t first,
                                        uint32_t count, float* coefficients) {
  player::SceneView view{};
  if (!player::find_scene(asset, object, view) || !player::given(coefficients, "coefficients")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  if (first > view.scene->state_count || count > view.scene->state_count - first) {
    return player::bad_argument("the scene has fewer states");
  }
  const std::int16_t* state = view.states + std::size_t{first} * view.modes;
  for (std::uint32_t s = 0; s < count; ++s) {
    for (std::uint32_t k = 0; k < view.modes; ++k) {
      *coefficients++ = view.scales[k] * static_cast<float>(*state++);
    }
  }
  return SUPPLE_OK;
}

supple_status supple_player_trigger(supple_player* player, uint32_t object, uint32_t entry,
                                    double strength) {
  player::SceneState* state = player::scene_at(player, object);
  if (state == nullptr || !player::is_one_of("entry", entry, state->view.scene->entry_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  if (!player::finite(strength)) return player::bad_argument("the strength is not finite");
  if ((player::allowed_entries(*state) >> entry & 1U) == 0) {
    return player::bad_argument("the palette's rules do not allow the entry now");
  }
  player::trigger(*state, entry, strength);
  return SUPPLE_OK;
}

supple_status supple_player_scene_state(const supple_player* player, uint32_t object,
                                        supple_scene_state* state) {
  const player::SceneState* scene = player::scene_at(player, object);
  if (scene == nullptr) return SUPPLE_BAD_ARGUMENT;
  supple_scene_state ours{};
  ours.allowed = player::allowed_entries(*scene);
  ours.entry = scene->entry;
  ours.response = scene->track.response;
  ours.frame = scene->frame;
  ours.at_rest = player::at_rest(*scene) ? 1 : 0;
  ours.off = player::distance_off(*scene);
  ours.last_blend = scene->last_blend;
  ours.transitions = scene->transitions;
  return player::give(ours, state);
}

supple_status supple_player_get_scene_settings(const supple_player* player, uint32_t object,
                                               supple_scene_settings* settings) {
  const player::SceneState* scene = player::scene_at(player, object);
  return scene == nullptr ? SUPPLE_BAD_ARGUMENT : player::give(scene->settings, settings);
}

supple_status supple_player_set_scene_settings(supple_player* player, uint32_t object,
                                               const supple_scene_settings* settings) {
  player::SceneState* scene = player::scene_at(player, object);
  if (scene == nullptr) return SUPPLE_BAD_ARGUMENT;
  supple_scene_settings wanted = scene->settings;
  if (!player::take(settings, wanted)) return SUPPLE_BAD_ARGUMENT;
  if (!format::is_scene_time(wanted.half_life)) {
    return player::bad_argument("half_life is not from 1e-6 to 1e6 s");
  }
  if (wanted.blend != SUPPLE_BLEND_SMOOTH && wanted.blend != SUPPLE_BLEND_PAPER) {
    return player::bad_argument("there is no such blend");
  }
  scene->settings = wanted;
  return SUPPLE_OK;
}

}  // extern "C"
