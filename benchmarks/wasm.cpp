// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/player_asset.hpp"
#include "benchmarks/process.hpp"
#include "supple/core/files.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <vector>

namespace supple::bench {
namespace {

constexpr int kTurns = 5;
constexpr double kTimeTarget = 1.5;  // times the native player
constexpr std::size_t kSizeTarget = 32 * 1024;

using Figures = std::map<std::string, std::vector<double>>;

/// The measurements of one kind of player, each once per run.
Result<void> take_turn(const std::vector<std::string>& command, const ScratchDirectory& scratch,
                       Figures& figures) {
  const auto log = scratch.path() / "figures.json";
  SUPPLE_TRY(const RunCost cost, run(command, scratch.path(), log));
  (void)cost;
  SUPPLE_TRY(const Bytes bytes, read_file(log));
  const auto json = nlohmann::json::parse(
      reinterpret_cast<const char*>(bytes.data()),
      reinterpret_cast<const char*>(bytes.data()) + bytes.size(), nullptr, false);
  if (!json.is_object()) return io_error(fmt::format("'{}' printed no measurements", command[0]));
  for (const auto& [name, value] : json.items()) {
    if (value.is_number()) figures[name].push_back(value.get<double>());
  }
  return {};
}

double median_of(const Figures& figures, const std::string& name) {
  const auto found = figures.find(name);
  if (found == figures.end() || found->second.empty()) return 0;
  return median(found->second);
}

struct WasmRow {
  const char* title;
  const char* name;
  double bytes;  ///< moved per call; 0: show nanoseconds
};

std::string wasm_row(const WasmRow& row, const Figures& best, const Figures& sse,
                     const Figures& web) {
  const auto shown = [&row](const Figures& figures) {
    const double ns = median_of(figures, row.name);
    return row.bytes == 0 ? fmt::format("{:.0f} ns", ns)
                          : fmt::format("{:.1f} µs, {:.1f} GB/s", 1e-3 * ns, row.bytes / ns);
  };
  const double over_best = median_of(web, row.name) / median_of(best, row.name);
  const double over_sse = median_of(web, row.name) / median_of(sse, row.name);
  return fmt::format("| {} | {} | {} | {} | {:.2f} | {:.2f} | {:.1f} | {} |\n", row.title,
                     shown(best), shown(sse), shown(web), over_best, over_sse, kTimeTarget,
                     over_best <= kTimeTarget  ? "yes"
                     : over_sse <= kTimeTarget ? "against 128 bits"
                                               : "**no**");
}

/// Positions and normals: shapes, the rest shape, the result.
double vertex_bytes(double bytes_per_number) {
  return kCharacterVertices * (kCharacterModes * 6 * bytes_per_number + 4 * 3 * sizeof(float));
}

}  // namespace

Result<std::string> wasm_player(const std::filesystem::path& supple) {
  const std::string program = (supple.parent_path() / "time_player").string();
  const std::string script = SUPPLE_SOURCE_DIR "/tests/web/time_player.mjs";
  if (!std::filesystem::exists(program)) {
    return std::string(
        "## WebAssembly player\n\n**NOT MEASURED: this build has no web packages (em++, node and "
        "web/node_modules are needed).**\n");
  }
  const ScratchDirectory scratch;
  Figures best;
  Figures sse;
  Figures web;
  const std::string folder = scratch.path().string();
  SUPPLE_TRY(const RunCost written,
             run({program, "write", folder}, folder, scratch.path() / "log"));
  (void)written;
  for (int turn = 0; turn < kTurns; ++turn) {
    SUPPLE_TRY_VOID(take_turn({program, folder, "best"}, scratch, best));
    SUPPLE_TRY_VOID(take_turn({program, folder, "baseline"}, scratch, sse));
    SUPPLE_TRY_VOID(take_turn({"node", script, folder}, scratch, web));
  }
  std::string text = fmt::format(
      "## WebAssembly player\n\nThe package `supple` in Node compared with the native player: same "
      "files and motion, one core, {} alternating runs. The native player uses the widest "
      "registers of this machine, and SSE2, whose 128 bits match WebAssembly's. Steps are per "
      "object of 5 modes and frame, bone matrices included; vertices are {} with 5 modes, "
      "positions and normals. {}\n\n"
      "| | native, best | native, SSE2 | WebAssembly | over best | over SSE2 | target | reached |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      kTurns, kCharacterVertices, load_note());
  for (const WasmRow& row :
       {WasmRow{"step, 60 Hz", "step", 0}, WasmRow{"step, changing", "changing", 0},
        WasmRow{"vertices, 16 bit", "short", vertex_bytes(2)},
        WasmRow{"vertices, float", "float", vertex_bytes(4)}}) {
    text += wasm_row(row, best, sse, web);
  }
  const double gzipped = median_of(web, "moduleGzipped");
  return text +
         fmt::format("\nThe module is {:.1f} KB, {:.1f} KB gzipped; target {} KB, reached: {}.\n",
                     median_of(web, "moduleBytes") / 1024, gzipped / 1024, kSizeTarget / 1024,
                     gzipped < static_cast<double>(kSizeTarget) ? "yes" : "**no**");
}

}  // namespace supple::bench
