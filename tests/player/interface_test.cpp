// SPDX-License-Identifier: Apache-2.0
// What holds for all of supple.h: versions, sizes of structs, details of errors.
#include "player/file_bytes.hpp"

#include <functional>
#include <string>
#include <thread>

namespace supple::player::testing {
namespace {

TEST(Version, IsTheHeadersAtRunTime) {
  EXPECT_EQ(supple_version(), static_cast<std::uint32_t>(SUPPLE_VERSION));
  EXPECT_EQ(std::string(supple_version_text()), std::to_string(SUPPLE_VERSION_MAJOR) + "." +
                                                    std::to_string(SUPPLE_VERSION_MINOR) + "." +
                                                    std::to_string(SUPPLE_VERSION_PATCH));
  EXPECT_STREQ(supple_version_text(), SUPPLE_PROJECT_VERSION);
}

constexpr unsigned char kCanary = 0xa5;
constexpr std::size_t kRoom = 64;  // what a later version may have more

/// A caller's struct of any version, with untouched memory behind it.
template <class Struct>
class Caller {
 public:
  explicit Caller(std::size_t size) : m_size(size), m_bytes(sizeof(Struct) + 2 * kRoom, kCanary) {
    std::memcpy(m_bytes.data(), &size, sizeof size);
  }
  [[nodiscard]] Struct* get() { return reinterpret_cast<Struct*>(m_bytes.data()); }

  /// As ours as far as both reach, 0 behind that, untouched behind its own end.
  void expect(const Struct& ours) const {
    const auto* from = reinterpret_cast<const unsigned char*>(&ours);
    std::size_t kept = 0;
    std::memcpy(&kept, m_bytes.data(), sizeof kept);
    EXPECT_EQ(kept, m_size) << "the size belongs to the caller";
    for (std::size_t i = sizeof kept; i < m_bytes.size(); ++i) {
      const unsigned char wanted = i >= m_size ? kCanary : i < sizeof ours ? from[i] : 0;
      ASSERT_EQ(m_bytes[i], wanted) << "byte " << i << " of a struct of " << m_size;
    }
  }

 private:
  std::size_t m_size;
  std::vector<unsigned char> m_bytes;
};

/// Every struct that the player fills, for callers of every size.
template <class Struct>
void expect_filled(const std::function<supple_status(Struct*)>& fill) {
  Struct ours;
  std::memset(static_cast<void*>(&ours), 0, sizeof ours);  // padding too
  ours.struct_size = sizeof ours;
  ASSERT_EQ(fill(&ours), SUPPLE_OK);
  for (std::size_t size = sizeof(std::size_t); size <= sizeof ours + kRoom; ++size) {
    Caller<Struct> caller(size);
    ASSERT_EQ(fill(caller.get()), SUPPLE_OK) << size;
    caller.expect(ours);
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{1} << 40U}) {
    Caller<Struct> caller(size);
    EXPECT_EQ(fill(caller.get()), SUPPLE_BAD_ARGUMENT) << size;
  }
  EXPECT_EQ(fill(nullptr), SUPPLE_BAD_ARGUMENT);
}

TEST(SizedStructs, AreFilledAsFarAsTheyReach) {
  const OpenAsset file(flesh_and_shell(53, 20));
  const Player player = make_player(file);
  const supple_asset* asset = file.get();
  supple_player* p = player.get();
  supple_player_step(p, kFrame);
  expect_filled<supple_asset_info>([&](auto* s) { return supple_asset_describe(asset, s); });
  expect_filled<supple_part_info>([&](auto* s) { return supple_asset_part(asset, 0, s); });
  expect_filled<supple_object_info>([&](auto* s) { return supple_asset_object(asset, 1, s); });
  expect_filled<supple_mode_info>([&](auto* s) { return supple_asset_mode(asset, 2, s); });
  expect_filled<supple_shell_info>([&](auto* s) { return supple_asset_shell(asset, 1, s); });
  expect_filled<supple_attachment_info>(
      [&](auto* s) { return supple_asset_attachment(asset, 1, s); });
  expect_filled<supple_gpu_layout>([&](auto* s) { return supple_asset_gpu_layout(asset, s); });
  expect_filled<supple_object_settings>(
      [&](auto* s) { return supple_player_get_settings(p, 1, s); });
  expect_filled<supple_diagnostics>([&](auto* s) { return supple_player_diagnose(p, s); });
  expect_filled<supple_handle_state>([&](auto* s) { return supple_player_handle_state(p, 0, s); });
  expect_filled<supple_handle_state>(
      [&](auto* s) { return supple_player_attachment_state(p, 0, s); });
  expect_filled<supple_shell_state>([&](auto* s) { return supple_player_shell_state(p, 1, s); });
}

TEST(SizedStructs, OlderSettingsLeaveTheOthersAsTheyAre) {
  const OpenAsset file(random_asset({}));
  const Player player = make_player(file);
  supple_object_settings settings = settings_of(player.get());
  settings.stiffness = 4;
  settings.damping = 2;
  ASSERT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_OK);
  // A program of before stiffness and damping: what stands there is not its own.
  settings.struct_size = offsetof(supple_object_settings, stiffness);
  settings.gain = 0.5;
  settings.stiffness = settings.damping = -1;
  ASSERT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_OK);
  const supple_object_settings now = settings_of(player.get());
  EXPECT_EQ(now.gain, 0.5);
  EXPECT_EQ(now.stiffness, 4);
  EXPECT_EQ(now.damping, 2);
  EXPECT_EQ(now.struct_size, sizeof now);
}

/// A struct of a later header: members that this player does not know behind those it does.
template <class Struct>
struct Later {
  Struct known{};
  double more[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  Later() { known.struct_size = sizeof *this; }
};

TEST(SizedStructs, NewerOnesAreReadAsFarAsTheyAreKnown) {
  const OpenAsset file(flesh_and_shell(53, 20));
  const Player player = make_player(file);
  Later<supple_object_settings> settings;
  settings.known = settings_of(player.get());
  settings.known.struct_size = sizeof settings;
  settings.known.gain = 2;
  ASSERT_EQ(supple_player_set_settings(player.get(), 0, &settings.known), SUPPLE_OK);
  EXPECT_EQ(settings_of(player.get()).gain, 2);

  Later<supple_wind> wind;
  wind.known.gust_size = 1;
  EXPECT_EQ(supple_player_set_wind(player.get(), &wind.known), SUPPLE_OK);
  Later<supple_handle> handle;
  handle.known.vertex = 30;
  handle.known.components = SUPPLE_HANDLE_POSITION;
  EXPECT_EQ(supple_player_set_handle(player.get(), 0, &handle.known), SUPPLE_OK);
  const std::vector<float> rest(std::size_t{3} * 53, 0.5F);
  std::vector<float> out(rest.size());
  Later<supple_deformation> deformation;
  deformation.known.rest_positions.data = rest.data();
  deformation.known.positions.data = out.data();
  EXPECT_EQ(supple_player_deform(player.get(), &deformation.known), SUPPLE_OK);
  Later<supple_open_options> options;
  supple_asset* asset = nullptr;
  EXPECT_EQ(
      supple_asset_open_with(file.bytes().data(), file.bytes().size(), &options.known, &asset),
      SUPPLE_OK);
  supple_asset_close(asset);
}

TEST(SizedStructs, OlderOnesThatAreReadHaveDefaults) {
  const OpenAsset file(flesh_and_shell(53, 20));
  const Player player = make_player(file);
  supple_wind wind{};
  wind.velocity[0] = 3;
  wind.gust_size = wind.density = -7;  // beyond its size
  wind.struct_size = offsetof(supple_wind, gust_size);
  EXPECT_EQ(supple_player_set_wind(player.get(), &wind), SUPPLE_OK);
  wind.struct_size = sizeof wind;
  EXPECT_EQ(supple_player_set_wind(player.get(), &wind), SUPPLE_BAD_ARGUMENT);
  EXPECT_STREQ(supple_error_detail(), "gust_size is not above 0");
  wind.struct_size = 0;
  EXPECT_EQ(supple_player_set_wind(player.get(), &wind), SUPPLE_BAD_ARGUMENT);
  EXPECT_STREQ(supple_error_detail(), "struct_size is 0; set it to the size of the struct");
}

TEST(ErrorDetail, NamesTheArgument) {
  const OpenAsset file(random_asset({}));
  const Player player = make_player(file);
  const double force[3] = {1, 2, std::nan("")};
  const auto said = [](supple_status status) {
    EXPECT_EQ(status, SUPPLE_BAD_ARGUMENT);
    return std::string(supple_error_detail());
  };
  supple_player* p = player.get();
  EXPECT_EQ(said(supple_player_push(nullptr, 0, force)), "player is null");
  EXPECT_EQ(said(supple_player_push(p, 99, force)), "there is no vertex 99; the file has 53");
  EXPECT_EQ(said(supple_player_push(p, 1, force)), "the force is not finite");
  EXPECT_EQ(said(supple_player_reset_object(p, 5)), "there is no object 5; the file has 2");
  supple_object_settings settings = settings_of(p);
  settings.stiffness = 0;
  EXPECT_EQ(said(supple_player_set_settings(p, 0, &settings)), "stiffness is out of range");
  const supple_handle handle{};
  EXPECT_EQ(said(supple_player_set_handle(p, 2, &handle)).substr(0, 30),
            "there is no slot 2 for a handl");
  EXPECT_EQ(supple_player_step(p, 0), SUPPLE_BAD_TIME_STEP);
  EXPECT_STREQ(supple_error_detail(), "dt is 0, negative or not finite");
  const float flat[16] = {};
  EXPECT_EQ(supple_player_set_bone_matrix(p, 1, flat), SUPPLE_BAD_TRANSFORM);
  EXPECT_STREQ(supple_error_detail(), "object 1: the rotation is not finite, mirrored or flat");
}

TEST(ErrorDetail, IsCutWhereANameIsTooLong) {
  const OpenAsset file(random_asset({}));
  const std::string name(5000, 'n');
  std::uint32_t object = 0;
  EXPECT_EQ(supple_asset_find_object(file.get(), name.c_str(), &object), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(std::string(supple_error_detail()).substr(0, 24), "there is no object 'nnnn");
  EXPECT_LT(std::strlen(supple_error_detail()), 300U);
}

TEST(ErrorDetail, BelongsToItsThread) {
  const OpenAsset file(random_asset({}));
  const Player player = make_player(file);
  EXPECT_EQ(supple_player_reset_object(player.get(), 7), SUPPLE_BAD_ARGUMENT);
  std::thread other([&] {
    EXPECT_STREQ(supple_error_detail(), "");
    supple_part_info part{};
    for (int i = 0; i < 1000; ++i) {
      EXPECT_EQ(supple_asset_part(file.get(), 9, &part), SUPPLE_BAD_ARGUMENT);
      EXPECT_STREQ(supple_error_detail(), "there is no part 9; the file has 2");
    }
  });
  for (int i = 0; i < 1000; ++i) {
    EXPECT_STREQ(supple_error_detail(), "there is no object 7; the file has 2");
  }
  other.join();
}

TEST(OpenOptions, RefuseWhatMakesNoSense) {
  const OpenAsset file(random_asset({}));
  const auto opened = [&](const std::function<void(supple_open_options&)>& change) {
    supple_open_options options{};
    change(options);
    supple_asset* asset = nullptr;
    const supple_status status =
        supple_asset_open_with(file.bytes().data(), file.bytes().size(), &options, &asset);
    EXPECT_EQ(asset == nullptr, status != SUPPLE_OK);
    supple_asset_close(asset);
    return status;
  };
  using Options = supple_open_options;
  const auto axes = [&](int x, int y, int z) {
    return opened([&](Options& o) { o.axis_x = x, o.axis_y = y, o.axis_z = z; });
  };
  EXPECT_EQ(opened([](Options&) {}), SUPPLE_OK);
  EXPECT_EQ(axes(1, 2, 3), SUPPLE_OK);
  EXPECT_EQ(axes(-2, 3, 1), SUPPLE_OK);
  EXPECT_EQ(axes(1, 1, 3), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(axes(1, -1, 3), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(axes(1, 2, 0), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(axes(1, 2, 4), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(axes(INT32_MIN, 2, 1), SUPPLE_BAD_ARGUMENT);
  for (const double unit : {-1.0, 1e-300, 1e300, std::nan("")}) {
    EXPECT_EQ(opened([&](Options& o) { o.metres_per_unit = unit; }), SUPPLE_BAD_ARGUMENT) << unit;
  }
  EXPECT_EQ(opened([](Options& o) { o.metres_per_unit = 0.0254; }), SUPPLE_OK);
  EXPECT_EQ(opened([](Options& o) { o.release = [](void*, void*) {}; }), SUPPLE_BAD_ARGUMENT);
  EXPECT_STREQ(supple_error_detail(), "allocate and release: give both or none");
  EXPECT_EQ(opened([](Options& o) { o.struct_size = 3; }), SUPPLE_BAD_ARGUMENT);
}

}  // namespace
}  // namespace supple::player::testing
