// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/process.hpp"
#include "supple/core/files.hpp"
#include "supple/core/hash.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace supple::bench {
namespace {

struct Character {
  std::string title;
  std::vector<std::string> input;  ///< arguments of the command line
  double target;                   ///< seconds
};

/// Bakes one character from the command line to both files and tabulates the report on its objects.
Result<std::string> bake_rows(const std::filesystem::path& supple, const Character& character) {
  const ScratchDirectory scratch;
  const auto log = scratch.path() / "bake.json";
  std::vector<std::string> command{supple.string(), "bake"};
  command.insert(command.end(), character.input.begin(), character.input.end());
  command.insert(command.end(), {"-o", "soft.glb", "--json", "--quiet"});
  SUPPLE_TRY(const RunCost cost, run(command, scratch.path(), log));
  SUPPLE_TRY(const Bytes printed, read_file(log));
  const auto report = nlohmann::json::parse(as_text(printed), nullptr, false);
  if (report.is_discarded()) return io_error("the output of supple is not JSON");
  SUPPLE_TRY(const Bytes flesh, read_file(scratch.path() / "soft.supple"));

  std::string text;
  for (const auto& object : report["objects"]) {
    const auto& modes = object["modes"];
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {:.1f} % | {:.2f} s | | | | | |\n", character.title,
                    object["name"].get<std::string>(), object["vertices"].get<int>(),
                    object["elements"].get<int>(), modes.size(),
                    100 * (modes.empty() ? 0.0 : modes.back()["cumulative_share"].get<double>()),
                    object["seconds"]["total"].get<double>());
  }
  return text + fmt::format(
                    "| {} | together, with both files | {} | | | | **{:.2f} s** | {:.0f} s | {} | "
                    "{:.2f} s | {:.0f} MB | `{}` |\n",
                    character.title, report["vertices"].get<int>(), cost.wall_seconds,
                    character.target, cost.wall_seconds < character.target ? "yes" : "**no**",
                    cost.cpu_seconds, cost.peak_bytes * 1e-6,
                    Hasher().add(flesh).finish().hex().substr(0, 16));
}

}  // namespace

Result<std::string> flesh_bake(const std::filesystem::path& supple) {
  std::string text = fmt::format(
      "## Flesh: whole bakes\n\n"
      "`supple bake` from the character to `.glb` and `.supple`, 10-node elements. The DyRT man is "
      "our own character, with the objects and sizes of [JP02], where baking took \"a couple of "
      "minutes\" per object in 2002; its wall time includes making the character. The hash is that "
      "of the `.supple` file. {}\n\n"
      "| character | object | vertices | elements | modes | captured | wall | target | reached | "
      "CPU | memory | hash |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      load_note());
  SUPPLE_TRY(const std::string man, bake_rows(supple, {"DyRT man", {"--sample", "dyrt-man"}, 30}));
  text += man;
  const std::filesystem::path cesium =
      SUPPLE_SOURCE_DIR "/../shared/assets/khronos/CesiumMan/CesiumMan.glb";
  if (!std::filesystem::exists(cesium)) {
    return text + "\n**CesiumMan was skipped: its file is missing.**\n";
  }
  SUPPLE_TRY(const std::string other, bake_rows(supple, {"CesiumMan", {cesium.string()}, 10}));
  return text + other;
}

}  // namespace supple::bench
