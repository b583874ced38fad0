// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/swim.hpp"
#include "supple/core/output.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace supple::app {

[[nodiscard]] std::string human_report(const bake::SwimRun& run, const bake::SwimRequest& request,
                                       const std::vector<WrittenFile>& files);
[[nodiscard]] std::string json_report(const bake::SwimRun& run, const bake::SwimRequest& request,
                                      const std::vector<WrittenFile>& files);

/// The measures of a swim under the names used in all of our JSON.
[[nodiscard]] nlohmann::ordered_json figures_json(const swim::SwimReport& report);

/// The shipped strokes, one line each.
[[nodiscard]] Result<std::string> stroke_list();

}  // namespace supple::app
