// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/player_asset.hpp"
#include "benchmarks/process.hpp"
#include "supple/core/files.hpp"
#include "supple/core/hash.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/io/gltf.hpp"
#include "supple/shell/shell_object.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>
#include <span>

namespace supple::bench {
namespace {

constexpr double kBakeTarget = 2;      // seconds, for 25,830 triangles and 4 modes
constexpr double kFrameTarget = 1000;  // per second
constexpr double kCrowdTarget = 1e-3;  // seconds for all shells together
constexpr int kShellRounds = 101;

/// A player file read from disk.
struct Asset {
  AlignedArray<std::byte> bytes;
  std::unique_ptr<supple_asset, void (*)(supple_asset*)> asset{nullptr, supple_asset_close};

  explicit Asset(const Bytes& file) : bytes(file.size()) {
    std::copy(file.begin(), file.end(), bytes.data());
    supple_asset* opened = nullptr;
    if (supple_asset_open(bytes.data(), bytes.size(), &opened) == SUPPLE_OK) asset.reset(opened);
  }
  [[nodiscard]] Player player() const {
    supple_player* created = nullptr;
    supple_player_create(asset.get(), &created);
    return Player(created);
  }
};

std::string verdict(double measured, double target, const std::string& text) {
  return fmt::format("{} | {}", text, measured <= target ? "yes" : "**no**");
}

std::string coefficients_hash(const supple_asset* asset, const supple_player* player) {
  supple_asset_info info{};
  supple_asset_describe(asset, &info);
  Hasher hasher;
  hasher.add(std::as_bytes(std::span(supple_player_coefficients(player), info.mode_count)));
  return hasher.finish().hex().substr(0, 16);
}

/// The dinosaur from the command line, then on the CPU as a game would play it.
Result<std::string> dinosaur(const std::filesystem::path& supple) {
  const ScratchDirectory scratch;
  const auto log = scratch.path() / "shell.json";
  SUPPLE_TRY(const RunCost cost, run({supple.string(), "shell", "--sample", "dinosaur", "-o",
                                      "dinosaur.glb", "--json", "--quiet"},
                                     scratch.path(), log));
  SUPPLE_TRY(const Bytes printed, read_file(log));
  // Warnings precede it.
  const std::string_view text = as_text(printed);
  const auto report = nlohmann::json::parse(
      text.substr(std::min(text.size(), text.find("\n{") + 1)), nullptr, false);
  if (report.is_discarded()) return io_error("the output of supple is not JSON");
  const auto& shell = report["shells"][0];
  double precomputation = 0;
  for (const auto& [stage, seconds] : shell["seconds"].items()) {
    if (stage != "total") precomputation += seconds.get<double>();
  }
  SUPPLE_TRY(const Bytes file, read_file(scratch.path() / "dinosaur.supple"));
  const Asset asset(file);
  const Player player = asset.player();
  supple_asset_info info{};
  supple_asset_describe(asset.asset.get(), &info);
  const Swing swing;
  double time = 0;
  const auto step = [&] {
    float matrix[16];
    time += 1.0 / 60;
    swing.at(std::fmod(time, swing.period), matrix);
    supple_player_set_bone_matrix(player.get(), 0, matrix);
    supple_player_step(player.get(), 1.0 / 60);
  };
  const std::size_t numbers = std::size_t{3} * info.vertex_count;
  const AlignedArray<float> rest(numbers);
  const AlignedArray<float> positions(numbers);
  const AlignedArray<float> normals(numbers);
  supple_deformation d{};
  d.rest_positions = d.rest_normals = {rest.data(), 0};
  d.positions = {positions.data(), 0};
  d.normals = {normals.data(), 0};
  for (int i = 0; i < 240; ++i) step();
  const auto seconds = interleaved_medians(
      {{step, 50}, {[&] { supple_player_deform(player.get(), &d); }, 10}}, kShellRounds);
  const double frames = 1 / seconds[0];
  const double whole = 1 / (seconds[0] + seconds[1]);
  return fmt::format(
             "| precomputation of {} triangles, {} modes | {:.2f} s | {} | [CWK07] 18 s in 2006 "
             "|\n"
             "| the same with both files, from the command line | {:.2f} s | – | | {:.0f} MB |\n",
             shell["triangles"].get<int>(), shell["modes"].get<int>(), precomputation,
             verdict(precomputation, kBakeTarget, fmt::format("{:.0f} s", kBakeTarget)),
             cost.wall_seconds, cost.peak_bytes * 1e-6) +
         fmt::format(
             "| the player's CPU part, {} force points | {:.0f} frames/s | {} | [CWK07] 200 with a "
             "GPU, all in all; hash `{}` |\n"
             "| the same with {} vertices on one core | {:.0f} frames/s | – | | |\n",
             shell["point_count"].get<int>(), frames,
             verdict(kFrameTarget, frames, fmt::format("{:.0f}", kFrameTarget)),
             coefficients_hash(asset.asset.get(), player.get()), info.vertex_count, whole);
}

/// Positions and normals for the same number of vertices and modes, flesh and shell in turns.
Result<std::string> warping_cost() {
  std::string text;
  for (const std::size_t modes : {std::size_t{4}, std::size_t{8}}) {
    AssetSpec spec;
    spec.modes = modes;
    spec.vertices = 13117;
    SUPPLE_TRY(const OpenAsset flesh, OpenAsset::make(spec));
    spec.shells = true;
    SUPPLE_TRY(const OpenAsset shell, OpenAsset::make(spec));
    const std::size_t numbers = std::size_t{3} * spec.vertices;
    const AlignedArray<float> rest(numbers);
    const AlignedArray<float> positions(numbers);
    const AlignedArray<float> normals(numbers);
    for (std::size_t i = 0; i < numbers; ++i) rest[i] = 0.577F;
    supple_deformation d{};
    d.rest_positions = d.rest_normals = {rest.data(), 0};
    d.positions = {positions.data(), 0};
    d.normals = {normals.data(), 0};
    std::vector<Player> players;
    std::vector<Job> jobs;
    for (const OpenAsset* asset : {&flesh, &shell}) {
      players.push_back(make_player(*asset));
      supple_player* player = players.back().get();
      float matrix[16];
      for (int i = 0; i < 20; ++i) {
        Swing{}.at(0.02 * i, matrix);
        supple_player_set_bone_matrix(player, 0, matrix);
        supple_player_step(player, 1.0 / 60);
      }
      jobs.push_back({[player, &d] { supple_player_deform(player, &d); }, 10});
    }
    const auto seconds = interleaved_medians(jobs, kShellRounds);
    const double per_vertex = 1e9 / spec.vertices;
    text += fmt::format("| {} | {:.2f} ns | {:.2f} ns | {:.2f} |\n", modes, per_vertex * seconds[0],
                        per_vertex * seconds[1], seconds[1] / seconds[0]);
  }
  return text;
}

/// A strip of about 2,000 vertices with real modes.
Result<soft::Asset> strip_file() {
  constexpr int kColumns = 100;
  constexpr int kRows = 20;
  fem::ShellModel model;
  for (int i = 0; i < kColumns; ++i) {
    for (int j = 0; j < kRows; ++j) model.mesh.positions.emplace_back(0.01 * i, 0, 0.01 * j);
  }
  for (int i = 0; i + 1 < kColumns; ++i) {
    for (int j = 0; j + 1 < kRows; ++j) {
      const geometry::Index a = i * kRows + j;
      model.mesh.triangles.push_back({a, a + 1, a + kRows});
      model.mesh.triangles.push_back({a + 1, a + kRows + 1, a + kRows});
    }
  }
  model.fixed.assign(model.mesh.positions.size(), 0);
  for (std::size_t j = 0; j < 2 * kRows; ++j) model.fixed[j] = fem::kFixAll;
  model.materials = {{"strip", 2000, 2000, 0.05, 0.2}};
  SUPPLE_TRY(const fem::DiscreteShell shell, fem::DiscreteShell::create(std::move(model)));
  shell::ObjectSettings settings;
  settings.name = "strip";
  SUPPLE_TRY(const shell::ShellObject object, shell::bake_shell(shell, settings));

  soft::Asset asset;
  asset.generator = "benchmark";
  asset.vertex_count = kColumns * kRows;
  asset.parts = {{0, 0, 0, asset.vertex_count}};
  soft::Object to;
  to.name = "strip";
  to.bone = "base";
  soft::ShellTraits& file = to.shell.emplace();
  file.size = object.size;
  file.follow_turn = object.follow_turn;
  const auto row = [](const Eigen::MatrixXd& rows, std::size_t node, std::size_t mode) {
    return rows.block<3, 1>(3 * static_cast<Eigen::Index>(node), static_cast<Eigen::Index>(mode));
  };
  for (std::uint32_t i = 0; i < asset.vertex_count; ++i) to.vertices.push_back(i);
  for (std::size_t k = 0; k < object.modes.size(); ++k) {
    soft::Mode& mode = to.modes.emplace_back();
    mode.omega = object.modes[k].omega;
    mode.damping = object.modes[k].damping;
    mode.transfer = object.modes[k].transfer;
    mode.centrifugal = object.modes[k].centrifugal;
    for (const std::uint32_t i : to.vertices) {
      mode.displacements.emplace_back(row(object.displacements, i, k));
      mode.turns.emplace_back(row(object.turns, i, k));
    }
  }
  for (const shell::Point& point : object.points) {
    const auto node = static_cast<std::size_t>(point.node);
    soft::ForcePoint& p = file.points.emplace_back();
    p.position = shell.model().mesh.positions[node];
    p.mass = point.mass;
    p.area_vector = point.area_vector;
    p.lever = point.lever;
    for (std::size_t k = 0; k < object.modes.size(); ++k) {
      p.displacements.emplace_back(row(object.displacements, node, k));
      p.turns.emplace_back(row(object.turns, node, k));
    }
  }
  asset.objects.push_back(std::move(to));
  return asset;
}

/// A number of shells, each with two moving handles or none.
class ShellCrowd {
 public:
  ShellCrowd(const Asset& asset, std::size_t shells, bool held) : m_held(held) {
    for (std::size_t i = 0; i < shells; ++i) m_players.push_back(asset.player());
    for (int i = 0; i < 240; ++i) step();
  }

  void step() {
    ++m_frame;
    for (std::size_t i = 0; i < m_players.size(); ++i) {
      supple_player* player = m_players[i].get();
      const double phase = 0.05 * static_cast<double>(m_frame) + static_cast<double>(i);
      float matrix[16];
      m_swing.at(std::fmod(static_cast<double>(m_frame) / 60 + 0.1 * static_cast<double>(i),
                           m_swing.period),
                 matrix);
      supple_player_set_bone_matrix(player, 0, matrix);
      if (m_held) hold(player, matrix, phase);
      supple_player_step(player, 1.0 / 60);
    }
  }

  [[nodiscard]] const Player& last() const { return m_players.back(); }

 private:
  /// The free corners move up and down in the shell's frame, which itself moves.
  static void hold(supple_player* player, const float matrix[16], double phase) {
    for (std::uint32_t slot = 0; slot < 2; ++slot) {
      supple_handle handle{};
      handle.vertex = slot == 0 ? 1980 : 1999;
      handle.components = SUPPLE_HANDLE_POSITION;
      handle.rest[0] = 0.99F;
      handle.rest[2] = slot == 0 ? 0.0F : 0.19F;
      const double local[3] = {0.97, 0.15 * std::sin(phase + slot), handle.rest[2]};
      for (int row = 0; row < 3; ++row) {
        handle.position[row] = matrix[12 + row];
        for (int column = 0; column < 3; ++column) {
          handle.position[row] += matrix[4 * column + row] * local[column];
        }
      }
      supple_player_set_handle(player, slot, &handle);
    }
  }

  std::vector<Player> m_players;
  Swing m_swing;
  std::size_t m_frame = 0;
  bool m_held;
};

Result<std::string> crowd() {
  constexpr std::size_t kShells = 100;
  SUPPLE_TRY(const soft::Asset file, strip_file());
  SUPPLE_TRY(const io::SuppleBytes written, io::write_supple(file));
  const Asset asset(written.bytes);
  ShellCrowd free(asset, kShells, false);
  ShellCrowd held(asset, kShells, true);
  const auto seconds =
      interleaved_medians({{[&] { free.step(); }, 3}, {[&] { held.step(); }, 3}}, kShellRounds);
  const auto allocated = [](ShellCrowd& shells) {
    const long before = allocations();
    shells.step();
    return allocations() - before;
  };
  const std::size_t points = file.objects[0].shell->points.size();
  return fmt::format(
      "| none | {} | {:.3f} ms | {:.2f} us | – | – | {} | `{}` |\n"
      "| two, moving | {} | {:.3f} ms | {:.2f} us | {} | {} | `{}` |\n",
      points, 1e3 * seconds[0], 1e6 * seconds[0] / kShells, allocated(free),
      coefficients_hash(asset.asset.get(), free.last().get()), points, 1e3 * seconds[1],
      1e6 * seconds[1] / kShells, verdict(seconds[1], kCrowdTarget, "1 ms"), allocated(held),
      coefficients_hash(asset.asset.get(), held.last().get()));
}

}  // namespace

Result<std::string> shells(const std::filesystem::path& supple) {
  SUPPLE_TRY(const std::string large, dinosaur(supple));
  SUPPLE_TRY(const std::string warped, warping_cost());
  SUPPLE_TRY(const std::string many, crowd());
  return fmt::format(
      "## Shells\n\n"
      "Our dinosaur-shaped shell, the size of [CWK07]'s, from `supple shell --sample dinosaur`; "
      "the player moves it and samples gravity and inertia at its force points. {}\n\n| what | "
      "measured | target | reached | |\n| --- | --- | --- | --- | --- |\n{}\n"
      "Vertices on the CPU, positions and normals, 13,117 vertices, one core: the plain modal sum "
      "of flesh compared with the same sum plus warping, in the same run.\n\n"
      "| modes | plain sum, per vertex | with warping | ratio |\n| --- | --- | --- | --- |\n{}\n"
      "100 shells of 2,000 vertices and 8 modes, one core, without vertices, with moving base and "
      "handles:\n\n| handles | force points | a frame | per shell | target | reached | allocations "
      "| hash |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n{}",
      load_note(), large, warped, many);
}

}  // namespace supple::bench
