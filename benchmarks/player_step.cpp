// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/player_asset.hpp"
#include "supple/core/hash.hpp"
#include "supple/core/random.hpp"

#include <fmt/format.h>

#include <span>

namespace supple::bench {
namespace {

constexpr std::size_t kObjects = 3;  // per character, as in the DyRT man
constexpr std::size_t kFrames = 240;
constexpr double kTarget = 200;  // nanoseconds
constexpr int kStepRounds = 201;

enum class Steps { Constant, Changing };

/// A closed motion, with the step to each frame and the bone's matrix there.
struct Frames {
  std::vector<double> steps;
  std::vector<std::array<float, 16>> matrices;

  explicit Frames(Steps kind) {
    Random random(7);
    double end = 0;
    for (std::size_t f = 0; f < kFrames; ++f) {
      // 30 to 144 Hz, never the same twice.
      const double changing = 1.0 / 144 + random.uniform() * (1.0 / 30 - 1.0 / 144);
      steps.push_back(kind == Steps::Constant ? 1.0 / 60 : changing);
      end += steps.back();
    }
    const Swing swing{end};
    double time = 0;
    for (const double step : steps) {
      time += step;
      swing.at(time, matrices.emplace_back().data());
    }
  }
};

/// Many characters, each at a different point of one motion.
class SteppedCrowd {
 public:
  SteppedCrowd(const OpenAsset& asset, std::size_t characters, const Frames& frames)
      : m_frames(frames) {
    for (std::size_t i = 0; i < characters; ++i) m_players.push_back(make_player(asset));
    for (std::size_t f = 0; f < kFrames; ++f) step();
  }

  /// A frame: bones in, coefficients out.
  void step() {
    for (std::size_t i = 0; i < m_players.size(); ++i) {
      supple_player* player = m_players[i].get();
      const std::size_t frame = (m_frame + 17 * i) % kFrames;
      const float* matrix = m_frames.matrices[frame].data();
      for (std::uint32_t k = 0; k < kObjects; ++k) supple_player_set_bone_matrix(player, k, matrix);
      supple_player_step(player, m_frames.steps[frame]);
    }
    ++m_frame;
  }

  [[nodiscard]] std::string hash() const {
    Hasher hasher;
    for (const Player& player : m_players) {
      const float* numbers = supple_player_coefficients(player.get());
      hasher.add(std::as_bytes(std::span(numbers, kObjects * kCharacterModes)));
    }
    return hasher.finish().hex().substr(0, 16);
  }

  [[nodiscard]] std::size_t objects() const { return kObjects * m_players.size(); }

 private:
  const Frames& m_frames;
  std::vector<Player> m_players;
  std::size_t m_frame = 0;
};

}  // namespace

Result<std::string> player_step() {
  std::string text = fmt::format(
      "## Player: {} modes per object, without vertices\n\n"
      "A frame sets every bone's world matrix, steps, clamps and outputs coefficients; characters "
      "of {} objects, one core, medians of {} runs. Changing steps are 30 to 144 Hz at random, so "
      "that every filter is recomputed every frame. The hash is that of all coefficients at the "
      "end. {}\n\n"
      "| objects | steps | Coriolis | per object and frame | target | reached | allocations | hash "
      "|\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      kCharacterModes, kObjects, kStepRounds, load_note());
  const Frames constant(Steps::Constant);
  const Frames changing(Steps::Changing);
  for (const bool coriolis : {false, true}) {
    AssetSpec spec;
    spec.objects = kObjects;
    spec.modes = kCharacterModes;
    spec.coriolis = coriolis;
    SUPPLE_TRY(const OpenAsset asset, OpenAsset::make(spec));
    for (const std::size_t characters : {std::size_t{10}, std::size_t{1000}}) {
      for (const Frames* frames : {&constant, &changing}) {
        SteppedCrowd crowd(asset, characters, *frames);
        const int repeats = static_cast<int>(3000 / characters);
        const auto seconds = interleaved_medians({{[&] { crowd.step(); }, repeats}}, kStepRounds);
        const long before = allocations();
        for (std::size_t f = 0; f < kFrames; ++f) crowd.step();
        const long during = allocations() - before;
        const double each = 1e9 * seconds[0] / static_cast<double>(crowd.objects());
        const std::string verdict =
            coriolis ? "– | –"  // optional, so it has no target
                     : fmt::format("{:.0f} ns | {}", kTarget, each < kTarget ? "yes" : "**no**");
        text += fmt::format("| {} | {} | {} | {:.0f} ns | {} | {} | `{}` |\n", crowd.objects(),
                            frames == &constant ? "60 Hz" : "changing", coriolis ? "yes" : "no",
                            each, verdict, during, crowd.hash());
      }
    }
  }
  return text;
}

}  // namespace supple::bench
