// SPDX-License-Identifier: Apache-2.0
#include "source_directory.hpp"

namespace supple::testing {

std::filesystem::path source_directory() {
  return SUPPLE_SOURCE_DIR;
}

std::filesystem::path built_program() {
  return SUPPLE_CLI;
}

std::filesystem::path assets() {
  return source_directory() / "../shared/assets";
}

}  // namespace supple::testing
