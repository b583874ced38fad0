// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/simulate.hpp"
#include "supple/core/output.hpp"

#include <string>
#include <vector>

namespace supple::app {

[[nodiscard]] std::string human_report(const bake::SimulateReport& report,
                                       const std::vector<WrittenFile>& files);
[[nodiscard]] std::string json_report(const bake::SimulateReport& report,
                                      const std::vector<WrittenFile>& files);

}  // namespace supple::app
