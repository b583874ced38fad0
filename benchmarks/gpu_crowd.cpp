// SPDX-License-Identifier: Apache-2.0
// Measures only the compute shader for crowds, on any machine with a GPU: gpu_crowd [--characters
// N] [--vertices N] [--modes N] [--float] [--objects N]
//           [--threads N] [--tile N] [--repeat N] [--stage N] [--no-shared] [--gpu DEVICE]
//           [--sweep] [--paths] [--shells]
// Every row is first compared with the CPU player.
#include "benchmarks/gpu_measure.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = supple::bench;
namespace gpu = supple::gpu;
using bench::Crowd;
using gpu::Context;
using gpu::CrowdTuning;
using gpu::ModalMesh;
using gpu::ModalPath;
using supple::not_converged;
using supple::Result;

struct Options {
  bench::AssetSpec asset{1, bench::kCharacterModes, bench::kCharacterVertices, false, false};
  std::uint32_t characters = 1000;
  CrowdTuning tuning;
  std::string device;
  bool sweep = false;
  bool paths = false;
};

int crowd_usage() {
  std::fprintf(stderr,
               "usage: gpu_crowd [--characters N] [--vertices N] [--modes N] [--objects N] "
               "[--float]\n                 [--threads N] [--tile 1|2|4|8|16] [--repeat N] "
               "[--stage N] [--no-shared]\n                 [--gpu DEVICE] [--sweep] "
               "[--paths] [--shells]\n");
  return 2;
}

bool parse(int count, char** arguments, Options& options) {
  CrowdTuning& t = options.tuning;
  std::uint32_t objects = 1;
  std::uint32_t modes = 5;
  const std::vector<std::pair<std::string, std::uint32_t*>> numbers{
      {"--modes", &modes},       {"--characters", &options.characters},
      {"--objects", &objects},   {"--vertices", &options.asset.vertices},
      {"--threads", &t.threads}, {"--tile", &t.tile},
      {"--repeat", &t.repeat},   {"--stage", &t.stage}};
  std::map<std::string, std::uint32_t> given;
  bool shared = true;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    const auto number = std::find_if(numbers.begin(), numbers.end(),
                                     [&](const auto& each) { return each.first == word; });
    if (number != numbers.end() && i + 1 < count) {
      given[word] = static_cast<std::uint32_t>(std::strtoul(arguments[++i], nullptr, 10));
    } else if (word == "--gpu" && i + 1 < count) {
      options.device = arguments[++i];
    } else if (word == "--float") {
      options.asset.float32 = true;
    } else if (word == "--shells") {
      options.asset.shells = true;
    } else if (word == "--no-shared") {
      shared = false;
    } else if (word == "--sweep") {
      options.sweep = true;
    } else if (word == "--paths") {
      options.paths = true;
    } else {
      return false;
    }
  }
  if (given.contains("--modes")) modes = given["--modes"];  // the tuning depends on it
  t = gpu::default_crowd_tuning(modes);
  t.shared_coefficients = shared;
  for (const auto& [name, target] : numbers) {
    if (given.contains(name)) *target = given[name];
  }
  options.asset.objects = objects;
  options.asset.modes = modes;
  return options.characters > 0 && options.asset.vertices > 0 && t.threads > 0 &&
         t.threads % 16 == 0 && t.repeat > 0 && t.tile > 0 && t.tile <= 16 &&
         (t.tile & (t.tile - 1)) == 0 && (t.stage == 0 || t.tile % t.stage == 0);
}

struct Measured {
  double seconds;
  std::string line;
};

std::string describe(const CrowdTuning& t) {
  return "threads " + std::to_string(t.threads) + " tile " + std::to_string(t.tile) + " repeat " +
         std::to_string(t.repeat) + " stage " + std::to_string(t.stage) +
         (t.shared_coefficients ? "" : " no-shared");
}

Result<Measured> measure_path(const Context& context, const Crowd& crowd, ModalPath path,
                              const std::string& title, const CrowdTuning& tuning, double copy) {
  SUPPLE_TRY(const ModalMesh mesh, bench::upload(context, crowd, path, tuning));
  mesh.evaluate();
  SUPPLE_TRY(const double wrong, crowd.difference(mesh));
  const double seconds = bench::gpu_seconds(context, [&] {
    if (path == ModalPath::Compute) {
      mesh.evaluate();
    } else {
      mesh.draw_unseen();
    }
  });
  std::vector<char> text(256);
  std::snprintf(text.data(), text.size(),
                "%8.4f ms  %7.1f GB/s  %5.1f %% of copy  off by %.1e%s  %s", 1e3 * seconds,
                1e-9 * crowd.bytes() / seconds, 100 * crowd.bytes() / seconds / copy, wrong,
                wrong <= bench::kCrowdTolerance ? "" : " WRONG", title.c_str());
  SUPPLE_TRY_VOID(gpu::check_gl(context.gl(), "the crowd"));
  if (!(wrong <= bench::kCrowdTolerance)) {
    return not_converged("the GPU disagrees with the CPU player: " + std::string(text.data()));
  }
  return Measured{seconds, text.data()};
}

std::vector<CrowdTuning> sweep_over(const CrowdTuning& base) {
  std::vector<CrowdTuning> all;
  for (const std::uint32_t threads : {64U, 128U, 256U}) {
    for (const std::uint32_t tile : {2U, 4U, 8U, 16U}) {
      for (const std::uint32_t stage : {0U, 1U, 2U, 4U, 8U}) {
        for (const std::uint32_t repeat : {1U, 2U, 4U, 8U}) {
          if (stage > tile) continue;
          CrowdTuning tuning = base;
          tuning.threads = threads;
          tuning.tile = tile;
          tuning.stage = stage;
          tuning.repeat = repeat;
          all.push_back(tuning);
        }
      }
    }
  }
  return all;
}

Result<void> sweep_tunings(const Context& context, const Crowd& crowd, const CrowdTuning& base,
                           double copy) {
  std::vector<Measured> all;
  for (const CrowdTuning& tuning : sweep_over(base)) {
    auto row = measure_path(context, crowd, ModalPath::Compute, describe(tuning), tuning, copy);
    if (!row.ok()) {
      std::printf("%s: %s\n", describe(tuning).c_str(), row.error().message().c_str());
      continue;
    }
    std::printf("%s\n", row->line.c_str());
    std::fflush(stdout);
    all.push_back(*std::move(row));
  }
  std::sort(all.begin(), all.end(),
            [](const Measured& a, const Measured& b) { return a.seconds < b.seconds; });
  std::printf("\nfastest:\n");
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 10); ++i) {
    std::printf("%s\n", all[i].line.c_str());
  }
  return {};
}

/// Measures every requested path and prints one line each. Returns seconds.
Result<std::vector<double>> measure_paths(const Context& context, const Options& options,
                                          const bench::AssetSpec& asset, double copy) {
  SUPPLE_TRY(const Crowd crowd, Crowd::make(asset, options.characters));
  std::vector<std::pair<ModalPath, std::string>> paths{
      {ModalPath::Compute, "compute, " + describe(options.tuning)}};
  if (options.paths) {
    paths.emplace_back(ModalPath::Textures, "textures, drawn as points");
    paths.emplace_back(ModalPath::Attributes, "attributes, drawn as points");
  }
  std::vector<double> seconds;
  for (const auto& [path, title] : paths) {
    SUPPLE_TRY(const Measured row, measure_path(context, crowd, path, title, options.tuning, copy));
    std::printf("%s%s\n", row.line.c_str(), asset.shells ? ", shells" : "");
    seconds.push_back(row.seconds);
  }
  return seconds;
}

Result<void> run(const Options& options) {
  SUPPLE_TRY(const Context context, Context::create({options.device}));
  std::printf("%s, %s (%s)\n", context.names().renderer.c_str(), context.names().version.c_str(),
              context.names().found_by.c_str());
  SUPPLE_TRY(const double copy, bench::copy_bandwidth(context));
  std::printf("copies %.1f GB/s, read and written\n", 1e-9 * copy);
  std::printf("%u characters of %u vertices, %zu modes\n", options.characters,
              options.asset.vertices, options.asset.modes * options.asset.objects);
  if (options.sweep) {
    SUPPLE_TRY(const Crowd crowd, Crowd::make(options.asset, options.characters));
    return sweep_tunings(context, crowd, options.tuning, copy);
  }
  bench::AssetSpec flesh = options.asset;
  flesh.shells = false;
  SUPPLE_TRY(const std::vector<double> plain, measure_paths(context, options, flesh, copy));
  if (!options.asset.shells) return {};
  SUPPLE_TRY(const std::vector<double> warped,
             measure_paths(context, options, options.asset, copy));
  const double vertices = static_cast<double>(options.characters) * options.asset.vertices;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    std::printf("warping: %.2f ps per vertex, the plain modal sum: %.2f ps, ratio %.2f\n",
                1e12 * (warped[i] - plain[i]) / vertices, 1e12 * plain[i] / vertices,
                warped[i] / plain[i] - 1);
  }
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  if (!parse(count, arguments, options)) return crowd_usage();
  const auto result = run(options);
  if (result.ok()) return 0;
  std::fprintf(stderr, "error: %s\n", result.error().describe().c_str());
  return static_cast<int>(result.error().code());
}
