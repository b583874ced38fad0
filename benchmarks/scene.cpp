// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/player_asset.hpp"
#include "benchmarks/process.hpp"
#include "supple/core/files.hpp"
#include "supple/core/hash.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/core/resources.hpp"
#include "supple/reduction/streaming_svd.hpp"

#include <fmt/format.h>
#include <Eigen/QR>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

namespace supple::bench {
namespace {

// The dinosaur of [JF03 table 1].
constexpr std::uint32_t kSceneVertices = 24'690;
constexpr std::uint32_t kSceneStates = 20'010;
constexpr std::uint32_t kSceneResponses = 260;
constexpr Eigen::Index kSceneRank = 12;
constexpr std::uint32_t kSceneEntries = 5;
constexpr double kSceneFrame = 1.0 / 60;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// ---- Sampling -----------------------------------------------------------------------------------

/// Through the whole program, a fraction of the paper's states; the rate is what counts.
Result<std::string> sampling_row(const std::filesystem::path& supple) {
  constexpr int kSampled = 1200;
  constexpr double kTargetMinutes = 20;  // for 20,000 states on two cores
  const ScratchDirectory scratch;
  const std::filesystem::path log = scratch.path() / "report.json";
  SUPPLE_TRY(const RunCost cost,
             run({supple.string(), "scene", "--sample", "dinosaur", "--states",
                  std::to_string(kSampled), "--rank", "12", "-o", "dinosaur.glb", "--json"},
                 scratch.path(), log));
  SUPPLE_TRY(const Bytes bytes, read_file(log, kMostTextBytes));
  const std::string text(as_text(bytes));
  const std::size_t begin = text.find("\n{");
  const auto json = nlohmann::json::parse(
      text.substr(begin == std::string::npos ? text.find('{') : begin + 1), nullptr, false);
  if (json.is_discarded()) return bad_input("the report of supple scene is not JSON");
  const double seconds = json["seconds"]["sample"].get<double>();
  const double states = json["sampled_states"].get<double>();
  const double minutes = seconds / states * 20'000 / 60;
  return fmt::format(
      "| sampling, {:.0f} states of the dinosaur ({} vertices), {} threads | {:.1f} states/s: "
      "20,000 in {:.1f} min | {:.0f} min | {} | [JF03] 33 h; {} intersections, rank {} leaves "
      "{:.2g}; {:.0f} MB |\n",
      states, json["vertices"].get<int>(), thread_count(), states / seconds, minutes,
      kTargetMinutes, minutes <= kTargetMinutes ? "yes" : "**no**",
      json["intersections_samples"].get<int>(), json["rank"].get<int>(),
      json["relative_error"].get<double>(), cost.peak_bytes * 1e-6);
}

// ---- SVD ----------------------------------------------------------------------------------------

/// A matrix with known singular values: U diag(s) V^T with random orthonormal U and the cosine
/// basis as V. By Eckart and Young no rank r comes closer than sqrt(sum_{k > r} s_k^2).
class KnownMatrix {
 public:
  static constexpr Eigen::Index kTerms = 60;

  KnownMatrix(Eigen::Index rows, Eigen::Index columns) : m_columns(columns) {
    Random random(11);
    m_basis = Eigen::MatrixXd::NullaryExpr(rows, kTerms, [&] { return random.uniform(-1, 1); });
    const Eigen::MatrixXd thin = Eigen::MatrixXd::Identity(rows, kTerms);
    m_basis = (m_basis.householderQr().householderQ() * thin).eval();
    for (Eigen::Index k = 0; k < kTerms; ++k) {
      // As slow as the paper's figure 12: half a percent is left after twelve.
      m_values(k) = std::exp(-0.45 * static_cast<double>(k)) + 2e-4;
    }
    for (Eigen::Index k = 0; k < kTerms; ++k) m_basis.col(k) *= m_values(k);
  }

  /// Columns first .. first + count - 1.
  [[nodiscard]] Eigen::MatrixXd block(Eigen::Index first, Eigen::Index count) const {
    const double n = static_cast<double>(m_columns);
    const Eigen::MatrixXd v =
        Eigen::MatrixXd::NullaryExpr(kTerms, count, [&](Eigen::Index k, Eigen::Index j) {
          const double angle = std::numbers::pi / n * (static_cast<double>(first + j) + 0.5);
          return std::sqrt(2 / n) * std::cos(static_cast<double>(k + 1) * angle);
        });
    return m_basis * v;
  }

  [[nodiscard]] double best_error(Eigen::Index rank) const {
    return m_values.tail(kTerms - rank).norm() / m_values.norm();
  }
  [[nodiscard]] double energy() const { return m_values.squaredNorm(); }

 private:
  Eigen::Index m_columns;
  Eigen::MatrixXd m_basis;
  Eigen::Matrix<double, kTerms, 1> m_values;
};

Result<std::string> svd_row() {
  constexpr double kMostBytes = 1e9;
  constexpr double kMostExcess = 1e-3;
  constexpr Eigen::Index kRows = Eigen::Index{3} * kSceneVertices;
  constexpr Eigen::Index kColumns = kSceneStates;
  constexpr Eigen::Index kAtOnce = 64;
  const KnownMatrix matrix(kRows, kColumns);
  reduction::StreamingSvdSettings settings;
  settings.max_rank = kSceneRank;
  reduction::StreamingSvd svd(kRows, settings);
  double seconds = 0;
  for (Eigen::Index first = 0; first < kColumns; first += kAtOnce) {
    const Eigen::MatrixXd block = matrix.block(first, std::min(kAtOnce, kColumns - first));
    const auto begin = std::chrono::steady_clock::now();
    for (Eigen::Index j = 0; j < block.cols(); ++j) SUPPLE_TRY_VOID(svd.add(block.col(j)));
    seconds += seconds_since(begin);
  }
  const auto begin = std::chrono::steady_clock::now();
  const reduction::TruncatedSvd found = svd.finish();
  seconds += seconds_since(begin);
  // What U U^T leaves of the matrix itself, by its columns.
  double kept = 0;
  for (Eigen::Index first = 0; first < kColumns; first += kAtOnce) {
    const Eigen::MatrixXd block = matrix.block(first, std::min(kAtOnce, kColumns - first));
    kept += (found.basis.transpose() * block).squaredNorm();
  }
  const double error = std::sqrt(std::max(0.0, 1 - kept / matrix.energy()));
  const double excess = error / matrix.best_error(kSceneRank) - 1;
  const auto memory = static_cast<double>(reduction::StreamingSvd::memory_bytes(kRows, settings));
  const double raw = 8.0 * static_cast<double>(kRows) * static_cast<double>(kColumns);
  return fmt::format(
      "| SVD of {} x {} ({:.1f} GB as floats), rank {}, one pass | {:.1f} s, {:.0f} MB, error "
      "{:.2g} "
      "over the optimum | {:.0f} GB, {:.0e} | {} | the optimum by Eckart and Young: {:.3g}; "
      "{} threads |\n",
      kRows, kColumns, raw / 2e9, kSceneRank, seconds, memory * 1e-6, excess, kMostBytes * 1e-9,
      kMostExcess, memory <= kMostBytes && excess <= kMostExcess ? "yes" : "**no**",
      matrix.best_error(kSceneRank), thread_count());
}

// ---- Playback -----------------------------------------------------------------------------------

/// A portrait of the paper's size: every response is a sum of decaying swings.
soft::SceneTraits random_scene() {
  Random random(5);
  soft::SceneTraits scene;
  scene.frame_seconds = kSceneFrame;
  scene.beta = 0.01;
  for (std::uint32_t e = 0; e < kSceneEntries; ++e) {
    scene.palette.push_back({fmt::format("entry {}", e), "", 1, 1, {0, 1, 2, 3, 4}, true});
  }
  scene.q.resize(kSceneRank, kSceneStates);
  Eigen::Index state = 0;
  for (std::uint32_t r = 0; r < kSceneResponses; ++r) {
    soft::SceneResponse response;
    response.entry = r % kSceneEntries;
    response.states = kSceneStates / kSceneResponses + (r < kSceneStates % kSceneResponses ? 1 : 0);
    response.onward = {(r + kSceneEntries) % kSceneResponses, 0};
    response.origin_velocity = Eigen::VectorXd::Zero(kSceneRank);
    for (Eigen::Index k = 0; k < kSceneRank; ++k) {
      const double size = random.uniform(0.2, 1) / static_cast<double>(k + 1);
      const double speed = random.uniform(5, 40);
      for (std::uint32_t s = 0; s < response.states; ++s) {
        const double t = s * kSceneFrame;
        scene.q(k, state + s) = size * std::exp(-2 * t) * std::sin(speed * t);
      }
    }
    state += response.states;
    scene.responses.push_back(std::move(response));
  }
  for (std::uint32_t s = 0; s <= kSceneStates; ++s) {
    for (std::uint32_t e = 0; e < kSceneEntries; ++e) {
      const auto turn = static_cast<std::uint32_t>(random.below(kSceneResponses / kSceneEntries));
      scene.next.emplace_back(e + kSceneEntries * turn);
    }
  }
  return scene;
}

Result<OpenAsset> scene_asset() {
  Random random(3);
  soft::Asset asset;
  asset.generator = "supple_bench";
  asset.vertex_count = kSceneVertices;
  asset.parts = {{0, 0, 0, kSceneVertices}};
  soft::Object object;
  object.name = "scene";
  object.node = soft::kNoNode;
  for (std::uint32_t v = 0; v < kSceneVertices; ++v) object.vertices.push_back(v);
  for (Eigen::Index k = 0; k < kSceneRank; ++k) {
    soft::Mode mode;
    mode.omega = 1;
    const auto any = [&] {
      return geometry::Vec3::NullaryExpr([&] { return random.uniform(-1, 1); });
    };
    for (std::uint32_t v = 0; v < kSceneVertices; ++v) {
      mode.displacements.emplace_back(0.01 * any());
      mode.normals.emplace_back(0.1 * any());
    }
    object.modes.push_back(std::move(mode));
  }
  object.scene = random_scene();
  asset.objects.push_back(std::move(object));
  return OpenAsset::make(asset, false);
}

/// Players that are poked now and then, each at its own time.
class PlayedScenes {
 public:
  PlayedScenes(const OpenAsset& asset, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) m_players.push_back(make_player(asset));
  }

  void step() {
    for (std::size_t i = 0; i < m_players.size(); ++i) {
      if ((m_frame + 7 * i) % 40 == 0) {
        (void)supple_player_trigger(m_players[i].get(), 0,
                                    static_cast<std::uint32_t>((m_frame / 40 + i) % kSceneEntries),
                                    1);
      }
      supple_player_step(m_players[i].get(), kSceneFrame);
    }
    ++m_frame;
  }

  [[nodiscard]] supple_player* first() const { return m_players.front().get(); }
  [[nodiscard]] std::string hash() const {
    Hasher hasher;
    for (const Player& player : m_players) {
      const float* numbers = supple_player_coefficients(player.get());
      hasher.add(std::as_bytes(std::span(numbers, static_cast<std::size_t>(kSceneRank))));
    }
    return hasher.finish().hex().substr(0, 16);
  }

 private:
  std::vector<Player> m_players;
  std::size_t m_frame = 0;
};

Result<std::string> playback_rows() {
  constexpr int kRounds = 201;
  constexpr double kFramesTarget = 3000;
  constexpr double kSceneStepTarget = 300;  // ns
  SUPPLE_TRY(const OpenAsset asset, scene_asset());
  PlayedScenes one(asset, 1);
  PlayedScenes many(asset, 1000);
  AlignedArray<float> rest(std::size_t{3} * kSceneVertices);
  AlignedArray<float> normals(rest.size());
  AlignedArray<float> new_positions(rest.size());
  AlignedArray<float> new_normals(rest.size());
  for (std::size_t i = 0; i < normals.size(); i += 3) normals[i] = 1;
  supple_deformation deformation{};
  deformation.struct_size = sizeof deformation;
  deformation.rest_positions = {rest.data(), 0};
  deformation.rest_normals = {normals.data(), 0};
  deformation.positions = {new_positions.data(), 0};
  deformation.normals = {new_normals.data(), 0};
  const auto frame = [&] {
    one.step();
    supple_player_deform(one.first(), &deformation);
  };
  const auto seconds = interleaved_medians(
      {{frame, 4}, {[&] { one.step(); }, 3000}, {[&] { many.step(); }, 3}}, kRounds);
  const long before = allocations();
  for (int f = 0; f < 240; ++f) frame();
  const long during = allocations() - before;
  const double frames = 1 / seconds[0];
  const double one_step = 1e9 * seconds[1];
  const double each = 1e6 * seconds[2];  // ns, of a thousand
  const auto verdict = [](bool reached) { return reached ? "yes" : "**no**"; };
  std::string text = fmt::format(
      "| playback, {} vertices with normals, rank {}, one core | {:.0f} frames/s | {:.0f} | {} | "
      "[JF03] 173; {} allocations |\n",
      kSceneVertices, kSceneRank, frames, kFramesTarget, verdict(frames >= kFramesTarget), during);
  text +=
      fmt::format("| a step without vertices | {:.0f} ns | {:.0f} ns | {} | hash `{}` |\n",
                  one_step, kSceneStepTarget, verdict(one_step <= kSceneStepTarget), one.hash());
  text += fmt::format("| 1,000 scenes stepping at once, each | {:.0f} ns | – | – | hash `{}` |\n",
                      each, many.hash());
  const double baked = static_cast<double>(asset.bytes());
  const double textures = 2.0 * 6 * kSceneVertices * kSceneStates;  // 16 bit, with normals
  return text + fmt::format(
                    "| the file | {:.1f} MB | – | – | vertex animation textures of the same "
                    "states, 16 bit, {:.1f} GB: {:.0f} times |\n",
                    baked * 1e-6, textures * 1e-9, textures / baked);
}

}  // namespace

Result<std::string> scenes(const std::filesystem::path& supple) {
  std::string text = fmt::format(
      "## Scenes\n\nThe sizes of the dinosaur of [JF03 table 1]. Sampling goes through `supple "
      "scene`; the SVD gets a matrix of known singular values; playback has a random portrait. "
      "{}\n\n"
      "| what | measured | target | reached | |\n| --- | --- | --- | --- | --- |\n",
      load_note());
  SUPPLE_TRY(const std::string playback, playback_rows());
  SUPPLE_TRY(const std::string svd, svd_row());
  SUPPLE_TRY(const std::string sampling, sampling_row(supple));
  return text + playback + svd + sampling;
}

}  // namespace supple::bench
