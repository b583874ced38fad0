// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/bake_shells.hpp"
#include "supple/core/output.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace supple::app {

[[nodiscard]] std::string human_report(const bake::ShellRun& run,
                                       const std::vector<WrittenFile>& files);
[[nodiscard]] std::string json_report(const bake::ShellRun& run,
                                      const std::vector<WrittenFile>& files);

/// The parts of both reports that describe shells, for files that also contain other objects.
[[nodiscard]] std::string shells_table(const bake::PreparedShells& scene,
                                       const std::vector<shell::ShellObject>& objects);
[[nodiscard]] nlohmann::ordered_json shells_json(const bake::PreparedShells& scene,
                                                 const std::vector<shell::ShellObject>& objects);
[[nodiscard]] std::string recorded_table(const std::vector<bake::RecordedShell>& recorded);
[[nodiscard]] nlohmann::ordered_json recorded_json(
    const std::vector<bake::RecordedShell>& recorded);

}  // namespace supple::app
