// SPDX-License-Identifier: Apache-2.0
#include "player/synthetic_asset.hpp"

#include "fuzz/harness.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

namespace {

using supple::player::testing::MeshSpec;
using supple::player::testing::OpenAsset;
using supple::player::testing::Player;

/// Draws numbers from the fuzzer's bytes: tame ones, hostile ones, or any bits at all.
class Source {
 public:
  Source(const std::uint8_t* data, std::size_t size) : m_next(data), m_left(size) {}

  [[nodiscard]] bool empty() const { return m_left == 0; }

  std::uint8_t byte() {
    if (m_left == 0) return 0;
    --m_left;
    return *m_next++;
  }

  double number() {
    constexpr double kHostile[] = {0,
                                   -0.0,
                                   1,
                                   -1,
                                   1e-320,
                                   1e-9,
                                   0.25,
                                   60,
                                   1e12,
                                   -1e12,
                                   1e38,
                                   1e300,
                                   -1e300,
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN()};
    const std::uint8_t kind = byte();
    if (kind < 160) return (byte() - 128) / 64.0;
    if (kind < 224) return kHostile[byte() % std::size(kHostile)];
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8U | byte();
    double any = 0;
    std::memcpy(&any, &bits, sizeof any);
    return any;
  }

 private:
  const std::uint8_t* m_next;
  std::size_t m_left;
};

void set_bone(Source& source, supple_player* player) {
  const std::uint32_t object = source.byte() % 4;
  if (source.byte() % 2 == 0) {
    const double position[3] = {source.number(), source.number(), source.number()};
    const double rotation[4] = {source.number(), source.number(), source.number(), source.number()};
    supple_player_set_bone_pose(player, object, position, rotation);
    if (source.byte() % 4 == 0) {
      supple_player_set_bone_motion(player, object, position, rotation, nullptr, position);
    }
    return;
  }
  float matrix[16];
  for (float& x : matrix) {
    const double number = source.number();
    // Too large for a float is undefined as a conversion; the caller's matrix holds floats.
    x = std::abs(number) < 1e38 ? static_cast<float>(number)
                                : std::numeric_limits<float>::infinity();
  }
  supple_player_set_bone_matrix(player, object, matrix);
}

void change_settings(Source& source, supple_player* player) {
  const std::uint32_t object = source.byte() % 3;
  supple_object_settings s{};
  if (supple_player_get_settings(player, object, &s) != SUPPLE_OK) return;
  switch (source.byte() % 11) {
    case 0:
      s.enabled = source.byte() % 2;
      break;
    case 1:
      s.gain = source.number();
      break;
    case 2:
      s.limit_metres = source.number();
      break;
    case 3:
      s.modes = source.byte() % 8;
      break;
    case 4:
      s.max_acceleration = source.number();
      break;
    case 5:
      s.max_spin = source.number();
      break;
    case 6:
      s.teleport_speed = source.number();
      break;
    case 7:
      s.stiffness = source.number();
      break;
    case 8:
      s.damping = source.number();
      break;
    case 9:
      s.warp = source.byte() % 2;
      break;
    default:
      s.coriolis = source.byte() % 2;
      break;
  }
  // As an older or newer program would.
  if (source.byte() % 8 == 0) s.struct_size = source.byte() % (sizeof s + 1);
  supple_player_set_settings(player, object, &s);
}

void hold(Source& source, supple_player* player) {
  switch (source.byte() % 8) {
    case 0:
    case 1:
    case 2: {
      supple_handle handle{};
      handle.vertex = source.byte() % 60;
      handle.components = source.byte() % 70;
      for (double& x : handle.position) x = source.number();
      for (double& x : handle.orientation) x = source.number();
      handle.stiffness = source.byte() % 2 == 0 ? 0 : source.number();
      supple_player_set_handle(player, source.byte() % 20, &handle);
      break;
    }
    case 3:
      supple_player_remove_handle(player, source.byte() % 20);
      break;
    case 4: {
      float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
      const double number = source.number();
      matrix[source.byte() % 16] = std::abs(number) < 1e38 ? static_cast<float>(number) : 0;
      supple_player_set_attachment_matrix(player, source.byte() % 3, matrix);
      break;
    }
    case 5:
      supple_player_release_attachment(player, source.byte() % 3);
      break;
    case 6: {
      supple_wind wind{};
      for (double& x : wind.velocity) x = source.number();
      wind.gusts = source.number();
      wind.gust_size = source.number();
      wind.density = source.number();
      supple_player_set_wind(player, &wind);
      break;
    }
    default:
      supple_player_reserve_handles(player, source.byte() % 40);
      break;
  }
}

/// Calls to a scene, and to objects that are none.
void act(Source& source, supple_player* player) {
  const std::uint32_t object = source.byte() % 3;
  if (source.byte() % 4 != 0) {
    supple_player_trigger(player, object, source.byte() % 3, source.number());
  } else {
    supple_scene_settings settings{};
    if (supple_player_get_scene_settings(player, object, &settings) == SUPPLE_OK) {
      settings.half_life = source.number();
      settings.blend = source.byte() % 3;
      supple_player_set_scene_settings(player, object, &settings);
    }
  }
  supple_scene_state state{};
  if (supple_player_scene_state(player, object, &state) != SUPPLE_OK) return;
  SUPPLE_CHECK(std::isfinite(state.off) && std::isfinite(state.frame));
  SUPPLE_CHECK(std::isfinite(state.last_blend));
}

void deform(Source& source, const supple_player* player, std::uint32_t vertices) {
  const std::vector<float> rest(std::size_t{3} * vertices, 0.5F);
  std::vector<float> out[3];
  for (auto& stream : out) stream.resize(rest.size());
  const std::vector<std::uint16_t> joints(std::size_t{8} * vertices, source.byte());
  const std::vector<float> weights(joints.size(), 0.125F);
  const std::vector<float> palette(48, 1);
  supple_deformation d{};
  const std::uint8_t which = source.byte();
  d.rest_positions = d.rest_normals = d.rest_tangents = {rest.data(), 0};
  if ((which & 1U) != 0) d.positions = {out[0].data(), 12};
  if ((which & 2U) != 0) d.normals = {out[1].data(), 0};
  if ((which & 4U) != 0) d.tangents = {out[2].data(), 0};
  if ((which & 8U) != 0) d.palette = palette.data();
  d.joint_count = 3;
  d.influences = source.byte() % 10;
  d.joints = joints.data();
  d.weights = weights.data();
  d.first_vertex = source.byte() % 8 * 16;
  d.vertex_count = source.byte();
  supple_player_deform(player, &d);
}

void call(Source& source, supple_player* player, std::uint32_t vertices) {
  switch (source.byte() % 14) {
    case 10:
    case 11:
      hold(source, player);
      break;
    case 12:
    case 13:
      act(source, player);
      break;
    case 0:
    case 1:
      set_bone(source, player);
      break;
    case 2:
    case 3:
      supple_player_step(player, source.number());
      break;
    case 4:
      supple_player_step(player, 1.0 / 60);
      break;
    case 5: {
      const double force[3] = {source.number(), source.number(), source.number()};
      supple_player_push(player, source.byte(), force);
      break;
    }
    case 6:
      change_settings(source, player);
      break;
    case 7: {
      const double gravity[3] = {source.number(), source.number(), source.number()};
      supple_player_set_gravity(player, gravity);
      break;
    }
    case 8:
      deform(source, player, vertices);
      break;
    default:
      if (source.byte() % 4 == 0) {
        supple_player_reset(player);
      } else {
        supple_player_reset_object(player, source.byte() % 4);
      }
  }
}

}  // namespace

/// For any calls in any order, coefficients stay finite: of flesh, of flesh with a shell, of both
/// in a program with other axes and units, and of flesh with a scene.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t kVertices = 53;
  static const OpenAsset flesh(supple::player::testing::random_asset(
      {.vertices = kVertices, .objects = {{3, 0, 1}, {9, 20, 2}}, .coriolis = true}));
  static const OpenAsset both(supple::player::testing::flesh_and_shell(kVertices, 20));
  static const OpenAsset elsewhere(supple::player::testing::flesh_and_shell(kVertices, 20), {},
                                   {.axis_x = SUPPLE_AXIS_X,
                                    .axis_y = SUPPLE_AXIS_Z,
                                    .axis_z = SUPPLE_AXIS_Y,
                                    .metres_per_unit = 0.01});
  static const OpenAsset scene(supple::player::testing::flesh_and_scene(kVertices));
  struct Kind {
    const OpenAsset* asset;
    int modes;
  };
  static const std::array<Kind, 5> kinds{
      {{&both, 7}, {&flesh, 12}, {&both, 7}, {&elsewhere, 7}, {&scene, 7}}};
  Source source(data, size);
  const auto [asset, modes] = kinds[source.byte() % kinds.size()];
  const Player player = supple::player::testing::make_player(*asset);
  while (!source.empty()) {
    call(source, player.get(), kVertices);
    const float* q = supple_player_coefficients(player.get());
    for (int k = 0; k < modes; ++k) SUPPLE_CHECK(std::isfinite(q[k]));
  }
  return 0;
}
