// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>

namespace supple::oracle {

/// Whether a shell command succeeds; its output is discarded.
inline bool runs(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

}  // namespace supple::oracle
