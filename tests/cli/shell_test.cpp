// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "text.hpp"

#include "supple/core/files.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_character.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <numbers>

namespace supple::testing {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

constexpr int kColumns = 12;
constexpr int kRows = 4;
constexpr double kLength = 0.2;
constexpr double kWidth = 0.05;

int vertex(int i, int j) {
  return j * (kColumns + 1) + i;
}

/// A flat strip as OBJ text; faces of the first column are in the group 'root'.
std::string obj_strip() {
  std::string text;
  for (int j = 0; j <= kRows; ++j) {
    for (int i = 0; i <= kColumns; ++i) {
      text += "v " + std::to_string(kLength * i / kColumns) + " 0 " +
              std::to_string(kWidth * j / kRows) + "\n";
    }
  }
  for (int i = 0; i < kColumns; ++i) {
    text += i == 0 ? "g root\n" : "g rest\n";
    for (int j = 0; j < kRows; ++j) {
      text += "f " + std::to_string(vertex(i, j) + 1) + " " + std::to_string(vertex(i, j + 1) + 1) +
              " " + std::to_string(vertex(i + 1, j + 1) + 1) + " " +
              std::to_string(vertex(i + 1, j) + 1) + "\n";
    }
  }
  return text;
}

/// The same as PLY text, the first column red.
std::string ply_strip() {
  std::string text =
      "ply\nformat ascii 1.0\nelement vertex " + std::to_string((kColumns + 1) * (kRows + 1)) +
      "\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\n"
      "property uchar green\nproperty uchar blue\nelement face " +
      std::to_string(kColumns * kRows) + "\nproperty list uchar int vertex_indices\nend_header\n";
  for (int j = 0; j <= kRows; ++j) {
    for (int i = 0; i <= kColumns; ++i) {
      text += std::to_string(kLength * i / kColumns) + " 0 " + std::to_string(kWidth * j / kRows) +
              (i == 0 ? " 255 0 0\n" : " 0 128 0\n");
    }
  }
  for (int j = 0; j < kRows; ++j) {
    for (int i = 0; i < kColumns; ++i) {
      text += "4 " + std::to_string(vertex(i, j)) + " " + std::to_string(vertex(i, j + 1)) + " " +
              std::to_string(vertex(i + 1, j + 1)) + " " + std::to_string(vertex(i + 1, j)) + "\n";
    }
  }
  return text;
}

const char* const kStripSettings =
    "[[shell]]\nname = \"strip\"\nfix = [\"set:root\"]\nmodes = 6\n"
    "material = {youngs_modulus = 3e9, poisson_ratio = 0.3, density = 800, thickness = 0.0003}\n";

/// A directory with a strip and its settings.
struct ShellShop {
  TemporaryDirectory directory;
  std::string obj = directory.write("strip.obj", obj_strip());
  std::string toml = directory.write("shell.toml", kStripSettings);

  [[nodiscard]] std::string path(const std::string& name) const { return directory.path(name); }
  [[nodiscard]] Json bake(Arguments arguments) const {
    arguments.insert(arguments.begin(), "shell");
    arguments.emplace_back("--json");
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.status == 0 ? Json::parse(outcome.out) : Json();
  }
  /// With other settings; the outcome of a call that should fail or warn.
  [[nodiscard]] Outcome with(const std::string& settings, const std::string& mesh = "") const {
    const std::string config = directory.write("other.toml", settings);
    return supple({"shell", mesh.empty() ? obj : mesh, "-c", config, "-o", path("out.glb"),
                   "--seconds", "0.5"});
  }
};

TEST(Shell, BakesAnObjAndReports) {
  const ShellShop shop;
  const Json json = shop.bake({shop.obj, "-c", shop.toml, "-o", shop.path("out.glb")});
  EXPECT_EQ(shop.directory.list(), (Names{"out.glb", "out.supple", "shell.toml", "strip.obj"}));
  ASSERT_EQ(json.at("shells").size(), 1U);
  const Json& shell = json.at("shells")[0];
  EXPECT_EQ(shell.at("name"), "strip");
  EXPECT_EQ(shell.at("nodes"), (kColumns + 1) * (kRows + 1));
  EXPECT_EQ(shell.at("triangles"), 2 * kColumns * kRows);
  EXPECT_EQ(shell.at("fixed_nodes"), 2 * (kRows + 1)) << "a group's faces have two columns";
  EXPECT_EQ(shell.at("modes"), 6);
  EXPECT_EQ(shell.at("frequencies_hz").size(), 6U);
  EXPECT_NEAR(shell.at("mass_kg"), kLength * kWidth * 0.0003 * 800, 1e-8);
  EXPECT_EQ(shell.at("mechanisms"), 0);
  for (const char* key : {"point_count", "follow_turn", "sag_m"}) {
    EXPECT_GT(shell.at(key), 0) << key;
  }
  EXPECT_LT(shell.at("point_error"), 0.01) << "0 where all nodes are points";
  EXPECT_GT(shell.at("seconds").at("total"), 0);
  // A cantilever of what is free: 1.875^2 / (2 pi L^2) sqrt(E t^2 / (12 rho)), as a plate up to
  // 1/sqrt(1 - nu^2) higher; the mesh is coarse.
  const double free = kLength * (kColumns - 1) / kColumns;
  const double beam = 1.8751 * 1.8751 / (2 * std::numbers::pi * free * free) *
                      std::sqrt(3e9 * 0.0003 * 0.0003 / (12 * 800));
  EXPECT_NEAR(shell.at("frequencies_hz")[0], beam, 0.15 * beam);
  const Json& recorded = json.at("recorded");
  EXPECT_EQ(recorded.at("clips")[0].at("name"), "gravity");
  EXPECT_LE(recorded.at("shells")[0].at("largest_error_relative"), 1e-3);
  EXPECT_EQ(json.at("files").size(), 2U);
  for (const Json& file : json.at("files")) {
    const std::string path = file.at("path");
    EXPECT_EQ(std::filesystem::file_size(path), file.at("bytes").get<std::size_t>()) << path;
  }
}

TEST(Shell, RedVerticesOfAPlyAreHeldWithoutSettings) {
  const ShellShop shop;
  const std::string ply = shop.directory.write("strip.ply", ply_strip());
  const Json json = shop.bake({ply});
  EXPECT_EQ(json.at("shells")[0].at("fixed_nodes"), kRows + 1);
  EXPECT_TRUE(json.at("automatic"));
  const Json free = shop.bake({shop.obj});
  EXPECT_EQ(free.at("shells")[0].at("fixed_nodes"), 0);
  EXPECT_TRUE(contains(free.at("warnings").dump(), "nothing holds it"));
}

TEST(Shell, PrintedSettingsBakeTheSame) {
  const ShellShop shop;
  const Outcome printed = supple({"shell", shop.obj, "-c", shop.toml, "--print-config"});
  ASSERT_EQ(printed.status, 0) << printed.err;
  const std::string config = shop.directory.write("printed.toml", printed.out);
  const Json first = shop.bake({shop.obj, "-c", shop.toml});
  const Json second = shop.bake({shop.obj, "-c", config});
  EXPECT_EQ(first.at("shells")[0].at("frequencies_hz"),
            second.at("shells")[0].at("frequencies_hz"));
}

TEST(Shell, BakesItsOwnResultAgain) {
  const ShellShop shop;
  const Json first = shop.bake({shop.obj, "-c", shop.toml, "-o", shop.path("out.glb")});
  const Json again =
      shop.bake({shop.path("out.glb"), "-c", shop.toml, "-o", shop.path("again.glb")});
  EXPECT_EQ(first.at("shells")[0].at("frequencies_hz"), again.at("shells")[0].at("frequencies_hz"));
}

TEST(Shell, ThreadsGiveTheSameBytes) {
  const ShellShop shop;
  for (const char* threads : {"1", "3"}) {
    (void)shop.bake({shop.obj, "-c", shop.toml, "-o", shop.path(std::string(threads) + ".glb"),
                     "--threads", threads});
  }
  for (const char* ending : {".glb", ".supple"}) {
    const auto one = read_file(shop.path(std::string("1") + ending));
    const auto three = read_file(shop.path(std::string("3") + ending));
    ASSERT_TRUE(one.ok() && three.ok());
    EXPECT_EQ(*one, *three) << ending;
  }
}

TEST(Shell, TheDancerHasFourShellsOnABone) {
  const ShellShop shop;
  const Json json = shop.bake({"--sample", "dancer", "-o", shop.path("dancer.glb")});
  EXPECT_EQ(json.at("shells").size(), 4U);
  EXPECT_EQ(json.at("shells")[0].at("bone"), "Head");
  EXPECT_EQ(json.at("shells")[1].at("attachments"), 2);
  const Outcome info = supple({"info", shop.path("dancer.supple"), "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  const Json described = Json::parse(info.out);
  EXPECT_EQ(described.at("objects")[1].at("kind"), "shell");
  const Json& handles = described.at("objects")[1].at("shell").at("attachments");
  ASSERT_EQ(handles.size(), 2U);
  EXPECT_NE(handles[0].at("bone"), described.at("objects")[1].at("bone"));
  const Outcome check =
      supple({"check", shop.path("dancer.supple"), "--mesh", shop.path("dancer.glb")});
  EXPECT_EQ(check.status, 0) << check.err;
}

TEST(Shell, PlaysGravityAndWind) {
  const ShellShop shop;
  (void)shop.bake({shop.obj, "-c", shop.toml, "-o", shop.path("out.glb")});
  const std::string file = shop.path("out.supple");
  const Outcome drop = supple({"play", file, "--motion", "gravity", "--seconds", "8", "--json"});
  ASSERT_EQ(drop.status, 0) << drop.err;
  const Json fallen = Json::parse(drop.out);
  EXPECT_EQ(fallen.at("times").size(), 481U);
  EXPECT_GT(fallen.at("shells")[0].at("largest_turn"), 0);
  // It begins at rest and ends where it hangs: under half the weight, it hangs half as far.
  const double first = fallen.at("coefficients")[0][0];
  const double hangs = fallen.at("coefficients")[480][0];
  EXPECT_NEAR(first, 0, 1e-4 * std::abs(hangs));
  const Outcome light = supple(
      {"play", file, "--motion", "gravity", "--seconds", "8", "--gravity", "0,-0.981,0", "--json"});
  ASSERT_EQ(light.status, 0) << light.err;
  const double tenth = Json::parse(light.out).at("coefficients")[480][0];
  EXPECT_NEAR(tenth / hangs, 0.1, 0.03) << "nearly linear";
  const Outcome wind =
      supple({"play", file, "--motion", "wind", "--wind", "0,3,0", "--csv", shop.path("wind.csv")});
  EXPECT_EQ(wind.status, 0) << wind.err;
  EXPECT_TRUE(std::filesystem::exists(shop.path("wind.csv")));
  const Outcome push = supple({"play", file, "--motion", "wind", "--push", "900,0,1,0"});
  EXPECT_EQ(push.status, 3) << push.err;
  EXPECT_TRUE(contains(push.err, "cannot push vertex 900")) << push.err;
  EXPECT_TRUE(contains(push.err, "0 to 64, counted from 0")) << push.err;
  const Outcome endless = supple({"play", file, "--motion", "wind", "--push", "12,0,inf,0"});
  EXPECT_EQ(endless.status, 3) << endless.err;
  EXPECT_TRUE(contains(endless.err, "three finite numbers")) << endless.err;
  const Outcome fixed = supple({"play", file, "--motion", "wind", "--push", "0,0,1,0"});
  EXPECT_EQ(fixed.status, 0) << fixed.err;
  EXPECT_TRUE(contains(fixed.err, "vertex 0 is fixed")) << fixed.err;
  const Outcome shot = supple({"play", file, "--motion", "gravity", "--push", "12,0,1e9,0"});
  EXPECT_EQ(shot.status, 0) << shot.err;
  EXPECT_TRUE(contains(shot.err, "it restarted from rest")) << shot.err;
  EXPECT_FALSE(contains(shot.err, "jumped")) << "no bone moves";
  // Built-in 'sine' is a loop; a push is seen in it all the same.
  const auto sine = [&](const Arguments& more) {
    Arguments all{"play", file, "--motion", "sine", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = supple(all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return Json::parse(outcome.out);
  };
  const Json looped = sine({});
  const Json pushed = sine({"--push", "12,0,0.01,0"});
  EXPECT_TRUE(looped.at("loops"));
  EXPECT_FALSE(pushed.at("loops"));
  EXPECT_NE(looped.at("coefficients")[10], pushed.at("coefficients")[10]);
  const Outcome length = supple({"play", file, "--motion", "jump", "--seconds", "2"});
  EXPECT_EQ(length.status, 2) << length.err;
  EXPECT_TRUE(contains(length.err, "of fixed length")) << length.err;
  const Outcome glb = supple({"play", file, "--character", shop.path("out.glb"), "--motion", "jump",
                              "-o", shop.path("jump.glb")});
  ASSERT_EQ(glb.status, 0) << glb.err;
  const auto asset = io::read_gltf(std::filesystem::path(shop.path("jump.glb")));
  ASSERT_TRUE(asset.ok());
  EXPECT_EQ(asset->animations.back().name, "jump");
}

TEST(ShellInput, IsRefusedWithAReasonAndNothingIsWritten) {
  const ShellShop shop;
  const std::string three_on_an_edge =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n";
  const std::string handle = "[[shell.handle]]\nbone = \"strip\"\n";
  const std::vector<std::tuple<std::string, std::string, std::string>> cases{
      {"[[shell]]\nmodez = 3\n", "", "other.toml:2:1"},
      {"[[shell]]\nfix = [\"sphere:5,5,5,0.1\"]\n", "", "matches no vertex"},
      {"[[shell]]\nfix = [\"x<9\"]\n", "", "all of its vertices are fixed"},
      {"[[shell]]\nmesh = \"leaf\"\n", "", "no node, mesh or material 'leaf' is drawn"},
      {kStripSettings + handle + "vertex = 1\n", "", "vertex 1 is fixed"},
      {kStripSettings + handle + "vertex = 66\n", "", "no vertex 66; it has 1 to 65"},
      {kStripSettings + std::string("[[shell.handle]]\nbone = \"knee\"\nvertex = 13\n"), "",
       "no node or bone 'knee'"},
      {"", shop.directory.write("fan.obj", three_on_an_edge), "more than two triangles"},
      {"", shop.directory.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), "triangle"},
      {"", shop.directory.write("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "finite"},
      {"", shop.directory.write("cut.ply", "ply\nformat ascii 1.0\n"), "end_header"},
  };
  const Names before = [&] {
    shop.directory.write("other.toml", "");
    return shop.directory.list();
  }();
  for (const auto& [settings, mesh, reason] : cases) {
    const Outcome outcome = shop.with(settings, mesh);
    EXPECT_EQ(outcome.status, 3) << settings << mesh << outcome.err;
    EXPECT_TRUE(contains(outcome.err, reason)) << settings << mesh << "\n" << outcome.err;
    EXPECT_EQ(shop.directory.list(), before);
  }
}

TEST(ShellInput, IsMendedWithAWarning) {
  const ShellShop shop;
  const std::string flipped = obj_strip() + "v 0.21 0 0.05\nf 65 52 66\n";
  const std::vector<std::tuple<std::string, std::string, std::string>> cases{
      {kStripSettings, shop.directory.write("sliver.obj", obj_strip() + "f 1 2 3\n"), "dropped"},
      {kStripSettings, shop.directory.write("flipped.obj", flipped), "flipped 1 of"},
      {"[[shell]]\nfix = [\"set:root\"]\nmaterial = {area_stiffness = 10, length_stiffness = 10, "
       "bending_stiffness = 0, area_density = 0.1}\n",
       "", "bending"},
      {std::string(kStripSettings) +
           "[[shell.handle]]\nbone = \"strip\"\nvertex = 13\nhold = \"both\"\n"
           "[[shell.handle]]\nbone = \"strip\"\nvertex = 65\nhold = \"both\"\n",
       "", "12 components, but 6 modes"},
  };
  for (const auto& [settings, mesh, reason] : cases) {
    const Outcome outcome = shop.with(settings, mesh);
    EXPECT_EQ(outcome.status, 0) << settings << outcome.err;
    EXPECT_TRUE(contains(outcome.err, reason)) << settings << "\n" << outcome.err;
  }
}

/// A flag of the strip's shape, a label of two triangles and a mark of one.
std::string mixed_glb(const TemporaryDirectory& directory) {
  io::SkinnedModel model;
  model.name = "flag";
  const auto add = [&](const std::string& name, int columns, int rows) {
    io::SkinnedPart part;
    part.material = name;
    part.mesh = name;
    for (int j = 0; j <= rows; ++j) {
      for (int i = 0; i <= columns; ++i) part.positions.emplace_back(0.1 * i, 0, 0.1 * j);
    }
    part.normals.assign(part.positions.size(), geometry::Vec3::UnitY());
    for (int j = 0; j < rows; ++j) {
      for (int i = 0; i < columns; ++i) {
        const int a = j * (columns + 1) + i;
        const int b = a + columns + 1;
        part.triangles.push_back({a, b, a + 1});
        part.triangles.push_back({a + 1, b, b + 1});
      }
    }
    model.parts.push_back(std::move(part));
  };
  add("flag", 8, 4);
  add("label", 1, 1);
  add("mark", 1, 1);
  model.parts.back().triangles.pop_back();
  const auto asset = io::make_gltf(model);
  EXPECT_TRUE(asset.ok()) << asset.error().describe();
  std::string path = directory.path("mixed.glb");
  EXPECT_TRUE(io::write_gltf(*asset, path).ok());
  return path;
}

TEST(ShellInput, WhatCannotBendStaysAsDrawnUnlessItWasNamed) {
  const ShellShop shop;
  const std::string mixed = mixed_glb(shop.directory);
  const Json json = shop.bake({mixed, "-o", shop.path("out.glb"), "--seconds", "0.5"});
  ASSERT_EQ(json.at("shells").size(), 2U) << json.at("warnings");
  EXPECT_EQ(json.at("shells")[0].at("modes"), 8);
  EXPECT_EQ(json.at("shells")[1].at("name"), "label");
  EXPECT_EQ(json.at("shells")[1].at("modes"), 6) << "all that two triangles have";
  EXPECT_TRUE(contains(json.at("warnings").dump(), "'mark' cannot be a shell and stays rigid"));
  const auto written = io::read_gltf(std::filesystem::path(shop.path("out.glb")));
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(written->meshes.size(), 3U);
  // Asked for, both are errors with a remedy.
  const Outcome named = shop.with("[[shell]]\nmesh = \"mark\"\n", mixed);
  EXPECT_EQ(named.status, 3) << named.err;
  EXPECT_TRUE(contains(named.err, "no two of its triangles share an edge")) << named.err;
  const Outcome many = shop.with("[[shell]]\nmesh = \"label\"\nmodes = 8\n", mixed);
  EXPECT_EQ(many.status, 3) << many.err;
  EXPECT_TRUE(contains(many.err, "request at most 6")) << many.err;
  EXPECT_FALSE(contains(many.err, "shell 'label', shell 'label'")) << many.err;
}

TEST(ShellUsage, SaysWhatToGive) {
  const ShellShop shop;
  const std::string glb = shop.path("out.glb");
  const std::vector<std::pair<Arguments, std::string>> cases{
      {{"shell"}, "give a mesh"},
      {{"shell", shop.obj, "-o", "out.obj"}, "must end in .glb"},
      {{"shell", "--sample", "leef"}, "unknown sample 'leef'"},
      {{"shell", shop.obj, "--modes", "0"}, "--modes"},
      {{"shell", shop.obj, "--sample", "leaf"}, "not both"},
      {{"shell", shop.obj, "--record", "wind"}, "give -o OUT.glb"},
      {{"shell", shop.obj, "--push", "1,0,1,0"}, "--push is about"},
      {{"shell", shop.obj, "--fps", "30"}, "--fps is about"},
      {{"shell", shop.obj, "-o", glb, "--record", "wind", "--record", "wind"}, "given twice"},
      {{"shell", shop.obj, "-o", glb, "--record", "jump", "--seconds", "1"},
       "'gravity' and 'wind'"},
  };
  for (const auto& [arguments, reason] : cases) {
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, reason)) << outcome.err;
  }
  const Outcome printed = supple({"shell", shop.obj, "--fps", "30", "--print-config"});
  EXPECT_EQ(printed.status, 0) << printed.err;
  EXPECT_TRUE(contains(printed.out, "rate = 30")) << printed.out;
  const Outcome missing = supple({"shell", shop.path("none.obj")});
  EXPECT_EQ(missing.status, 5) << missing.err;
}

}  // namespace
}  // namespace supple::testing
