// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <string>
#include <utility>

namespace supple::app {

/// What was asked for on the command line cannot be; the message says what can.
[[nodiscard]] inline Error usage_error(std::string message) {
  return {ErrorCode::Usage, std::move(message)};
}

}  // namespace supple::app
