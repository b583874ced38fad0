// SPDX-License-Identifier: Apache-2.0
#include "samples/shell_samples.hpp"

#include "samples/shell_beams.hpp"
#include "samples/shell_dinosaur.hpp"
#include "samples/skinned_checks.hpp"

#include "io/gltf_validator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

namespace supple::samples {
namespace {

using geometry::Vec3;

const ShellSampleModel& sample(const std::string& name) {
  static std::map<std::string, ShellSampleModel> made;
  const auto known = made.find(name);
  if (known != made.end()) return known->second;
  auto fresh = make_shell_sample(name);
  EXPECT_TRUE(fresh.ok()) << fresh.error().describe();
  return made.emplace(name, std::move(*fresh)).first->second;
}

/// The surface as a shell sees it: vertices of equal positions are one.
geometry::TriMesh shell_of(const std::string& name, const std::string& mesh) {
  for (const io::SkinnedPart& part : sample(name).model.parts) {
    if (part.mesh == mesh) return geometry::weld(testing::surface(part)).mesh;
  }
  ADD_FAILURE() << name << " has no mesh " << mesh;
  return {};
}

TEST(ShellSamples, AreAllThereAndWhole) {
  for (const ShellSample& entry : shell_samples()) {
    const ShellSampleModel& made = sample(entry.name);
    const auto valid = made.model.validate();
    EXPECT_TRUE(valid.ok()) << entry.name << ": " << valid.error().describe();
    EXPECT_FALSE(entry.description.empty());
    EXPECT_FALSE(entry.shells.empty());
    for (const std::string& shell : entry.shells) {
      EXPECT_NE(made.shell_toml.find("mesh = \"" + shell + "\""), std::string::npos) << shell;
    }
  }
}

TEST(ShellSamples, AreOfferedByName) {
  ASSERT_NE(find_shell_sample("leaf"), nullptr);
  EXPECT_EQ(find_shell_sample("stone"), nullptr);
  const auto made = make_shell_sample("stone");
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code(), ErrorCode::Usage);
  EXPECT_NE(made.error().describe().find("leaf"), std::string::npos);
}

TEST(ShellSamples, AreOrientedManifoldsOfOnePiece) {
  for (const ShellSample& entry : shell_samples()) {
    for (const std::string& shell : entry.shells) {
      const auto mesh = shell_of(entry.name, shell);
      const auto topology = geometry::topology(mesh);
      EXPECT_EQ(topology.non_manifold_edges, 0U) << shell;
      EXPECT_EQ(topology.flipped_edges, 0U) << shell;
      EXPECT_EQ(topology.components, 1U) << shell;
      // Slimmer triangles have rotations that mean nothing.
      EXPECT_GT(testing::smallest_angle(mesh), 8) << shell;
    }
  }
}

TEST(ShellSamples, FaceTheWayTheirNormalsSay) {
  for (const ShellSample& entry : shell_samples()) {
    for (const io::SkinnedPart& part : sample(entry.name).model.parts) {
      const auto faceted = geometry::vertex_normals(testing::surface(part));
      std::size_t off = 0;
      for (std::size_t v = 0; v < faceted.size(); ++v) off += part.normals[v].dot(faceted[v]) < 0.5;
      EXPECT_LT(off, faceted.size() / 50 + 1) << entry.name << " " << part.material;
    }
  }
}

TEST(ShellSamples, LoopTheirClips) {
  for (const ShellSample& entry : shell_samples()) {
    for (const io::SkinnedClip& clip : sample(entry.name).model.clips) {
      SCOPED_TRACE(entry.name + " " + clip.name);
      testing::expect_closed_loop(clip);
    }
  }
}

TEST(ShellSamples, PassKhronosValidator) {
  SKIP_WITHOUT_VALIDATOR();
  for (const ShellSample& entry : shell_samples()) {
    const auto asset = io::make_gltf(sample(entry.name).model);
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    const auto bytes = io::write_gltf(*asset);
    ASSERT_TRUE(bytes.ok()) << bytes.error().describe();
    EXPECT_TRUE(io::testing::is_valid(*bytes)) << entry.name;
  }
}

TEST(ShellBeams, HaveTheAreaOfTheirStrip) {
  BeamShape shape;
  EXPECT_EQ(make_beam(shape).positions.size(), 125U);  // the cantilever of the reference figures
  EXPECT_NEAR(geometry::area(make_beam(shape)), 0.5 * 0.1, 1e-12);
  shape.fold = 0.35;
  const auto folded = make_beam(shape);
  EXPECT_NEAR(geometry::area(folded), 0.5 * 0.1, 1e-12);
  const auto box = geometry::bounding_box(folded.positions);
  EXPECT_NEAR(box.size().y(), 0.05 * std::sin(0.35), 1e-12);
  EXPECT_NEAR(box.size().z(), 0.1 * std::cos(0.35), 1e-12);
}

TEST(ShellBeams, MirrorThemselves) {
  const auto mesh = make_beam({});
  // A diagonal in one half has its mirror image in the other.
  const auto centre = [&](const geometry::Triangle& t) -> Vec3 {
    return (mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]) / 3;
  };
  for (const auto& t : mesh.triangles) {
    const Vec3 want = centre(t).cwiseProduct(Vec3(1, 1, -1));
    const bool found =
        std::any_of(mesh.triangles.begin(), mesh.triangles.end(),
                    [&](const auto& o) { return (centre(o) - want).norm() < 1e-12; });
    EXPECT_TRUE(found) << centre(t).transpose();
  }
}

TEST(ShellBeams, SplitTheRidgeForItsShading) {
  std::size_t vertices = 0;
  for (const auto& part : sample("v-beam").model.parts) {
    if (part.mesh == "v-beam") vertices = part.positions.size();
  }
  EXPECT_EQ(vertices, 125U + 25U);
  EXPECT_EQ(shell_of("v-beam", "v-beam").positions.size(), 125U);
}

TEST(ShellPaper, IsASheetOfA4) {
  EXPECT_NEAR(geometry::area(shell_of("paper", "paper")), 0.210 * 0.297, 1e-4 * 0.210 * 0.297 * 5);
}

TEST(ShellDinosaur, HasThePapersNumberOfTriangles) {
  const auto mesh = shell_of("dinosaur", "dinosaur");
  const auto want = static_cast<double>(kDinosaurTriangles);
  EXPECT_NEAR(static_cast<double>(mesh.triangles.size()), want, 0.02 * want);
  EXPECT_NEAR(static_cast<double>(mesh.positions.size()), 13117, 0.03 * 13117);
  EXPECT_TRUE(geometry::topology(mesh).closed_manifold());
  // Genus 0: nothing that should be apart has merged.
  EXPECT_EQ(2 * mesh.positions.size(), mesh.triangles.size() + 4);
}

TEST(ShellDancer, HoldsEveryShellByItsBones) {
  const ShellSampleModel& dancer = sample("dancer");
  EXPECT_EQ(find_shell_sample("dancer")->shells.size(), 4U);
  EXPECT_NEAR(dancer.model.clips.at(0).times.back(), 8, 1e-12);
  for (const char* bone : {"Hips", "LeftFoot", "RightFoot"}) {
    testing::find_bone(dancer.model, bone);
    EXPECT_NE(dancer.shell_toml.find(std::string("bone = \"") + bone), std::string::npos);
  }
}

}  // namespace
}  // namespace supple::samples
