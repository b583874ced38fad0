// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/bake_character.hpp"
#include "supple/core/output.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace supple::app {

/// Tables of the objects and of the contribution of each mode.
[[nodiscard]] std::string human_report(const bake::BakeRun& run,
                                       const std::vector<WrittenFile>& files);

/// The same with more detail, as one JSON object.
[[nodiscard]] std::string json_report(const bake::BakeRun& run,
                                      const std::vector<WrittenFile>& files);

}  // namespace supple::app
