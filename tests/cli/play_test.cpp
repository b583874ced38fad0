// SPDX-License-Identifier: Apache-2.0
#include "supple/core/files.hpp"
#include "supple/core/random.hpp"
#include "supple/io/supple_file.hpp"

#include "cli/soft_tube.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>

namespace supple::testing {
namespace {

/// One mode of 3 Hz that acceleration along y drives.
std::string belly(const TemporaryDirectory& directory) {
  soft::Mode mode;
  mode.omega = 18.85;
  mode.damping = 0.2;
  mode.transfer = {0, 0, 0, 0, -1, 0};
  mode.displacements = {Eigen::Vector3d(0, 1, 0)};
  soft::Object object;
  object.name = "belly";
  object.bone = "spine";
  object.vertices = {1};
  object.modes = {mode};
  soft::Asset asset;
  asset.vertex_count = 3;
  asset.index_count = 3;
  asset.parts = {{0, 0, 0, 3}};
  asset.objects = {object};
  const auto bytes = io::write_supple(asset);
  EXPECT_TRUE(bytes.ok());
  return directory.write("belly.supple", as_text(bytes->bytes));
}

TEST(PlayCommand, WritesCoefficientsOverTime) {
  const TemporaryDirectory directory;
  const std::string csv = directory.path("jump.csv");
  const Outcome outcome =
      supple({"play", belly(directory), "--motion", "jump", "--csv", csv, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["times"].size(), 181U);  // 3 s at 60 Hz
  EXPECT_EQ(json["coefficients"].size(), 181U);
  EXPECT_EQ(json["modes"][0]["object"], "belly");
  EXPECT_NEAR(json["modes"][0]["frequency_hz"].get<double>(), 3, 0.01);
  const std::string text = directory.read("jump.csv");
  EXPECT_EQ(json["files"][0]["path"], csv);
  EXPECT_EQ(json["files"][0]["bytes"], text.size());
  EXPECT_TRUE(text.starts_with("time,belly 1\n0,"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 182);
}

TEST(PlayCommand, NamesTheFilesThatItWrote) {
  const TemporaryDirectory directory;
  const std::string csv = directory.path("jump.csv");
  const Arguments plain{"play", belly(directory), "--motion", "jump"};
  Arguments writing = plain;
  writing.insert(writing.end(), {"--csv", csv});
  const Outcome written = supple(writing);
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_NE((written.out + written.err).find("\nwrote " + csv + " ("), std::string::npos);
  const Outcome silent = supple(plain);
  EXPECT_EQ((silent.out + silent.err).find("wrote"), std::string::npos);
}

TEST(PlayCommand, ExplainsWhatItCannotDo) {
  const TemporaryDirectory directory;
  const std::string file = belly(directory);
  const auto expect = [](const Arguments& arguments, int status, std::string_view part) {
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  };
  expect({"play", file}, 2, "--motion");
  expect({"play", file, "--motion", "jmup"}, 3, "did you mean 'jump'");
  expect({"play", file, "--motion", "jump", "-o", "x.glb"}, 2, "give the character's file");
  expect({"play", file, "--motion", "jump", "--rate", "0"}, 2, "--rate");
  expect({"play", file, "--motion", "jump", "--rate", "2000"}, 2, "--rate");
  expect({"play", file, "--motion", "wind"}, 2, "wind acts on shells");
  expect({"play", directory.path("none.supple"), "--motion", "jump"}, 5, "none.supple");
  const std::string text = directory.write("text.supple", "not one");
  expect({"play", text, "--motion", "jump"}, 3, "text.supple");
  const std::string table = directory.write("t.csv", "time,spin.px\n");
  expect({"play", file, "--motion", table}, 3, "t.csv:1");
}

/// Adds a clip that moves the hips; keys of `count` moments from `begin` on, between which glTF
/// interpolates linearly.
void add_travel(HandMade& file, const std::string& name, double begin, double seconds, int count,
                const std::function<Eigen::Vector3d(double)>& path) {
  std::vector<float> times;
  std::vector<float> places;
  for (int i = 0; i < count; ++i) {
    const double t = seconds * i / (count - 1);
    times.push_back(static_cast<float>(begin + t));
    const Eigen::Vector3d place = path(t);
    for (const double x : place) places.push_back(static_cast<float>(x));
  }
  const std::size_t sampler = file.floats(times, "SCALAR", 1);
  const std::size_t output = file.floats(places, "VEC3", 3);
  file.json["animations"].push_back(
      {{"name", name},
       {"samplers", nlohmann::json::array({{{"input", sampler}, {"output", output}}})},
       {"channels", nlohmann::json::array(
                        {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}}})}});
}

Eigen::Vector3d random_direction(Random& random) {
  return Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
      .normalized();
}

/// Of a clip, as the program prints it.
double largest_coefficient(const SoftTube& tube, const std::string& clip, double rate) {
  // The character that was baked, or what the bake made of it: the same motion.
  const std::string& character = rate > 100 ? tube.glb : tube.soft;
  const Outcome outcome = supple({"play", tube.flesh, "--character", character, "--motion",
                                  "clip:" + clip, "--rate", std::to_string(rate), "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  if (outcome.status != 0) return 0;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["warnings"].size(), 0U) << json["warnings"];
  double largest = 0;
  for (const auto& frame : json["coefficients"]) {
    for (const double q : frame.get<std::vector<double>>()) {
      largest = std::max(largest, std::abs(q));
    }
  }
  return largest;
}

/// Keys are floats: twenty metres away they are 1 um apart, which is 1 cm/s^2 at 60 Hz.
constexpr double kRoundedKeys = 2e-3;

TEST(PlayCommand, ConstantVelocityDoesNotMoveTheFlesh) {
  Random random(5);
  HandMade character = tube_character();
  std::vector<std::string> steady;
  for (int i = 0; i < 8; ++i) {
    steady.push_back("steady " + std::to_string(i));
    const Eigen::Vector3d velocity = random.uniform(0.3, 9) * random_direction(random);
    const Eigen::Vector3d start = random.uniform(0, 20) * random_direction(random);
    // Half of them begin later than 0; some have two keys, some many.
    add_travel(character, steady.back(), i % 2 == 0 ? 0 : random.uniform(0.01, 2),
               random.uniform(0.4, 1.5), i < 4 ? 2 : 4 + 5 * i,
               [&](double t) -> Eigen::Vector3d { return start + t * velocity; });
  }
  add_travel(character, "run", 0, 1.5, 91, [](double t) {
    return Eigen::Vector3d(0, 0.04 * std::cos(2 * std::numbers::pi * 2.7 * t), 3 * t);
  });
  const SoftTube tube(character);
  for (const double rate : {30.0, 60.0, 144.0}) {
    const double run = largest_coefficient(tube, "run", rate);
    EXPECT_GT(run, 0) << rate;
    double worst = 0;
    for (const std::string& clip : steady) {
      worst = std::max(worst, largest_coefficient(tube, clip, rate));
    }
    std::printf("constant velocity at %.0f Hz: %.1e of a run\n", rate, worst / run);
    EXPECT_LT(worst, kRoundedKeys * run) << rate;
  }
}

}  // namespace
}  // namespace supple::testing
