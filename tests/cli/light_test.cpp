// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_scenes.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace supple::testing {
namespace {

namespace fs = std::filesystem;
using LightJson = nlohmann::json;

constexpr const char* kQuickLight =
    "[shapes]\ncount = 6\nheld_out = 1\n[transfer]\ndirections = 64\nbounces = 1\n";

TEST(LightCommand, JsonHasTheFiguresOfTheLight) {
  const BakedFlag flag;
  const TemporaryDirectory directory;
  directory.write("light.toml", kQuickLight);
  const std::string output = directory.path("lit.glb");
  const Outcome done =
      supple({"light", flag.glb(), "-c", directory.path("light.toml"), "-o", output, "--json"});
  if (done.err.find("libembree-dev") != std::string::npos) GTEST_SKIP() << done.err;
  ASSERT_EQ(done.status, 0) << done.err;
  const auto json = LightJson::parse(done.out);
  EXPECT_GT(json["shapes"], 1);
  EXPECT_GT(json["rank"], 0);
  EXPECT_EQ(json["sides"], 2);  // a flag
  EXPECT_LE(json["relative_error"].get<double>(), 0.02);
  EXPECT_GT(json["held_out_error"].get<double>(), 0);
  EXPECT_GT(json["rays"], 0);
  EXPECT_GT(json["rays_per_second"].get<double>(), 0);
  EXPECT_EQ(json["bounces"], 1);
  EXPECT_EQ(json["bytes"], fs::file_size(directory.path("lit.supple")));
  for (const char* stage : {"read", "shapes", "transfer", "appearance", "write", "total"}) {
    EXPECT_TRUE(json["seconds"][stage].is_number()) << stage;
  }
  EXPECT_EQ(json["files"].size(), 2U);
  const Outcome info = supple({"info", directory.path("lit.supple")});
  EXPECT_NE(info.err.find("light: 4 bands, 2 sides, rank "), std::string::npos) << info.err;
  const auto described =
      LightJson::parse(supple({"info", directory.path("lit.supple"), "--json"}).out);
  EXPECT_EQ(described["light"]["rank"], json["rank"]);
  EXPECT_EQ(supple({"check", directory.path("lit.supple"), "--mesh", output}).status, 0);
}

TEST(LightCommand, PrintsItsSettings) {
  const Outcome printed = supple({"light", "--print-config"});
  ASSERT_EQ(printed.status, 0) << printed.err;
  EXPECT_NE(printed.out.find("directions = 1024"), std::string::npos) << printed.out;
  const TemporaryDirectory directory;
  directory.write("light.toml", printed.out);
  const Outcome again = supple({"light", "-c", directory.path("light.toml"), "--print-config"});
  EXPECT_EQ(again.out, printed.out);
}

TEST(LightCommand, WrongUseIsExplained) {
  const TemporaryDirectory directory;
  const auto fails = [&](const Arguments& call, int status, const std::string& part) {
    const Outcome done = supple(call);
    EXPECT_EQ(done.status, status) << done.err;
    EXPECT_NE(done.err.find(part), std::string::npos) << done.err;
  };
  fails({"light"}, 2, "give a baked .glb");
  fails({"light", "a.glb"}, 2, "-o OUT.glb");
  fails({"light", "a.glb", "-o", "b.obj"}, 2, ".glb");
  fails({"light", directory.path("a.glb"), "-o", directory.path("b.glb")}, 5, "a.glb");
}

}  // namespace
}  // namespace supple::testing
