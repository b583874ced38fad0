// SPDX-License-Identifier: Apache-2.0
// Memory is taken when assets and players are created, and nowhere else. The linker sends every
// allocation of this program's own objects, the player's among them, through the functions below.
#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <vector>

namespace {
std::atomic<long> g_allocations{0};
}

// The names are the linker's.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __real_malloc(std::size_t);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void* __real_aligned_alloc(std::size_t, std::size_t);
int __real_posix_memalign(void**, std::size_t, std::size_t);
void* __real__Znwm(std::size_t);
void* __real__Znam(std::size_t);

void* __wrap_malloc(std::size_t size) {
  ++g_allocations;
  return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  ++g_allocations;
  return __real_calloc(count, size);
}
void* __wrap_realloc(void* block, std::size_t size) {
  ++g_allocations;
  return __real_realloc(block, size);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  ++g_allocations;
  return __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  ++g_allocations;
  return __real_posix_memalign(block, alignment, size);
}
void* __wrap__Znwm(std::size_t size) {
  ++g_allocations;
  return __real__Znwm(size);
}
void* __wrap__Znam(std::size_t size) {
  ++g_allocations;
  return __real__Znam(size);
}
}
// NOLINTEND(bugprone-reserved-identifier)

namespace supple::player::testing {
namespace {

TEST(Allocation, OnePerAssetAndPlayerAndNoneAfter) {
  MeshSpec spec;
  spec.coriolis = true;
  const OpenAsset file(random_asset(spec));
  std::vector<float> rest(std::size_t{3} * spec.vertices, 0.5F);
  std::vector<float> out(rest.size());
  supple_deformation d{};
  d.rest_positions = {rest.data(), 0};
  d.positions = {out.data(), 0};

  const long before = g_allocations;
  supple_asset* asset = nullptr;
  ASSERT_EQ(supple_asset_open(file.bytes().data(), file.bytes().size(), &asset), SUPPLE_OK);
  EXPECT_EQ(g_allocations - before, 1);
  supple_player* player = nullptr;
  ASSERT_EQ(supple_player_create(asset, &player), SUPPLE_OK);
  EXPECT_EQ(g_allocations - before, 2);

  const long created = g_allocations;
  for (int frame = 0; frame < 5000; ++frame) {
    const double t = frame / 60.0;
    const double position[3] = {10 * std::sin(t), frame == 2500 ? 1e6 : 0.0, 0};
    const double rotation[4] = {0, std::sin(t), 0, std::cos(t)};
    const double force[3] = {1, 2, 3};
    supple_player_set_bone_pose(player, 0, position, rotation);
    if (frame % 7 == 0) supple_player_push(player, 21, force);
    supple_player_step(player, frame % 100 == 0 ? 0.5 : 1.0 / 60 + 1e-4 * (frame % 3));
    supple_player_deform(player, &d);
    if (frame % 1000 == 999) supple_player_reset(player);
  }
  EXPECT_EQ(g_allocations - created, 0);
  supple_player_destroy(player);
  supple_asset_close(asset);
}

TEST(Allocation, HeldShellsTakeNone) {
  const OpenAsset file(flesh_and_shell(53, 20));
  const Player player = make_player(file);
  const supple_wind wind{.velocity = {3, 1, 0}, .gusts = 0.5, .gust_size = 2, .density = 1.2};
  const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1F, 0, 0, 1};
  const std::vector<float> rest(std::size_t{3} * 53, 0.5F);
  std::vector<float> out(rest.size());
  const supple_stream_in in{rest.data(), 0};
  const supple_stream_out to{out.data(), 0};
  const long before = g_allocations;
  supple_player_set_wind(player.get(), &wind);
  for (int frame = 0; frame < 500; ++frame) {
    supple_handle handle{};
    handle.vertex = 30;
    handle.components = 7;
    handle.position[0] = 0.01 * frame;
    supple_player_set_handle(player.get(), 0, &handle);
    supple_player_set_attachment_matrix(player.get(), 0, matrix);
    if (frame % 50 == 49) supple_player_remove_handle(player.get(), 0);
    if (frame % 100 == 99) supple_player_release_attachment(player.get(), 0);
    supple_player_step(player.get(), 1.0 / 60);
    supple_player_rotation_strain(player.get(), 1, &in, &to);
  }
  EXPECT_EQ(g_allocations - before, 0);
}

TEST(Allocation, LightTakesOneWhenItIsFirstSet) {
  soft::Asset asset = random_asset({});
  asset.light = random_light(asset, {});
  const OpenAsset file(asset);
  const Player player = make_player(file);
  std::vector<float> colours(std::size_t{3} * asset.vertex_count);
  std::vector<float> light(48, 1);
  supple_shading shading{};
  shading.front.data = colours.data();
  float appearance[3];
  const long before = g_allocations;
  ASSERT_EQ(supple_player_set_light(player.get(), light.data(), 48), SUPPLE_OK);
  EXPECT_EQ(g_allocations - before, 1);
  for (int frame = 0; frame < 200; ++frame) {
    set_pose(player.get(), 0, {0.01 * frame, 0, 0},
             Eigen::Quaterniond(Eigen::AngleAxisd(0.1 * frame, Eigen::Vector3d::UnitY())));
    supple_player_step(player.get(), kFrame);
    light[0] += 0.1F;
    if (frame % 3 == 0) supple_player_set_light(player.get(), light.data(), 48);
    EXPECT_EQ(supple_player_shade(player.get(), &shading), SUPPLE_OK);
    EXPECT_EQ(supple_player_appearance(player.get(), appearance), SUPPLE_OK);
  }
  EXPECT_EQ(g_allocations - before, 1);
}

/// Memory of a program's own, which may run out.
struct Heap {
  int allowed = 1 << 20;  ///< blocks that are still to be had
  int taken = 0;
  int held = 0;

  [[nodiscard]] supple_open_options options() {
    supple_open_options options{};
    options.allocate = [](void* heap, std::size_t size) {
      return static_cast<Heap*>(heap)->allocate(size);
    };
    options.release = [](void* heap, void* block) { static_cast<Heap*>(heap)->release(block); };
    options.memory_context = this;
    options.axis_x = SUPPLE_AXIS_X;  // a copy of the shapes, too
    options.axis_y = SUPPLE_AXIS_Z;
    options.axis_z = SUPPLE_AXIS_Y;
    options.metres_per_unit = 1;
    return options;
  }

  void* allocate(std::size_t size) {
    if (taken == allowed) return nullptr;
    ++taken;
    ++held;
    return ::operator new(size);
  }
  void release(void* block) {
    --held;
    ::operator delete(block);
  }
};

/// Everything that takes memory, as far as there is some; returns how the first failure is called.
supple_status use(const AlignedBytes& file, Heap& heap) {
  const supple_open_options options = heap.options();
  supple_asset* asset = nullptr;
  supple_status status = supple_asset_open_with(file.data(), file.size(), &options, &asset);
  if (status != SUPPLE_OK) {
    EXPECT_EQ(asset, nullptr);
    return status;
  }
  supple_player* player = nullptr;
  status = supple_player_create(asset, &player);
  EXPECT_EQ(player == nullptr, status != SUPPLE_OK);
  for (const std::uint32_t slots : {20U, 40U}) {
    if (status != SUPPLE_OK) break;
    status = supple_player_reserve_handles(player, slots);
    supple_handle handle{};  // what is there works on
    handle.vertex = 30;
    handle.components = SUPPLE_HANDLE_POSITION;
    EXPECT_EQ(supple_player_set_handle(player, 15, &handle), SUPPLE_OK);
    EXPECT_EQ(supple_player_step(player, kFrame), SUPPLE_OK);
  }
  supple_player_destroy(player);
  supple_asset_close(asset);
  return status;
}

TEST(Allocation, AllOfItIsTheProgramsOwnWhereItSaysSo) {
  const OpenAsset file(flesh_and_shell(53, 20));
  Heap heap;
  const long before = g_allocations;
  EXPECT_EQ(use(file.bytes(), heap), SUPPLE_OK);
  EXPECT_EQ(heap.taken, 4);  // an asset, a player, slots for handles twice
  EXPECT_EQ(heap.held, 0);
  EXPECT_EQ(g_allocations - before, heap.taken);  // the heap's own, and no other
}

TEST(Allocation, EachThatFailsIsSaidAndLeaksNothing) {
  const OpenAsset file(flesh_and_shell(53, 20));
  for (int allowed = 0; allowed < 4; ++allowed) {
    Heap heap;
    heap.allowed = allowed;
    EXPECT_EQ(use(file.bytes(), heap), SUPPLE_OUT_OF_MEMORY) << allowed;
    EXPECT_EQ(std::string(supple_error_detail()).substr(0, 14), "no memory for ") << allowed;
    EXPECT_EQ(heap.held, 0) << allowed;
  }
}

}  // namespace
}  // namespace supple::player::testing
