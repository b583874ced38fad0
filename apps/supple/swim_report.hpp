// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "swim_job.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace supple::app {

[[nodiscard]] std::string human_report(const SwimRun& run, const SwimRequest& request);
[[nodiscard]] std::string json_report(const SwimRun& run, const SwimRequest& request);

/// The figures of a swim under the names that every JSON of ours gives them.
[[nodiscard]] nlohmann::ordered_json figures_json(const swim::SwimReport& report);

/// The shipped strokes, one line each.
[[nodiscard]] Result<std::string> stroke_list();

}  // namespace supple::app
