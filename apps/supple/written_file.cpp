// SPDX-License-Identifier: Apache-2.0
#include "written_file.hpp"

#include "supple/core/console.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace supple::app {

std::string written_text(const std::vector<WrittenFile>& files) {
  std::string text;
  for (const WrittenFile& file : files) {
    text +=
        fmt::format("wrote {} ({}B)\n", file.path, format_si(static_cast<double>(file.bytes), ""));
  }
  return text;
}

nlohmann::ordered_json written_json(const std::vector<WrittenFile>& files) {
  auto json = nlohmann::ordered_json::array();
  for (const WrittenFile& file : files) {
    json.push_back({{"path", file.path}, {"bytes", file.bytes}});
  }
  return json;
}

}  // namespace supple::app
