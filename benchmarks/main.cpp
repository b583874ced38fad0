// SPDX-License-Identifier: Apache-2.0
// ./bench [--largest ELEMENTS] [--write FILE] [modes] [growth] [meshing]
#include "benchmarks/benchmarks.hpp"
#include "supple/core/files.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <string>

namespace {

using supple::Result;

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

Result<std::string> measure(const std::filesystem::path& supple,
                            const std::set<std::string>& wanted, std::size_t largest) {
  const auto want = [&](const char* name) { return wanted.empty() || wanted.count(name) == 1; };
  std::string report = fmt::format(
      "# Benchmarks\n\nWritten by `./bench --write docs/benchmarks.md` on {}, {} threads, {:.0f} "
      "GB "
      "of memory. Peers ran in the same run on the same machine. Absolute times move with the "
      "machine; read the ratios.\n",
      processor(), supple::thread_count(), supple::physical_memory_bytes() * 1e-9);
  const auto add = [&](Result<std::string> section) -> Result<void> {
    SUPPLE_TRY(const std::string text, std::move(section));
    std::printf("\n%s", text.c_str());
    std::fflush(stdout);
    report += "\n" + text;
    return {};
  };
  if (want("modes")) SUPPLE_TRY_VOID(add(supple::bench::modes_against_calculix(supple)));
  if (want("growth")) SUPPLE_TRY_VOID(add(supple::bench::modes_growth(supple, largest)));
  if (want("meshing")) SUPPLE_TRY_VOID(add(supple::bench::meshing()));
  return report;
}

}  // namespace

int main(int count, char** arguments) {
  std::set<std::string> wanted;
  std::size_t largest = 1'000'000;
  std::string output;
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word == "--largest" && i + 1 < count) {
      largest = std::stoul(arguments[++i]);
    } else if (word == "--write" && i + 1 < count) {
      output = arguments[++i];
    } else if (word == "modes" || word == "growth" || word == "meshing") {
      wanted.insert(word);
    } else {
      std::fprintf(stderr,
                   "usage: ./bench [--largest ELEMENTS] [--write FILE] [modes] [growth] "
                   "[meshing]\n");
      return 2;
    }
  }
  const auto supple = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "supple";
  const auto report = measure(supple, wanted, largest);
  if (!report.ok()) {
    std::fprintf(stderr, "error: %s\n", report.error().describe().c_str());
    return static_cast<int>(report.error().code());
  }
  if (output.empty()) return 0;
  const auto written = supple::write_file(output, *report);
  if (!written.ok()) std::fprintf(stderr, "error: %s\n", written.error().describe().c_str());
  return written.ok() ? 0 : 5;
}
