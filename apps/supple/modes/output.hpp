// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/modes.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"

#include <string>
#include <vector>

namespace supple::app {

/// Which files to write, and where.
struct OutputPlan {
  std::string prefix;
  std::vector<std::string> formats;  ///< of vtu glb txt png, in this order

  [[nodiscard]] std::string path(const std::string& format) const { return prefix + "." + format; }
};

/// From -o PREFIX and --write LIST. A prefix that ends in a known format means that file alone.
[[nodiscard]] Result<OutputPlan> plan_output(const std::string& prefix, const std::string& formats);

/// Tries every file before the work begins: a wrong directory must not cost an hour.
[[nodiscard]] Result<void> check_plan(const OutputPlan& plan);

/// Stages all files of the plan.
[[nodiscard]] Result<void> stage_modes(const OutputPlan& plan, const bake::ModesRun& run,
                                       OutputSet& output);

}  // namespace supple::app
