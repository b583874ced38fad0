// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shell_pictures.hpp"

#include "supple/core/progress.hpp"
#include "supple/core/result.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::app {

/// Where the experiments of a paper write and what they have to say.
struct ExperimentBench {
  std::filesystem::path directory;
  std::optional<ShellStudio> studio;  ///< none: no pictures
  nlohmann::ordered_json summary;
  std::string text;  ///< README.md
  std::vector<std::filesystem::path> files;
  Progress* progress = nullptr;

  [[nodiscard]] Result<void> write(const std::string& name, std::string_view content);
  [[nodiscard]] Result<void> write(const std::string& name, const Canvas& picture);
};

}  // namespace supple::app
