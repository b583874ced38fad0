// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shell_job.hpp"

#include <string>

namespace supple::app {

[[nodiscard]] std::string human_report(const ShellRun& run);
[[nodiscard]] std::string json_report(const ShellRun& run);

}  // namespace supple::app
