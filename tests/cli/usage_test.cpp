// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_models.hpp"

#include <gtest/gtest.h>

namespace supple::testing {
namespace {

void expect_usage_error(const Arguments& arguments, const std::string& part) {
  const Outcome outcome = supple(arguments);
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("error: ")) << outcome.err;
  EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

TEST(Usage, VersionGoesToStandardOutput) {
  const Outcome outcome = supple({"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(outcome.out.starts_with("supple 0.")) << outcome.out;
}

TEST(Usage, HelpListsCommandsPresetsAndSamples) {
  const Outcome program = supple({"--help"});
  EXPECT_EQ(program.status, 0);
  EXPECT_NE(program.out.find("modes"), std::string::npos);
  const Outcome command = supple({"modes", "--help"});
  EXPECT_EQ(command.status, 0);
  for (const char* word : {"--fix", "--material", "gelatine", "creature", "sphere:x,y,z,r"}) {
    EXPECT_NE(command.out.find(word), std::string::npos) << word;
  }
}

TEST(Usage, UnknownCommandSuggestsTheNearest) {
  expect_usage_error({"mdoes"}, "did you mean 'modes'");
  expect_usage_error({}, "no command");
  expect_usage_error({"qwertyuiop"}, "--help");
}

TEST(Usage, HelpIsForPeople) {
  const std::vector<Arguments> commands{{"bake"},
                                        {"info"},
                                        {"check"},
                                        {"shell"},
                                        {"shell", "experiments"},
                                        {"modes"},
                                        {"play"},
                                        {"swim"},
                                        {"swim", "optimise"},
                                        {"swim", "turns"},
                                        {"swim", "experiments"},
                                        {"render"},
                                        {"view"},
                                        {"demo"}};
  for (Arguments command : commands) {
    command.emplace_back("--help");
    const Outcome outcome = supple(command);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    // What CLI11 calls types and checks.
    for (const char* jargon : {"->", "value in {", ":INT", " INT", "FLOAT", " TEXT", "POSITIVE",
                               "REQUIRED", "Excludes:", "Needs:", " x 3"}) {
      EXPECT_EQ(outcome.out.find(jargon), std::string::npos) << command[0] << ": " << jargon;
    }
  }
  const Outcome play = supple({"play", "--help"});
  EXPECT_NE(play.out.find("--rate,--fps HZ "), std::string::npos) << play.out;
  EXPECT_NE(play.out.find("[12 to 1000]"), std::string::npos) << play.out;
  EXPECT_NE(play.out.find("counts from 0"), std::string::npos) << play.out;
}

TEST(Usage, ErrorsPointToTheHelpOfTheirOwnCommand) {
  expect_usage_error({"swim", "optimise", "crawl", "-o", "x.toml", "--for", "fun"},
                     "'fun' is not one of efficiency, speed, stay, turn");
  expect_usage_error({"swim", "optimise", "crawl", "-o", "x.toml", "--for", "fun"},
                     "'supple swim optimise --help'");
  expect_usage_error({"shell", "experiments", "--figure", "4"},
                     "'supple shell experiments --help'");
  expect_usage_error({"modes", "--order", "3"}, "'supple modes --help'");
}

TEST(Usage, UnknownOptionSuggestsTheNearest) {
  expect_usage_error({"modes", "--sample", "beam", "--elments", "100"}, "'--elements'");
}

TEST(Usage, MalformedValuesAreRefused) {
  const Arguments beam{"modes", "--sample", "beam"};
  const auto with = [&](std::initializer_list<std::string> more) {
    Arguments all = beam;
    all.insert(all.end(), more);
    return all;
  };
  expect_usage_error(with({"-n", "0"}), "--count");
  expect_usage_error({"shell", "--sample", "leaf", "--wind", "3"},
                     "--wind takes X,Y,Z[,GUSTS] (see 'supple shell --help')");
  expect_usage_error(with({"-n", "many"}), "--count");
  expect_usage_error(with({"--order", "3"}), "--order");
  expect_usage_error(with({"--mass", "heavy"}), "--mass");
  expect_usage_error(with({"--method", "guess"}), "--method");
  expect_usage_error(with({"--threads", "-1"}), "--threads");
  expect_usage_error(with({"--material", "stel"}), "did you mean 'steel'");
  expect_usage_error(with({"--material", "1e5,0.3"}), "three numbers");
  expect_usage_error(with({"--fix", "plane:w=0"}), "plane:w=0");
  expect_usage_error(with({"--quiet", "--verbose"}), "--");
  expect_usage_error(with({"--write", "vtu"}), "-o");
  expect_usage_error({"modes", "--sample", "bem"}, "did you mean 'beam'");
  expect_usage_error({"modes"}, "--sample");
}

TEST(Usage, OptionsThatDoNotFitTheInputAreRefused) {
  const TemporaryDirectory directory;
  const std::string deck = directory.write("box.inp", box_deck().str());
  const std::string mesh = directory.write("cube.msh", cube_msh());
  const std::string surface = directory.write("cube.obj", cube_obj());
  expect_usage_error({"modes", deck, "--elements", "100"}, "'elements' does not fit");
  expect_usage_error({"modes", deck, "--order", "2"}, "'order' does not fit");
  expect_usage_error({"modes", deck, "--scale", "0.001"}, "'scale' does not fit");
  expect_usage_error({"modes", deck, "--material", "fat"}, "own materials");
  expect_usage_error({"modes", deck, "--free"}, "*BOUNDARY");
  expect_usage_error({"modes", mesh, "--mesher", "netgen", "--material", "fat"},
                     "'mesher' does not fit");
  expect_usage_error({"modes", mesh}, "no material");
  expect_usage_error({"modes", surface}, "no material");
  expect_usage_error({"modes", surface, "--material", "fat", "--region", "a=fat"},
                     "'region' does not fit");
  expect_usage_error({"modes", surface, "--material", "fat", "--order", "1", "--curved"},
                     "curved elements are quadratic");
  expect_usage_error({"modes", surface, "--material", "fat", "--scale", "-1"}, "scale is -1");
  expect_usage_error({"modes", "--sample", "beam", "--mesher", "netgen"}, "'mesher' does not fit");
  expect_usage_error({"modes", deck, "--sample", "beam"}, "not both");
  expect_usage_error({"modes", "picture.jpg"}, ".msh");
}

}  // namespace
}  // namespace supple::testing
