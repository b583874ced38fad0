// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_settings.hpp"

#include "supple/bake/swim_stroke.hpp"
#include "supple/core/files.hpp"
#include "supple/core/units.hpp"

#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace supple::bake {
namespace {

constexpr double kSettingsRounding = 1e-12;

const char* const kStroke = R"(name = "flap"
description = "two \"poses\""
hinges = 24
first = "down"

[water]
law = "linear"
viscosity = 200
gravity = 9.81
surface = 0.5

[start]
position = [0, -0.1, 2]
velocity = [1.25, 0, 0]
roll = 180

[[pose]]
name = "up"
seconds = 0.3
blend = 0.1
shoulder = 40.5
right_wrist = 90
left_wrist = -30

[[pose]]
name = "down"
seconds = 0.25
shoulder = 110
wrist = 12.345
[[pose.transition]]
on = "event"
when = "speed < 0.4"
to = "up"
[[pose.transition]]
on = "command"
command = "again"
to = "down"

[turn.yaw_left]
rate = [0, 0.2, 0.01]
up = {right_shoulder = 5, left_shoulder = -5}
down = {waist = 2}
)";

std::string stroke_error(const std::string& text) {
  const auto result = parse_swim_stroke(text, "stroke.toml");
  return result.ok() ? std::string("no error") : result.error().describe();
}

TEST(SwimStroke, ReadsEveryKey) {
  const auto read = parse_swim_stroke(kStroke, "stroke.toml");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  const swim::PoseGraph& graph = read->graph;
  const swim::Body body = swim::build_body({}).value();
  const auto joint = [&](const char* name) { return body.find_joint(name).value(); };
  EXPECT_EQ(graph.name, "flap");
  EXPECT_EQ(graph.start, 1U);
  ASSERT_EQ(graph.poses.size(), 2U);
  EXPECT_EQ(graph.poses[0].blend, 0.1);
  EXPECT_EQ(graph.poses[1].duration, 0.25);
  EXPECT_NEAR(graph.poses[0].angles[joint("right_shoulder")], 40.5 * kDegree, kSettingsRounding);
  EXPECT_NEAR(graph.poses[0].angles[joint("left_shoulder")], 40.5 * kDegree, kSettingsRounding);
  EXPECT_NEAR(graph.poses[0].angles[joint("left_wrist")], -30 * kDegree, kSettingsRounding);
  EXPECT_EQ(graph.poses[0].angles[joint("left_knee")], 0);
  ASSERT_EQ(graph.poses[1].transitions.size(), 2U);
  EXPECT_EQ(graph.poses[1].transitions[0].when.than, 0.4);
  EXPECT_EQ(graph.poses[1].transitions[1].command, "again");
  const auto& turn = graph.perturbations[static_cast<std::size_t>(swim::Turn::YawLeft)];
  EXPECT_NEAR(turn(0, static_cast<Eigen::Index>(joint("left_shoulder"))), -5 * kDegree,
              kSettingsRounding);
  EXPECT_NEAR(turn(1, static_cast<Eigen::Index>(joint("waist"))), 2 * kDegree, kSettingsRounding);
  EXPECT_EQ(graph.turn_rates[static_cast<std::size_t>(swim::Turn::YawLeft)].y(), 0.2);
  ASSERT_TRUE(read->water.has_value());
  EXPECT_EQ(read->water->drag, swim::DragLaw::Linear);
  EXPECT_EQ(read->water->surface, 0.5);
  EXPECT_NEAR(read->start.axes(1, 1), -1, kSettingsRounding);
  EXPECT_EQ(read->start.angles, graph.poses[1].angles);
}

TEST(SwimStroke, PrintedStrokesReadBackTheSame) {
  const auto read = parse_swim_stroke(kStroke, "stroke.toml");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  const std::string text = print_swim_stroke(*read);
  const auto again = parse_swim_stroke(text, "printed");
  ASSERT_TRUE(again.ok()) << again.error().describe() << "\n" << text;
  EXPECT_EQ(print_swim_stroke(*again), text);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again->graph.poses[i].angles, read->graph.poses[i].angles);
    EXPECT_EQ(again->graph.poses[i].duration, read->graph.poses[i].duration);
  }
  EXPECT_EQ(again->graph.perturbations[2], read->graph.perturbations[2]);
  EXPECT_TRUE(again->start.axes.isApprox(read->start.axes, kSettingsRounding));
  EXPECT_EQ(again->start.velocity, read->start.velocity);
}

TEST(SwimStroke, NamesThePlaceOfWhatIsWrong) {
  const std::string pose = "[[pose]]\nname = \"a\"\nseconds = 1\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "stroke.toml:1:1: the file has no pose"},
      {"hinges = 15\n" + pose, "stroke.toml:1:10: hinges is 15; it must be 14 or 24"},
      {pose + "sholder = 3", "stroke.toml:4:1: there is no key pose[1].sholder: did you mean "},
      {pose + "elbow = 200", "stroke.toml:4:9: right_elbow is 200 degrees; its limits are -5 and "},
      {pose + "elbow = nan", "stroke.toml:4:9: elbow is nan; it must be a finite number"},
      {pose + "elbow = 3\nright_elbow = 4", "right_elbow is given twice"},
      {"[[pose]]\nseconds = 0",
       "stroke.toml:2:11: pose 'pose_1': seconds is 0; it must be at least 0.001 s"},
      {"[[pose]]\nseconds = -2", "stroke.toml:2:11: pose 'pose_1': seconds is -2; it must be"},
      {"[[pose]]\nelbow = 1", "pose[1] has no seconds"},
      {pose + "blend = 2", "stroke.toml:4:9: pose 'a': blend is 2, longer than the 1 seconds"},
      {pose + "elbow = 1\n[[pose]]\nseconds = 1\n", "pose 'pose_2' does not give right_elbow"},
      {pose + pose, "stroke.toml:5:8: two poses have the name 'a'"},
      {pose + "[[pose.transition]]\non = \"time\"\nto = \"a\"\n[[pose]]\nseconds = 1",
       "stroke.toml:7:1: no transition leads from the first pose 'a' to pose 'pose_2'"},
      {pose + "[[pose.transition]]\non = \"tim\"\nto = \"a\"", "did you mean 'time'"},
      {pose + "[[pose.transition]]\non = \"time\"\nto = \"b\"", "unknown pose 'b'"},
      {pose + "[[pose.transition]]\non = \"event\"\nto = \"a\"", "has no when"},
      {pose + "[[pose.transition]]\non = \"event\"\nwhen = \"sped < 1\"\nto = \"a\"",
       "did you mean 'speed'"},
      {pose + "[turn.yaw_lef]\n", "there is no key turn.yaw_lef: did you mean"},
      {pose + "[turn.yaw_left]\nb = {waist = 1}", "there is no key turn.yaw_left.b"},
      {pose + "[water]\ndensity = -1", "stroke.toml:5:11: "},
      {pose + "[start]\nposition = [1, 2]",
       "start.position is a list of 2; it must be a list of three numbers"},
      {pose + "[start]\nposition = [1, 2, \"x\"]",
       "start.position is a list; it must be a list of three numbers"},
      {"[[pose]]\nname = \"a b\"\nseconds = 1", "names consist of letters"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string message = stroke_error(text);
    EXPECT_NE(message.find(expected), std::string::npos) << message << "\nlacks " << expected;
  }
}

TEST(SwimStroke, ShippedStrokesAreGoodAndPrintAsThemselves) {
  const auto names = shipped_strokes();
  for (const char* name : {"backstroke", "breaststroke", "breaststroke_14", "butterfly", "crawl",
                           "glide", "paper", "tread"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
  for (const std::string& name : names) {
    const auto stroke = load_swim_stroke(name);
    ASSERT_TRUE(stroke.ok()) << stroke.error().describe();
    EXPECT_EQ(stroke->graph.name, name);
    EXPECT_FALSE(stroke->graph.description.empty());
    const std::string text = print_swim_stroke(*stroke);
    const auto again = parse_swim_stroke(text, name);
    ASSERT_TRUE(again.ok()) << again.error().describe();
    EXPECT_EQ(print_swim_stroke(*again), text);
  }
  const auto missing = load_swim_stroke("craw");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message().find("did you mean 'crawl'"), std::string::npos);
  EXPECT_FALSE(load_swim_stroke("nowhere/craw.toml").ok());
}

TEST(SwimBody, ReadsPrintsAndRefuses) {
  const auto read = parse_swim_body(
      "hinges = 14\nmasses = \"paper\"\nshape = \"capsule\"\nheight = 1.8\nfoot_length = 1.5\n",
      "body.toml");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(read->hinges, swim::HingeSet::Paper14);
  EXPECT_EQ(read->masses, swim::MassTable::Paper);
  EXPECT_EQ(read->shape, swim::SegmentShape::Capsule);
  EXPECT_EQ(read->foot_length, 1.5);
  const auto again = parse_swim_body(print_swim_body(*read), "printed");
  ASSERT_TRUE(again.ok()) << again.error().describe();
  EXPECT_EQ(print_swim_body(*again), print_swim_body(*read));
  for (const char* wrong : {"mass = 0", "mass = -70", "height = inf", "hinges = 3", "gain = -1",
                            "masses = \"dleva\"", "cuts = 0", "wingspan = 2"}) {
    const auto refused = parse_swim_body(wrong, "body.toml");
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.error().describe().find("body.toml:1:"), 0U) << refused.error().describe();
  }
}

TEST(SwimWater, ReadsFlows) {
  const Eigen::Vector3d here(1, -2, 3);
  const auto flow = [&](const std::string& text) {
    const auto water = parse_swim_water(text, "water.toml", ".");
    EXPECT_TRUE(water.ok()) << water.error().describe();
    return water.ok() && water->flow ? water->flow->velocity(here, 0.5) : Eigen::Vector3d::Zero();
  };
  EXPECT_EQ(flow("[flow]\nexpression = [\"2 * x\", \"t\", \"0\"]"), Eigen::Vector3d(2, 0.5, 0));
  EXPECT_EQ(flow("[flow]\nriver = {velocity = [1, 0, 0.5]}"), Eigen::Vector3d(1, 0, 0.5));
  // Far from its core the speed of a vortex is circulation / (2 pi distance).
  const Eigen::Vector3d whirl = flow("[flow.vortex]\nstrength = 2\ncore = 0.01");
  EXPECT_NEAR(whirl.norm(), 2 / (2 * std::numbers::pi * std::sqrt(10.0)), 1e-3);
  EXPECT_GT(flow("gravity = 9.81\nsurface = 0\n[flow.waves]\namplitude = 0.3\nlength = 8").norm(),
            0.01);
  EXPECT_EQ(flow("[flow]\nriver = {velocity = [1, 0, 0]}\nexpression = [\"1\", \"1\", \"1\"]"),
            Eigen::Vector3d(2, 1, 1));

  const supple::testing::TemporaryDirectory folder;
  ASSERT_TRUE(write_file(folder.path() / "grid.txt",
                         std::string_view("origin 0 0 0\nspacing 1 1 1\ncounts 1 1 1\n"
                                          "velocities\n3 4 5\n"))
                  .ok());
  ASSERT_TRUE(
      write_file(folder.path() / "water.toml", std::string_view("[flow]\ngrid = \"grid.txt\"\n"))
          .ok());
  const auto grid = load_swim_water(folder.path() / "water.toml");
  ASSERT_TRUE(grid.ok()) << grid.error().describe();
  EXPECT_EQ(grid->flow->velocity(here, 0), Eigen::Vector3d(3, 4, 5));
}

TEST(SwimWater, NamesThePlaceOfWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"law = \"quadratc\"", "water.toml:1:7: law is \"quadratc\": did you mean 'quadratic'"},
      {"density = inf", "water.toml:1:11: density is inf"},
      {"gravity = 9.81\nviscosity = -3", "water.toml:2:13: "},
      {"[flow]\nexpression = [\"1 / (x - x)\", \"0\", \"0\"]", "water.toml:2:14: "},
      {"[flow]\nexpression = [\"sn(x)\", \"0\", \"0\"]", "water.toml:2:14: "},
      {"[flow]\nexpression = [\"1\"]", "must be three texts"},
      {"[flow]\ngrid = \"nowhere.txt\"", "nowhere.txt"},
      {"[flow]\nriver = {}", "has no velocity"},
      {"[flow.waves]\nlength = 0", "water.toml:"},
  };
  for (const auto& [text, expected] : cases) {
    const auto result = parse_swim_water(text, "water.toml", ".");
    const std::string message = result.ok() ? "no error" : result.error().describe();
    EXPECT_NE(message.find(expected), std::string::npos) << message << "\nlacks " << expected;
  }
}

TEST(SwimCourse, ReadsAndRefuses) {
  const auto read = parse_swim_course(
      "spline = true\nloop = true\ndepth = -1\n[[target]]\nposition = [1, 2, 3]\n"
      "heading = [0, 0, 1]\nreach = 0.7\n[[target]]\nposition = [5, 0, 0]\n"
      "[[target]]\nposition = [5, 0, 5]\nup = [0, 0, 1]\n"
      "[[obstacle]]\ncentre = [3, 0, 0]\nradius = 1\n",
      "course.toml");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_TRUE(read->spline && read->loop);
  EXPECT_EQ(read->depth, -1);
  ASSERT_EQ(read->targets.size(), 3U);
  EXPECT_EQ(read->targets[2].up, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(read->targets[0].reach, 0.7);
  EXPECT_EQ(read->targets[0].heading, Eigen::Vector3d(0, 0, 1));
  EXPECT_FALSE(read->targets[1].heading.has_value());
  EXPECT_EQ(read->obstacles.at(0).radius, 1);
  const std::string target = "[[target]]\nposition = [1, 0, 0]\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"[[target]]\n", "target[1] has no position"},
      {"[[target]]\nposition = [1, nan, 0]",
       "course.toml:2:12: target[1].position is [1, nan, 0]; it must be three numbers"},
      {target + "heading = [0, 0, 0]", "course.toml:3:11: target[1].heading is zero"},
      {target + "[[obstacle]]\ncentre = [1, 0, 0]\nradius = 0", "course.toml:5:10: "},
      {target + "[[obstacle]]\ncentre = [1.2, 0, 0]\nradius = 1", "course.toml:2:12: "},
      {target + "raech = 3", "did you mean 'reach'"},
  };
  for (const auto& [text, expected] : cases) {
    const auto result = parse_swim_course(text, "course.toml");
    const std::string message = result.ok() ? "no error" : result.error().describe();
    EXPECT_NE(message.find(expected), std::string::npos) << message << "\nlacks " << expected;
  }
}

}  // namespace
}  // namespace supple::bake
