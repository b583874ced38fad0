// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_characters.hpp"

#include "supple/core/files.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <numbers>

namespace supple::testing {
namespace {

using io::testing::Json;
using Names = std::vector<std::string>;

const char* const kTwoObjects = R"(
[[object]]
name = "shin"
bone = "Leg"
elements = 300
modes = 4

[[object]]
name = "hip"
bone = "Hips"
elements = 300
modes = 2
)";

/// A directory with the character and its settings.
struct FleshShop {
  TemporaryDirectory directory;
  std::string glb = directory.write("hero.glb", glb_text(tube_character()));
  std::string toml = directory.write("bake.toml", kTwoObjects);

  [[nodiscard]] Arguments command(const Arguments& more = {}) const {
    Arguments all{"bake", glb, "-c", toml};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] Json bake(Arguments more = {}) const {
    more.emplace_back("--json");
    const Outcome outcome = supple(command(more));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.status == 0 ? Json::parse(outcome.out) : Json();
  }
};

TEST(Bake, WritesBothFilesAndReports) {
  const FleshShop shop;
  const Json json = shop.bake({"-o", shop.directory.path("out.glb")});
  EXPECT_EQ(shop.directory.list(), (Names{"bake.toml", "hero.glb", "out.glb", "out.supple"}));
  ASSERT_EQ(json.at("objects").size(), 2U);
  const Json& shin = json.at("objects")[0];
  EXPECT_EQ(shin.at("name"), "shin");
  EXPECT_EQ(shin.at("bone"), "Leg");
  EXPECT_EQ(shin.at("modes").size(), 4U);
  EXPECT_GT(shin.at("fixed_nodes"), 0);
  double together = 0;
  double before = 1;
  for (const Json& mode : shin.at("modes")) {
    together += mode.at("share").get<double>();
    EXPECT_DOUBLE_EQ(mode.at("cumulative_share").get<double>(), together);
    EXPECT_LE(mode.at("share").get<double>(), before) << "the strongest come first";
    before = mode.at("share");
    EXPECT_GT(mode.at("frequency_hz"), 0);
  }
  EXPECT_LE(together, 1.0 + 1e-9);
  EXPECT_LT(json.at("rounding").at("relative"), 1.0 / 32767) << "16-bit numbers";
  for (const Json& file : json.at("files")) {
    const std::string path = file.at("path");
    EXPECT_EQ(std::filesystem::file_size(path), file.at("bytes").get<std::size_t>()) << path;
  }
}

/// The JSON of a .glb.
Json document_of(const std::string& path) {
  const auto bytes = read_file(path);
  EXPECT_TRUE(bytes.ok()) << path;
  const std::string_view text = as_text(*bytes);
  std::uint32_t length = 0;
  std::memcpy(&length, text.data() + 12, sizeof length);
  return Json::parse(text.substr(20, length));
}

TEST(Bake, ReplacesTheFleshOfAnEarlierBake) {
  const FleshShop shop;
  const auto path = [&](const char* name) { return shop.directory.path(name); };
  const auto again = [&](const std::string& from, const std::string& to, Arguments more) {
    more.insert(more.begin(), {"bake", from, "-c", shop.toml, "-o", to});
    const Outcome outcome = supple(more);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.err;
  };
  (void)shop.bake({"--motion", "jump", "-o", path("first.glb")});
  const std::string said = again(path("first.glb"), path("second.glb"), {"--motion", "jump"});
  EXPECT_NE(said.find("12 morph targets of flesh and shells are replaced"), std::string::npos)
      << said;
  EXPECT_NE(said.find("'jump' from an earlier bake"), std::string::npos) << said;
  const Json second = document_of(path("second.glb"));
  EXPECT_EQ(second.at("meshes")[0].at("primitives")[0].at("targets").size(), 12U);
  EXPECT_EQ(second.at("meshes")[0].at("extras").at("targetNames").size(), 12U);
  std::size_t jumps = 0;
  for (const Json& clip : second.at("animations")) jumps += clip.value("name", "") == "jump";
  EXPECT_EQ(jumps, 1U);
  EXPECT_EQ(read_file(path("first.supple")).value(), read_file(path("second.supple")).value());
  // From then on nothing changes, not even the size.
  (void)again(path("second.glb"), path("third.glb"), {});
  EXPECT_EQ(read_file(path("second.glb")).value(), read_file(path("third.glb")).value());
  // Fewer modes leave none of the others behind, and the result belongs together.
  (void)again(path("third.glb"), path("fewer.glb"), {"--modes", "1"});
  EXPECT_EQ(document_of(path("fewer.glb")).at("meshes")[0].at("primitives")[0].at("targets").size(),
            4U);
  EXPECT_LT(std::filesystem::file_size(path("fewer.glb")),
            std::filesystem::file_size(path("third.glb")));
  const Outcome check = supple({"check", path("fewer.supple"), "--mesh", path("fewer.glb")});
  EXPECT_EQ(check.status, 0) << check.err;
  // Played on a baked character, flesh replaces flesh too.
  const Outcome played = supple({"play", path("third.supple"), "--character", path("third.glb"),
                                 "--motion", "turn", "-o", path("played.glb"), "-q"});
  ASSERT_EQ(played.status, 0) << played.err;
  EXPECT_EQ(
      document_of(path("played.glb")).at("meshes")[0].at("primitives")[0].at("targets").size(),
      12U);
}

TEST(Bake, WarnsAboutCharactersOfUnlikelySize) {
  const FleshShop shop;  // 1 m or so
  struct Case {
    const char* unit;
    const char* warning;
  };
  for (const auto& [unit, warning] :
       {Case{"1", ""}, Case{"0.3", ""}, Case{"10", ""}, Case{"0.01", "smaller than most"},
        Case{"0.001", "smaller than most"}, Case{"100", "larger than most"}}) {
    const Json json = shop.bake({"--unit", unit, "--only", "shin"});
    const std::string said = json.at("warnings").dump();
    EXPECT_EQ(said.find("than most") != std::string::npos, *warning != 0) << unit << ": " << said;
    EXPECT_NE(said.find(warning), std::string::npos) << unit << ": " << said;
    if (*warning != 0) {
      EXPECT_NE(said.find("set unit = 1 (metres per unit)"), std::string::npos) << said;
    }
  }
}

TEST(Bake, MassIsVolumeTimesDensity) {
  // The leg's flesh lies within the tube of 0.12 m radius above 0.3 m, outside its core.
  const FleshShop shop;
  const double mass = shop.bake({"--elements", "2000"}).at("objects")[0].at("mass_kg");
  const double tube = 3.14159 * 0.12 * 0.12 * 0.7 * 950;
  EXPECT_LT(mass, tube);
  EXPECT_GT(mass, 0.5 * tube);
}

TEST(Bake, WithoutOutputNothingIsWritten) {
  const FleshShop shop;
  EXPECT_TRUE(shop.bake().at("files").empty());
  EXPECT_EQ(shop.directory.list(), (Names{"bake.toml", "hero.glb"}));
}

TEST(Bake, OptionsWinOverTheSettings) {
  const FleshShop shop;
  const Json few = shop.bake({"--modes", "1", "--only", "shin"});
  ASSERT_EQ(few.at("objects").size(), 1U);
  EXPECT_EQ(few.at("objects")[0].at("modes").size(), 1U);
  const Json fine = shop.bake({"--elements", "1500", "--only", "shin"});
  EXPECT_GT(fine.at("objects")[0].at("elements"), few.at("objects")[0].at("elements"));
  const Json half = shop.bake({"--unit", "0.5", "--modes", "1", "--only", "shin"});
  EXPECT_EQ(half.at("metres_per_unit"), 0.5);
  // Half the size, an eighth of the mass; flesh that hangs by the same part of its thickness swings
  // as pendulums do.
  const Json& small = half.at("objects")[0];
  const Json& large = few.at("objects")[0];
  EXPECT_NEAR(small.at("mass_kg").get<double>() / large.at("mass_kg").get<double>(), 0.125, 1e-6);
  EXPECT_NEAR(small.at("modes")[0].at("frequency_hz").get<double>() /
                  large.at("modes")[0].at("frequency_hz").get<double>(),
              std::numbers::sqrt2, 1e-3);
}

TEST(Bake, CaptureKeepsAsManyModesAsNeeded) {
  const FleshShop shop;
  const Json modes = shop.bake({"--capture", "0.6", "--only", "shin"}).at("objects")[0].at("modes");
  ASSERT_GE(modes.size(), 1U);
  EXPECT_GE(modes.back().at("cumulative_share"), 0.6);
  if (modes.size() > 1) {
    EXPECT_LT(modes[modes.size() - 2].at("cumulative_share"), 0.6);
  }
}

TEST(Bake, PrintedSettingsAreThoseThatHold) {
  const FleshShop shop;
  const Outcome printed =
      supple(shop.command({"--print-config", "--modes", "7", "--rate", "30", "--signed"}));
  ASSERT_EQ(printed.status, 0) << printed.err;
  EXPECT_EQ(shop.directory.list(), (Names{"bake.toml", "hero.glb"}));
  for (const char* line : {"modes = 7 ", "rate = 30 ", "signed = true ", "name = \"hip\" "}) {
    EXPECT_NE(printed.out.find(line), std::string::npos) << line << "\n" << printed.out;
  }
  const std::string again = shop.directory.write("again.toml", printed.out);
  EXPECT_EQ(supple({"bake", shop.glb, "-c", again, "--print-config"}).out, printed.out);
}

TEST(Bake, WrittenSettingsGiveTheSameBytes) {
  const FleshShop shop;
  const TemporaryDirectory& directory = shop.directory;
  const std::string written = directory.path("written.toml");
  (void)shop.bake({"-o", directory.path("a.glb"), "--write-config", written, "--modes", "3"});
  ASSERT_EQ(supple({"bake", shop.glb, "-c", written, "-o", directory.path("b.glb")}).status, 0);
  EXPECT_TRUE(directory.read("a.supple") == directory.read("b.supple"));
  EXPECT_TRUE(directory.read("a.glb") == directory.read("b.glb"));
}

TEST(Bake, SameBytesForAnyNumberOfThreads) {
  const FleshShop shop;
  const TemporaryDirectory& directory = shop.directory;
  (void)shop.bake({"-o", directory.path("a.glb"), "--threads", "1"});
  (void)shop.bake({"-o", directory.path("b.glb"), "--threads", "4"});
  EXPECT_TRUE(directory.read("a.supple") == directory.read("b.supple"));
  EXPECT_TRUE(directory.read("a.glb") == directory.read("b.glb"));
}

TEST(Bake, MotionsBecomeFurtherClips) {
  const FleshShop shop;
  const std::string out = shop.directory.path("out.glb");
  const Json json = shop.bake({"-o", out, "--motion", "jump", "--only", "shin"});
  ASSERT_EQ(json.at("clips").size(), 2U);
  EXPECT_EQ(json.at("clips")[0].at("name"), "swing");
  EXPECT_EQ(json.at("clips")[0].at("seconds"), 2);
  const Outcome info = supple({"info", out, "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  const Json written = Json::parse(info.out);
  EXPECT_EQ(written.at("clips").size(), 2U);
  EXPECT_EQ(written.at("meshes")[0].at("morph_targets").size(), 2U * 4U) << "a pair per mode";
  EXPECT_EQ(supple(shop.command({"--motion", "jump"})).status, 2) << "nowhere to write it";
  EXPECT_EQ(supple(shop.command({"-o", out, "--motion", "swing"})).status, 2) << "always baked";
  EXPECT_NE(supple(shop.command({"-o", out, "--motion", "jmup"})).err.find("jump"),
            std::string::npos);
}

TEST(Bake, SamplesAreNamed) {
  const Outcome outcome = supple({"bake", "--sample", "dyrt-mna"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("did you mean 'dyrt-man'?"), std::string::npos) << outcome.err;
}

TEST(Bake, FinishedObjectsAreKeptAndFound) {
  const FleshShop shop;
  const TemporaryDirectory& directory = shop.directory;
  const std::string work = directory.path("work");
  const auto bake = [&](const std::string& out, const Arguments& more) {
    Arguments arguments = shop.command({"-o", directory.path(out), "--work", work});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.err;
  };
  const auto kept = [&] {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(work)) files.push_back(entry);
    return files;
  };
  const std::string before = "'shin' is already baked";
  EXPECT_EQ(bake("one.glb", {"--only", "shin"}).find(before), std::string::npos);
  ASSERT_EQ(kept().size(), 1U);
  EXPECT_NE(bake("both.glb", {}).find(before), std::string::npos);
  EXPECT_EQ(kept().size(), 2U);
  (void)shop.bake({"-o", directory.path("fresh.glb")});
  EXPECT_TRUE(directory.read("both.supple") == directory.read("fresh.supple"));
  EXPECT_EQ(bake("other.glb", {"--modes", "1"}).find("was baked before"), std::string::npos)
      << "other settings are another object";
  for (const auto& file : kept()) std::filesystem::resize_file(file, 300);
  EXPECT_NE(bake("again.glb", {}).find("damaged"), std::string::npos);
  EXPECT_TRUE(directory.read("again.supple") == directory.read("fresh.supple"));
}

TEST(Bake, UnnormalisedWeightsAreMendedWithAWarning) {
  const FleshShop shop;
  const TemporaryDirectory& directory = shop.directory;
  directory.write("doubled.glb", glb_text(doubled_weights_character()));
  const Outcome outcome = supple({"bake", directory.path("doubled.glb"), "-c", shop.toml, "-o",
                                  directory.path("doubled_out.glb")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("weights normalised"), std::string::npos) << outcome.err;
  (void)shop.bake({"-o", directory.path("out.glb")});
  EXPECT_TRUE(directory.read("out.supple") == directory.read("doubled_out.supple"));
}

TEST(Bake, OnlyOffersTheNearestObject) {
  const FleshShop shop;
  const Outcome outcome = supple(shop.command({"--only", "shni"}));
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("did you mean 'shin'?"), std::string::npos) << outcome.err;
}

TEST(Bake, WrongUsageIsFoundBeforeTheWork) {
  const FleshShop shop;
  const TemporaryDirectory& directory = shop.directory;
  for (const Arguments& more :
       {Arguments{"-o", directory.path("out.gltf")}, Arguments{"-o", shop.glb},
        Arguments{"--modes", "3", "--capture", "0.9"}, Arguments{"--capture", "1.5"},
        Arguments{"--unit", "-1"}, Arguments{"--sample", "dyrt-man"}}) {
    const Outcome outcome = supple(shop.command(more));
    EXPECT_EQ(outcome.status, 2) << more[0] << " " << more[1] << ": " << outcome.err;
  }
  EXPECT_EQ(supple({"bake"}).status, 2);
  const Outcome missing =
      supple({"bake", directory.path("none.glb"), "-o", directory.path("no/out.glb")});
  EXPECT_EQ(missing.status, 5);
  EXPECT_NE(missing.err.find("no/out.glb"), std::string::npos) << missing.err;
  EXPECT_EQ(directory.list(), (Names{"bake.toml", "hero.glb"}));
}

TEST(Bake, FullDiskLeavesNothingBehind) {
  const FleshShop shop;
  const Outcome outcome = supple_in_shell("trap '' XFSZ; ulimit -f 8; exec \"$@\"",
                                          shop.command({"-o", shop.directory.path("out.glb")}));
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  EXPECT_EQ(shop.directory.list(), (Names{"bake.toml", "hero.glb"}));
}

}  // namespace
}  // namespace supple::testing
