// SPDX-License-Identifier: Apache-2.0
// A .supple contains the settings it was baked with: baking with them gives the same bytes.
#include "bake/mixed_model.hpp"
#include "process.hpp"
#include "small_characters.hpp"

#include "supple/core/files.hpp"
#include "supple/core/random.hpp"
#include "supple/io/gltf.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace supple::testing {
namespace {

/// One command that bakes INPUT to soft.glb, and the same with the settings of the result.
struct Rebake {
  explicit Rebake(const char* of_command) : command(of_command) {}

  void run(const Arguments& words) const {
    Arguments all{command};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = supple(all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }

  /// `options` are given to the first bake only, `always` to all: they are not settings.
  void gives_the_same_bytes(const std::string& input, const Arguments& options,
                            const Arguments& always = {}) const {
    const std::string glb = directory.path("soft.glb");
    const std::string file = directory.path("soft.supple");
    const auto bake = [&](const std::string& output, Arguments words) {
      words.insert(words.end(), {input, "-o", output, "-q"});
      words.insert(words.end(), always.begin(), always.end());
      run(words);
    };
    bake(glb, options);
    const std::string before = directory.read("soft.supple");
    ASSERT_FALSE(before.empty());
    const std::string named = fmt::format("{} {}", command, fmt::join(options, " "));

    bake(glb, {"-c", file});  // replaces the file that it reads
    EXPECT_TRUE(directory.read("soft.supple") == before) << named;

    const Outcome printed = supple({command, input, "-c", file, "--print-config"});
    EXPECT_EQ(printed.status, 0) << printed.err;
    const std::string toml = directory.write("printed.toml", printed.out);
    bake(directory.path("again.glb"), {"-c", toml});
    EXPECT_TRUE(directory.read("again.supple") == before) << named << "\n" << printed.out;
  }

  TemporaryDirectory directory;
  std::string command;
};

/// One or two objects with anything that can be said of them.
std::string random_settings(Random& random) {
  const auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(*(words.begin() + static_cast<std::ptrdiff_t>(random.below(words.size()))));
  };
  std::string toml = fmt::format("unit = {}\n", random.uniform(0.5, 2));
  const bool both = random.below(2) == 0;
  for (const char* bones : {"[\"Leg\"]", "[\"Hips\"]", "[\"Leg\", \"End\"]"}) {
    const bool several = std::string_view(bones).find(',') != std::string_view::npos;
    if (several == both) continue;
    toml +=
        fmt::format("[[object]]\nname = \"on {} bones {}\"\nbones = {}\nelements = {}\n",
                    several ? "two" : "one", random.below(1000), bones, 250 + random.below(200));
    const double depth = random.uniform(0.01, 0.04);
    toml +=
        pick({"material = \"muscle\"\n", "material = {E = 4321.5, nu = 0.47, rho = 987.6}\n", ""});
    if (!toml.ends_with("\"\n") && !toml.ends_with("}\n")) {
      toml += fmt::format(
          "layers = [{{material = \"fat\", depth = {}}}, {{material = \"muscle\"}}]\n", depth);
    }
    toml += pick({"damping = {settle = 0.7}\n", "damping = {ratio = 0.31}\n",
                  "damping = {alpha = 1.5, beta = 0.003}\n"});
    toml += pick({"modes = 3\n", "capture = 0.7\n"});
    toml += fmt::format("sag = {}\nlimit = {}\n", random.below(2) == 0 ? 0 : random.uniform(0.1, 1),
                        random.uniform(0, 0.1));
  }
  return toml;
}

TEST(KeptSettings, OfRandomFleshGiveTheSameBytes) {
  const Rebake rebake("bake");
  const std::string glb = rebake.directory.write("hero.glb", glb_text(tube_character()));
  Random random(6);
  for (int i = 0; i < 5; ++i) {
    const std::string toml = rebake.directory.write("mine.toml", random_settings(random));
    rebake.gives_the_same_bytes(glb, {"-c", toml});
  }
}

TEST(KeptSettings, IncludeChoicesAndOverrides) {
  const Rebake rebake("bake");
  const std::string glb = rebake.directory.write("hero.glb", glb_text(tube_character()));
  for (const Arguments& options :
       {Arguments{"--elements", "400"}, Arguments{"--elements", "300", "--modes", "2", "--f32"},
        Arguments{"--elements", "300", "--capture", "0.8", "--gain", "1.5", "--unit", "0.7",
                  "--rate", "30"}}) {
    rebake.gives_the_same_bytes(glb, options);
  }
}

TEST(KeptSettings, OfFleshWithShellsGiveTheSameBytes) {
  const Rebake rebake("bake");
  const auto asset = io::make_gltf(bake::testing::mixed_model());
  ASSERT_TRUE(asset.ok());
  const auto bytes = io::write_gltf(*asset);
  ASSERT_TRUE(bytes.ok());
  const std::string glb = rebake.directory.path("hero.glb");
  ASSERT_TRUE(write_file(glb, *bytes).ok());
  const std::string toml = rebake.directory.write("mine.toml", bake::testing::kMixedSettings);
  rebake.gives_the_same_bytes(glb, {"-c", toml});
  for (const char* one : {"top", "flag"}) {
    rebake.gives_the_same_bytes(glb, {"-c", toml}, {"--only", one});
    const Outcome printed =
        supple({"bake", glb, "-c", rebake.directory.path("soft.supple"), "--print-config"});
    EXPECT_NE(printed.out.find("name = \"top\""), std::string::npos) << "all are kept";
    EXPECT_NE(printed.out.find("name = \"flag\""), std::string::npos) << "all are kept";
  }
}

/// A strip of 5 x 2 cells, so that the default of eight modes exists.
std::string strip_obj() {
  std::string text;
  for (int i = 0; i <= 5; ++i) {
    for (int j = 0; j <= 2; ++j) text += fmt::format("v {} 0 {}\n", 0.04 * i, 0.03 * j);
  }
  for (int i = 0; i < 5; ++i) {
    for (int j = 1; j <= 2; ++j) {
      const int a = 3 * i + j;
      text += fmt::format("f {} {} {}\nf {} {} {}\n", a, a + 1, a + 4, a, a + 4, a + 3);
    }
  }
  return text;
}

TEST(KeptSettings, OfShellsGiveTheSameBytes) {
  const Rebake rebake("shell");
  const std::string obj = rebake.directory.write("strip.obj", strip_obj());
  const std::string numbered = rebake.directory.write(
      "mine.toml",
      "unit = 2\n[[shell]]\nname = \"a\"\nfix = [\"vertices:1,2,3\"]\nmaterial = \"leaf\"\n"
      "damping = {mass = 0.5, stiffness = 0.001}\nmedium = \"water\"\n");
  for (const Arguments& options :
       {Arguments{}, Arguments{"--modes", "3"}, Arguments{"--unit", "0.5", "--f32", "--fps", "24"},
        Arguments{"-c", numbered}}) {
    rebake.gives_the_same_bytes(obj, options);
  }
}

TEST(KeptSettings, OfAnotherCommandOrNoneAreRefused) {
  const Rebake rebake("shell");
  const std::string obj = rebake.directory.write("strip.obj", strip_obj());
  rebake.run({obj, "-o", rebake.directory.path("soft.glb"), "-q"});
  const std::string glb = rebake.directory.write("hero.glb", glb_text(tube_character()));
  const Outcome other = supple({"bake", glb, "-c", rebake.directory.path("soft.supple")});
  EXPECT_EQ(other.status, 3);
  EXPECT_NE(other.err.find("baked by 'supple shell'"), std::string::npos) << other.err;
  const std::string damaged = rebake.directory.write("damaged.supple", "no such file");
  EXPECT_EQ(supple({"bake", glb, "-c", damaged}).status, 3);
}

}  // namespace
}  // namespace supple::testing
