// SPDX-License-Identifier: Apache-2.0
// Reduced global illumination [JF03 section 4]: appearance follows shape, colours follow both.
#include "light.hpp"

#include "elementary.hpp"

#include <cstring>

namespace supple::player {
namespace {

void lay_out_light(Arena& arena, const supple_asset& asset, LightState& placed) {
  const std::size_t frames = std::size_t{asset.summary->object_count} + 1;
  const std::size_t rows = format::transfer_rows(*asset.light);
  const std::size_t colours = (std::size_t{asset.light->rank} + 1) * 3 * format::kBlock;
  placed.frames = arena.take<FrameLight>(frames);
  placed.turns = arena.take<Turn>(frames);
  auto* lights = arena.take<float>(frames * rows);
  placed.colours =
      arena.take<float>(std::size_t{asset.summary->block_count} * asset.light->sides * colours);
  if (placed.frames == nullptr) return;
  for (std::size_t f = 0; f < frames; ++f) placed.frames[f] = {lights + f * rows, false};
}

/// By the same instructions everywhere: this source is compiled for one set of them alone.
double squared_distance(const double* a, const double* b, std::uint32_t count) {
  static_assert(kDoubles == 2);
  Doubles sums{};
  std::uint32_t i = 0;
  for (; i + kDoubles <= count; i += kDoubles) {
    const Doubles off = load(a + i) - load(b + i);
    sums += off * off;
  }
  double sum = sums[0] + sums[1];
  if (i < count) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// The light with the scale of every row of the transfer multiplied in.
void fold(const supple_asset& asset, const double* light, float* rows) {
  const std::size_t numbers = std::size_t{3} * asset.light->order * asset.light->order;
  const float* scale = asset.light_scales;
  for (std::uint32_t k = 0; k <= asset.light->rank; ++k) {
    for (std::size_t i = 0; i < numbers; ++i) {
      *rows++ = static_cast<float>(light[i] * static_cast<double>(*scale++));
    }
  }
}

}  // namespace

bool make_light(supple_player& player) {
  const supple_asset& asset = *player.asset;
  Arena measure;
  measure.take<LightState>(1);
  LightState unused{};
  lay_out_light(measure, asset, unused);
  void* block = allocate(asset.allocator, measure);
  if (block == nullptr) return false;
  Arena arena(block);
  player.light = arena.take<LightState>(1);
  lay_out_light(arena, asset, *player.light);
  return true;
}

void appearance_at(const supple_asset& asset, const float* coefficients, float* appearance) {
  const format::Light& light = *asset.light;
  if (light.rank == 0) return;
  double place[format::kMostLightInputs];
  for (std::uint32_t i = 0; i < light.dimensions; ++i) {
    const format::LightInput& input = asset.light_inputs[i];
    place[i] = input.scale * static_cast<double>(coefficients[input.coefficient]);
  }
  // Relative to the nearest centre, so that the weights cannot all vanish.
  double phi[format::kMostLightCentres + 1];
  double least = 0;
  for (std::uint32_t j = 0; j < light.centre_count; ++j) {
    phi[j] = squared_distance(asset.light_centres + std::size_t{j} * light.dimensions, place,
                              light.dimensions);
    if (j == 0 || phi[j] < least) least = phi[j];
  }
  phi[light.centre_count] = least;  // computed in pairs
  const double narrowness = 1 / (2 * light.width * light.width);
  for (std::uint32_t j = 0; j < light.centre_count; j += kDoubles) {
    store(phi + j, exp_of_negative((least - load(phi + j)) * narrowness));
  }
  double sums[format::kMostLightRank] = {};
  double total = 0;
  const double* weights = asset.light_weights;
  for (std::uint32_t j = 0; j < light.centre_count; ++j, weights += light.rank) {
    for (std::uint32_t k = 0; k < light.rank; ++k) sums[k] += phi[j] * weights[k];
    total += phi[j];
  }
  for (std::uint32_t k = 0; k < light.rank; ++k) {
    appearance[k] = static_cast<float>(sums[k] / total);
  }
}

void relight(supple_player& player) {
  const supple_asset& asset = *player.asset;
  LightState& state = *player.light;
  const std::size_t frames = std::size_t{asset.summary->object_count} + 1;
  bool any = false;
  for (std::size_t f = 0; f < frames; ++f) {
    const Turn turn = turn_of_frame(player, f);
    FrameLight& frame = state.frames[f];
    frame.stale = state.changed || std::memcmp(&turn, &state.turns[f], sizeof turn) != 0;
    if (!frame.stale) continue;
    double turned[kMostLightNumbers];
    turn_light(turn, asset.light->order, state.given, turned);
    fold(asset, turned, frame.rows);
    state.turns[f] = turn;
    any = true;
  }
  state.changed = false;
  if (any) player.shade->relight({&asset, state.frames, state.colours});
}

}  // namespace supple::player
