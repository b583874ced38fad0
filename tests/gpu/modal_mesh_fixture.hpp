// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/gpu/modal_mesh.hpp"

#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The GPU beside the CPU player, on random meshes.
namespace supple::gpu::testing {

using player::testing::make_player;
using player::testing::MeshSpec;
using player::testing::OpenAsset;
using player::testing::Player;
using player::testing::set_pose;

inline constexpr double kSize = 2;          // of the mesh along each axis
inline constexpr double kTolerance = 1e-5;  // of the size; directions have size 1
inline constexpr double kMoved = 1e-3;      // what a test must see move, to be one
inline constexpr std::uint32_t kJoints = 6;

/// A bind pose of random vertices, with everything that a deformation can use.
struct Character {
  Character(std::uint32_t vertices, std::uint32_t influences, bool with_tangents)
      : count(vertices), positions(3, vertices), normals(3, vertices), tangents(3, vertices) {
    Random random(9);
    const auto number = [&random] { return static_cast<float>(random.uniform(-1, 1)); };
    const auto vector = [&number] {
      const float x = number();
      const float y = number();
      return Eigen::Vector3f(x, y, number());
    };
    for (Eigen::Index v = 0; v < positions.cols(); ++v) {
      positions.col(v) = vector();
      normals.col(v) = vector().normalized();
      tangents.col(v) = normals.col(v).cross(vector()).normalized();
    }
    const std::size_t bound = std::size_t{influences} * vertices;
    joints.reserve(bound);
    weights.reserve(bound);
    for (std::size_t i = 0; i < bound; ++i) {
      joints.push_back(static_cast<std::uint16_t>(random.below(kJoints)));
      weights.push_back(1.0F / static_cast<float>(influences));
    }
    rest.positions = {positions.data(), std::size_t{3} * count};
    rest.normals = {normals.data(), std::size_t{3} * count};
    if (with_tangents) rest.tangents = {tangents.data(), std::size_t{3} * count};
    rest.influences = influences;
    rest.joints = joints;
    rest.weights = weights;
    rest.joint_count = influences == 0 ? 0 : kJoints;
  }
  Character(const Character&) = delete;
  Character& operator=(const Character&) = delete;

  /// Another pose for every instance.
  [[nodiscard]] static std::vector<float> palette(std::uint32_t instance) {
    std::vector<float> matrices;
    for (std::uint32_t joint = 0; joint < kJoints; ++joint) {
      Eigen::Affine3f m = Eigen::Affine3f::Identity();
      const auto angle = 0.1F * static_cast<float>(joint + 3 * instance);
      m.rotate(Eigen::AngleAxisf(angle, Eigen::Vector3f(1, 2, 2) / 3));
      m.translation() = Eigen::Vector3f(angle, 0.2F, -angle);
      matrices.insert(matrices.end(), m.data(), m.data() + 16);
    }
    return matrices;
  }

  std::uint32_t count;
  Eigen::Matrix3Xf positions, normals, tangents;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
  RestMesh rest;
};

/// One character's answer by the CPU: position, normal and (if wanted) tangent of each vertex.
inline std::vector<float> by_cpu(const supple_player* player, const Character& character,
                                 const std::vector<float>& palette) {
  const std::size_t floats = character.rest.tangents.empty() ? 6 : 9;
  const std::size_t stride = floats * sizeof(float);
  std::vector<float> out(floats * character.count);
  supple_deformation d{};
  d.rest_positions = {character.rest.positions.data(), 0};
  d.rest_normals = {character.rest.normals.data(), 0};
  d.positions = {out.data(), stride};
  d.normals = {out.data() + 3, stride};
  if (floats == 9) {
    d.rest_tangents = {character.rest.tangents.data(), 0};
    d.tangents = {out.data() + 6, stride};
  }
  if (character.rest.influences > 0) {
    d.palette = palette.data();
    d.joint_count = kJoints;
    d.influences = character.rest.influences;
    d.joints = character.joints.data();
    d.weights = character.weights.data();
  }
  EXPECT_EQ(supple_player_deform(player, &d), SUPPLE_OK);
  return out;
}

/// Instances that share an asset, each in another moment of a swinging motion.
struct Instances {
  Instances(const OpenAsset& asset, const Character& character, std::uint32_t count) {
    supple_asset_info info{};
    supple_asset_describe(asset.get(), &info);
    supple_gpu_layout layout{};
    supple_asset_gpu_layout(asset.get(), &layout);
    const Player player = make_player(asset);
    std::vector<float> row(std::size_t{4} * layout.coefficient_texels);
    expected.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      for (int step = 0; step < 3; ++step, time += 1.0 / 60) swing(player.get(), info.object_count);
      supple_player_gpu_coefficients(player.get(), row.data());
      coefficients.insert(coefficients.end(), row.begin(), row.end());
      const std::vector<float> palette = Character::palette(i);
      palettes.insert(palettes.end(), palette.begin(), palette.end());
      expected.push_back(by_cpu(player.get(), character, palette));
      note_turns(asset.get(), supple_player_coefficients(player.get()));
    }
  }

  /// The largest turn of a vertex, if all were shells'.
  void note_turns(const supple_asset* asset, const float* coefficients_now) {
    supple_asset_info info{};
    supple_asset_describe(asset, &info);
    Eigen::Matrix3Xf sum = Eigen::Matrix3Xf::Zero(3, info.vertex_count);
    Eigen::Matrix3Xf turn(3, info.vertex_count);
    for (std::uint32_t mode = 0; mode < info.mode_count; ++mode) {
      supple_asset_mode_shape(asset, mode, nullptr, turn.data());
      sum += coefficients_now[mode] * turn;
    }
    largest_turn = std::max(largest_turn, double{sum.colwise().norm().maxCoeff()});
  }

  void swing(supple_player* player, std::uint32_t objects) const {
    for (std::uint32_t object = 0; object < objects; ++object) {
      const Eigen::Vector3d place(0.02 * std::sin(9 * time), 0.02 * std::cos(7 * time), 0);
      const Eigen::Quaterniond turn(
          Eigen::AngleAxisd(0.05 * std::sin(5 * time), Eigen::Vector3d(1, 2, 2) / 3));
      ASSERT_EQ(set_pose(player, object, place, turn), SUPPLE_OK);
    }
    supple_player_step(player, 1.0 / 60);
  }

  double time = 0;
  double largest_turn = 0;
  std::vector<float> coefficients;
  std::vector<float> palettes;
  std::vector<std::vector<float>> expected;
};

struct Case {
  std::string name;
  MeshSpec mesh;
  std::uint32_t influences = 0;
  bool tangents = false;
  std::uint32_t instances = 3;
  bool shells = false;  ///< every other object is a shell, from the first on
  double turns = 0;     ///< radians that shells must reach, or the test shows little
  bool linear = false;
};

/// Every other object becomes a shell that curls up: turns of radians at the same coefficients.
inline soft::Asset asset_of(const Case& c) {
  soft::Asset asset = player::testing::random_asset(c.mesh);
  for (std::size_t o = 0; c.shells && o < asset.objects.size(); o += 2) {
    player::testing::become_shell(asset.objects[o], 0.035);
    for (soft::Mode& mode : asset.objects[o].modes) {
      for (Eigen::Vector3d& u : mode.displacements) u *= 3;
      for (Eigen::Vector3d& turn : mode.turns) turn *= 150;
    }
  }
  return asset;
}

class ModalMeshFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = Context::create();
    ASSERT_TRUE(made.ok()) << made.error().describe();
    context = std::make_unique<Context>(*std::move(made));
  }

  /// The GPU beside the CPU, for every number of every instance.
  void compare(const Case& c, ModalPath path, bool float32,
               const std::optional<CrowdTuning>& tuning = {}) const {
    const std::string what = c.name + (float32 ? ", float" : ", 16 bit");
    if (path == ModalPath::Compute && !context->has_compute()) {
      GTEST_SKIP() << what << ": this GPU has no compute shaders";
    }
    const OpenAsset asset(asset_of(c), {float32});
    const Character character(c.mesh.vertices, c.influences, c.tangents);
    const Instances instances(asset, character, c.instances);
    auto made = ModalMesh::create(*context, asset.get(), character.rest,
                                  {path, c.instances, tuning, c.linear});
    ASSERT_TRUE(made.ok()) << what << ": " << made.error().describe();
    made->set_coefficients(instances.coefficients);
    if (c.influences > 0) made->set_palettes(instances.palettes);
    made->evaluate();
    const auto checked = check_gl(context->gl(), "evaluating");
    ASSERT_TRUE(checked.ok()) << what << ": " << checked.error().describe();
    EXPECT_GE(instances.largest_turn, c.turns) << what;
    double moved = 0;
    for (std::uint32_t i = 0; i < c.instances; ++i) {
      const auto read = made->read(i);
      ASSERT_TRUE(read.ok()) << what << ": " << read.error().describe();
      ASSERT_EQ(read->size(), instances.expected[i].size());
      expect_near(*read, instances.expected[i], made->floats_per_vertex(),
                  what + ", instance " + std::to_string(i));
      moved = std::max(moved, difference(instances.expected[i], instances.expected[0]));
    }
    if (c.instances > 1) {
      EXPECT_GT(moved, kMoved) << what << ": the instances are alike";
    }
  }

  static double difference(const std::vector<float>& a, const std::vector<float>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      largest = std::max(largest, std::abs(double{a[i]} - double{b[i]}));
    }
    return largest;
  }

  static void expect_near(const std::vector<float>& got, const std::vector<float>& wanted,
                          std::size_t floats, const std::string& what) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double allowed = kTolerance * (i % floats < 3 ? kSize : 1);
      ASSERT_NEAR(got[i], wanted[i], allowed)
          << what << ", vertex " << i / floats << ", number " << i % floats;
    }
  }

  std::unique_ptr<Context> context;
};

inline MeshSpec one_object(std::size_t modes, std::uint32_t vertices = 53) {
  return {vertices, {{modes, 3, 1}}};
}

}  // namespace supple::gpu::testing
