// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "supple/core/console.hpp"
#include "supple/core/files.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace supple::testing {
namespace {

using Json = nlohmann::json;

/// A soft cube on a table, small and slow enough for a test.
constexpr const char* kJelly = R"(
rate = 30
half_life = 0.1
[sampling]
states = 60
shortest = 0.1
longest = 0.3
settle = 0.3
rest = 2
chain = 2
[shapes]
tolerance = 0.05
[[solid]]
name = "jelly & <cube>"
size = [0.1, 0.1, 0.1]
cells = 2
position = [0, 0.051, 0]
material = {youngs_modulus = 2e4, poisson_ratio = 0.4, density = 1000}
damping = 0.02
[[pin]]
body = "jelly & <cube>"
where = ["y<0.002"]
[[entry]]
name = "left"
[entry.impulse]
velocity = [-0.3, 0, 0]
[[entry]]
name = "right & up"
[entry.impulse]
velocity = [0.2, 0.2, 0]
)";

std::string scene_text(const std::filesystem::path& path) {
  const auto bytes = read_file(path);
  EXPECT_TRUE(bytes.ok());
  return bytes.ok() ? std::string(as_text(*bytes)) : "";
}

TEST(SceneReport, ThePageHasTheFiguresOfTheJsonAndNothingFromElsewhere) {
  const TemporaryDirectory directory;
  directory.write("jelly.toml", kJelly);
  const Outcome outcome =
      supple({"scene", directory.path("jelly.toml"), "-o", directory.path("jelly.glb"), "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  for (const char* key : {"states", "responses", "rank", "relative_error", "intersections_samples",
                          "intersections_transitions", "transitions_tested", "pop_score",
                          "coverage", "bytes", "seconds"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_LT(json["pop_score"].get<double>(), 1e-6);
  EXPECT_GT(json["paper_pops"]["mean"].get<double>(), 1e-3);
  EXPECT_EQ(json["intersections_samples"], 0);
  EXPECT_GT(json["transitions_tested"], 0);
  EXPECT_LE(json["coverage"]["mean"], json["coverage"]["most"]);
  EXPECT_LE(json["coverage"]["most"], json["coverage"]["largest"]);

  const std::string page = scene_text(directory / "jelly.report.html");
  ASSERT_FALSE(page.empty());
  for (const char* from_elsewhere : {"<script", "http:", "https:", "src=", "<link", "url(",
                                     "@import", "<iframe", "javascript:"}) {
    EXPECT_EQ(page.find(from_elsewhere), std::string::npos) << from_elsewhere;
  }
  const auto row = [&](const char* label, const std::string& value) {
    const std::string expected =
        fmt::format("<th scope=\"row\">{}</th><td class=\"value\">{}</td>", label, value);
    EXPECT_NE(page.find(expected), std::string::npos) << expected;
  };
  row("Sampled states", format_count(json["sampled_states"].get<std::uint64_t>()));
  row("Shapes", fmt::format("{}", json["rank"].get<int>()));
  row("Relative error", fmt::format("{:.4g}", json["relative_error"].get<double>()));
  row("Intersections in samples", "0");
  row("Tested", fmt::format("{}", json["transitions_tested"].get<int>()));
  row("With intersections", fmt::format("{}", json["transitions_crossing"].get<int>()));
  row("Pop score", fmt::format("{:.2g}", json["pop_score"].get<double>()));
  row("The same with the paper&#39;s blend",
      fmt::format("{:.3g}", json["paper_pops"]["largest"].get<double>()));
  EXPECT_NE(page.find("right &amp; up"), std::string::npos);
  EXPECT_EQ(page.find("jelly & <cube>"), std::string::npos);
}

/// The files that are played do not depend on the page, and the same samples give the same bytes.
TEST(SceneReport, BakesOfTheSameSamplesAreTheSameBytes) {
  const TemporaryDirectory directory;
  directory.write("jelly.toml", kJelly);
  const std::string scene = directory.path("jelly.toml");
  const Outcome first = supple({"scene", scene, "-o", directory.path("a.glb"), "--work",
                                directory.path("work"), "--keep", "--threads", "1", "-q"});
  ASSERT_EQ(first.status, 0) << first.err;
  const Outcome second = supple({"scene", scene, "-o", directory.path("b.glb"), "--work",
                                 directory.path("work"), "--threads", "2", "--json"});
  ASSERT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(Json::parse(second.out)["resumed_chains"], Json::parse(second.out)["chains"]);
  EXPECT_EQ(scene_text(directory / "a.glb"), scene_text(directory / "b.glb"));
  EXPECT_EQ(scene_text(directory / "a.supple"), scene_text(directory / "b.supple"));
}

}  // namespace
}  // namespace supple::testing
