// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/scene.hpp"
#include "supple/core/output.hpp"

#include <string>
#include <vector>

namespace supple::app {

[[nodiscard]] std::string human_report(const bake::SceneReport& report,
                                       const std::vector<WrittenFile>& files);
[[nodiscard]] std::string json_report(const bake::SceneReport& report,
                                      const std::vector<WrittenFile>& files);

}  // namespace supple::app
