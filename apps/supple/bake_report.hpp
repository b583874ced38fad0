// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake_job.hpp"

#include <string>

namespace supple::app {

/// Tables of the objects and of what each mode adds.
[[nodiscard]] std::string human_report(const BakeRun& run);

/// The same and more as one JSON object.
[[nodiscard]] std::string json_report(const BakeRun& run);

}  // namespace supple::app
