// SPDX-License-Identifier: Apache-2.0
// What supple.h has for light.
#include "detail.hpp"
#include "light.hpp"
#include "sized.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr double kBrightest = 1e12;  // of a coefficient, so that colours stay finite

bool has_light(const supple_asset* asset) {
  return given(asset, "asset") && (asset->light != nullptr || refuse("the file has no light"));
}

/// Bands of so many numbers; 0: there is no such number of bands.
std::uint32_t bands_of(std::uint32_t count) {
  std::uint32_t order = format::kMostLightOrder;
  while (order > 0 && 3 * order * order != count) --order;
  return order;
}

bool settle(supple_stream_out& out) {
  constexpr std::size_t kPacked = 3 * sizeof(float);
  if (out.stride == 0 || out.data == nullptr) out.stride = kPacked;
  return out.stride >= kPacked || refuse("a stride is below 12 bytes");
}

}  // namespace
}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_asset_light(const supple_asset* asset, supple_light_info* info) {
  if (!player::has_light(asset)) return SUPPLE_BAD_ARGUMENT;
  const format::Light& light = *asset->light;
  supple_light_info ours{};
  ours.order = light.order;
  ours.sides = light.sides;
  ours.rank = light.rank;
  ours.dimensions = light.dimensions;
  ours.centre_count = light.centre_count;
  ours.relative_error = light.relative_error;
  ours.held_out_error = light.held_out_error;
  return player::give(ours, info);
}

supple_status supple_asset_appearance(const supple_asset* asset, const float* coefficients,
                                      float* appearance) {
  if (!player::has_light(asset) || !player::given(coefficients, "coefficients") ||
      !player::given(appearance, "appearance")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  for (uint32_t i = 0; i < asset->light->dimensions; ++i) {
    const float q = coefficients[asset->light_inputs[i].coefficient];
    if (!player::finite(static_cast<double>(q))) {
      return player::bad_argument("a coefficient is not finite");
    }
  }
  player::appearance_at(*asset, coefficients, appearance);
  return SUPPLE_OK;
}

supple_status supple_player_appearance(const supple_player* player, float* appearance) {
  if (!player::given(player, "player")) return SUPPLE_BAD_ARGUMENT;
  return supple_asset_appearance(player->asset, player->coefficients, appearance);
}

supple_status supple_player_set_light(supple_player* player, const float* coefficients,
                                      uint32_t count) {
  if (!player::given(player, "player") || !player::has_light(player->asset) ||
      !player::given(coefficients, "coefficients")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  if (player::bands_of(count) == 0) {
    return player::bad_argument("count is not 3 times the square of 1 to 6 bands");
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (!(coefficients[i] >= -player::kBrightest && coefficients[i] <= player::kBrightest)) {
      return player::bad_argument("the light is not finite or beyond 1e12");
    }
  }
  if (player->light == nullptr && !player::make_light(*player)) return SUPPLE_OUT_OF_MEMORY;
  player::LightState& light = *player->light;
  for (uint32_t i = 0; i < player::kMostLightNumbers; ++i) {
    light.given[i] = i < count ? static_cast<double>(coefficients[i]) : 0;
  }
  light.changed = true;
  return SUPPLE_OK;
}

supple_status supple_player_shade(supple_player* player, const supple_shading* shading) {
  if (!player::given(player, "player") || !player::has_light(player->asset)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  supple_shading s{};
  if (!player::take(shading, s)) return SUPPLE_BAD_ARGUMENT;
  if (player->light == nullptr) return player::bad_argument("no light was set");
  const uint32_t vertices = player->asset->summary->vertex_count;
  if (s.first_vertex % format::kBlock != 0 || s.first_vertex > vertices ||
      s.vertex_count > vertices - s.first_vertex) {
    return player::bad_argument(player::kBeyondVertices);
  }
  if (!player::settle(s.front) || !player::settle(s.back)) return SUPPLE_BAD_ARGUMENT;
  if (s.back.data != nullptr && player->asset->light->sides == 1) {
    return player::bad_argument("the file's light has no back");
  }
  player::relight(*player);
  float appearance[format::kMostLightRank] = {};
  player::appearance_at(*player->asset, player->coefficients, appearance);
  const size_t end = s.vertex_count == 0 ? vertices : size_t{s.first_vertex} + s.vertex_count;
  player::ShadeJob job{player->asset, player->light->colours, appearance, 0,
                       s.front,       s.first_vertex,         end};
  if (s.front.data != nullptr) player->shade->shade(job);
  job.side = 1;
  job.out = s.back;
  if (s.back.data != nullptr) player->shade->shade(job);
  return SUPPLE_OK;
}

}  // extern "C"
