// SPDX-License-Identifier: Apache-2.0
#include "experiments/bench.hpp"

#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/plot/raster.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace supple::experiments {

namespace fs = std::filesystem;

ExperimentBench::~ExperimentBench() {
  std::error_code ignored;
  if (!directory.empty()) fs::remove_all(directory, ignored);
}

Result<void> ExperimentBench::open(const fs::path& target, bool pictures) {
  SUPPLE_TRY_VOID(m_output.make_directory(target));
  SUPPLE_TRY_VOID(check_writable({(target / "README.md").string()}));
  m_target = target;
  const fs::path kind = target / ".experiments";
  sweep_leftovers(kind);
  const fs::path work = temporary_name(kind);
  std::error_code failure;
  fs::create_directory(work, failure);
  if (failure) {
    return io_error(
        fmt::format("cannot create the directory '{}': {}", work.string(), failure.message()));
  }
  directory = work;
  m_unfinished = Unfinished(work);
  if (!pictures) return {};
  auto created = pictures::Studio::create();
  if (created.ok()) {
    studio = *std::move(created);
  } else {
    log::warn("no pictures, only plots and numbers: {}", created.error().describe());
  }
  return {};
}

Result<void> ExperimentBench::write(const std::string& name, std::string_view content) {
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY_VOID(write_file(directory / name, content));
  files.push_back(directory / name);
  return {};
}

Result<void> ExperimentBench::write_plot(const std::string& name, const plot::Drawing& drawing) {
  SUPPLE_TRY(const std::vector<plot::PlotFile> made, plot::plot_files(name, drawing));
  for (const plot::PlotFile& file : made) SUPPLE_TRY_VOID(write(file.name, as_text(file.bytes)));
  return {};
}

Result<void> ExperimentBench::write_sheet(const std::string& name, const plot::Drawing& drawing) {
  SUPPLE_TRY(const Bytes png, plot::to_png(drawing));
  return write(name, as_text(png));
}

Result<std::vector<fs::path>> ExperimentBench::finish() {
  SUPPLE_TRY_VOID(write("summary.json", summary.dump(2) + "\n"));
  SUPPLE_TRY_VOID(write("README.md", text));
  std::vector<fs::path> places;
  places.reserve(files.size());
  for (const fs::path& file : files) {
    SUPPLE_TRY(const Bytes bytes, read_file(file));
    places.push_back(m_target / file.filename());
    SUPPLE_TRY_VOID(m_output.stage(places.back(), bytes));
  }
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY_VOID(m_output.commit());
  return places;
}

}  // namespace supple::experiments
