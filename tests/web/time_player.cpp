// SPDX-License-Identifier: Apache-2.0
// time_player write FOLDER        writes what is timed
// time_player FOLDER best|baseline prints nanoseconds of the native player as JSON
// time_player.mjs times the WebAssembly player on the same; ./bench wasm runs both.
#include "player/synthetic_asset.hpp"

#include "supple/core/files.hpp"

#include "player.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>

namespace {

using supple::player::InstructionSet;
using supple::player::testing::AlignedBytes;
using supple::player::testing::MeshSpec;
using supple::player::testing::Player;

constexpr std::size_t kCharacters = 100;
constexpr std::uint32_t kVertices = 17'953;
constexpr int kRounds = 1001;

bool write_timed(const std::filesystem::path& path, const MeshSpec& spec, bool float32) {
  supple::soft::Asset asset = supple::player::testing::random_asset(spec, 3);
  for (supple::soft::Object& object : asset.objects) object.limit = 0.05;
  const auto written = supple::io::write_supple(asset, {float32});
  return written.ok() && supple::write_file(path, written->bytes).ok();
}

int write_all(const std::filesystem::path& folder) {
  const bool done =
      write_timed(folder / "step.supple", {53, {{5, 0, 1}, {5, 0, 1}, {5, 0, 1}}, false}, false) &&
      write_timed(folder / "short.supple", {kVertices, {{5, 0, 1}}, false}, false) &&
      write_timed(folder / "float.supple", {kVertices, {{5, 0, 1}}, false}, true);
  return done ? 0 : 5;
}

/// Median nanoseconds of a call.
double median(int repeats, const std::function<void()>& call) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times(kRounds);
  for (double& time : times) {
    const auto begin = Clock::now();
    for (int i = 0; i < repeats; ++i) call();
    time = std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / repeats;
  }
  std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
  return times[kRounds / 2];
}

class TimedStage {
 public:
  TimedStage(const std::filesystem::path& file, InstructionSet set, std::size_t characters)
      : m_bytes(read(file)) {
    SUPPLE_CHECK(supple_asset_open(m_bytes.data(), m_bytes.size(), &m_asset) == SUPPLE_OK);
    supple_asset_describe(m_asset, &m_info);
    m_players.reserve(characters);
    for (std::size_t i = 0; i < characters; ++i) {
      supple_player* player = nullptr;
      SUPPLE_CHECK(supple_player_create(m_asset, &player) == SUPPLE_OK);
      supple::player::choose(*player, set);
      m_players.emplace_back(player);
    }
  }
  ~TimedStage() {
    m_players.clear();
    supple_asset_close(m_asset);
  }
  TimedStage(const TimedStage&) = delete;
  TimedStage& operator=(const TimedStage&) = delete;

  [[nodiscard]] const supple_asset_info& info() const { return m_info; }
  [[nodiscard]] const supple_player* first() const { return m_players.front().get(); }

  /// A frame of all characters: bones in, coefficients out.
  void frame(bool changing) {
    ++m_frame;
    float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    for (std::size_t i = 0; i < m_players.size(); ++i) {
      const std::size_t phase = (m_frame + 17 * i) % 240;
      matrix[12] = 10 * static_cast<float>(phase < 120 ? phase : 240 - phase) / 120;
      for (std::uint32_t k = 0; k < m_info.object_count; ++k) {
        supple_player_set_bone_matrix(m_players[i].get(), k, matrix);
      }
      const double dt = changing ? 0.01 + 0.0001 * static_cast<double>(phase) : 1.0 / 60;
      supple_player_step(m_players[i].get(), dt);
    }
  }

 private:
  static supple::Bytes read(const std::filesystem::path& file) {
    auto bytes = supple::read_file(file);
    SUPPLE_CHECK(bytes.ok());
    return std::move(*bytes);
  }

  AlignedBytes m_bytes;
  supple_asset* m_asset = nullptr;
  supple_asset_info m_info{};
  std::vector<Player> m_players;
  std::size_t m_frame = 0;
};

double time_step(const std::filesystem::path& folder, InstructionSet set, bool changing) {
  TimedStage stage(folder / "step.supple", set, kCharacters);
  for (int i = 0; i < 240; ++i) stage.frame(changing);
  const double objects = static_cast<double>(kCharacters) * stage.info().object_count;
  return median(1, [&] { stage.frame(changing); }) / objects;
}

double time_vertices(const std::filesystem::path& file, InstructionSet set) {
  TimedStage stage(file, set, 1);
  for (int i = 0; i < 30; ++i) stage.frame(false);
  const std::size_t floats = std::size_t{3} * kVertices;
  const AlignedBytes memory(supple::Bytes(4 * floats * sizeof(float)));
  auto* numbers = reinterpret_cast<float*>(memory.data());
  std::fill_n(numbers, 2 * floats, 0.5F);
  supple_deformation d{};
  d.rest_positions.data = numbers;
  d.rest_normals.data = numbers + floats;
  d.positions.data = numbers + 2 * floats;
  d.normals.data = numbers + 3 * floats;
  return median(1, [&] { supple_player_deform(stage.first(), &d); });
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  if (std::string(arguments[1]) == "write") return write_all(arguments[2]);
  const std::filesystem::path folder = arguments[1];
  InstructionSet set = InstructionSet::Baseline;
  if (std::string(arguments[2]) == "best") {
    for (const InstructionSet better : {InstructionSet::Avx2, InstructionSet::Avx512}) {
      if (supple::player::has(better)) set = better;
    }
  }
  std::printf("{\"step\": %.3f, \"changing\": %.3f, \"short\": %.0f, \"float\": %.0f}\n",
              time_step(folder, set, false), time_step(folder, set, true),
              time_vertices(folder / "short.supple", set),
              time_vertices(folder / "float.supple", set));
  return 0;
}
