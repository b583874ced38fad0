// SPDX-License-Identifier: Apache-2.0
// Flesh: linear modes that a bone shakes, with the Coriolis term where the file has it. Its memory,
// its sections and its place among the kinds; flesh_step.cpp steps it.
#include "flesh.hpp"

#include "reader.hpp"

namespace supple::player {
namespace {

/// CORI, and what the objects say of it.
bool read_flesh(FileReader& file) {
  supple_asset& asset = file.asset();
  std::uint64_t numbers = 0;
  if (file.find(format::kCoriolisSection) != nullptr) {
    if (!file.list(format::kCoriolisSection, asset.coriolis, numbers)) return false;
    const double* insane = find_insane(asset.coriolis, static_cast<std::size_t>(numbers));
    if (insane != nullptr) return file.damaged(insane, "a number is not finite");
  }
  bool good = true;
  each_object(asset, kFlesh, [&](std::size_t, const format::Object& object) {
    if (!good || object.coriolis == format::kNone) return;
    const std::uint64_t modes = object.mode_count;
    // The first comparison keeps the product small: there is a number per mode at least.
    good = modes <= numbers && modes * modes <= numbers / 3 &&
           object.coriolis <= numbers - 3 * modes * modes;
    if (!good) (void)file.damaged(&object.coriolis, "the Coriolis term is outside CORI");
  });
  return good;
}

/// For the largest object that has the term.
CoriolisScratch lay_out_scratch(Arena& arena, const supple_asset& asset) {
  std::size_t most = 0;
  each_object(asset, kFlesh, [&](std::size_t, const format::Object& object) {
    if (object.coriolis != format::kNone && object.mode_count > most) most = object.mode_count;
  });
  return {arena.take<double>(most * most), arena.take<double>(most * most),
          arena.take<double>(lanes_of(most))};
}

void lay_out_flesh(Arena& arena, const supple_asset& asset, supple_player& placed) {
  FleshState unused{};
  const auto state_of = [&](std::size_t i) -> FleshState& {
    return placed.objects == nullptr ? unused : flesh_of(placed, i);
  };
  each_object(asset, kFlesh, [&](std::size_t i, const format::Object&) {
    auto* state = arena.take<FleshState>(1);
    if (placed.objects != nullptr) placed.objects[i].state = static_cast<ModalState*>(state);
    FleshState& placed_state = state_of(i);
    lay_out_often(arena, asset.lanes(i), placed_state);
    for (double** row : {&placed_state.targets[0], &placed_state.targets[1], &placed_state.ahead}) {
      *row = arena.take<double>(asset.lanes(i));
    }
  });
  each_object(asset, kFlesh, [&](std::size_t i, const format::Object&) {
    lay_out_seldom(arena, asset.lanes(i), state_of(i));
  });
  const CoriolisScratch scratch = lay_out_scratch(arena, asset);
  each_object(asset, kFlesh,
              [&](std::size_t i, const format::Object&) { state_of(i).scratch = scratch; });
}

ModalStep modes_of(supple_player& player, std::size_t object) {
  return {player, object, flesh_of(player, object)};
}

void prepare_flesh(supple_player& player, std::size_t object) {
  const std::uint32_t first = player.asset->objects[object].coriolis;
  if (first != format::kNone) flesh_of(player, object).coriolis = player.asset->coriolis + first;
  modes_of(player, object).prepare();
}

/// Characters are modelled under gravity: the bind pose sags already.
void adjust_flesh(supple_player& player, std::size_t object) {
  flesh_of(player, object).known = 0;  // targets may mean something else now
  ModalStep modes = modes_of(player, object);
  modes.bear_gravity(true);
  modes.retune();
}

void reset_flesh(supple_player& player, std::size_t object) {
  flesh_of(player, object).known = 0;
  modes_of(player, object).clear();
}

/// A vector that displacements in bind space are multiplied by, for those of a vertex, which are in
/// the space of its part.
Vec3 part_force(const supple_asset& asset, std::uint32_t vertex, Vec3 bind) {
  if (asset.spaces == nullptr) return bind;
  std::uint32_t part = 0;
  while (vertex - asset.parts[part].first_vertex >= asset.parts[part].vertex_count) ++part;
  const std::array<double, 9>& m = asset.spaces[part].to_bind;
  const Vec3 f = asset.world.in(bind);
  const Vec3 own{m[0] * f.x + m[3] * f.y + m[6] * f.z, m[1] * f.x + m[4] * f.y + m[7] * f.z,
                 m[2] * f.x + m[5] * f.y + m[8] * f.z};
  return asset.world.out(own);
}

void push_flesh(supple_player& player, const format::Entry& entry, std::uint32_t vertex,
                Vec3 force) {
  ModalStep modes = modes_of(player, entry.object);
  const Vec3 own = part_force(*player.asset, vertex, modes.bind_force(force));
  modes.add_push(entry, vertex % format::kBlock, own);
}

}  // namespace

const Kind kFlesh{
    .code = format::Kind::Flesh,
    .name = SUPPLE_FLESH,
    .has_turns = false,
    .read = read_flesh,
    .lay_out = lay_out_flesh,
    .prepare = prepare_flesh,
    .adjust = adjust_flesh,
    .reset = reset_flesh,
    .push = push_flesh,
    .step = step_flesh,
};

}  // namespace supple::player
