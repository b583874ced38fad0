// SPDX-License-Identifier: Apache-2.0
// Small files that would take all memory or hours, if the program believed them.
#include "cli/process.hpp"
#include "cli/sanitized.hpp"
#include "cli/small_characters.hpp"
#include "cli/soft_tube.hpp"

#include "supple/core/random.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include <sys/stat.h>

namespace supple::testing {
namespace {

using io::testing::Json;

/// What an answer to a bad file may take; the program itself takes about 50 MB.
constexpr double kLittleMemory = 300e6;

/// Addresses are limited, so that a mistake takes this process and not the whole machine.
Outcome supple_within_memory(const Arguments& arguments) {
  return supple_in_shell(kIsSanitized ? "exec \"$@\"" : "ulimit -v 4000000; exec \"$@\"",
                         arguments);
}

void expect_little_memory(const Outcome& outcome, double most = kLittleMemory) {
  if (!kIsSanitized) {
    EXPECT_LT(outcome.peak_bytes, most) << outcome.err;
  }
}

TEST(CostlyFiles, MotionsTooLongForTheMemoryAreErrors) {
  const SoftTube tube;
  for (const char* last : {"1e6", "3e9", "1e300"}) {
    const std::string table = tube.directory.write(
        "late.csv", fmt::format("{}0,0,0,0,0,0,0,1\n{},0,0,5,0,0,0,1\n", kHipsColumns, last));
    const Outcome outcome =
        supple_within_memory({"play", tube.flesh, "--character", tube.glb, "--motion", table, "-o",
                              tube.directory.path("played.glb")});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("s long"), std::string::npos) << outcome.err;
    expect_little_memory(outcome);
  }
}

/// One stray key at the end made a file of 68 kB take 11.6 GB.
TEST(CostlyFiles, ALateKeyIsRefusedBeforeFleshIsBaked) {
  const TemporaryDirectory directory;
  const auto bake = [&](double last) {
    HandMade file = tube_character();
    Json& sampler = file.json["animations"][0]["samplers"][0];
    const std::size_t keys =
        file.json["accessors"][sampler["input"].get<std::size_t>()]["count"].get<std::size_t>();
    std::vector<float> times;
    for (std::size_t k = 0; k + 1 < keys; ++k) times.push_back(0.1F * static_cast<float>(k));
    times.push_back(static_cast<float>(last));
    sampler["input"] = file.floats(times, "SCALAR", 1);
    file.json["animations"][0].erase("name");
    const std::string glb = directory.write("late.glb", glb_text(file));
    return supple_within_memory(
        {"bake", glb, "--elements", "2000", "-o", directory.path("out.glb"), "-q"});
  };
  const Outcome good = bake(2);
  ASSERT_EQ(good.status, 0) << good.err;
  Random random(1);
  for (int trial = 0; trial < 3; ++trial) {
    const Outcome outcome = bake(trial == 0 ? 1e6 : std::pow(10, random.uniform(5, 35)));
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("Delete stray keys"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("'clip 1'"), std::string::npos) << outcome.err;
    EXPECT_LT(outcome.processor_seconds, good.processor_seconds) << "no more work than a bake";
    expect_little_memory(outcome);
  }
}

TEST(CostlyFiles, EndlessFilesAndPipesAreRefused) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::mkfifo(directory.path("pipe").c_str(), 0600), 0);
  const std::string pipe = directory.path("pipe");
  const std::string piped_glb = directory.path("pipe.glb");
  ASSERT_EQ(::mkfifo(piped_glb.c_str(), 0600), 0);
  const std::string piped_mesh = directory.path("pipe.obj");
  ASSERT_EQ(::mkfifo(piped_mesh.c_str(), 0600), 0);
  const std::string endless = directory.write("endless.inp", "*INCLUDE, INPUT=/dev/zero\n");
  const std::string piped = directory.write("piped.inp", "*NODE\n1,0,0,0\n*INCLUDE, INPUT=pipe\n");
  const std::string out = directory.path("a.glb");
  for (const Arguments& arguments :
       {Arguments{"check", "/dev/zero"}, Arguments{"check", pipe}, Arguments{"info", piped_glb},
        Arguments{"modes", endless}, Arguments{"modes", piped}, Arguments{"modes", piped_mesh},
        Arguments{"bake", "--sample", "dyrt-man", "-c", "/dev/zero", "-o", out},
        Arguments{"bake", piped_glb, "-o", out},
        Arguments{"shell", "--sample", "leaf", "-c", pipe, "-o", out},
        Arguments{"shell", piped_mesh, "-o", out}, Arguments{"swim", "/dev/zero", "-o", out},
        Arguments{"play", pipe, "--motion", "jump"},
        Arguments{"render", piped_glb, "-o", directory.path("a.png")}}) {
    const Outcome outcome = supple_within_memory(arguments);
    EXPECT_EQ(outcome.status, 5) << arguments[0] << ": " << outcome.err;
    EXPECT_NE(outcome.err.find("a pipe or a device"), std::string::npos)
        << arguments[0] << ": " << outcome.err;
    expect_little_memory(outcome);
  }
  const Outcome viewed = supple_within_memory({"view", piped_glb, "--no-browser"});
  EXPECT_EQ(viewed.status, 5) << viewed.err;
}

/// Nodes below each other, beside a character with a clip.
std::string chain_file(const TemporaryDirectory& directory, int nodes) {
  HandMade file = tube_character();
  Json& list = file.json["nodes"];
  const int first = static_cast<int>(list.size());
  list[0]["children"] = Json::array({first});
  for (int i = first; i < first + nodes; ++i) {
    list.push_back({{"translation", {0, 0.001, 0}}});
    if (i + 1 < first + nodes) list.back()["children"] = Json::array({i + 1});
  }
  return directory.write(fmt::format("chain{}.glb", nodes), glb_text(file));
}

/// 300,000 nodes took more than 20 s: all of them were placed again in every frame.
TEST(CostlyFiles, LongChainsTakeTimeInProportion) {
  const TemporaryDirectory directory;
  const std::string small = chain_file(directory, 50'000);
  const std::string large = chain_file(directory, 300'000);
  const std::string out = directory.path("out.glb");
  constexpr double kMost = 12;  // 6 times the nodes: at most 6 in proportion, 36 if squared
  for (const Arguments& rest :
       {Arguments{"info"}, Arguments{"bake", "--elements", "300", "-o", out}}) {
    const auto run = [&](const std::string& file) {
      Arguments arguments{rest[0], file};
      arguments.insert(arguments.end(), rest.begin() + 1, rest.end());
      const Outcome outcome = supple_within_memory(arguments);
      EXPECT_EQ(outcome.status, 0) << rest[0] << ": " << outcome.err;
      return outcome;
    };
    const double few = run(small).processor_seconds;
    const Outcome many = run(large);
    EXPECT_LT(many.processor_seconds, kMost * few) << rest[0];
    expect_little_memory(many, 1.5e9);
  }
}

std::uint32_t crc_of(std::string_view text) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

std::string big_endian(std::uint32_t value) {
  std::string text;
  for (const unsigned shift : {24U, 16U, 8U, 0U}) text.push_back(static_cast<char>(value >> shift));
  return text;
}

std::string png_chunk(const std::string& name, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + name + data +
         big_endian(crc_of(name + data));
}

/// A header that is right, and not one of the pixels that it announces.
std::string empty_png(std::uint32_t width, std::uint32_t height) {
  const std::string rgba{8, 6, 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", big_endian(width) + big_endian(height) + rgba) +
         png_chunk("IDAT", "x") + png_chunk("IEND", "");
}

TEST(CostlyFiles, PicturesAreBoundedByTheirPixels) {
  const TemporaryDirectory directory;
  const auto render = [&](std::uint32_t width, std::uint32_t height) {
    directory.write("skin.png", empty_png(width, height));
    HandMade file = tube_character();
    file.json["images"] = Json::array({{{"uri", "skin.png"}}});
    file.json["textures"] = Json::array({{{"source", 0}}});
    file.json["materials"] =
        Json::array({{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}});
    file.json["meshes"][0]["primitives"][0]["material"] = 0;
    const std::string glb = directory.write("tube.glb", glb_text(file));
    return supple({"render", glb, "--size", "64x64", "-o", directory.path("a.png")});
  };
  const Outcome small = render(8, 8);
  if (small.err.find("EGL") != std::string::npos) GTEST_SKIP() << "skipped: no EGL";
  ASSERT_EQ(small.status, 0) << small.err;
  for (const auto& [width, height] :
       {std::pair(16384U, 16384U), std::pair(16384U, 8192U), std::pair(16385U, 16U)}) {
    const Outcome large = render(width, height);
    EXPECT_EQ(large.status, 0) << large.err;
    EXPECT_NE(large.err.find(fmt::format("{} x {}", width, height)), std::string::npos)
        << large.err;
    constexpr double kNoise = 50e6;
    EXPECT_LT(large.peak_bytes, small.peak_bytes + kNoise);
  }
}

/// Two bytes of text take a hundred in memory.
TEST(CostlyFiles, ManyEmptyObjectsAreRefusedUnparsed) {
  const TemporaryDirectory directory;
  for (const char* key : {"nodes", "meshes", "anything"}) {
    std::string text = fmt::format(R"({{"asset":{{"version":"2.0"}},"{}":[{{}})", key);
    for (int i = 0; i < 7'000'000; ++i) text += ",{}";
    const std::string file = directory.write("many.gltf", text + "]}");
    const Outcome outcome = supple_within_memory({"info", file});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("objects and lists"), std::string::npos) << outcome.err;
    expect_little_memory(outcome);
  }
}

}  // namespace
}  // namespace supple::testing
