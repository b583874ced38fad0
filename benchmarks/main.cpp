// SPDX-License-Identifier: Apache-2.0
// ./bench [--largest ELEMENTS] [--write FILE] [SECTION...]
#include "benchmarks/benchmarks.hpp"
#include "supple/core/files.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using supple::Result;

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

struct Section {
  const char* name;
  std::function<Result<std::string>()> measure;
};

std::vector<Section> sections(const std::filesystem::path& supple, const std::size_t& largest) {
  namespace bench = supple::bench;
  return {{"modes", [=] { return bench::modes_against_calculix(supple); }},
          {"growth", [=, &largest] { return bench::modes_growth(supple, largest); }},
          {"meshing", [] { return bench::meshing(); }},
          {"flesh", [=] { return bench::flesh_bake(supple); }},
          {"step", [] { return bench::player_step(); }},
          {"vertices", [] { return bench::player_vertices(); }},
          {"shade", [] { return bench::player_light(); }},
          {"shells", [=] { return bench::shells(supple); }},
          {"simulate", [] { return bench::free_swing(); }},
          {"contact", [] { return bench::simulated_contact(); }},
          {"scene", [=] { return bench::scenes(supple); }},
          {"light", [] { return bench::lighting(); }},
          {"swim", [] { return bench::swimmer(); }},
          {"wasm", [=] { return bench::wasm_player(supple); }},
          {"gpu", [] { return bench::gpu_vertices(); }}};
}

Result<std::string> measure(const std::vector<Section>& all, const std::set<std::string>& wanted) {
  std::string report = fmt::format(
      "# Benchmarks\n\nWritten by `./bench --write docs/benchmarks.md` on {}, {} threads, {:.0f} "
      "GB of memory. Peers were measured in the same run on the same machine. Absolute times "
      "depend on the machine; compare the ratios.\n",
      processor(), supple::thread_count(), supple::physical_memory_bytes() * 1e-9);
  for (const Section& section : all) {
    if (!wanted.empty() && wanted.count(section.name) == 0) continue;
    SUPPLE_TRY(const std::string text, section.measure());
    std::printf("\n%s", text.c_str());
    std::fflush(stdout);
    report += "\n" + text;
  }
  return report;
}

/// Sections of a report by heading; text before the first heading is under "".
std::map<std::string, std::string> by_heading(const std::string& report) {
  std::map<std::string, std::string> parts;
  std::istringstream lines(report);
  std::string heading;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("## ", 0) == 0) heading = line;
    parts[heading] += line + "\n";
  }
  return parts;
}

/// The old report with the newly measured sections replaced, so that long ones need not run each
/// time.
std::string merge(const std::string& old_report, const std::string& fresh) {
  std::map<std::string, std::string> measured = by_heading(fresh);
  std::string merged = measured[""];
  measured.erase("");
  std::istringstream lines(old_report);
  std::string heading;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("## ", 0) == 0) {
      heading = line;
      const auto found = measured.find(heading);
      if (found != measured.end()) merged += found->second;
    }
    if (!heading.empty() && measured.count(heading) == 0) merged += line + "\n";
  }
  const std::map<std::string, std::string> known = by_heading(old_report);
  for (const auto& [name, text] : measured) {
    if (known.count(name) == 0) merged += "\n" + text;
  }
  return merged;
}

int usage(const std::vector<Section>& all) {
  std::string names;
  for (const Section& section : all) names += fmt::format(" [{}]", section.name);
  std::fprintf(stderr, "usage: ./bench [--largest ELEMENTS] [--write FILE]%s\n", names.c_str());
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  std::set<std::string> wanted;
  std::size_t largest = 1'000'000;
  std::string output;
  const auto supple = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "supple";
  const std::vector<Section> all = sections(supple, largest);
  for (int i = 1; i < count; ++i) {
    const std::string word = arguments[i];
    if (word == "--largest" && i + 1 < count) {
      largest = std::stoul(arguments[++i]);
    } else if (word == "--write" && i + 1 < count) {
      output = arguments[++i];
    } else if (std::any_of(all.begin(), all.end(),
                           [&](const Section& section) { return word == section.name; })) {
      wanted.insert(word);
    } else {
      return usage(all);
    }
  }
  const auto report = measure(all, wanted);
  if (!report.ok()) {
    std::fprintf(stderr, "error: %s\n", report.error().describe().c_str());
    return static_cast<int>(report.error().code());
  }
  if (output.empty()) return 0;
  std::string text = *report;
  const auto before = supple::read_file(output);
  if (!wanted.empty() && before.ok()) {
    text = merge(std::string(reinterpret_cast<const char*>(before->data()), before->size()), text);
  }
  const auto written = supple::write_file(output, text);
  if (!written.ok()) std::fprintf(stderr, "error: %s\n", written.error().describe().c_str());
  return written.ok() ? 0 : 5;
}
