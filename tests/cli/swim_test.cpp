// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "rowing.hpp"

#include "supple/core/files.hpp"
#include "supple/io/bvh.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_water.hpp"

#include "io/gltf_validator.hpp"
#include "text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

namespace supple::testing {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

/// A directory with a stroke.
struct Pool {
  TemporaryDirectory directory;
  std::string stroke = directory.write("rowing.toml", kRowing);

  [[nodiscard]] std::string path(const std::string& name) const { return directory.path(name); }
  [[nodiscard]] Outcome swim(Arguments arguments) const {
    arguments.insert(arguments.begin(), "swim");
    return supple(arguments);
  }
  [[nodiscard]] Json json(Arguments arguments) const {
    arguments.emplace_back("--json");
    const Outcome outcome = swim(std::move(arguments));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.status == 0 ? Json::parse(outcome.out) : Json();
  }
  /// The call must fail as bad input, say `part`, and write nothing.
  void refuses(Arguments arguments, const std::string& part) const {
    arguments.insert(arguments.end(), {"-o", path("out.glb"), "--seconds", "0.5"});
    const Outcome outcome = swim(std::move(arguments));
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path("out.glb")));
  }
  void refuses_stroke(const std::string& text, const std::string& part) const {
    refuses({directory.write("bad.toml", text)}, part);
  }
};

TEST(Swim, TellsItsFiguresAsJson) {
  const Pool pool;
  const Json json = pool.json({pool.stroke, "--seconds", "4"});
  for (const char* key :
       {"distance_m", "ahead_m", "right_m", "up_m", "turned_deg", "mean_speed_mps",
        "speed_variation", "strokes_per_min", "metres_per_stroke", "power_w", "efficiency",
        "pitch_deg", "energy_error", "steps", "steps_per_second", "targets_reached"}) {
    ASSERT_TRUE(json.contains(key)) << key;
    EXPECT_TRUE(json.at(key).is_number()) << key;
  }
  EXPECT_EQ(json.at("stroke"), "rowing");
  EXPECT_EQ(json.at("steps"), 240);
  EXPECT_EQ(json.at("cycles"), 4);
  EXPECT_NEAR(json.at("strokes_per_min"), 60 / 0.9, 0.5);
  EXPECT_NEAR(json.at("seconds"), 4, 1e-9);
  EXPECT_NEAR(
      json.at("metres_per_stroke"),
      json.at("mean_speed_mps").get<double>() * 60 / json.at("strokes_per_min").get<double>(),
      1e-6);
}

TEST(Swim, WritesEveryKindOfFile) {
  const Pool pool;
  const Json json =
      pool.json({pool.stroke, "--seconds", "2", "--arrows", "-o", pool.path("a.glb"), "-o",
                 pool.path("a.gltf"), "-o", pool.path("a.bvh"), "-o", pool.path("a.csv"), "-o",
                 pool.path("a.xml"), "--plot", pool.path("plots")});
  EXPECT_EQ(pool.directory.list(),
            (Names{"a.bvh", "a.csv", "a.glb", "a.gltf", "a.xml", "plots", "rowing.toml"}));
  EXPECT_EQ(json.at("files").size(), 13U);
  const auto glb = io::read_gltf(std::filesystem::path(pool.path("a.glb")));
  ASSERT_TRUE(glb.ok()) << glb.error().describe();
  EXPECT_NEAR(glb->animations.at(0).duration, 2, 1e-6);
  EXPECT_TRUE(io::read_gltf(std::filesystem::path(pool.path("a.gltf"))).ok());
  const auto bvh = io::read_bvh(std::filesystem::path(pool.path("a.bvh")));
  ASSERT_TRUE(bvh.ok()) << bvh.error().describe();
  EXPECT_EQ(bvh->frame_count(), 121U);
  EXPECT_TRUE(contains(pool.directory.read("a.xml"), "<mujoco"));
  for (const char* name : {"speed", "forces", "torques_arms", "torques_legs"}) {
    EXPECT_TRUE(pool.directory.read(std::string("plots/") + name + ".png").starts_with("\x89PNG"));
    EXPECT_TRUE(pool.directory.read(std::string("plots/") + name + ".svg").starts_with("<svg"));
  }
}

TEST(Swim, WritesGltfWithoutComplaintsOfTheValidator) {
  SKIP_WITHOUT_VALIDATOR();
  const Pool pool;
  (void)pool.json({pool.stroke, "--seconds", "2", "--arrows", "-o", pool.path("a.glb")});
  const auto bytes = read_file(pool.path("a.glb"));
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(io::testing::is_valid(*bytes));
}

TEST(Swim, WritesTheSameBytesWhateverTheThreads) {
  const Pool pool;
  for (const char* threads : {"1", "2"}) {
    (void)pool.json({pool.stroke, "--seconds", "2", "--threads", threads, "-o",
                     pool.path(std::string(threads) + ".glb"), "-o",
                     pool.path(std::string(threads) + ".csv")});
  }
  for (const char* kind : {".glb", ".csv"}) {
    EXPECT_EQ(pool.directory.read(std::string("1") + kind),
              pool.directory.read(std::string("2") + kind))
        << kind;
  }
}

TEST(Swim, FineStepsGoFarAsCoarseOnes) {
  const Pool pool;
  for (const char* stroke : {"paper", "breaststroke", "crawl"}) {
    const Json coarse = pool.json({stroke, "--step", "0.0333333", "--rate", "30"});
    const Json fine = pool.json({stroke, "--step", "0.001"});
    EXPECT_EQ(fine.at("steps"), 7 * 60 * 17) << "a whole number of steps makes a frame";
    const double expected = fine.at("distance_m");
    EXPECT_NEAR(coarse.at("distance_m"), expected, 0.1 * std::abs(expected)) << stroke;
  }
}

TEST(Swim, ListsTheStrokes) {
  const Outcome outcome = supple({"swim", "--list"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "glide")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "paper")) << outcome.out;
}

TEST(Swim, OffersTheNearestStroke) {
  const Outcome outcome = supple({"swim", "papper"});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "paper")) << outcome.err;
}

TEST(Swim, RefusesBadGraphs) {
  const Pool pool;
  pool.refuses_stroke(replaced(kRowing, "elbow = 30", "tail = 30"), "tail");
  pool.refuses_stroke(replaced(kRowing, "elbow = 30", ""), "elbow");
  pool.refuses_stroke(replaced(kRowing, "elbow = 30", "elbow = 500"), "elbow");
  pool.refuses_stroke(replaced(kRowing, "seconds = 0.5", "seconds = 0"), "reach");
  pool.refuses_stroke(replaced(kRowing, "seconds = 0.5", "seconds = -1"), "reach");
  pool.refuses_stroke(
      kRowing + "[[pose.transition]]\non = \"time\"\nto = \"reach\"\n" +
          "[[pose]]\nname = \"lost\"\nseconds = 0.5\nshoulder = 0\nwrist = 0\nelbow = 0\n",
      "lost");
  pool.refuses_stroke("name = \"nothing\"\nhinges = 14\n", "pose");
  pool.refuses_stroke("[[pose", "bad.toml");
}

TEST(Swim, RefusesBadBodiesWatersAndCourses) {
  const Pool pool;
  const auto file = [&](const char* name, const char* text) {
    return pool.directory.write(name, text);
  };
  pool.refuses({pool.stroke, "--body", file("body.toml", "hinges = 14\nmass = 0\n")}, "mass");
  pool.refuses({pool.stroke, "--body", file("body.toml", "hinges = 24\n")}, "24 hinges");
  pool.refuses({pool.stroke, "--water",
                file("water.toml", "[flow]\nexpression = [\"1/(x-x)\", \"0\", \"0\"]\n")},
               "finite");
  pool.refuses({pool.stroke, "--water", file("water.toml", "density = -1\n")}, "density");
  pool.refuses({pool.stroke, "--course",
                file("course.toml",
                     "[[target]]\nposition = [5, 0, 0]\n[[obstacle]]\ncentre = [5, 0, 0.2]\n"
                     "radius = 1\n")},
               "obstacle");
  pool.refuses({pool.stroke, "--target", "5,0,0"}, "perturbations");
}

TEST(Swim, RefusesWrongUsage) {
  const Pool pool;
  const auto usage = [&](Arguments arguments, const std::string& part) {
    const Outcome outcome = pool.swim(std::move(arguments));
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  };
  usage({pool.stroke, "-o", pool.path("out.fbx")}, ".glb");
  usage({pool.stroke, "--target", "5,0"}, "--target");
  usage({pool.stroke, "--target", "5,0,0", "--course", "c.toml"}, "exclude each other");
  usage({pool.stroke, "--arrows"}, "arrows are drawn in");
  usage({pool.stroke, "-o", pool.path("a.glb"), "-o", pool.path("a.glb")}, "twice");
  usage({pool.stroke, "-o", pool.stroke + "/../rowing.toml"}, ".glb");
  EXPECT_EQ(pool.swim({pool.stroke, "--seconds", "-1"}).status, 3);
  EXPECT_EQ(pool.swim({pool.stroke, "--step", "0"}).status, 3);
  EXPECT_EQ(pool.swim({pool.path("missing.toml")}).status, 5);
}

TEST(Swim, GoesOnUntilAllTargetsAreReached) {
  const Pool pool;
  // 8 m are more than the usual 7 s.
  const Json there = pool.json({"--target", "8,0,0"});
  EXPECT_EQ(there.at("targets_reached"), 1);
  EXPECT_GT(there.at("seconds"), 7);
  EXPECT_LT(there.at("seconds"), 20);
  EXPECT_LE(there.at("targets_nearest_m").at(0), 0.5);
  const Outcome late = pool.swim({"--target", "8,0,0", "--seconds", "2"});
  EXPECT_TRUE(contains(late.err, "target 1 at (8, 0, 0) (nearest ")) << late.err;
  EXPECT_TRUE(contains(late.err, "allow more 'seconds'")) << late.err;
}

TEST(Swim, ALoopIsSwumOnceRound) {
  const Pool pool;
  const std::string course = pool.directory.write(
      "loop.toml",
      "loop = true\n[[target]]\nposition = [4, 0, 0]\n[[target]]\nposition = [0, 0, 4]\n");
  const Json json = pool.json({"--course", course});
  EXPECT_EQ(json.at("targets_reached"), 3) << "the first one twice";
  EXPECT_EQ(json.at("targets"), 2);
  EXPECT_EQ(json.at("loop"), true);
  const Outcome told = pool.swim({"--course", course});
  EXPECT_TRUE(contains(told.err + told.out, "3 targets reached (2 in a round)"))
      << told.err << told.out;
}

TEST(Swim, HoldsCourseAndDepthUnlessItIsFree) {
  const Pool pool;
  const Json held = pool.json({"breaststroke", "--seconds", "30"});
  EXPECT_LT(std::abs(held.at("up_m").get<double>()), 0.5);
  EXPECT_LT(std::abs(held.at("right_m").get<double>()), 0.5);
  EXPECT_EQ(held.at("warnings"), Json::array());
  const Json free = pool.json({"breaststroke", "--seconds", "30", "--free"});
  EXPECT_LT(free.at("up_m"), -3);
  EXPECT_TRUE(contains(free.at("warnings").dump(), "the swimmer drifts")) << free.at("warnings");
  const double ahead = free.at("ahead_m");
  const double right = free.at("right_m");
  const double up = free.at("up_m");
  EXPECT_NEAR(std::hypot(ahead, right, up), free.at("distance_m"), 1e-9);
  const Outcome both = pool.swim({"breaststroke", "--free", "--target", "5,0,0"});
  EXPECT_EQ(both.status, 2) << both.err;
  EXPECT_TRUE(contains(both.err, "a free swim is not steered")) << both.err;
}

TEST(Swim, CallsARiverFasterThanTheSwimmerThat) {
  const Pool pool;
  const std::string river =
      pool.directory.write("river.toml", "[flow]\nriver = {velocity = [-2, 0, 0]}\n");
  const Json upstream = pool.json({"--target", "10,0,0", "--water", river, "--seconds", "20"});
  EXPECT_TRUE(contains(upstream.at("warnings").dump(), "the river is faster than the swimmer"))
      << upstream.at("warnings");
  const Json held = pool.json({"--water", river, "--seconds", "10"});
  EXPECT_TRUE(contains(held.at("warnings").dump(), "carries it back")) << held.at("warnings");
}

/// Beside an adult at the same speed: drag of 25 to 37 v^2 N over an efficiency of 0.46 to 0.77.
TEST(Swim, ComparesItsPowerWithAPersons) {
  const Pool pool;
  const Json json = pool.json({"crawl", "--seconds", "10"});
  const double cube = std::pow(json.at("mean_speed_mps").get<double>(), 3);
  EXPECT_NEAR(json.at("person_power_w").at(0), 25 * cube / 0.77, 1e-6 * cube);
  EXPECT_NEAR(json.at("person_power_w").at(1), 37 * cube / 0.46, 1e-6 * cube);
  const Outcome told = pool.swim({"crawl", "--seconds", "10"});
  EXPECT_TRUE(contains(told.err + told.out, "not as economical as a person's")) << told.err;
}

/// The file marks the surface for renders and for the viewer.
TEST(Swim, MarksTheSurfaceInItsFile) {
  const Pool pool;
  (void)pool.json({"crawl", "--seconds", "1", "-o", pool.path("crawl.glb")});
  (void)pool.json({"breaststroke", "--seconds", "1", "-o", pool.path("deep.glb")});
  const auto surface = [&](const char* name) {
    return io::water_surface(io::read_gltf(std::filesystem::path(pool.path(name))).value());
  };
  EXPECT_EQ(surface("crawl.glb"), std::optional<double>(0));
  EXPECT_EQ(surface("deep.glb"), std::nullopt);
  SKIP_WITHOUT_VALIDATOR();
  EXPECT_TRUE(io::testing::is_valid(read_file(pool.path("crawl.glb")).value()));
}

TEST(Swim, ASurfaceWithoutWeightIsWarnedOf) {
  const Pool pool;
  const Outcome outcome = pool.swim({pool.stroke, "--seconds", "1", "--water",
                                     pool.directory.write("water.toml", "surface = 0\n")});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(contains(outcome.err, "gravity = 9.81")) << outcome.err;
}

TEST(Swim, WritesNothingOfASwimThatBlowsUp) {
  const Pool pool;
  const std::string flood =
      pool.directory.write("flood.toml", "[flow]\nexpression = [\"1e6*t\", \"0\", \"0\"]\n");
  const Outcome outcome = pool.swim({pool.stroke, "--water", flood, "-o", pool.path("out.glb"),
                                     "--plot", pool.path("plots"), "--seconds", "7"});
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "step")) << outcome.err;
  EXPECT_EQ(pool.directory.list(), (Names{"flood.toml", "rowing.toml"}));
}

TEST(Swim, LeavesNothingBehindWhenInterrupted) {
  const Pool pool;
  const Outcome outcome =
      supple_interrupted_after(0.4, {"swim", pool.stroke, "--seconds", "20000", "--step", "0.0002",
                                     "-o", pool.path("out.glb"), "--plot", pool.path("plots")});
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_EQ(pool.directory.list(), Names{"rowing.toml"});
}

TEST(SwimExperiments, DrawTheCurvesOfThePaper) {
  const TemporaryDirectory directory;
  const Outcome outcome = supple(
      {"swim", "experiments", "--only", "figure7,figure8", "-o", directory.path("out"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  // Figure 7: rises, flattens and falls; the peak lies near 400 N s/m^3.
  const Json& points = json.at("figure7");
  std::size_t peak = 0;
  for (std::size_t k = 1; k < points.size(); ++k) {
    if (points[k].at("distance_m") > points[peak].at("distance_m")) peak = k;
  }
  EXPECT_GE(points[peak].at("viscosity"), 200);
  EXPECT_LE(points[peak].at("viscosity"), 1000);
  for (std::size_t k = 1; k < points.size(); ++k) {
    const bool rises = points[k].at("distance_m") > points[k - 1].at("distance_m");
    EXPECT_EQ(rises, k <= peak) << points[k];
  }
  // Figure 8: larger hands go further, and length wins over width.
  const Json& hands = json.at("figure8");
  for (std::size_t k = 1; k < hands.size(); ++k) {
    EXPECT_GT(hands[k].at("longer_m"), hands[k].at("wider_m"));
    EXPECT_GT(hands[k].at("wider_m"), hands[k - 1].at("wider_m"));
  }
  EXPECT_TRUE(contains(directory.read("out/figure7.svg"), "drag per area and speed (N s/m³)"));
  Names names;
  for (const auto& entry : std::filesystem::directory_iterator(directory / "out")) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  EXPECT_EQ(names, (Names{"README.md", "figure7.csv", "figure7.png", "figure7.svg", "figure8.csv",
                          "figure8.png", "figure8.svg", "summary.json"}));
}

/// It has nothing but a swim and pictures.
TEST(SwimExperiments, FigureWithoutNumbersHasAnEmptySummary) {
  const TemporaryDirectory directory;
  const Outcome outcome = supple({"swim", "experiments", "--only", "figure9", "--no-pictures", "-o",
                                  directory.path("out"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out), Json::object());
  EXPECT_EQ(Json::parse(directory.read("out/summary.json")), Json::object());
  EXPECT_TRUE(io::read_gltf(directory / "out/figure9.glb").ok());
}

/// Figure 7 is done by then, the rest not.
TEST(SwimExperiments, LeaveNothingBehindWhenInterrupted) {
  const TemporaryDirectory directory;
  directory.write("notes.txt", "mine");
  for (const char* place : {"new/out", "."}) {
    const Outcome outcome = supple_interrupted_at(
        "figure7.png", directory.path(),
        {"swim", "experiments", "--no-pictures", "-o", directory.path(place)});
    EXPECT_EQ(outcome.status, 130) << outcome.err;
    EXPECT_EQ(directory.list(), Names{"notes.txt"});
  }
}

TEST(SwimExperiments, OfferTheirNames) {
  const TemporaryDirectory directory;
  const Outcome outcome =
      supple({"swim", "experiments", "--only", "figure5", "-o", directory.path("out")});
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "figure7")) << outcome.err;
  EXPECT_EQ(directory.list(), Names{});
}

}  // namespace
}  // namespace supple::testing
