// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/output_names.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace supple::bake {

std::string supple_path(const std::string& glb) {
  return std::filesystem::path(glb).replace_extension(".supple").string();
}

Result<void> check_glb_name(const std::string& output) {
  if (output.empty() || std::filesystem::path(output).extension() == ".glb") return {};
  return Error(
      ErrorCode::Usage,
      fmt::format("the output '{}' must end in .glb; the .supple file gets the same name", output));
}

}  // namespace supple::bake
