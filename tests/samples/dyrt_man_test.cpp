// SPDX-License-Identifier: Apache-2.0
#include "samples/dyrt_man.hpp"

#include "samples/skinned_checks.hpp"
#include "supple/bake/settings.hpp"

#include "io/gltf_validator.hpp"

#include <gtest/gtest.h>

namespace supple::samples {
namespace {

using geometry::Vec3;
using testing::find_bone;
using testing::surface;
using testing::weight_of;

constexpr std::size_t kFew = 2500;  ///< vertices of a man that is quickly made

const io::SkinnedModel& small_man() {
  static const auto model = dyrt_man(kFew);
  return *model;
}

/// Vertices of the left side at the height of the middle of a bone.
template <class Visit>
void visit_band(const io::SkinnedPart& part, double low, double high, const Visit& visit) {
  std::size_t seen = 0;
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    const Vec3& p = part.positions[v];
    if (p.y() < low || p.y() > high) continue;
    visit(p, part.skin[v]);
    ++seen;
  }
  EXPECT_GT(seen, 10U);
}

TEST(DyrtMan, HasThePapersNumberOfVertices) {
  const auto model = dyrt_man();
  ASSERT_TRUE(model.ok()) << model.error().describe();
  const io::SkinnedPart& part = model->parts.at(0);
  const auto count = static_cast<double>(part.positions.size());
  EXPECT_NEAR(count, 17953, 0.03 * 17953);  // [JP02 6]
  EXPECT_TRUE(geometry::topology(surface(part)).closed_manifold());
  EXPECT_GT(testing::smallest_angle(surface(part)), 10);
}

TEST(DyrtMan, IsOneClosedSurfaceOfAMansSize) {
  const auto mesh = surface(small_man().parts.at(0));
  const auto topology = geometry::topology(mesh);
  EXPECT_TRUE(topology.closed_manifold());
  EXPECT_EQ(topology.components, 1U);
  // Genus 0: nothing that should be apart has merged. V - E + F = 2, E = 3 F / 2.
  EXPECT_EQ(2 * mesh.positions.size(), mesh.triangles.size() + 4);
  const auto box = geometry::bounding_box(mesh.positions);
  EXPECT_NEAR(box.low.y(), 0, 0.005);
  EXPECT_NEAR(box.high.y(), 1.75, 0.01);
  const double mass = 1000 * geometry::signed_volume(mesh);  // a stout man, at water's density
  EXPECT_GT(mass, 80);
  EXPECT_LT(mass, 115);
}

TEST(DyrtMan, HasOutwardUnitNormals) {
  const io::SkinnedPart& part = small_man().parts.at(0);
  const auto faceted = geometry::vertex_normals(surface(part));
  std::size_t off = 0;
  for (std::size_t v = 0; v < faceted.size(); ++v) {
    EXPECT_NEAR(part.normals[v].norm(), 1, 1e-9);
    if (part.normals[v].dot(faceted[v]) < 0.7) ++off;
  }
  EXPECT_LT(off, faceted.size() / 50);  // coarse facets differ in folds alone
}

TEST(DyrtMan, WeighsEveryVertexToOne) {
  const io::SkinnedModel& model = small_man();
  for (const io::SkinnedVertex& vertex : model.parts.at(0).skin) {
    double sum = 0;
    for (const double weight : vertex.weights) {
      EXPECT_GE(weight, 0);
      sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(DyrtMan, KeepsLimbsApart) {
  const io::SkinnedModel& model = small_man();
  const io::SkinnedPart& part = model.parts.at(0);
  const std::size_t left_thigh = find_bone(model, "LeftThigh");
  const std::size_t right_thigh = find_bone(model, "RightThigh");
  visit_band(part, 0.60, 0.70, [&](const Vec3& p, const io::SkinnedVertex& vertex) {
    EXPECT_GT(weight_of(vertex, p.x() > 0 ? left_thigh : right_thigh), 0.85) << p.transpose();
    EXPECT_EQ(weight_of(vertex, p.x() > 0 ? right_thigh : left_thigh), 0) << p.transpose();
  });
  const std::size_t left_arm = find_bone(model, "LeftUpperArm");
  const std::size_t right_arm = find_bone(model, "RightUpperArm");
  visit_band(part, 1.00, 1.15, [&](const Vec3& p, const io::SkinnedVertex& vertex) {
    if (std::abs(p.x()) > 0.25) return;  // the trunk, with the arms beside it
    EXPECT_EQ(weight_of(vertex, left_arm) + weight_of(vertex, right_arm), 0) << p.transpose();
  });
}

TEST(DyrtMan, HasASymmetricSkeleton) {
  const io::SkinnedModel& model = small_man();
  const auto world = io::rest_world(model.bones);
  std::size_t pairs = 0;
  for (std::size_t b = 0; b < model.bones.size(); ++b) {
    const std::string& name = model.bones[b].name;
    if (!name.starts_with("Left")) continue;
    const std::size_t other = find_bone(model, "Right" + name.substr(4));
    const Vec3 here = world[b].translation();
    EXPECT_GT(here.x(), 0) << name;
    EXPECT_LT((Vec3(-here.x(), here.y(), here.z()) - world[other].translation()).norm(), 1e-12);
    const Vec3 along = world[b].linear().col(1);
    const Vec3 partner = world[other].linear().col(1);
    EXPECT_LT((Vec3(-along.x(), along.y(), along.z()) - partner).norm(), 1e-12) << name;
    ++pairs;
  }
  EXPECT_EQ(pairs, 8U);
}

TEST(DyrtMan, MasksHisBelly) {
  const io::SkinnedPart& part = small_man().parts.at(0);
  ASSERT_EQ(part.attributes.at(0).name, "_BELLY");
  for (std::size_t v = 0; v < part.positions.size(); ++v) {
    const Vec3& p = part.positions[v];
    const float mask = part.attributes[0].values[v];
    EXPECT_TRUE(mask >= 0 && mask <= 1);
    if (mask > 0) {
      EXPECT_TRUE(p.y() > 0.85 && p.y() < 1.27 && p.z() > -0.15) << p.transpose();
    }
    if ((p - Vec3(0, 1.06, 0.19)).norm() < 0.05) {
      EXPECT_GT(mask, 0.99F);
    }
  }
}

TEST(DyrtMan, PassesKhronosValidator) {
  SKIP_WITHOUT_VALIDATOR();
  const auto asset = io::make_gltf(small_man());
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const auto bytes = io::write_gltf(*asset);
  ASSERT_TRUE(bytes.ok()) << bytes.error().describe();
  EXPECT_TRUE(io::testing::is_valid(*bytes));
}

TEST(DyrtMan, ComesWithThePapersBakeSettings) {
  const auto settings = bake::parse_bake_settings(dyrt_man_bake_toml(), "dyrt-man.toml");
  ASSERT_TRUE(settings.ok()) << settings.error().describe();
  ASSERT_EQ(settings->objects.size(), 3U);
  EXPECT_EQ(settings->objects[0].elements, 10000U);
  EXPECT_EQ(settings->objects[2].elements, 30000U);
  for (const auto& object : settings->objects) {
    for (const std::string& bone : object.region.bones) find_bone(small_man(), bone);
    if (!object.driver.empty()) find_bone(small_man(), object.driver);
  }
}

TEST(DyrtMan, RefusesTooFewVertices) {
  const auto model = dyrt_man(100);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code(), ErrorCode::Usage);
}

}  // namespace
}  // namespace supple::samples
