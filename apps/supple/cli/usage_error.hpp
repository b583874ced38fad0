// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <string>
#include <utility>

namespace supple::app {

/// The command line asks for something impossible; the message says what is possible.
[[nodiscard]] inline Error usage_error(std::string message) {
  return {ErrorCode::Usage, std::move(message)};
}

}  // namespace supple::app
