// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/log.hpp"

#include <string>
#include <utility>
#include <vector>

namespace supple::bake {

/// Logs a warning and keeps it for the report.
inline void warn(std::vector<std::string>& warnings, std::string warning) {
  log::warn("{}", warning);
  warnings.push_back(std::move(warning));
}

}  // namespace supple::bake
