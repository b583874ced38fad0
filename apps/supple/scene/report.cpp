// SPDX-License-Identifier: Apache-2.0
#include "scene/report.hpp"

#include "cli/json.hpp"
#include "cli/report.hpp"

#include "supple/core/console.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace supple::app {

std::string human_report(const bake::SceneReport& report, const std::vector<WrittenFile>& files) {
  std::string text =
      fmt::format("{} states in {} chains", format_count(report.sampled_states), report.chains);
  if (report.resumed_chains > 0) text += fmt::format(", {} resumed", report.resumed_chains);
  text += fmt::format(", {} intersections\n", report.intersections_samples);
  if (report.failed_responses > 0) {
    text += fmt::format("{} responses failed and are not played\n", report.failed_responses);
  }
  text += fmt::format("{} responses with {} states can be played\n", report.responses,
                      format_count(report.states));
  text += fmt::format("{} shapes of {} vertices leave {:.2g} of the motion\n", report.rank,
                      format_count(report.vertices), report.relative_error);
  text += fmt::format("transitions: {:.2g} of the portrait's size in the mean, {:.2g} at most\n",
                      report.blend_mean, report.blend_largest);
  text += fmt::format("{}B instead of {}B\n\n", format_si(static_cast<double>(report.bytes), ""),
                      format_si(static_cast<double>(report.raw_bytes), ""));
  return text + written_text(files) +
         fmt::format("{} in all, {}B of memory\n", format_seconds(total_seconds(report.seconds)),
                     format_si(peak_memory_bytes(), ""));
}

std::string json_report(const bake::SceneReport& report, const std::vector<WrittenFile>& files) {
  const Json json{{"version", version()},
                  {"scene", report.input.title},
                  {"chains", report.chains},
                  {"resumed_chains", report.resumed_chains},
                  {"failed_responses", report.failed_responses},
                  {"sampled_states", report.sampled_states},
                  {"states", report.states},
                  {"responses", report.responses},
                  {"vertices", report.vertices},
                  {"rank", report.rank},
                  {"relative_error", report.relative_error},
                  {"error_by_rank", report.error_by_rank},
                  {"intersections_samples", report.intersections_samples},
                  {"blend_mean", report.blend_mean},
                  {"blend_largest", report.blend_largest},
                  {"quantisation_error_m", report.quantisation_error},
                  {"bytes", report.bytes},
                  {"raw_bytes", report.raw_bytes},
                  {"warnings", report.warnings},
                  {"files", written_json(files)},
                  {"seconds", seconds_json(report.seconds)},
                  {"threads", thread_count()},
                  {"peak_memory_mb", peak_memory_bytes() / 1e6}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace supple::app
