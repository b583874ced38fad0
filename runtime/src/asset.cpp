// SPDX-License-Identifier: Apache-2.0
#include "asset.hpp"

#include "detail.hpp"
#include "kinds.hpp"
#include "reader.hpp"
#include "sized.hpp"

#include <cstring>
#include <type_traits>

namespace supple::player {
namespace {

/// Where the program's axes or unit are other than the file's, its own copy of what they change.
struct Copies {
  format::Mode* modes;
  unsigned char* shapes;
};

Copies lay_out_asset(Arena& arena, const supple_asset& asset, supple_asset& placed) {
  const std::size_t objects = asset.summary->object_count;
  std::size_t lanes = 0;
  for (std::size_t i = 0; i < objects; ++i) lanes += lanes_of(asset.objects[i].mode_count);
  placed.first_lane = arena.take<std::size_t>(objects + 1);
  placed.constants = arena.take<double>(kConstantRows * lanes);
  const bool rescaled = asset.world.units_of_file != 1;
  return {arena.take<format::Mode>(rescaled ? asset.summary->mode_count : 0),
          arena.take<unsigned char>(asset.world.same_axes ? 0 : asset.shapes_size)};
}

void fill_lane(const format::Mode& mode, double w, double xi, std::size_t lanes, double* lane) {
  const bool over = xi >= 1;
  const double deviation = (1 - xi) * (1 + xi);
  const double root = __builtin_sqrt(over ? -deviation : deviation);
  lane[kStiffness * lanes] = w * w;
  lane[kCompliance * lanes] = 1 / (w * w);
  lane[kDecay * lanes] = xi * w;
  lane[kDampedFrequency * lanes] = over ? 0 : w * root;
  lane[kSlowRate * lanes] = over ? w / (xi + root) : 0;
  lane[kFastRate * lanes] = over ? w * (xi + root) : 0;
  lane[kCurvature * lanes] = w * w * deviation;
  lane[kInverseFrequency * lanes] = over ? 0 : 1 / (w * root);
  lane[kCreeps * lanes] = over ? 1 : 0;
  for (std::size_t i = 0; i < 6; ++i) {
    lane[(kTransfer + i) * lanes] = mode.transfer[i];
    lane[(kCentrifugal + i) * lanes] = mode.centrifugal[i];
  }
  lane[kReach * lanes] = mode.largest_displacement;
}

void fill(supple_asset& asset) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < asset.summary->object_count; ++i) {
    const format::Object& object = asset.objects[i];
    asset.first_lane[i] = next;
    fill_constants(object, asset.modes, 1, 1, asset.constants + kConstantRows * next);
    next += lanes_of(object.mode_count);
  }
  asset.first_lane[asset.summary->object_count] = next;
}

/// Displacements in the program's units, by their scale.
void rescale_modes(supple_asset& asset, format::Mode* copies) {
  for (std::uint32_t i = 0; i < asset.summary->mode_count; ++i) {
    copies[i] = asset.modes[i];
    copies[i].position_scale =
        static_cast<float>(asset.world.units_of_file * copies[i].position_scale);
  }
  asset.modes = copies;
}

/// One row of shapes, as it is or negated.
template <class Number>
void copy_row(const unsigned char* from, bool flips, unsigned char* to) {
  for (std::size_t lane = 0; lane < format::kBlock; ++lane) {
    Number number = 0;
    std::memcpy(&number, from + lane * sizeof number, sizeof number);
    if (flips && std::is_same_v<Number, std::int16_t> && number == INT16_MIN) ++number;
    if (flips) number = static_cast<Number>(-number);
    std::memcpy(to + lane * sizeof number, &number, sizeof number);
  }
}

/// The shapes in the program's axes. Contract: `copies` has the shapes' size.
void turn_shapes(supple_asset& asset, unsigned char* copies) {
  const World& world = asset.world;
  const bool is_short = asset.summary->encoding == format::Encoding::Int16;
  const std::size_t row_size = format::kBlock * (is_short ? sizeof(std::int16_t) : sizeof(float));
  for (std::uint32_t i = 0; i < asset.summary->entry_count; ++i) {
    const format::Entry& entry = asset.entries[i];
    const format::Object& object = asset.objects[entry.object];
    const std::size_t offset = std::size_t{entry.offset} * format::kAlignment;
    const bool turns = kind_of(object).has_turns;
    for (std::size_t row = 0; row < object.mode_count * format::kRows; ++row) {
      const std::size_t axis = row % 3;
      const std::size_t target = row - axis + static_cast<std::size_t>(world.axis[axis]);
      const bool is_turn = turns && row % format::kRows >= 3;
      const bool flips = world.sign[axis] * (is_turn ? world.handedness : 1) < 0;
      const unsigned char* from = asset.shapes + offset + row * row_size;
      unsigned char* to = copies + offset + target * row_size;
      is_short ? copy_row<std::int16_t>(from, flips, to) : copy_row<float>(from, flips, to);
    }
  }
  asset.shapes = copies;
}

void fit_to_world(supple_asset& asset, const Copies& copies) {
  if (asset.world.units_of_file != 1) rescale_modes(asset, copies.modes);
  if (!asset.world.same_axes) turn_shapes(asset, copies.shapes);
}

/// Puts an asset that was read into memory of its own.
supple_status place(supple_asset& checked, supple_asset** asset) {
  Arena measure;
  measure.take<supple_asset>(1);
  lay_out_asset(measure, checked, checked);
  void* block = allocate(checked.allocator, measure);
  if (block == nullptr) return SUPPLE_OUT_OF_MEMORY;
  Arena arena(block);
  auto* opened = arena.take<supple_asset>(1);
  *opened = checked;
  fit_to_world(*opened, lay_out_asset(arena, checked, *opened));
  fill(*opened);
  *asset = opened;
  return SUPPLE_OK;
}

bool make_allocator(const supple_open_options& options, Allocator& allocator) {
  allocator = {options.allocate, options.release, options.memory_context};
  return (options.allocate == nullptr) == (options.release == nullptr) ||
         refuse("allocate and release: give both or none");
}

}  // namespace

supple_status open_owned(const supple_asset& like, unsigned char* bytes, std::size_t size,
                         supple_asset** asset) {
  supple_asset checked{};
  checked.allocator = like.allocator;
  checked.own_bytes = bytes;
  supple_status status = FileReader(bytes, size, checked).read();
  checked.world = like.world;
  if (status == SUPPLE_OK) status = place(checked, asset);
  if (status != SUPPLE_OK) release(like.allocator, bytes);
  return status;
}

void fill_constants(const format::Object& object, const format::Mode* modes, double stiffness,
                    double damping, double* rows) {
  const std::size_t lanes = lanes_of(object.mode_count);
  const double faster = __builtin_sqrt(stiffness);
  for (std::size_t k = 0; k < object.mode_count; ++k) {
    const format::Mode& mode = modes[object.first_mode + k];
    fill_lane(mode, faster * mode.omega, damping * mode.damping, lanes, rows + k);
  }
  double* creeps = rows + kCreeps * lanes;
  for (std::size_t at = 0; at < lanes; at += kLanes) {
    double count = 0;
    for (std::size_t k = at; k < at + kLanes && k < object.mode_count; ++k) count += creeps[k];
    for (std::size_t i = 0; i < kLanes; ++i) creeps[at + i] = count;
  }
}

}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_asset_open(const void* bytes, size_t size, supple_asset** asset) {
  return supple_asset_open_with(bytes, size, nullptr, asset);
}

supple_status supple_asset_open_with(const void* bytes, size_t size,
                                     const supple_open_options* options, supple_asset** asset) {
  if (!player::given(asset, "asset")) return SUPPLE_BAD_ARGUMENT;
  *asset = nullptr;
  supple_open_options ours{};
  if (!player::given(bytes, "bytes") || (options != nullptr && !player::take(options, ours))) {
    return SUPPLE_BAD_ARGUMENT;
  }
  supple_asset checked{};
  if (!player::make_allocator(ours, checked.allocator)) return SUPPLE_BAD_ARGUMENT;
  const supple_status status = player::FileReader(bytes, size, checked).read();
  if (status != SUPPLE_OK) return status;
  if (!player::make_world(ours, checked.summary->metres_per_unit, checked.world)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  return player::place(checked, asset);
}

void supple_asset_close(supple_asset* asset) {
  if (asset == nullptr) return;
  const player::Allocator allocator = asset->allocator;  // it lies in what is released
  player::release(allocator, asset->own_bytes);
  player::release(allocator, asset);
}

}  // extern "C"
