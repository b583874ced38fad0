// SPDX-License-Identifier: Apache-2.0
#include "cli/report.hpp"

#include "cli/json.hpp"

#include "supple/core/console.hpp"
#include "supple/core/log_record.hpp"
#include "supple/core/resources.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

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

nlohmann::ordered_json warnings_json(const std::vector<std::string>& own) {
  nlohmann::ordered_json json = own;
  for (const std::string& logged : log::recorded_warnings()) {
    // The log may put the file's name in front.
    const bool known = std::any_of(own.begin(), own.end(), [&](const std::string& warning) {
      return logged.find(warning) != std::string::npos;
    });
    if (!known) json.push_back(logged);
  }
  return json;
}

double total_seconds(const std::vector<std::pair<std::string, double>>& seconds) {
  double total = 0;
  for (const auto& [stage, duration] : seconds) total += duration;
  return total;
}

Json seconds_json(const std::vector<std::pair<std::string, double>>& seconds) {
  Json stages = Json::object();
  for (const auto& [stage, duration] : seconds) {
    stages[stage] = stages.value(stage, 0.0) + duration;
  }
  stages["total"] = total_seconds(seconds);
  return stages;
}

std::string report_end(const io::SuppleBytes& supple, const std::vector<WrittenFile>& files,
                       const std::vector<std::pair<std::string, double>>& seconds) {
  std::string text = fmt::format("shapes are rounded to {:.2g} of their largest displacement\n",
                                 supple.relative_error);
  return text + written_text(files) +
         fmt::format("{} in all, {}B of memory\n", format_seconds(total_seconds(seconds)),
                     format_si(peak_memory_bytes(), ""));
}

}  // namespace supple::app
