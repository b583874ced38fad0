// SPDX-License-Identifier: Apache-2.0
#include "supple/core/version.hpp"

namespace supple {

std::string_view version() {
  return SUPPLE_VERSION;
}

std::string generator() {
  return "supple " + std::string(version());
}

}  // namespace supple
