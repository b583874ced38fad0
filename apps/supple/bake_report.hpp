// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake_job.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace supple::app {

/// Tables of the objects and of what each mode adds.
[[nodiscard]] std::string human_report(const BakeRun& run);

/// The same and more as one JSON object.
[[nodiscard]] std::string json_report(const BakeRun& run);

/// The last lines of a human report: rounding, files, time and memory.
[[nodiscard]] std::string report_end(const io::SuppleBytes& supple,
                                     const std::vector<WrittenFile>& files,
                                     const std::vector<std::pair<std::string, double>>& seconds);

/// What the stages took together.
[[nodiscard]] double total_seconds(const std::vector<std::pair<std::string, double>>& seconds);

/// Stages by name, and their "total".
[[nodiscard]] nlohmann::ordered_json seconds_json(
    const std::vector<std::pair<std::string, double>>& seconds);

}  // namespace supple::app
