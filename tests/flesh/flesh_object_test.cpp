// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/flesh_object.hpp"

#include "flesh/limb.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <map>
#include <set>
#include <string>

namespace supple::flesh {
namespace {

using geometry::Vec3;
using testing::limb;
using testing::thigh;

TEST(FleshObject, MovesTheThighAndNothingElse) {
  const character::Character character = limb();
  const auto object = bake_object(character, thigh());
  ASSERT_TRUE(object.ok()) << object.error().describe();
  EXPECT_EQ(object->driver, 1U);
  EXPECT_EQ(object->bone, character.bones[1].name);
  ASSERT_EQ(object->modes.size(), 5U);
  std::size_t expected = 0;
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    expected += character.weights[4 * v + 1] > 0.25 ? 1 : 0;
  }
  EXPECT_EQ(object->vertices.size(), expected);
  // A limb of 7 cm held along its axis: a few hertz, several centimetres under its own weight.
  for (const soft::Mode& mode : object->modes) {
    EXPECT_GT(mode.omega, 6.28 * 1);
    EXPECT_LT(mode.omega, 6.28 * 30);
  }
  EXPECT_GT(object->sag, 1e-3);
  EXPECT_LT(object->sag, 0.05);
}

/// Some triangles get corners of their own, as at seams of a texture and hard edges.
character::Character with_repeated_vertices(const character::Character& character,
                                            std::uint64_t seed) {
  Random random(seed);
  character::Character result = character;
  for (geometry::Triangle& triangle : result.triangles) {
    // All of the upper half, so that it has six times the vertices, and a few below.
    const bool above = character.positions[triangle[0]].y() > 0;
    if (random.uniform() > (above ? 1.0 : 0.2)) continue;
    for (geometry::Index& v : triangle) {
      const auto old = static_cast<std::size_t>(v);
      v = static_cast<geometry::Index>(result.positions.size());
      result.positions.push_back(character.positions[old]);
      result.normals.push_back(character.normals[old]);
      for (std::size_t k = 0; k < character.influences; ++k) {
        result.joints.push_back(character.joints[old * character.influences + k]);
        result.weights.push_back(character.weights[old * character.influences + k]);
      }
    }
  }
  return result;
}

TEST(FleshObject, DoesNotDependOnVerticesThatAFileRepeats) {
  const character::Character welded = limb(17, 30);
  for (const char* bone : {"Hip", "Thigh", "Shin"}) {  // the shin has no children
    ObjectSettings settings = thigh();
    settings.region.bones = {bone};
    settings.elements = 400;
    settings.sag = 0.1;  // of the thickness
    const auto plain = bake_object(welded, settings);
    ASSERT_TRUE(plain.ok()) << plain.error().describe();
    for (const std::uint64_t seed : {1U, 2U}) {
      const auto split = bake_object(with_repeated_vertices(welded, seed), settings);
      ASSERT_TRUE(split.ok()) << split.error().describe();
      EXPECT_NEAR(split->thickness, plain->thickness, 1e-9) << bone;
      EXPECT_NEAR(split->mass, plain->mass, 1e-9 * plain->mass) << bone;
      for (std::size_t k = 0; k < plain->modes.size(); ++k) {
        EXPECT_NEAR(split->modes[k].omega, plain->modes[k].omega, 1e-6 * plain->modes[k].omega)
            << bone;
      }
    }
  }
}

TEST(FleshObject, StrongestModesComeFirstAndSharesAddUp) {
  ObjectSettings settings = thigh();
  settings.elements = 400;
  settings.capture = 0.9;
  const auto object = bake_object(limb(16, 28), settings);
  ASSERT_TRUE(object.ok()) << object.error().describe();
  double sum = 0;
  double last = 1;
  for (const soft::Mode& mode : object->modes) {
    EXPECT_LE(mode.share, last);
    last = mode.share;
    EXPECT_LT(sum, 0.9);  // one fewer would not do
    sum += mode.share;
  }
  EXPECT_GE(sum, 0.9);
  EXPECT_LE(sum, 1 + 1e-6);
}

TEST(FleshObject, SagSetsTheStiffness) {
  ObjectSettings settings = thigh();
  const auto soft = bake_object(limb(), settings);
  settings.sag = 0.05;
  const auto firm = bake_object(limb(), settings);
  ASSERT_TRUE(soft.ok());
  ASSERT_TRUE(firm.ok());
  EXPECT_GT(firm->stiffening, 1.0);
  EXPECT_NEAR(firm->sag, 0.05 * firm->thickness, 1e-12);
  // The same body, only stiffer: what a modulus raised by hand gives.
  settings.sag = 0;
  settings.layers[0].material.youngs_modulus *= firm->stiffening;
  const auto by_hand = bake_object(limb(), settings);
  ASSERT_TRUE(by_hand.ok());
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(by_hand->modes[k].omega, firm->modes[k].omega, 1e-6 * firm->modes[k].omega);
  }
}

TEST(FleshObject, DampingIsWhatWasAskedFor) {
  ObjectSettings settings = thigh();
  settings.elements = 400;
  settings.damping = SettlesIn{0.5};
  auto object = bake_object(limb(16, 28), settings);
  ASSERT_TRUE(object.ok());
  double slowest = 1e9;
  for (const soft::Mode& mode : object->modes) {
    slowest = std::min(slowest, mode.damping * mode.omega);
    EXPECT_EQ(mode.damping, object->modes[0].damping);
  }
  EXPECT_LE(std::exp(-slowest * 0.5), 0.0100001);
  settings.damping = RayleighDamping{0.4, 0.003};
  object = bake_object(limb(16, 28), settings);
  ASSERT_TRUE(object.ok());
  for (const soft::Mode& mode : object->modes) {
    EXPECT_NEAR(mode.damping, 0.5 * (0.4 / mode.omega + 0.003 * mode.omega), 1e-12);
  }
}

TEST(FleshObject, SameBitsForAnyNumberOfThreads) {
  ObjectSettings settings = thigh();
  settings.elements = 400;
  std::vector<FleshObject> results;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    auto object = bake_object(limb(16, 28), settings);
    ASSERT_TRUE(object.ok());
    results.push_back(*std::move(object));
  }
  set_thread_count(0);
  for (std::size_t i = 1; i < results.size(); ++i) {
    for (std::size_t k = 0; k < results[0].modes.size(); ++k) {
      EXPECT_EQ(results[i].modes[k].omega, results[0].modes[k].omega);
      EXPECT_EQ(results[i].modes[k].transfer, results[0].modes[k].transfer);
      for (std::size_t v = 0; v < results[0].vertices.size(); ++v) {
        ASSERT_EQ(results[i].modes[k].displacements[v], results[0].modes[k].displacements[v]);
        ASSERT_EQ(results[i].modes[k].normals[v], results[0].modes[k].normals[v]);
      }
    }
  }
}

/// The limb with every triangle's corners made its own vertices: all edges are seams of the file.
character::Character shattered() {
  const character::Character whole = limb();
  character::Character pieces = whole;
  pieces.positions.clear();
  pieces.normals.clear();
  pieces.joints.clear();
  pieces.weights.clear();
  for (geometry::Triangle& t : pieces.triangles) {
    for (geometry::Index& v : t) {
      pieces.positions.push_back(whole.positions[v]);
      pieces.normals.push_back(whole.normals[v]);
      for (std::size_t k = 0; k < 4; ++k) {
        pieces.joints.push_back(whole.joints[4 * v + k]);
        pieces.weights.push_back(whole.weights[4 * v + k]);
      }
      v = static_cast<geometry::Index>(pieces.positions.size()) - 1;
    }
  }
  return pieces;
}

TEST(FleshObject, SeamsNeverOpenInAnyPose) {
  const character::Character character = shattered();
  const auto object = bake_object(character, thigh());
  ASSERT_TRUE(object.ok()) << object.error().describe();
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vec3> deformed = character.positions;
    for (const soft::Mode& mode : object->modes) {
      const double q = random.uniform(-10, 10);  // far beyond any physics
      for (std::size_t i = 0; i < object->vertices.size(); ++i) {
        deformed[object->vertices[i]] += q * mode.displacements[i];
      }
    }
    std::vector<Eigen::Affine3d> bones;
    for (int b = 0; b < 3; ++b) {
      const Vec3 axis(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      bones.emplace_back(Eigen::Translation3d(axis) *
                         Eigen::AngleAxisd(random.uniform(-3, 3), axis.normalized()));
    }
    std::map<std::array<double, 3>, Vec3> seen;
    for (std::size_t v = 0; v < deformed.size(); ++v) {
      Vec3 skinned = Vec3::Zero();
      for (std::size_t k = 0; k < 4; ++k) {
        skinned +=
            character.weights[4 * v + k] * (bones[character.joints[4 * v + k]] * deformed[v]);
      }
      const Vec3& rest = character.positions[v];
      const auto [at, fresh] = seen.try_emplace({rest.x(), rest.y(), rest.z()}, skinned);
      if (!fresh) {
        ASSERT_EQ(at->second, skinned) << "a crack at " << rest.transpose();
      }
    }
  }
}

TEST(FleshObject, FadesOutTowardsTheSeam) {
  const character::Character character = limb(48, 120);
  const auto object = bake_object(character, thigh());
  ASSERT_TRUE(object.ok());
  for (const soft::Mode& mode : object->modes) {
    double largest = 0;
    for (const Vec3& u : mode.displacements) largest = std::max(largest, u.norm());
    for (std::size_t i = 0; i < object->vertices.size(); ++i) {
      const double weight = character.weights[4 * object->vertices[i] + 1];
      if (weight < 0.28) {
        EXPECT_LT(mode.displacements[i].norm(), 0.01 * largest);
      }
    }
  }
}

std::set<std::string> names(const std::vector<ObjectSettings>& objects) {
  std::set<std::string> all;
  for (const ObjectSettings& object : objects) {
    EXPECT_TRUE(object.validate().ok());
    all.insert(object.name);
  }
  return all;
}

TEST(Proposal, LeavesOutTheEndOfALimb) {
  const auto objects = propose_objects(limb());
  ASSERT_TRUE(objects.ok()) << objects.error().describe();
  EXPECT_EQ(names(*objects), (std::set<std::string>{"Hip", "Thigh"}));
}

TEST(Proposal, TailsAreSoftAndHeadsAreNot) {
  character::Character character = limb();
  character.bones[2].name = "b_Tail01_012";
  auto objects = propose_objects(character);
  ASSERT_TRUE(objects.ok());
  EXPECT_EQ(names(*objects), (std::set<std::string>{"Hip", "Thigh", "b_Tail01_012"}));
  character.bones[0].name = "Neck_1";
  character.bones[1].name = "LeftForeArm";
  character.bones[2].name = "Head";
  objects = propose_objects(character);
  ASSERT_FALSE(objects.ok());
  EXPECT_NE(objects.error().message().find("no bone has enough"), std::string::npos);
}

/// Two legs of the same size, but with triangles of their own.
character::Character pair_of_legs(double radius, int left_segments, int right_segments) {
  character::Character whole;
  whole.name = "legs";
  whole.influences = 4;
  whole.material_names = {"skin"};
  for (const bool left : {true, false}) {
    character::Character leg = limb(left ? left_segments : right_segments, 30);
    const std::string side = left ? "Left" : "Right";
    const auto first = static_cast<geometry::Index>(whole.positions.size());
    const auto offset = left ? 0U : 2U;
    for (std::size_t b = 0; b < 3; ++b) {
      character::Bone bone = leg.bones[b];
      if (b == 0 && !left) continue;
      if (b == 0) bone.name = "Hips";
      if (b > 0) {
        bone.name = side + leg.bones[b].name;
        bone.parent = b == 1 ? 0 : 1 + offset;
        bone.rest_world(0, 3) = left ? 0.1 : -0.1;
        bone.inverse_bind(0, 3) = left ? -0.1 : 0.1;
      }
      whole.bones.push_back(bone);
    }
    for (const Vec3& p : leg.positions) {
      whole.positions.emplace_back(p.x() * radius / 0.07 + (left ? 0.1 : -0.1), p.y(),
                                   p.z() * radius / 0.07);
    }
    whole.normals.insert(whole.normals.end(), leg.normals.begin(), leg.normals.end());
    for (geometry::Triangle triangle : leg.triangles) {
      for (geometry::Index& corner : triangle) corner += first;
      whole.triangles.push_back(triangle);
    }
    for (const std::uint32_t joint : leg.joints) {
      whole.joints.push_back(joint == 0 ? 0 : joint + offset);
    }
    whole.weights.insert(whole.weights.end(), leg.weights.begin(), leg.weights.end());
  }
  whole.materials.assign(whole.triangles.size(), 0);
  return whole;
}

TEST(Proposal, LeftAndRightGetTheSame) {
  Random random(12);
  std::size_t chosen = 0;
  for (int trial = 0; trial < 60; ++trial) {
    // About the thickness from which a limb is chosen; six corners are nearer to the bone than 40.
    const auto objects = propose_objects(pair_of_legs(random.uniform(0.019, 0.023),
                                                      5 + static_cast<int>(random.below(40)),
                                                      5 + static_cast<int>(random.below(40))));
    if (!objects.ok()) continue;  // none is thick enough
    std::map<std::string, double> depth;
    for (const ObjectSettings& object : *objects) depth[object.name] = object.layers[0].depth;
    EXPECT_EQ(depth.count("LeftThigh"), depth.count("RightThigh")) << "trial " << trial;
    if (depth.contains("LeftThigh")) {
      EXPECT_EQ(depth["LeftThigh"], depth["RightThigh"]);
      ++chosen;
    }
  }
  EXPECT_GT(chosen, 10U);
  EXPECT_LT(chosen, 55U);
}

/// A minimal object is as firm as one that was chosen automatically, whatever its material.
TEST(FleshObject, AMinimalObjectHangsNoFurtherThanAChosenOne) {
  const character::Character character = limb();
  const auto proposed = propose_objects(character);
  ASSERT_TRUE(proposed.ok()) << proposed.error().describe();
  for (const char* tissue : {"fat", "muscle"}) {
    ObjectSettings minimal;
    minimal.name = minimal.region.bones.emplace_back("Thigh");
    minimal.elements = 700;
    minimal.layers[0].material = *find_tissue(tissue);
    const auto object = bake_object(character, minimal);
    ASSERT_TRUE(object.ok());
    EXPECT_LE(object->sag, proposed->front().sag * object->thickness * (1 + 1e-9)) << tissue;
    EXPECT_GE(object->limit, 5 * object->sag) << tissue;
  }
}

/// A failed factorisation is explained in terms of the object's settings.
TEST(FleshObject, SaysWhichSettingsToChangeWhenNoModesAreFound) {
  Random random(6);
  for (int i = 0; i < 3; ++i) {
    ObjectSettings settings = thigh();
    settings.elements = 200;
    settings.layers[0].material.youngs_modulus = std::pow(10, random.uniform(200, 290));
    const auto object = bake_object(limb(), settings);
    ASSERT_FALSE(object.ok());
    EXPECT_EQ(object.error().code(), ErrorCode::NotConverged);
    const std::string text = object.error().describe();
    for (const char* setting : {"'elements'", "'layers'", "'modes'"})
      EXPECT_NE(text.find(setting), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace supple::flesh
