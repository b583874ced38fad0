// SPDX-License-Identifier: Apache-2.0
#include "play/scene.hpp"

#include "cli/json.hpp"
#include "cli/report.hpp"

#include "supple/core/console.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace supple::app {
namespace {

/// The name of what acts; of one of several parts with the part's.
std::string trigger_name(const bake::ScenePlayRun& run, const bake::SceneTrigger& trigger) {
  for (const bake::ScenePart& part : run.parts) {
    if (part.object != trigger.object) continue;
    const std::string& name = part.palette[trigger.entry].name;
    return run.parts.size() > 1 ? fmt::format("{}:{}", part.name, name) : name;
  }
  return {};
}

std::string plan_text(const bake::ScenePlayRun& run) {
  if (!run.plan) return {};
  const scene::Plan& plan = *run.plan;
  std::string text = "plan: ";
  for (const bake::ScenePlayedTrigger& played : run.play.triggers) {
    const bake::SceneTrigger& trigger = played.trigger;
    text += fmt::format("{}{}@{:.6g}", &played == run.play.triggers.data() ? "" : ",",
                        trigger_name(run, trigger), trigger.time);
    if (trigger.strength != 1) text += fmt::format("*{:g}", trigger.strength);
  }
  if (run.play.triggers.empty()) text += "nothing to do";
  return text + fmt::format(
                    "\npredicted: {}, {:.3g} from the goal, transitions leave at most "
                    "{:.2g}; cost {:.4g}\n",
                    plan.rests ? "at rest" : "in motion", plan.distance, plan.left, plan.cost);
}

Json plan_json(const scene::Plan& plan) {
  Json json{
      {"cost", plan.cost}, {"distance", plan.distance}, {"rests", plan.rests}, {"left", plan.left}};
  if (!plan.end.at_rest()) {
    json["response"] = plan.end.response;
    json["frame"] = plan.end.frame;
  }
  return json;
}

std::string difference_text(const bake::SceneDifference& difference, double frame_seconds) {
  return fmt::format(
      "\nbeside the simulator: {} RMS, {:.3g} % of its motion; at most {}, at {:.3f} s\n",
      format_si(difference.rms_all, "m"), 100 * difference.relative,
      format_si(difference.largest, "m"),
      static_cast<double>(difference.largest_frame) * frame_seconds);
}

Json difference_json(const bake::SceneDifference& difference) {
  return {{"rms_m", difference.rms_all},
          {"relative", difference.relative},
          {"largest_m", difference.largest},
          {"largest_frame", difference.largest_frame},
          {"frames", difference.rms}};
}

Json triggers_json(const bake::ScenePlayRun& run) {
  Json triggers = Json::array();
  for (const bake::ScenePlayedTrigger& played : run.play.triggers) {
    triggers.push_back({{"entry", trigger_name(run, played.trigger)},
                        {"time", played.trigger.time},
                        {"strength", played.trigger.strength},
                        {"response", played.response},
                        {"blend", played.blend}});
  }
  return triggers;
}

}  // namespace

std::string scene_play_text(const bake::ScenePlayRun& run, const std::vector<WrittenFile>& files) {
  const bake::Tracks& tracks = run.play.tracks;
  std::string text = fmt::format("scene '{}': {}, {} frames, {} at the end\n\n", run.name,
                                 format_seconds(tracks.duration), tracks.values.rows(),
                                 run.play.rests ? "at rest" : "in motion");
  text += plan_text(run);
  TextTable triggers(
      {{"entry", TextTable::Align::Left}, {"at"}, {"strength"}, {"response"}, {"off the samples"}});
  for (const bake::ScenePlayedTrigger& played : run.play.triggers) {
    triggers.row({trigger_name(run, played.trigger), fmt::format("{:.3f} s", played.trigger.time),
                  fmt::format("{:g}", played.trigger.strength), fmt::format("{}", played.response),
                  fmt::format("{:.2g}", played.blend)});
  }
  if (!run.play.triggers.empty()) text += triggers.str();
  if (run.difference) text += difference_text(*run.difference, run.frame_seconds);
  if (run.exported) {
    text += fmt::format("\n{} keys of {} samples; largest error of a weight {:.2g}\n",
                        run.exported->keys, run.exported->samples, run.exported->largest_error);
  }
  return text + written_text(files);
}

std::string scene_play_json(const bake::ScenePlayRun& run, const std::vector<WrittenFile>& files) {
  const bake::Tracks& tracks = run.play.tracks;
  Json json;
  json["scene"] = run.name;
  json["duration"] = tracks.duration;
  json["frame_seconds"] = run.frame_seconds;
  json["at_rest"] = run.play.rests;
  json["triggers"] = triggers_json(run);
  if (run.plan) json["goal"] = plan_json(*run.plan);
  if (run.difference) json["simulation"] = difference_json(*run.difference);
  json["largest_off"] = *std::max_element(run.play.off.begin(), run.play.off.end());
  json["warnings"] = warnings_json(tracks.warnings);
  json["modes"] = Json::array();
  for (const bake::ModeName& mode : run.modes) {
    json["modes"].push_back({{"object", mode.object}, {"mode", mode.number}});
  }
  json["times"] = Json::array();
  json["coefficients"] = Json::array();
  for (Eigen::Index f = 0; f < tracks.values.rows(); ++f) {
    json["times"].push_back(tracks.time(f));
    const Eigen::RowVectorXd row = tracks.values.row(f);
    json["coefficients"].push_back(std::vector<double>(row.begin(), row.end()));
  }
  json["off"] = run.play.off;
  if (run.exported) {
    json["weight_error"] = run.exported->largest_error;
    json["keys"] = run.exported->keys;
  }
  json["files"] = written_json(files);
  return json.dump() + "\n";
}

}  // namespace supple::app
