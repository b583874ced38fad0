// SPDX-License-Identifier: Apache-2.0
// Scenes in the commands that know them: play, info, check, render, and refining.
#include "small_scenes.hpp"

#include "supple/core/files.hpp"
#include "supple/io/gltf.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace supple::testing {
namespace {

using SceneJson = nlohmann::json;

/// One bake for all of these tests; none of them changes it.
const BakedFlag& flag() {
  static const BakedFlag baked;
  EXPECT_EQ(baked.baked().status, 0) << baked.baked().err;
  return baked;
}

SceneJson json_of(const Arguments& arguments) {
  const Outcome outcome = supple(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.status == 0 ? SceneJson::parse(outcome.out) : SceneJson();
}

void expect_refused(const Arguments& arguments, int status, const std::string& says) {
  const Outcome outcome = supple(arguments);
  EXPECT_EQ(outcome.status, status) << outcome.err;
  EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
}

TEST(PlayScene, WritesCoefficientsAndAClip) {
  const TemporaryDirectory directory;
  const std::string csv = directory.path("a.csv");
  const std::string glb = directory.path("a.glb");
  const SceneJson json = json_of({"play", flag().file(), "--palette", "push@0.1,u@0.6*1",
                                  "--seconds", "1.5", "--csv", csv, "-o", glb, "--json"});
  EXPECT_EQ(json["scene"], "flag");
  ASSERT_EQ(json["times"].size(), 46U);
  EXPECT_EQ(json["coefficients"].size(), 46U);
  ASSERT_EQ(json["triggers"].size(), 2U);
  EXPECT_EQ(json["triggers"][1]["entry"], "pull");
  EXPECT_EQ(json["triggers"][1]["time"], 0.6);
  // Nothing moves before the first entry, and much after it.
  EXPECT_EQ(json["coefficients"][3][0], 0);
  EXPECT_GT(std::abs(json["coefficients"][8][0].get<double>()), 1e-3);
  const auto text = read_file(csv);
  ASSERT_TRUE(text.ok());
  std::istringstream lines{std::string(as_text(*text))};
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line.substr(0, 11), "time,flag 1");
  std::size_t rows = 0;
  while (std::getline(lines, line)) ++rows;
  EXPECT_EQ(rows, 46U);
  const auto asset = io::read_gltf(std::filesystem::path(glb));
  ASSERT_TRUE(asset.ok());
  ASSERT_EQ(asset->animations.size(), 1U);
  EXPECT_EQ(asset->animations[0].name, "palette");
  EXPECT_NEAR(asset->animations[0].duration, 1.5, 1e-6);
}

/// Strength matters, and more frames per second show the same motion.
TEST(PlayScene, KnowsStrengthsAndRates) {
  const auto row = [&](const Arguments& more, std::size_t place) {
    Arguments arguments{"play", flag().file(), "--seconds", "1", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json_of(arguments)["coefficients"][place].get<std::vector<double>>();
  };
  const std::vector<double> strong = row({"--palette", "push@0"}, 6);
  const std::vector<double> weak = row({"--palette", "push@0*0.5"}, 6);
  EXPECT_GT(std::abs(strong[0]), 1.2 * std::abs(weak[0]));
  const std::vector<double> fast = row({"--palette", "push@0", "--fps", "120"}, 24);
  for (std::size_t k = 0; k < strong.size(); ++k) {
    EXPECT_NEAR(fast[k], strong[k], 1e-5 * std::abs(strong[0]));
  }
}

TEST(PlayScene, PlaysUntilItRests) {
  const SceneJson json = json_of({"play", flag().file(), "--palette", "p@0", "--json"});
  EXPECT_EQ(json["at_rest"], true);
  EXPECT_LT(json["duration"], 20);
}

TEST(PlayScene, NamesWhatIsWrong) {
  const std::string file = flag().file();
  expect_refused({"play", file, "--palette", "psh@0"}, 2, "did you mean 'push'");
  expect_refused({"play", file, "--palette", "push"}, 2, "ENTRY@SECONDS");
  expect_refused({"play", file, "--palette", "push@-1"}, 2, "number of seconds from 0");
  expect_refused({"play", file, "--palette", "push@0*x"}, 2, "above 0");
  expect_refused({"play", file, "--palette", "push@3", "--seconds", "1"}, 2, "play longer");
  // By the rules: not the first, and nothing but a push after a pull.
  expect_refused({"play", file, "--palette", "pull@0.5"}, 3, "allowed then: push");
  expect_refused({"play", file, "--palette", "push@0,pull@0.5,pull@1"}, 3, "allowed then: push");
  expect_refused({"play", file, "--motion", "jump"}, 2, "is a scene");
  expect_refused({"play", file}, 2, "--palette");
  expect_refused({"play", file, "--palette", "push@0", "--wind", "1,0,0"}, 2, "palette alone");
  expect_refused({"play", file, "--goal", "rst@1"}, 2, "rest@SECONDS");
  expect_refused({"play", file, "--goal", "pose:999:0@1"}, 2, "responses are 0 to");
  expect_refused({"play", file, "--goal", "pose:0:9999@1"}, 2, "frames of response 0 are 0 to");
  expect_refused({"play", file, "--goal", "rest@1", "--palette", "push@0"}, 2, "--goal");
}

/// The plan as printed, and what the player does with it.
TEST(PlayScene, ReachesGoals) {
  const SceneJson info = json_of({"info", flag().file(), "--json"});
  const SceneJson& scene = info["objects"][0]["scene"];
  std::size_t response = 0;
  while (scene["responses"][response]["entry"] != "pull") ++response;
  std::string pose = "pose:";
  pose += std::to_string(response);
  pose += ":2@1.2";
  const SceneJson json = json_of({"play", flag().file(), "--goal", pose, "--json"});
  EXPECT_FALSE(json["triggers"].empty());
  EXPECT_LT(json["goal"]["distance"], 0.3);
  EXPECT_NEAR(json["duration"].get<double>(), 1.2, 1e-9);
  // Playing the plan as a palette is the same.
  std::string palette;
  for (const SceneJson& trigger : json["triggers"]) {
    if (!palette.empty()) palette += ',';
    palette += trigger["entry"].get<std::string>();
    palette += '@';
    palette += trigger["time"].dump();
    palette += '*';
    palette += trigger["strength"].dump();
  }
  const SceneJson again =
      json_of({"play", flag().file(), "--palette", palette, "--seconds", "1.2", "--json"});
  EXPECT_EQ(again["coefficients"], json["coefficients"]);
  const SceneJson rest = json_of({"play", flag().file(), "--goal", "rest@1", "--json"});
  EXPECT_EQ(rest["goal"]["rests"], true);
  EXPECT_TRUE(rest["triggers"].empty()) << "it rests already";
}

TEST(PlayScene, InfoListsThePalette) {
  const SceneJson json = json_of({"info", flag().file(), "--json"});
  const SceneJson& object = json["objects"][0];
  EXPECT_EQ(object["kind"], "scene");
  const SceneJson& scene = object["scene"];
  const SceneJson report = SceneJson::parse(flag().baked().out);
  EXPECT_EQ(scene["states"], report["states"]);
  EXPECT_EQ(scene["responses"].size(), report["responses"]);
  EXPECT_EQ(scene["rank"], report["rank"]);
  ASSERT_EQ(scene["palette"].size(), 2U);
  EXPECT_EQ(scene["palette"][0]["name"], "push");
  EXPECT_EQ(scene["palette"][0]["key"], "p");
  EXPECT_EQ(scene["palette"][0]["weakest"], 0.5);
  EXPECT_EQ(scene["palette"][1]["followed_by"], std::vector<std::string>{"push"});
  EXPECT_EQ(scene["palette"][1]["from_rest"], false);
  EXPECT_GT(scene["seconds"], 1);
  const Outcome text = supple({"info", flag().file()});
  for (const char* word : {"scene 'flag'", "push", "0.5 to 1", "may be followed by"}) {
    EXPECT_NE(text.err.find(word), std::string::npos) << word << "\n" << text.err;
  }
}

TEST(PlayScene, CheckVerifiesTheScene) {
  const SceneJson json = json_of({"check", flag().file(), "--mesh", flag().glb(), "--json"});
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["kind"], "scene");
  EXPECT_EQ(json["mesh"]["matches"], true);
  // Several chains begin at rest with the same entry, and play takes the nearest of them.
  EXPECT_LE(json["scenes"][0]["reachable"], json["scenes"][0]["responses"]);
  EXPECT_GT(json["scenes"][0]["reachable"], 2);
  EXPECT_GT(json["scenes"][0]["resting"], 0);
}

TEST(PlayScene, RenderDrawsIt) {
  const TemporaryDirectory directory;
  const auto picture = [&](const Arguments& more) {
    Arguments all{"render", flag().glb(), "--size", "96x64", "-o", directory.path("a.png"), "-q"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = supple(all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return directory.read("a.png");
  };
  const std::string rest = picture({});
  EXPECT_EQ(picture({"--no-flesh"}), rest);
  EXPECT_NE(picture({"--palette", "push@0", "--at", "0.2"}), rest);
  EXPECT_NE(picture({"--clip", "loop 1", "--at", "0.2"}), rest);
  const std::string out = directory.path("b.png");
  expect_refused({"render", flag().glb(), "--palette", "psh@0", "-o", out}, 2, "did you mean");
  expect_refused({"render", flag().glb(), "--motion", "jump", "-o", out}, 2, "its palette");
  expect_refused({"render", flag().glb(), "--no-flesh", "--palette", "push@0", "-o", out}, 2,
                 "only scenes have a palette");
}

TEST(PlayScene, LoopsAreClips) {
  const SceneJson report = SceneJson::parse(flag().baked().out);
  ASSERT_FALSE(report["loops"].empty());
  const auto asset = io::read_gltf(std::filesystem::path(flag().glb()));
  ASSERT_TRUE(asset.ok());
  for (const SceneJson& loop : report["loops"]) {
    const auto found =
        std::find_if(asset->animations.begin(), asset->animations.end(),
                     [&](const io::GltfAnimation& a) { return a.name == loop["clip"]; });
    ASSERT_NE(found, asset->animations.end()) << loop["clip"];
    EXPECT_NEAR(found->duration, loop["seconds"].get<double>(), 1e-6);
    // Seamless: the last key is the first, but for times that are floats.
    constexpr double kFloatTimes = 1e-6;
    const io::GltfSampler& sampler = found->samplers[found->channels[0].sampler];
    const std::size_t last = sampler.values.size() - sampler.width;
    for (std::size_t w = 0; w < sampler.width; ++w) {
      EXPECT_NEAR(sampler.values[w], sampler.values[last + w], kFloatTimes);
    }
    EXPECT_LE(loop["seconds"], 6);
    EXPECT_GE(loop["seconds"], 0.5);
    EXPECT_LT(loop["seam_after"], std::max(0.02, loop["seam_before"].get<double>()));
  }
}

/// A log of play makes the same blends smaller.
TEST(PlayScene, RefinesFromALog) {
  const TemporaryDirectory directory;
  // Its own samples: refining adds to them.
  const std::string work = directory.path("work");
  std::filesystem::copy(flag().work(), work, std::filesystem::copy_options::recursive);
  const std::string log = directory.path("log.json");
  json_of({"play", flag().file(), "--palette", "push@0,pull@0.35,push@0.5*0.8,pull@0.97,push@1.3",
           "--log", log, "--json"});
  const std::string glb = directory.path("better.glb");
  const Arguments refine{"scene", "refine", flag().toml(), log,     "--work",
                         work,    "-o",     glb,           "--json"};
  const SceneJson json = json_of(refine);
  const SceneJson& refined = json["refinement"];
  EXPECT_EQ(refined["blends"], 4);
  EXPECT_EQ(refined["chains"], 4);
  EXPECT_GT(refined["mean_before"], 0);
  // The new responses begin at these very states.
  EXPECT_LT(refined["mean_after"], 0.1 * refined["mean_before"].get<double>());
  EXPECT_GT(json["sampled_states"], SceneJson::parse(flag().baked().out)["sampled_states"]);
  // The same log again adds nothing and gives the same bytes.
  const auto first = read_file(directory.path("better.supple"));
  const SceneJson again = json_of(refine);
  EXPECT_EQ(again["sampled_states"], json["sampled_states"]);
  EXPECT_EQ(*read_file(directory.path("better.supple")), *first);
  // The same sequence now stays nearer to the samples.
  const auto largest = [&](const std::string& file) {
    return json_of(
               {"play", file, "--palette", "push@0,pull@0.35", "--json"})["triggers"][1]["blend"]
        .get<double>();
  };
  EXPECT_LT(largest(directory.path("better.supple")), largest(flag().file()));
}

TEST(PlayScene, RefineRefusesOtherLogs) {
  const TemporaryDirectory directory;
  const std::string work = directory.path("work");
  std::filesystem::copy(flag().work(), work, std::filesystem::copy_options::recursive);
  const auto refuses = [&](const std::string& log, const std::string& folder,
                           const std::string& says) {
    expect_refused({"scene", "refine", flag().toml(), directory.write("log.json", log), "--work",
                    folder, "-o", directory.path("out.glb")},
                   3, says);
  };
  const auto blend = [](const std::string& scene, const std::string& rest) {
    std::string text = R"({"supple":"scene log","scene":")";
    text += scene;
    text += R"(","blends":[{)";
    text += rest;
    text += "}]}";
    return text;
  };
  const std::string good =
      R"("entry":"push","strength":1,"off":0.3,"response":0,"frame":3,"next":0)";
  refuses(blend("other", good), work, "log of the scene 'other'");
  refuses(blend("flag", good), directory.path("none"), "keep its samples");
  refuses("{}", work, "not a log of a scene");
  refuses("[", work, "log.json");
  refuses(R"({"supple":"scene log","scene":"flag","blends":[]})", work, "nothing to refine");
  refuses(blend("flag", R"("entry":"puch","response":0,"frame":3,"next":0)"), work,
          "did you mean 'push'");
  refuses(blend("flag", R"("entry":"push","response":999,"frame":3,"next":0)"), work,
          "another bake");
  refuses(blend("flag", R"("entry":"push","response":0,"frame":99999,"next":0)"), work,
          "no frame 99999");
  refuses(blend("flag", R"("entry":"push","response":-1,"frame":3,"next":0)"), work, "response");
}

}  // namespace
}  // namespace supple::testing
