// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/process.hpp"
#include "supple/core/files.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/io/deck.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

namespace supple::bench {
namespace {

constexpr int kBoxModes = 20;

/// The box of the published figures: 0.42 x 0.18 x 0.162 m of flesh, clamped at x = 0.
Result<void> write_box(int nx, int ny, int nz, const std::filesystem::path& path) {
  geometry::Box box;
  box.add(geometry::Vec3(0, 0, 0));
  box.add(geometry::Vec3(0.42, 0.18, 0.162));
  io::Deck deck;
  deck.mesh = geometry::to_quadratic(geometry::box_mesh(box, nx, ny, nz));
  deck.mesh.node_sets.clear();
  deck.mesh.region_names = {"flesh"};
  deck.mesh.regions.assign(deck.mesh.element_count(), 0);
  deck.materials = {{"flesh", 2e4, 0.45, 1000}};
  deck.fixed.assign(deck.mesh.nodes.size(), 0);
  for (std::size_t i = 0; i < deck.mesh.nodes.size(); ++i) {
    if (deck.mesh.nodes[i].x() < 1e-9) deck.fixed[i] = fem::kFixAll;
  }
  deck.requested_modes = kBoxModes;
  SUPPLE_TRY(const std::string text, io::write_deck(deck));
  return write_file(path, text);
}

struct ModesRun {
  RunCost cost;
  nlohmann::json report;
};

Result<ModesRun> run_supple(const std::filesystem::path& supple,
                            const std::filesystem::path& directory, const std::string& mass) {
  const auto log = directory / "supple.json";
  SUPPLE_TRY(RunCost cost, run({supple.string(), "modes", "box.inp", "-n",
                                std::to_string(kBoxModes), "--json", "--quiet", "--mass", mass},
                               directory, log));
  SUPPLE_TRY(const Bytes bytes, read_file(log));
  auto report = nlohmann::json::parse(as_text(bytes), nullptr, false);
  if (report.is_discarded()) return io_error("the output of supple is not JSON");
  return ModesRun{cost, std::move(report)};
}

/// Frequencies from CalculiX's table.
std::vector<double> calculix_frequencies(const std::filesystem::path& path) {
  std::vector<double> values;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line) && values.size() < kBoxModes;) {
    std::istringstream text(line);
    int mode = 0;
    double eigenvalue = 0;
    double radians = 0;
    double hertz = 0;
    if (text >> mode >> eigenvalue >> radians >> hertz) values.push_back(hertz);
  }
  return values;
}

double largest_difference(const nlohmann::json& ours, const std::vector<double>& theirs) {
  double worst = theirs.size() == ours.size() ? 0.0 : 1.0;
  for (std::size_t i = 0; i < std::min(theirs.size(), ours.size()); ++i) {
    worst = std::max(worst, std::abs(ours[i].get<double>() - theirs[i]) / theirs[i]);
  }
  return worst;
}

}  // namespace

Result<std::string> modes_against_calculix(const std::filesystem::path& supple) {
  std::string text = fmt::format(
      "## {} modes of a clamped box, 10-node elements\n\n"
      "| elements | unknowns | CalculiX wall | CPU | memory | Supple wall | CPU | memory | "
      "times faster | target | frequencies differ, 4-point mass | exact mass |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      kBoxModes);
  struct Size {
    int nx, ny, nz;
    double target;
  };
  for (const Size& size : {Size{21, 9, 9, 15}, Size{30, 13, 13, 12}}) {
    const ScratchDirectory scratch;
    SUPPLE_TRY_VOID(write_box(size.nx, size.ny, size.nz, scratch.path() / "box.inp"));
    // CalculiX is fastest with one thread here: with two, its solver and ARPACK together are
    // slower.
    SUPPLE_TRY(const RunCost theirs, run({"env", "OMP_NUM_THREADS=1", "ccx", "box"}, scratch.path(),
                                         scratch.path() / "ccx.log"));
    const std::vector<double> expected = calculix_frequencies(scratch.path() / "box.dat");
    SUPPLE_TRY(const ModesRun ours, run_supple(supple, scratch.path(), "consistent"));
    SUPPLE_TRY(const ModesRun same, run_supple(supple, scratch.path(), "4-point"));
    text += fmt::format(
        "| {} | {} | {:.1f} s | {:.1f} s | {:.0f} MB | {:.2f} s | {:.2f} s | {:.0f} MB | {:.1f} | "
        "{:.0f} | {:.1e} | {:.1e} |\n",
        ours.report["elements"].get<int>(), ours.report["dof"].get<int>(), theirs.wall_seconds,
        theirs.cpu_seconds, theirs.peak_bytes * 1e-6, ours.cost.wall_seconds, ours.cost.cpu_seconds,
        ours.cost.peak_bytes * 1e-6, theirs.wall_seconds / ours.cost.wall_seconds, size.target,
        largest_difference(same.report["frequencies_hz"], expected),
        largest_difference(ours.report["frequencies_hz"], expected));
  }
  return text;
}

Result<std::string> modes_growth(const std::filesystem::path& supple, std::size_t largest) {
  std::string text =
      "## Growth with the number of elements\n\n"
      "The same box, 20 modes. The exponent compares wall time with the row above and with the "
      "first row.\n\n"
      "| elements | unknowns | wall | CPU | memory | exponent to row above | to first row | method "
      "| f1, Hz |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  struct Size {
    int nx, ny, nz;
  };
  double first_elements = 0;
  double first_seconds = 0;
  double last_elements = 0;
  double last_seconds = 0;
  for (const Size& size :
       {Size{21, 9, 9}, Size{30, 13, 13}, Size{45, 19, 19}, Size{66, 28, 27}, Size{98, 42, 41}}) {
    const double elements = 6.0 * size.nx * size.ny * size.nz;
    if (elements > 1.05 * static_cast<double>(largest)) break;
    const ScratchDirectory scratch;
    SUPPLE_TRY_VOID(write_box(size.nx, size.ny, size.nz, scratch.path() / "box.inp"));
    SUPPLE_TRY(const ModesRun ours, run_supple(supple, scratch.path(), "consistent"));
    const double seconds = ours.cost.wall_seconds;
    const auto exponent = [&](double from_elements, double from_seconds) {
      return from_seconds == 0 ? std::string("–")
                               : fmt::format("{:.2f}", std::log(seconds / from_seconds) /
                                                           std::log(elements / from_elements));
    };
    text += fmt::format(
        "| {} | {} | {:.2f} s | {:.2f} s | {:.0f} MB | {} | {} | {} | {:.6f} |\n", elements,
        ours.report["dof"].get<int>(), seconds, ours.cost.cpu_seconds, ours.cost.peak_bytes * 1e-6,
        exponent(last_elements, last_seconds), exponent(first_elements, first_seconds),
        ours.report["method"].get<std::string>(), ours.report["frequencies_hz"][0].get<double>());
    if (first_seconds == 0) {
      first_elements = elements;
      first_seconds = seconds;
    }
    last_elements = elements;
    last_seconds = seconds;
  }
  return text;
}

}  // namespace supple::bench
