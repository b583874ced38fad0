// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/player_asset.hpp"

#include <fmt/format.h>

#include <cstring>

namespace supple::bench {
namespace {

constexpr std::uint32_t kChangeVertices = 26'000;
constexpr std::uint32_t kFrameVertices = 24'690;
constexpr std::size_t kRank = 7;
constexpr std::size_t kSceneModes = 12;
constexpr std::uint32_t kLightNumbers = 48;  // 4 bands, 3 colours
constexpr double kRelightTarget = 2e-3;      // s
constexpr double kLitFrameTarget = 1500;     // a second
constexpr int kLightRounds = 101;

/// A character in the middle of a motion, with light.
class LitScene {
 public:
  explicit LitScene(const OpenAsset& asset, std::uint32_t vertices)
      : m_player(make_player(asset)),
        m_light(kLightNumbers, 0.1F),
        m_rest(std::size_t{3} * vertices),
        m_positions(m_rest.size()),
        m_normals(m_rest.size()),
        m_colours(m_rest.size()) {
    m_deformation.rest_positions = m_deformation.rest_normals = {m_rest.data(), 0};
    m_deformation.positions = {m_positions.data(), 0};
    m_deformation.normals = {m_normals.data(), 0};
    m_shading.front = {m_colours.data(), 0};
    change_light();
    shade();
  }

  void change_light() {
    m_light[3] = m_light[3] > 0.5F ? 0.1F : m_light[3] + 0.01F;
    supple_player_set_light(m_player.get(), m_light.data(), kLightNumbers);
  }
  void shade() { supple_player_shade(m_player.get(), &m_shading); }
  void appearance() {
    float numbers[64];
    supple_player_appearance(m_player.get(), numbers);
  }
  /// On a bone that stands still, as scenes do: a push keeps all coefficients busy.
  void frame() {
    const double force[3] = {1, 2, 3};
    supple_player_push(m_player.get(), 0, force);
    supple_player_step(m_player.get(), 1.0 / 60);
    supple_player_deform(m_player.get(), &m_deformation);
    shade();
  }

 private:
  Player m_player;
  std::vector<float> m_light;
  AlignedArray<float> m_rest, m_positions, m_normals, m_colours;
  supple_deformation m_deformation{};
  supple_shading m_shading{};
};

Result<OpenAsset> lit_asset(std::uint32_t vertices) {
  AssetSpec spec;
  spec.modes = kSceneModes;
  spec.vertices = vertices;
  spec.light_rank = kRank;
  return OpenAsset::make(spec);
}

const char* reached(bool yes) {
  return yes ? "yes" : "**no**";
}

}  // namespace

Result<std::string> player_light() {
  SUPPLE_TRY(const OpenAsset large, lit_asset(kChangeVertices));
  SUPPLE_TRY(const OpenAsset asset, lit_asset(kFrameVertices));
  LitScene changing(large, kChangeVertices);
  LitScene playing(asset, kFrameVertices);
  const double transfer = kChangeVertices * (kRank + 1) * kLightNumbers * sizeof(std::int16_t);
  const double colours = kChangeVertices * (kRank + 1) * 3 * sizeof(float);
  const AlignedArray<std::byte> from(static_cast<std::size_t>(transfer + colours) / 2);
  const AlignedArray<std::byte> to(from.size());
  const auto seconds =
      interleaved_medians({{[&] {
                             changing.change_light();
                             changing.shade();
                           }},
                           {[&] { changing.shade(); }, 4},
                           {[&] { std::memcpy(to.data(), from.data(), from.size()); }, 2},
                           {[&] { playing.frame(); }, 4},
                           {[&] { playing.appearance(); }, 200}},
                          kLightRounds);
  const double change = seconds[0] - seconds[1];
  const double frames = 1 / seconds[3];
  return fmt::format(
      "## Player: light of 4 bands, rank {}, 50 shapes, {} modes\n\n"
      "One core, 16-bit numbers, medians of {} rounds. A change of light reads the whole transfer "
      "({:.1f} MB for {} vertices) and writes the colours of all bases ({:.1f} MB): {:.1f} million "
      "multiplications and additions. A frame is a step, positions, normals and colours of {} "
      "vertices. {}\n\n"
      "| what | time | target | reached |\n| --- | --- | --- | --- |\n"
      "| change of light | {:.2f} ms, {:.1f} GB/s | {:.0f} ms | {} |\n"
      "| memcpy of as many bytes | {:.2f} ms | – | – |\n"
      "| colours of a frame | {:.3f} ms | – | – |\n"
      "| appearance coordinates | {:.2f} µs | – | – |\n"
      "| frames per second with light | {:.0f} | {:.0f} | {} |\n",
      kRank, kSceneModes, kLightRounds, 1e-6 * transfer, kChangeVertices, 1e-6 * colours,
      1e-6 * kChangeVertices * (kRank + 1) * kLightNumbers, kFrameVertices, load_note(),
      1e3 * change, 1e-9 * (transfer + colours) / change, 1e3 * kRelightTarget,
      reached(change <= kRelightTarget), 1e3 * seconds[2], 1e3 * seconds[1], 1e6 * seconds[4],
      frames, kLitFrameTarget, reached(frames >= kLitFrameTarget));
}

}  // namespace supple::bench
