// SPDX-License-Identifier: Apache-2.0
// Thin shells by modal warping: their memory, what never changes about them, and their place among
// the kinds. shell_step.cpp steps them.
#include "shell.hpp"

#include "rotation_strain.hpp"
#include "shapes.hpp"
#include "shell_bound.hpp"

#include <cstring>

namespace supple::player {
namespace {

Vec3 vector_of(const float numbers[3]) {
  return {numbers[0], numbers[1], numbers[2]};
}

void lay_out_points(Arena& arena, const format::Shell& file, ShellState& shell) {
  shell.blocks = (file.point_count + format::kBlock - 1) / format::kBlock;
  shell.turned = arena.take<float>(6 * shell.points());
  shell.in_medium = {arena.take<float>(shell.mode_count * shell.points()),
                     arena.take<float>(shell.points()), arena.take<float>(shell.points()),
                     arena.take<float>(shell.points())};
  const std::size_t count = file.point_count;
  shell.field = {arena.take<double>(3 * count), arena.take<double>(3 * count),
                 arena.take<double>(count), arena.take<double>(3 * count)};
}

void lay_out_shell(Arena& arena, const supple_asset& asset, const format::Shell& file,
                   ShellState& shell) {
  const std::size_t lanes = asset.lanes(file.object);
  lay_out_often(arena, lanes, shell);
  lay_out_seldom(arena, lanes, shell);
  shell.mode_count = asset.objects[file.object].mode_count;
  for (float** row : {&shell.point_q, &shell.point_q_dot, &shell.force}) {
    *row = arena.take<float>(lanes);
  }
  for (double** row : {&shell.point_force, &shell.sway, &shell.drift}) {
    *row = arena.take<double>(lanes);
  }
  lay_out_points(arena, file, shell);
  if (file.strain == format::kNone) return;
  const std::size_t nodes = strain_view(asset, file).nodes;
  shell.node_displacements = arena.take<float>(3 * nodes);
  shell.node_positions = arena.take<double>(3 * nodes);
  shell.node_weights = arena.take<double>(nodes);
  if (asset.rest != nullptr) lay_out_samples(arena, asset, file, shell);
}

void lay_out_commons(Arena& arena, const supple_asset& asset, ShellCommons& commons) {
  const std::size_t most = most_lanes(asset);
  commons.attachments = arena.take<Handle>(asset.attachment_count);
  commons.handles = arena.take<Handle>(kFirstSlots);
  commons.handle_count = kFirstSlots;
  lay_out_rows(arena, most, asset.attachment_count, commons.attachments);
  lay_out_rows(arena, most, kFirstSlots, commons.handles);
  commons.matrix = arena.take<double>(most * most);
  BrakeRows& brake = commons.brake;
  auto& kept = commons.kept;
  auto& solver = commons.solver;
  double** const rows[] = {&brake.speed,   &brake.gain,   &brake.force,  &brake.share,
                           &commons.gamma, &commons.free, &commons.goal, &commons.before,
                           &commons.shown, &kept.q,       &kept.q_dot,   &kept.drift,
                           &solver.vector, &solver.root,  &solver.trial};
  for (double** row : rows) *row = arena.take<double>(most);
  solver.rows = arena.take<double>(6 * most);
}

void prepare_attachment(const supple_asset& asset, const ShellState& shell, std::uint32_t index,
                        Handle& handle) {
  const format::Attachment& file = asset.attachments[index];
  handle.object = shell.file->object;
  handle.components = file.components;
  handle.stiffness = file.stiffness;
  handle.rest = {file.rest[0], file.rest[1], file.rest[2]};
  fill_rows(asset, *entry_of(asset, file.vertex, handle.object), file.vertex, handle);
  handle.node = node_of(asset, shell, file.vertex);
}

void lay_out_shells(Arena& arena, const supple_asset& asset, supple_player& placed) {
  if (asset.shell_count == 0) return;
  auto* commons = arena.take<ShellCommons>(1);
  for (std::uint32_t i = 0; i < asset.shell_count; ++i) {
    auto* state = arena.take<ShellState>(1);
    ShellState unused{};
    lay_out_shell(arena, asset, asset.shells[i], state == nullptr ? unused : *state);
    if (state != nullptr) state->commons = commons;
    if (placed.objects != nullptr) {
      placed.objects[asset.shells[i].object].state = static_cast<ModalState*>(state);
    }
  }
  ShellCommons unused{};
  lay_out_commons(arena, asset, commons == nullptr ? unused : *commons);
  placed.shells = commons;
}

/// Null where the file has none.
const float* rest_of(const supple_asset& asset, const format::Shell& shell) {
  if (asset.rest == nullptr || shell.strain == format::kNone) return nullptr;
  const float* rest = asset.rest;
  for (const format::Shell* other = asset.shells; other != &shell; ++other) {
    if (other->strain != format::kNone) {
      rest += 3 * std::size_t{strain_view(asset, *other).nodes};
    }
  }
  return rest;
}

void prepare_shell(supple_player& player, std::size_t object) {
  const supple_asset& asset = *player.asset;
  ShellState& shell = shell_state(player, object);
  prepare_modes(player, object);
  shell.file = asset.shell_of(object);
  shell.medium =
      asset.media != nullptr ? asset.media[shell.file - asset.shells] : format::Medium{0, 1};
  shell.weight = shell.medium.weight;
  shell.rows = asset.point_rows + std::size_t{shell.file->first_point_row} * format::kBlock;
  survey_points(shell);
  shell.rest = rest_of(asset, *shell.file);
  survey_samples(asset, shell);
  for (std::uint32_t i = 0; i < shell.file->attachment_count; ++i) {
    const std::uint32_t attachment = shell.file->first_attachment + i;
    prepare_attachment(asset, shell, attachment, player.shells->attachments[attachment]);
  }
}

}  // namespace

std::size_t most_lanes(const supple_asset& asset) {
  std::size_t most = 0;
  for (std::uint32_t i = 0; i < asset.shell_count; ++i) {
    const std::size_t lanes = asset.lanes(asset.shells[i].object);
    if (lanes > most) most = lanes;
  }
  return most;
}

void lay_out_rows(Arena& arena, std::size_t lanes, std::size_t count, Handle* handles) {
  for (std::size_t i = 0; i < count; ++i) {
    Handle unused{};
    Handle& handle = handles == nullptr ? unused : handles[i];
    handle.displacements = arena.take<double>(3 * lanes);
    handle.turns = arena.take<double>(3 * lanes);
  }
}

Rotation bind_rotation(const format::Object& object, double& scale) {
  const std::array<double, 12>& m = object.frame_from_bind;
  const Vec3 columns[3] = {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}};
  scale = length(columns[0]);
  Rotation rotation{0, 0, 0, 1};
  (void)rotation_of(columns, rotation);  // the reader saw that it is one
  return rotation;
}

Vec3 from_bind(const supple_asset& asset, const format::Object& object, Vec3 position) {
  const Vec3 v = (1 / asset.world.units_of_file) * asset.world.in(position);
  const std::array<double, 12>& m = object.frame_from_bind;
  return {m[0] * v.x + m[1] * v.y + m[2] * v.z + m[3], m[4] * v.x + m[5] * v.y + m[6] * v.z + m[7],
          m[8] * v.x + m[9] * v.y + m[10] * v.z + m[11]};
}

void fill_rows(const supple_asset& asset, const format::Entry& entry, std::uint32_t vertex,
               Handle& handle) {
  const format::Object& file = asset.objects[entry.object];
  const World& world = asset.world;
  double scale = 1;
  const Rotation turn = bind_rotation(file, scale);
  scale /= world.units_of_file;
  for (std::size_t k = 0; k < file.mode_count; ++k) {
    const VertexShape shape = vertex_shape(asset, entry, k, vertex % format::kBlock);
    const Vec3 u = scale * to_world(turn, world.in(vector_of(shape.displacement)));
    const Vec3 w = to_world(turn, world.turn_in(vector_of(shape.normal)));
    const double numbers[6] = {u.x, u.y, u.z, w.x, w.y, w.z};
    std::memcpy(handle.displacements + 3 * k, numbers, 3 * sizeof(double));
    std::memcpy(handle.turns + 3 * k, numbers + 3, 3 * sizeof(double));
  }
}

const Kind kShell{
    .code = format::Kind::Shell,
    .name = SUPPLE_SHELL,
    .has_turns = true,
    .read = read_shells,
    .lay_out = lay_out_shells,
    .prepare = prepare_shell,
    .adjust = adjust_shell,
    .reset = reset_shell,
    .push = push_shell,
    .step = step_shell,
};

}  // namespace supple::player
