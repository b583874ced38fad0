// SPDX-License-Identifier: Apache-2.0
// `supple swim optimise` and `supple swim turns` as users call them, with tiny budgets.
#include "process.hpp"
#include "rowing.hpp"

#include "temporary_directory.hpp"
#include "text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

namespace supple::testing {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

/// A directory with a stroke, and searches that take a second.
struct Search {
  TemporaryDirectory directory;
  std::string stroke = directory.write("rowing.toml", kRowing);

  [[nodiscard]] std::string path(const std::string& name) const { return directory.path(name); }
  /// Arguments of a search by generations; options in `more` replace the defaults.
  [[nodiscard]] Arguments words(const std::string& output, int generations,
                                const Arguments& more = {}) const {
    Arguments all{"swim", "optimise", stroke, "-o", path(output)};
    for (const auto& [option, value] :
         {std::pair<const char*, std::string>{"--generations", std::to_string(generations)},
          {"--population", "4"},
          {"--swim-seconds", "4"}}) {
      if (std::find(more.begin(), more.end(), option) != more.end()) continue;
      all.insert(all.end(), {option, value});
    }
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] Json optimise(const std::string& output, int generations,
                              const Arguments& more = {}) const {
    Arguments all = words(output, generations, more);
    all.emplace_back("--json");
    const Outcome outcome = supple(all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.status == 0 ? Json::parse(outcome.out) : Json();
  }
  void fails(const Arguments& all, int status, const std::string& part) const {
    const Outcome outcome = supple(all);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    EXPECT_TRUE(outcome.out.empty()) << outcome.out;
    EXPECT_EQ(directory.list(), Names{"rowing.toml"});
  }
};

TEST(SwimOptimise, WritesABetterStrokeThatSwims) {
  const Search search;
  const Json json = search.optimise("better.toml", 5);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json.at("generations"), 5);
  EXPECT_LT(json.at("cost"), json.at("cost_before"));
  EXPECT_GT(json.at("after").at("mean_speed_mps"), json.at("before").at("mean_speed_mps"));
  EXPECT_EQ(search.directory.list(), (Names{"better.toml", "rowing.toml"}));
  // The file contains the stroke that was found: swimming it gives the same figures.
  const Outcome swum = supple({"swim", search.path("better.toml"), "--seconds", "15", "--json"});
  ASSERT_EQ(swum.status, 0) << swum.err;
  const double speed = json.at("after").at("mean_speed_mps");
  EXPECT_NEAR(Json::parse(swum.out).at("mean_speed_mps"), speed, 1e-6 * std::abs(speed));
}

TEST(SwimOptimise, FindsTheSameOnAnyNumberOfThreadsAndAnotherByAnotherSeed) {
  const Search search;
  const Json one = search.optimise("one.toml", 2, {"--threads", "1", "--seed", "7"});
  const Json two = search.optimise("two.toml", 2, {"--threads", "2", "--seed", "7"});
  const Json other = search.optimise("other.toml", 2, {"--seed", "8"});
  EXPECT_EQ(one.at("cost"), two.at("cost"));
  EXPECT_EQ(search.directory.read("one.toml"), search.directory.read("two.toml"));
  EXPECT_NE(search.directory.read("one.toml"), search.directory.read("other.toml"));
}

TEST(SwimOptimise, GoesOnFromItsStateAfterAnInterrupt) {
  const Search search;
  const Json whole = search.optimise("whole.toml", 4);
  // Far from its end even on a fast machine.
  const Outcome stopped = supple_interrupted_at(
      "search.state", search.directory.path(),
      search.words("part.toml", 100'000, {"--state", search.path("search.state")}));
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(search.path("part.toml")));
  for (const std::string& name : search.directory.list()) {
    EXPECT_TRUE(name == "rowing.toml" || name == "whole.toml" || name == "search.state") << name;
  }
  // In parts the same as in one: two generations, then two more.
  (void)search.optimise("first.toml", 2, {"--state", search.path("parts.state")});
  const Json rest = search.optimise("rest.toml", 4, {"--state", search.path("parts.state")});
  EXPECT_EQ(rest.at("generations"), 4);
  EXPECT_EQ(rest.at("cost"), whole.at("cost"));
  EXPECT_EQ(search.directory.read("rest.toml"), search.directory.read("whole.toml"));
  const Json on = search.optimise("on.toml", 1, {"--state", search.path("search.state")});
  EXPECT_GE(on.at("generations"), 1);
  EXPECT_LE(on.at("cost"), whole.at("cost_before"));
}

TEST(SwimOptimise, RefusesWhatItCannotDo) {
  const Search search;
  const auto refused = [&](const Arguments& more, int status, const std::string& part) {
    search.fails(search.words("better.toml", 1, more), status, part);
  };
  refused({"--for", "fun"}, 2, "--for");
  refused({"--generations", "-1"}, 3, "generations");
  refused({"--population", "1"}, 3, "population");
  refused({"--population", "-4"}, 3, "population");
  refused({"--power-limit", "-5"}, 3, "power");
  refused({"--power-limit", "nan"}, 3, "power");
  refused({"--spread", "0"}, 3, "spread");
  refused({"--swim-seconds", "0"}, 3, "swim");
  refused({"--seconds-of-search", "-1"}, 3, "seconds");
  refused({"--seed", "x"}, 2, "--seed");
  refused({"--variation", "50,45"}, 3, "variation");
  refused({"--rate", "40"}, 2, "--rate");
  refused({"--within", "elbow"}, 2, "knee=0,45");
  refused({"--within", "elbow=40,x"}, 2, "elbow=40,x");
  refused({"--within", "tail=0,45"}, 3, "'tail'");
  refused({"--body", search.path("none.toml")}, 5, "none.toml");
  refused({"--state", search.stroke}, 2, "rowing.toml");
  refused({"--state", search.path("better.toml")}, 2, "twice");
  refused({"--state", search.path("none/search.state")}, 5, "none");
  search.fails({"swim", "optimise", search.stroke}, 2, "--output");
  search.fails({"swim", "optimise", search.stroke, "-o", search.path("better.glb")}, 2, ".toml");
  search.fails({"swim", "optimise", search.stroke, "-o", search.path("none/better.toml")}, 5,
               "none");
  search.fails({"swim", "optimise", search.stroke, "-o", search.stroke}, 2, "replaced");
  search.fails({"swim", "optimise", "doggypaddle", "-o", search.path("better.toml")}, 3,
               "doggypaddle");
}

TEST(SwimOptimise, RefusesTheStateOfAnotherSearch) {
  const Search search;
  const std::string state = search.directory.write("search.state", "not a state\n");
  const Outcome outcome = supple(search.words("better.toml", 1, {"--state", state}));
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "search.state")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "remove it")) << outcome.err;
  EXPECT_EQ(search.directory.read("search.state"), "not a state\n");
  EXPECT_EQ(search.directory.list(), (Names{"rowing.toml", "search.state"}));
}

TEST(SwimTurns, WritesAStrokeThatCanBeSteered) {
  const Search search;
  const Outcome outcome =
      supple({"swim", "turns", search.stroke, "-o", search.path("steered.toml"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  // To the left about the axis that points up, and to the right the other way.
  EXPECT_GT(json.at("rates").at("yaw_left")[1], 0.01);
  EXPECT_LT(json.at("rates").at("yaw_right")[1], -0.01);
  const Outcome swum = supple(
      {"swim", search.path("steered.toml"), "--target", "3,0,-1", "--seconds", "3", "--json"});
  EXPECT_EQ(swum.status, 0) << swum.err;
  EXPECT_EQ(search.directory.list(), (Names{"rowing.toml", "steered.toml"}));
}

TEST(SwimTurns, LeavesNothingBehindWhenItFails) {
  const Search search;
  const std::string output = search.path("steered.toml");
  search.fails({"swim", "turns", search.stroke}, 2, "--output");
  search.fails({"swim", "turns", search.stroke, "-o", search.path("steered.bvh")}, 2, ".toml");
  search.fails({"swim", "turns", search.stroke, "-o", search.stroke}, 2, "replaced");
  search.fails({"swim", "turns", search.path("none.toml"), "-o", output}, 5, "none.toml");
  const Outcome outcome =
      supple_interrupted_after(0.1, {"swim", "turns", "breaststroke", "-o", output});
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_EQ(search.directory.list(), Names{"rowing.toml"});
}

}  // namespace
}  // namespace supple::testing
