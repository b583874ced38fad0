// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_models.hpp"

#include "supple/geometry/shapes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string_view>

namespace supple::testing {
namespace {

using Json = nlohmann::json;

/// Runs with --json; standard output has to be one JSON object and nothing else.
Json solve(Arguments arguments) {
  arguments.insert(arguments.begin(), "modes");
  arguments.emplace_back("--json");
  const Outcome outcome = supple(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  Json json = Json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << outcome.out;
  return json.is_object() ? json : Json::object();
}

TEST(Modes, JsonHoldsWhatScriptsNeed) {
  const TemporaryDirectory directory;
  const Json json = solve({directory.write("box.inp", box_deck().str()), "-n", "4"});
  EXPECT_EQ(json.at("elements"), 96);
  EXPECT_EQ(json.at("nodes"), 45);
  EXPECT_EQ(json.at("dof"), 3 * (45 - 9));
  EXPECT_EQ(json.at("fixed_nodes"), 9);
  EXPECT_EQ(json.at("rigid_modes"), 0);
  ASSERT_EQ(json.at("frequencies_hz").size(), 4U);
  ASSERT_EQ(json.at("participation").size(), 4U);
  EXPECT_EQ(json.at("participation")[0].size(), 6U);
  EXPECT_LT(json.at("residual_max").get<double>(), 1e-6);
  EXPECT_TRUE(json.at("seconds").is_object());
  EXPECT_GT(json.at("peak_memory_mb").get<double>(), 1);
  EXPECT_NEAR(json.at("mass_kg").get<double>(), 1000 * 0.2 * 0.1 * 0.1, 1e-9);
  EXPECT_EQ(json.at("bounding_box").at("high"), Json({0.2, 0.1, 0.1}));
  EXPECT_EQ(json.at("files"), Json::array());
}

TEST(Modes, DeckDecidesHowManyModesUnlessTold) {
  const TemporaryDirectory directory;
  const Json json = solve({directory.write("box.inp", box_deck().str())});
  EXPECT_EQ(json.at("frequencies_hz").size(), 6U);  // *FREQUENCY
}

TEST(Modes, BeamSampleBendsAsEulerAndBernoulliSay) {
  const Json json = solve({"--sample", "beam", "--elements", "2000", "-n", "2"});
  // f = 1.8751^2 / (2 pi) sqrt(E I / (rho A L^4)); a bar ten times as
  // long as thick is about 1 % softer by shear and rotary inertia.
  const double theory = 1.8751 * 1.8751 / (2 * std::numbers::pi) *
                        std::sqrt(210e9 / 7850 * 0.05 * 0.05 / 12) / (0.5 * 0.5);
  constexpr double kShearAndClamping = 0.02;
  EXPECT_NEAR(json.at("frequencies_hz")[0].get<double>(), theory, kShearAndClamping * theory);
}

TEST(Modes, FreeBodyCountsItsRigidMotions) {
  const Outcome quiet = supple({"modes", "--sample", "sphere", "--elements", "400", "-n", "3"});
  EXPECT_EQ(quiet.status, 0) << quiet.err;
  EXPECT_NE(quiet.err.find("--fix"), std::string::npos) << quiet.err;
  EXPECT_EQ(quiet.out, "");
  const Json json = solve({"--sample", "sphere", "--elements", "400", "-n", "3", "--free"});
  EXPECT_EQ(json.at("rigid_modes"), 6);
  EXPECT_GT(json.at("frequencies_hz")[0].get<double>(), 1.0);
}

TEST(Modes, EveryFormatOfTheSameCubeHasTheSameModes) {
  const TemporaryDirectory directory;
  const Arguments rest{"--material", "gelatine", "--fix", "plane:z=0", "-n", "3"};
  Json reference;
  for (const auto& [name, text] : {std::pair<std::string, std::string>{"cube.msh", cube_msh()},
                                   {"cube.vtk", cube_vtk()},
                                   {"cube.vtu", cube_vtu()}}) {
    Arguments arguments{directory.write(name, text)};
    arguments.insert(arguments.end(), rest.begin(), rest.end());
    const Json frequencies = solve(arguments).at("frequencies_hz");
    if (reference.is_null()) reference = frequencies;
    EXPECT_EQ(frequencies, reference) << name;
  }
}

TEST(Modes, SurfacesAreMeshed) {
  const TemporaryDirectory directory;
  for (const auto& [name, text] : {std::pair<std::string, std::string>{"cube.obj", cube_obj()},
                                   {"cube.ply", cube_ply()},
                                   {"cube.stl", cube_stl()},
                                   {"cube.gltf", cube_gltf()}}) {
    const Json json = solve({directory.write(name, text), "--material", "gelatine", "--elements",
                             "300", "--order", "1", "--free", "-n", "2"});
    EXPECT_EQ(json.at("rigid_modes"), 6) << name;
    EXPECT_GT(json.at("mesh").at("min_dihedral_degrees").get<double>(), 5) << name;
  }
}

/// A plate of 1 x 0.022 x 0.332 m as a file of eight vertices.
std::string plate_obj() {
  std::string text;
  for (const char* z : {"0", "0.332"})
    for (const char* xy : {"0 0", "1 0", "1 0.022", "0 0.022"})
      text += std::string("v ") + xy + " " + z + "\n";
  return text + "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
}

TEST(Modes, ClampedPlateBendsAsEulerAndBernoulliSay) {
  const TemporaryDirectory directory;
  const Json json = solve({directory.write("plate.obj", plate_obj()), "--material", "steel",
                           "--fix", "plane:x=0", "--elements", "3000", "-n", "2"});
  EXPECT_EQ(json.at("rigid_modes"), 0);
  EXPECT_LT(std::abs(json.at("volume_error").get<double>()), 0.005);
  // A beam has 18.4 Hz; a wide plate bends in one direction only, which is a little stiffer.
  EXPECT_GT(json.at("frequencies_hz")[0].get<double>(), 18.4);
  EXPECT_LT(json.at("frequencies_hz")[0].get<double>(), 18.9);
}

std::string ball_obj(double radius) {
  const geometry::TriMesh ball = geometry::sphere_surface(radius, 3);
  std::string text;
  for (const geometry::Vec3& p : ball.positions)
    text += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
  for (const geometry::Triangle& t : ball.triangles)
    text += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

/// Straight elements cut the curve; curved ones follow it.
TEST(Modes, WarnsWhenTheMeshHasAnotherVolumeThanItsSurface) {
  constexpr double kReported = 0.005;
  const TemporaryDirectory directory;
  const std::string ball = directory.write("ball.obj", ball_obj(0.1));
  for (const bool curved : {false, true}) {
    for (const char* elements : {"300", "1500", "4000"}) {
      Arguments words{"modes",      ball,     "--material", "gelatine", "--free",
                      "--elements", elements, "-n",         "1",        "--json"};
      if (curved) words.emplace_back("--curved");
      const Outcome outcome = supple(words);
      ASSERT_EQ(outcome.status, 0) << outcome.err;
      const double off = Json::parse(outcome.out).at("volume_error");
      const bool warned = outcome.err.find("volume than its surface") != std::string::npos;
      std::printf("%s elements%s: %+.2f %%\n", elements, curved ? ", curved" : "", 100 * off);
      EXPECT_EQ(warned, std::abs(off) > kReported) << elements << " elements: " << off;
      if (elements == std::string_view("4000")) {
        EXPECT_EQ(warned, !curved);
      }
    }
  }
}

TEST(Modes, ClampThatIsAHingeIsRefusedUnlessAccepted) {
  const TemporaryDirectory directory;
  Arguments hinge{"modes",      directory.write("plate.obj", plate_obj()),
                  "--material", "steel",
                  "--fix",      "box:-0.001,-0.001,-1,0.001,0.001,1",
                  "--elements", "500",
                  "-n",         "1",
                  "--json"};
  const Outcome refused = supple(hinge);
  EXPECT_EQ(refused.status, 3);
  EXPECT_NE(refused.err.find("leave 1 rigid motion"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("hinge"), std::string::npos) << refused.err;
  hinge.emplace_back("--free");
  const Outcome accepted = supple(hinge);
  EXPECT_EQ(accepted.status, 0) << accepted.err;
  EXPECT_NE(accepted.out.find("\"rigid_modes\": 1"), std::string::npos) << accepted.out;
}

TEST(Modes, ScaleTurnsMillimetresIntoMetres) {
  const TemporaryDirectory directory;
  const std::string cube = directory.write("cube.msh", cube_msh());
  const Arguments rest{"--material", "rubber", "--free", "-n", "1"};
  Arguments plain{cube}, scaled{cube, "--scale", "0.5"};
  plain.insert(plain.end(), rest.begin(), rest.end());
  scaled.insert(scaled.end(), rest.begin(), rest.end());
  // Frequencies of a shape go with the inverse of its length.
  const double ratio = solve(scaled).at("frequencies_hz")[0].get<double>() /
                       solve(plain).at("frequencies_hz")[0].get<double>();
  constexpr double kSolverTolerance = 1e-6;
  EXPECT_NEAR(ratio, 2.0, kSolverTolerance);
}

TEST(Modes, RegionsHaveTheirOwnMaterials) {
  const TemporaryDirectory directory;
  const std::string cube = directory.write("cube.msh", cube_msh());
  const Json json = solve({cube, "--region", "flesh=muscle", "--fix", "z<0.01", "-n", "1"});
  EXPECT_EQ(json.at("materials")[0].at("name"), "muscle");
  const Outcome missing = supple({"modes", cube, "--material", "fat", "--region", "flash=muscle"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_NE(missing.err.find("did you mean 'flesh'"), std::string::npos) << missing.err;
}

TEST(Modes, NumberOfThreadsChangesNothing) {
  const auto stable = [](Json json) {
    for (const char* key : {"threads", "seconds", "peak_memory_mb"}) json.erase(key);
    return json.dump();
  };
  const auto with = [&](const char* threads) {
    return stable(
        solve({"--sample", "creature", "--elements", "1500", "-n", "6", "--threads", threads}));
  };
  const std::string one = with("1");
  EXPECT_EQ(with("2"), one);
  EXPECT_EQ(with("4"), one);
}

/// Hours of solving must not end with a missing GPU.
TEST(Modes, SaysBeforeTheWorkThatThereIsNoGpu) {
  const TemporaryDirectory directory;
  const auto without_gpu = [&](const Arguments& more) {
    Arguments all{"modes", "--sample", "beam", "-n", "1", "-o", directory.path("beam")};
    all.insert(all.end(), more.begin(), more.end());
    return supple_in_shell("SUPPLE_GPU=99 \"$@\"", all);
  };
  const Outcome all = without_gpu({});
  EXPECT_NE(all.status, 0);
  EXPECT_NE(all.err.find("SUPPLE_GPU"), std::string::npos) << all.err;
  EXPECT_NE(all.err.find("--write vtu,glb,txt"), std::string::npos) << all.err;
  EXPECT_TRUE(directory.list().empty());
  const Outcome text = without_gpu({"--write", "txt"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_EQ(directory.list(), std::vector<std::string>{"beam.txt"});
}

}  // namespace
}  // namespace supple::testing
