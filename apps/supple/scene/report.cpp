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

#include <algorithm>

namespace supple::app {
namespace {

Json pops_json(const bake::PopScore& pops) {
  return {{"largest", pops.largest}, {"mean", pops.mean}};
}

/// Of what the report beside the result shows.
void add_certificate(Json& json, const bake::SceneCertificate& certificate) {
  const bake::TransitionTest& test = certificate.transitions;
  json["intersections_transitions"] = test.intersections;
  json["transitions"] = test.cached;
  json["transitions_rerouted"] = test.rerouted;
  json["transitions_tested"] = test.tested;
  json["transition_frames_tested"] = test.frames;
  json["transitions_crossing"] = test.crossing;
  json["intersections_unblended"] = test.unblended;
  json["transitions_crossing_unblended"] = test.crossing_unblended;
  json["pop_score"] = certificate.pops.largest;
  json["pops"] = pops_json(certificate.pops);
  json["paper_pops"] = pops_json(certificate.paper_pops);
  json["coverage"] = {{"mean", certificate.coverage.mean},
                      {"most", certificate.coverage.most},
                      {"largest", certificate.coverage.largest}};
  json["motion_m"] = certificate.motion;
  json["largest_error_m"] = certificate.largest_error;
  json["texture_bytes"] = certificate.texture_bytes;
}

std::string certificate_text(const bake::SceneCertificate& certificate) {
  const bake::TransitionTest& test = certificate.transitions;
  std::string text;
  if (test.tested > 0) {
    text += fmt::format("{} of {} transitions tested: {} intersect, {} of them without the blend\n",
                        test.tested, format_count(test.cached), test.crossing,
                        std::min(test.crossing, test.crossing_unblended));
  }
  return text + fmt::format(
                    "random play is {:.2g} of the portrait's size from the samples in the mean, "
                    "{:.2g} at most; pops {:.1g} (the paper's blend: {:.2g})\n",
                    certificate.coverage.mean, certificate.coverage.largest,
                    certificate.pops.largest, certificate.paper_pops.largest);
}

}  // namespace

namespace {

std::string loops_text(const bake::SceneReport& report) {
  if (report.loops.empty()) return {};
  TextTable table({{"clip", TextTable::Align::Left},
                   {"seconds"},
                   {"begins with", TextTable::Align::Left},
                   {"seam as recorded"},
                   {"in the clip"}});
  for (const bake::SceneLoopReport& loop : report.loops) {
    table.row({loop.clip, fmt::format("{:.2f}", loop.seconds), loop.entry,
               fmt::format("{:.2g}", loop.seam_before), fmt::format("{:.2g}", loop.seam_after)});
  }
  return table.str() + "\n";
}

Json loops_json(const bake::SceneReport& report) {
  Json loops = Json::array();
  for (const bake::SceneLoopReport& loop : report.loops) {
    loops.push_back({{"clip", loop.clip},
                     {"seconds", loop.seconds},
                     {"entry", loop.entry},
                     {"seam_before", loop.seam_before},
                     {"seam_after", loop.seam_after}});
  }
  return loops;
}

std::string refinement_text(const bake::SceneReport& report) {
  if (!report.refinement) return {};
  const bake::SceneRefinement& r = *report.refinement;
  return fmt::format(
      "{} blends of the log refined by {} chains\nthese blends: {:.2g} in the mean and {:.2g} "
      "at most, before {:.2g} and {:.2g}\nall states and entries: {:.3g} in the mean, before "
      "{:.3g}\n\n",
      r.blends, r.chains, r.mean_after, r.largest_after, r.mean_before, r.largest_before,
      r.coverage_after, r.coverage_before);
}

Json scene_parts_json(const bake::SceneReport& report) {
  Json parts = Json::array();
  for (const bake::ScenePartReport& part : report.parts) {
    Json json{{"name", part.name},
              {"vertices", part.vertices},
              {"rank", part.rank},
              {"relative_error", part.relative_error},
              {"states", part.states},
              {"responses", part.responses},
              {"blend_mean", part.blend_mean},
              {"blend_largest", part.blend_largest}};
    add_certificate(json, part.certificate);
    parts.push_back(std::move(json));
  }
  return parts;
}

std::string parts_text(const bake::SceneReport& report) {
  if (report.parts.empty()) return {};
  TextTable table({{"part", TextTable::Align::Left},
                   {"vertices"},
                   {"shapes"},
                   {"error"},
                   {"responses"},
                   {"states"},
                   {"transitions"}});
  for (const bake::ScenePartReport& part : report.parts) {
    table.row({part.name, format_count(part.vertices), fmt::format("{}", part.rank),
               fmt::format("{:.2g}", part.relative_error), fmt::format("{}", part.responses),
               format_count(part.states), fmt::format("{:.2g}", part.blend_mean)});
  }
  return table.str() + "\n";
}

Json refinement_json(const bake::SceneRefinement& r) {
  return {{"blends", r.blends},
          {"chains", r.chains},
          {"mean_before", r.mean_before},
          {"mean_after", r.mean_after},
          {"largest_before", r.largest_before},
          {"largest_after", r.largest_after},
          {"coverage_before", r.coverage_before},
          {"coverage_after", r.coverage_after}};
}

}  // namespace

std::string human_report(const bake::SceneReport& report, const std::vector<WrittenFile>& files) {
  std::string text =
      fmt::format("{} states in {} chains", format_count(report.sampled_states), report.chains);
  if (report.resumed_chains > 0) text += fmt::format(", {} resumed", report.resumed_chains);
  text += fmt::format(", {} intersections\n", report.certificate.intersections_samples);
  if (report.failed_responses > 0) {
    text += fmt::format("{} responses failed and are not played\n", report.failed_responses);
  }
  text += fmt::format("{} responses with {} states can be played\n", report.responses,
                      format_count(report.states));
  text += fmt::format("{} shapes of {} vertices leave {:.2g} of the motion\n", report.rank,
                      format_count(report.vertices), report.relative_error);
  text += fmt::format("transitions: {:.2g} of the portrait's size in the mean, {:.2g} at most\n",
                      report.blend_mean, report.blend_largest);
  text += certificate_text(report.certificate);
  text += fmt::format("{}B instead of {}B\n\n", format_si(static_cast<double>(report.bytes), ""),
                      format_si(static_cast<double>(report.raw_bytes), ""));
  text += parts_text(report) + loops_text(report) + refinement_text(report);
  return text + written_text(files) +
         fmt::format("{} in all, {}B of memory\n", format_seconds(total_seconds(report.seconds)),
                     format_si(peak_memory_bytes(), ""));
}

std::string json_report(const bake::SceneReport& report, const std::vector<WrittenFile>& files) {
  Json json{{"version", version()},
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
            {"intersections_samples", report.certificate.intersections_samples},
            {"blend_mean", report.blend_mean},
            {"blend_largest", report.blend_largest},
            {"quantisation_error_m", report.quantisation_error},
            {"bytes", report.bytes},
            {"raw_bytes", report.raw_bytes},
            {"loops", loops_json(report)},
            {"warnings", report.warnings},
            {"files", written_json(files)},
            {"seconds", seconds_json(report.seconds)},
            {"threads", thread_count()},
            {"peak_memory_mb", peak_memory_bytes() / 1e6}};
  add_certificate(json, report.certificate);
  if (!report.parts.empty()) json["parts"] = scene_parts_json(report);
  if (report.refinement) json["refinement"] = refinement_json(*report.refinement);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace supple::app
