// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/output.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/result.hpp"
#include "supple/core/unfinished.hpp"
#include "supple/pictures/studio.hpp"
#include "supple/plot/drawing.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::experiments {

/// Collects the files and text of a paper's experiments. They work in a temporary directory inside
/// the target, which is removed with the bench: files appear when all experiments are done, or not
/// at all.
class ExperimentBench {
 public:
  std::filesystem::path directory;         ///< to work in
  std::optional<pictures::Studio> studio;  ///< none: no pictures
  nlohmann::ordered_json summary = nlohmann::ordered_json::object();
  std::string text;                          ///< README.md
  std::vector<std::filesystem::path> files;  ///< in `directory`
  Progress* progress = nullptr;

  ExperimentBench() = default;
  ~ExperimentBench();
  ExperimentBench(const ExperimentBench&) = delete;
  ExperimentBench& operator=(const ExperimentBench&) = delete;

  /// Files go to `target`, which is created if missing. Without a GPU there are no pictures, only a
  /// warning.
  [[nodiscard]] Result<void> open(const std::filesystem::path& target, bool pictures);
  [[nodiscard]] Result<void> write(const std::string& name, std::string_view content);
  /// Adds a plot as NAME.svg and NAME.png.
  [[nodiscard]] Result<void> write_plot(const std::string& name, const plot::Drawing& drawing);
  /// Adds a sheet of pictures as the PNG file `name`.
  [[nodiscard]] Result<void> write_sheet(const std::string& name, const plot::Drawing& drawing);
  /// Writes summary and text, moves all files to the target at once, and returns where they are.
  [[nodiscard]] Result<std::vector<std::filesystem::path>> finish();

 private:
  OutputSet m_output;
  std::filesystem::path m_target;
  Unfinished m_unfinished;
};

}  // namespace supple::experiments
