// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/output.hpp"
#include "supple/io/supple_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

/// Parts shared by the reports of several commands.
namespace supple::app {

/// One line per file, for the end of a report.
[[nodiscard]] std::string written_text(const std::vector<WrittenFile>& files);
[[nodiscard]] nlohmann::ordered_json written_json(const std::vector<WrittenFile>& files);

/// A command's own warnings, and all others that were logged: what a person reads on standard
/// error, a program finds in the report.
[[nodiscard]] nlohmann::ordered_json warnings_json(const std::vector<std::string>& own = {});

/// The last lines of a human report: rounding, files, time and memory.
[[nodiscard]] std::string report_end(const io::SuppleBytes& supple,
                                     const std::vector<WrittenFile>& files,
                                     const std::vector<std::pair<std::string, double>>& seconds);

/// The total time of the stages.
[[nodiscard]] double total_seconds(const std::vector<std::pair<std::string, double>>& seconds);

/// The time of each stage by name, and the "total".
[[nodiscard]] nlohmann::ordered_json seconds_json(
    const std::vector<std::pair<std::string, double>>& seconds);

}  // namespace supple::app
