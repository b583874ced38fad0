// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/modes.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"

#include <string>
#include <vector>

namespace supple::pictures {

/// Which files to write, and where.
struct ModesFiles {
  std::string prefix;
  std::vector<std::string> formats;  ///< of vtu glb txt png, in this order

  [[nodiscard]] std::string path(const std::string& format) const { return prefix + "." + format; }
};

/// Stages all files.
[[nodiscard]] Result<void> stage_modes(const ModesFiles& files, const bake::ModesRun& run,
                                       OutputSet& output);

}  // namespace supple::pictures
