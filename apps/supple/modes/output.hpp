// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/pictures/modes_files.hpp"

#include <string>
#include <vector>

namespace supple::app {

/// The files chosen by -o PREFIX and --write LIST. A prefix that ends in a known format means only
/// that file.
[[nodiscard]] Result<pictures::ModesFiles> plan_output(const std::string& prefix,
                                                       const std::string& formats);

/// Checks that every file can be written before the work begins: a wrong directory must not cost an
/// hour.
[[nodiscard]] Result<void> check_plan(const pictures::ModesFiles& plan);

}  // namespace supple::app
