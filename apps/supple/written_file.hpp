// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace supple::app {

struct WrittenFile {
  std::string path;
  std::size_t bytes = 0;
};

/// A line each, for the end of a report.
[[nodiscard]] std::string written_text(const std::vector<WrittenFile>& files);
[[nodiscard]] nlohmann::ordered_json written_json(const std::vector<WrittenFile>& files);

}  // namespace supple::app
