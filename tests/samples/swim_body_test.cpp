// SPDX-License-Identifier: Apache-2.0
#include "source_directory.hpp"
#include "temporary_directory.hpp"

#include "samples/dyrt_man.hpp"
#include "supple/bake/swim.hpp"
#include "supple/bake/swim_body.hpp"
#include "supple/bake/swim_settings.hpp"
#include "supple/bake/swim_stroke.hpp"
#include "supple/core/output.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_character.hpp"
#include "supple/swim/recording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>

namespace supple::bake {
namespace {

using Eigen::Vector3d;

/// The man as a file, and a body.toml that refers to it.
class ManInAFile : public ::testing::Test {
 protected:
  void SetUp() override {
    auto man = samples::dyrt_man(6000);
    ASSERT_TRUE(man.ok()) << man.error().describe();
    auto asset = io::make_gltf(*man);
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    ASSERT_TRUE(io::write_gltf(*asset, m_folder / "man.glb").ok());
    std::ofstream(m_folder / "body.toml") << "mesh = \"man.glb\"\nmass = 80\nheight = 1.8\n";
    auto settings = load_swim_body(m_folder / "body.toml");
    ASSERT_TRUE(settings.ok()) << settings.error().describe();
    m_settings = *settings;
  }

  supple::testing::TemporaryDirectory m_folder;
  swim::BodySettings m_settings;
};

const swim::Segment& segment(const swim::Body& body, const std::string& name) {
  return body.segments[body.find_segment(name).value()];
}

std::vector<Vector3d> joint_places(const swim::Body& body) {
  std::vector<Vector3d> places;
  for (const swim::Segment& s : body.segments) {
    places.push_back(s.anchor);
    if (s.parent != swim::Segment::kNoParent) places.back() += places[s.parent];
  }
  return places;
}

void expect_sane(const swim::Body& body, double mass) {
  EXPECT_EQ(body.segments.size(), 15);
  EXPECT_NEAR(body.mass(), mass, 1e-3 * mass);
  double displaced = 0;
  for (const swim::Segment& s : body.segments) {
    displaced += s.volume;
    EXPECT_LE(s.faces.size(), 64) << s.name;
    EXPECT_TRUE(geometry::topology(s.surface).closed_manifold()) << s.name;
  }
  EXPECT_NEAR(displaced, mass / 1000, 0.3 * mass / 1000);
}

/// Left and right are mirror images, within a share of the segment's size.
void expect_mirrored(const swim::Body& body, double share) {
  for (const char* name : {"upper_arm", "forearm", "hand", "thigh", "shin", "foot"}) {
    const swim::Segment& right = segment(body, std::string("right_") + name);
    const swim::Segment& left = segment(body, std::string("left_") + name);
    const double size = right.size.norm();
    const auto mirrored = [](const Vector3d& v) { return Vector3d(v.x(), v.y(), -v.z()); };
    EXPECT_NEAR((right.size - left.size).norm(), 0, share * size) << name;
    EXPECT_NEAR((right.centre - mirrored(left.centre)).norm(), 0, share * size) << name;
    EXPECT_NEAR((right.anchor - mirrored(left.anchor)).norm(), 0, share * size) << name;
    EXPECT_NEAR(geometry::signed_volume(right.surface), geometry::signed_volume(left.surface),
                share * geometry::signed_volume(left.surface))
        << name;
  }
}

/// Stretched along x: hands first, feet last, and broad where people are.
void expect_stretched(const swim::Body& body) {
  const auto at = joint_places(body);
  const auto place = [&](const char* name) { return at[body.find_segment(name).value()]; };
  for (const std::string side : {"right_", "left_"}) {
    const auto x = [&](const char* name) { return place((side + name).c_str()).x(); };
    EXPECT_GT(x("hand"), x("forearm"));
    EXPECT_GT(x("forearm"), x("upper_arm"));
    EXPECT_GT(x("upper_arm"), x("thigh"));
    EXPECT_GT(x("thigh"), x("shin"));
    EXPECT_GT(x("shin"), x("foot"));
    EXPECT_LT(segment(body, side + "foot").centre.x(), 0);
    EXPECT_GT(segment(body, side + "hand").centre.x(), 0);
  }
  EXPECT_GT(place("head").x(), place("torso").x());
  EXPECT_GT(place("torso").x(), place("right_thigh").x());
}

void expect_slender(const swim::Body& body) {
  for (const char* name : {"right_upper_arm", "right_forearm", "right_thigh", "right_shin"}) {
    const Vector3d& size = segment(body, name).size;
    EXPECT_GT(size.x(), size.y()) << name;
    EXPECT_GT(size.x(), size.z()) << name;
  }
}

/// Five seconds of a stroke that comes with the program; returns how far it went.
double swim_five_seconds(const swim::Body& body, const char* stroke) {
  const auto loaded = load_swim_stroke(stroke);
  EXPECT_TRUE(loaded.ok());
  swim::RunSettings run;
  run.seconds = 5;
  const auto recording = swim::record_swim(body, loaded->water.value_or(swim::WaterSettings()),
                                           loaded->graph, loaded->start, run, nullptr);
  EXPECT_TRUE(recording.ok()) << recording.error().describe();
  if (!recording.ok()) return 0;
  for (const auto& frame : recording->frames) EXPECT_TRUE(frame.centre.allFinite());
  return (recording->frames.back().centre - recording->frames.front().centre).x();
}

TEST_F(ManInAFile, BecomesABodyOfHisShape) {
  const auto body = build_swim_body(m_settings);
  ASSERT_TRUE(body.ok()) << body.error().describe();
  expect_sane(*body, 80);
  expect_mirrored(*body, 0.03);
  expect_stretched(*body);
  expect_slender(*body);
  // A stout man of 1.8 m: thighs, trunk and head of a man.
  EXPECT_NEAR(segment(*body, "right_shin").anchor.norm(), 0.43, 0.1);
  EXPECT_NEAR(segment(*body, "head").size.x(), 0.3, 0.1);
  // The flat of the hand is across z, its edge leads: as our own hands at zero angles.
  const Vector3d& hand = segment(*body, "right_hand").size;
  EXPECT_LT(hand.z(), hand.y());
  // Pointed feet are broad from side to side.
  const Vector3d& foot = segment(*body, "right_foot").size;
  EXPECT_GT(foot.x(), foot.z());
  double hulls = 0;
  for (const swim::Segment& s : body->segments) hulls += geometry::signed_volume(s.surface);
  std::cout << "[ FIGURE   ] hulls hold " << hulls << " m^3, displaced " << body->mass() / 1000
            << " m^3 at 1000 kg/m^3\n";
  EXPECT_GT(hulls, 0.05);
  EXPECT_LT(hulls, 0.25);
}

TEST_F(ManInAFile, Swims) {
  const auto body = build_swim_body(m_settings);
  ASSERT_TRUE(body.ok()) << body.error().describe();
  for (const char* stroke : {"breaststroke", "crawl"}) {
    const double way = swim_five_seconds(*body, stroke);
    std::cout << "[ FIGURE   ] the man swims " << way << " m of " << stroke << " in 5 s\n";
    EXPECT_GT(way, 0.5) << stroke;
    EXPECT_LT(way, 15) << stroke;
  }
}

/// Strokes are made for another body: the run says by how much slower this one is, or is as fast.
TEST_F(ManInAFile, IsToldHowMuchSlowerHeIs) {
  for (const char* stroke : {"crawl", "butterfly", "backstroke", "breaststroke"}) {
    SwimRequest request;
    request.stroke = stroke;
    request.body_from = m_folder.path("man.glb");
    request.run.seconds = 4;
    OutputSet output;
    const auto run = run_swim(request, output);
    ASSERT_TRUE(run.ok()) << run.error().describe();
    ASSERT_TRUE(run->straight_speeds.has_value());
    const auto [own, usual] = *run->straight_speeds;
    std::cout << "[ FIGURE   ] " << stroke << ": " << own << " m/s, the usual body " << usual
              << " m/s\n";
    const double slower = 1 - own / usual;
    const std::string said = fmt::format("{:.0f} % slower", 100 * slower);
    const bool warned = std::ranges::any_of(run->warnings, [&](const std::string& warning) {
      return warning.find(said) != std::string::npos &&
             warning.find(fmt::format("supple swim optimise {} --body-from", stroke)) !=
                 std::string::npos;
    });
    EXPECT_EQ(warned, slower > 0.05)
        << stroke << ": " << fmt::format("{}", fmt::join(run->warnings, "; "));
  }
}

TEST_F(ManInAFile, MeshesThatAreNoneOrNoPeopleAreNamed) {
  m_settings.mesh = m_folder.path("nobody.glb");
  const auto nobody = build_swim_body(m_settings);
  ASSERT_FALSE(nobody.ok());
  EXPECT_NE(nobody.error().describe().find("nobody.glb"), std::string::npos);
  auto man = samples::dyrt_man(6000);
  ASSERT_TRUE(man.ok());
  for (auto& bone : man->bones) {
    if (bone.name.find("hand") != std::string::npos ||
        bone.name.find("Hand") != std::string::npos) {
      bone.name = "thing";
    }
  }
  ASSERT_TRUE(io::write_gltf(io::make_gltf(*man).value(), m_folder / "thing.glb").ok());
  m_settings.mesh = m_folder.path("thing.glb");
  const auto thing = build_swim_body(m_settings);
  ASSERT_FALSE(thing.ok());
  EXPECT_NE(thing.error().describe().find("right_hand"), std::string::npos)
      << thing.error().describe();
}

TEST(SwimBody, OtherPeoplesCharactersSwim) {
  std::size_t seen = 0;
  struct Other {
    const char* file;
    double
        unlike;  // sides at most; 55 vertices follow the robot's left upper arm most, 47 the right
    bool slender;  // the knight's limbs are as thick as they are long
  };
  for (const auto& [file, unlike, slender] : {Other{"khronos/CesiumMan/CesiumMan.glb", 0.25, true},
                                              {"makehuman/human.glb", 0.05, true},
                                              {"kaykit/Knight.glb", 0.05, false}}) {
    const auto path = supple::testing::assets() / file;
    if (!std::filesystem::exists(path)) {
      std::cout << "[ SKIPPED  ] ../shared/assets/" << file << " is not there: it does not swim\n";
      continue;
    }
    swim::BodySettings settings;
    settings.mesh = path.string();
    const auto body = build_swim_body(settings);
    ASSERT_TRUE(body.ok()) << body.error().describe();
    expect_sane(*body, 75);
    expect_mirrored(*body, unlike);
    expect_stretched(*body);
    if (slender) expect_slender(*body);
    const double way = swim_five_seconds(*body, "breaststroke");
    std::cout << "[ FIGURE   ] " << file << " swims " << way << " m in 5 s\n";
    EXPECT_GT(way, 0.3) << file;
    ++seen;
  }
  if (seen == 0) GTEST_SKIP() << "no characters in ../shared/assets: none of them swam";
}

}  // namespace
}  // namespace supple::bake
