// SPDX-License-Identifier: Apache-2.0
#include "player.hpp"
#include "player/synthetic_asset.hpp"

#include "supple/shell/shell_object.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <tuple>
#include <vector>

namespace supple::player {
namespace {

using testing::Vertex;

/// The same in double precision, from the closed forms of the bake.
Vertex expected_vertex(const soft::Asset& asset, std::uint32_t v, const float* coefficients,
                       const Vertex& rest, bool linear) {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Vector3d second = Eigen::Vector3d::Zero();
  std::size_t first_mode = 0;
  bool shell = false;
  for (const soft::Object& object : asset.objects) {
    for (std::size_t i = 0; i < object.vertices.size(); ++i) {
      if (object.vertices[i] != v) continue;
      shell = object.shell.has_value();
      for (std::size_t k = 0; k < object.modes.size(); ++k) {
        const double c = coefficients[first_mode + k];
        const soft::Mode& mode = object.modes[k];
        p += c * mode.displacements[i];
        second += c * (shell ? mode.turns[i] : mode.normals[i]);
      }
    }
    first_mode += object.modes.size();
  }
  Vertex out = rest;
  if (!shell || linear) {
    out.position += p;
    const Eigen::Vector3d change = shell ? second.cross(rest.normal).eval() : second;
    out.normal = (rest.normal + change).normalized();
    const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(rest.normal, out.normal);
    out.tangent = turn * rest.tangent;
    return out;
  }
  const Eigen::Matrix3d r = shell::rotation(second);
  out.position += shell::mean_rotation(second) * p;
  out.normal = r * rest.normal;
  out.tangent = r * rest.tangent;
  return out;
}

using Parameters = std::tuple<InstructionSet, bool, bool>;

class ShellDeformTest : public ::testing::TestWithParam<Parameters> {};

TEST_P(ShellDeformTest, WarpsShellsAndLeavesFleshAlone) {
  const auto [set, float32, linear] = GetParam();
  if (!has(set)) GTEST_SKIP() << "SKIPPED: this machine lacks the instruction set";
  const soft::Asset file = testing::flesh_and_shell(75, 23);
  const testing::OpenAsset asset(file, {float32});
  const testing::Player player = testing::make_player(asset);
  choose(*player, set);
  supple_object_settings settings = testing::settings_of(player.get(), 1);
  settings.warp = linear ? 0 : 1;
  ASSERT_EQ(supple_player_set_settings(player.get(), 1, &settings), SUPPLE_OK);
  Random random(3);
  const auto unit = [&random] {
    return Eigen::Vector3d(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5)
        .normalized();
  };
  std::vector<Vertex> rest(75);
  std::vector<Eigen::Vector3f> in[3];
  std::vector<Eigen::Vector3f> out[3];
  for (Vertex& v : rest) {
    v = {unit(), unit(), unit()};
    v.tangent = (v.tangent - v.normal * v.normal.dot(v.tangent)).normalized();
    in[0].push_back(v.position.cast<float>());
    in[1].push_back(v.normal.cast<float>());
    in[2].push_back(v.tangent.cast<float>());
  }
  for (auto& stream : out) stream.resize(75);
  // From nothing to more than a whole turn.
  for (const float size : {0.0F, 1e-4F, 0.3F, 1.0F, 3.0F, 8.0F}) {
    for (std::size_t k = 0; k < 7; ++k) {
      player->coefficients[k] = (k < 3 ? 0.2F : size) * (k % 2 == 0 ? 1.0F : -0.7F);
    }
    publish(*player, 0);
    publish(*player, 1);
    supple_deformation d{};
    d.rest_positions.data = in[0].front().data();
    d.rest_normals.data = in[1].front().data();
    d.rest_tangents.data = in[2].front().data();
    d.positions.data = out[0].front().data();
    d.normals.data = out[1].front().data();
    d.tangents.data = out[2].front().data();
    ASSERT_EQ(supple_player_deform(player.get(), &d), SUPPLE_OK);
    // 16-bit shapes are off by 1.5e-5 of their largest number, per mode.
    const double tolerance = (float32 ? 2e-6 : 1e-4) * (1 + static_cast<double>(size * size));
    for (std::uint32_t v = 0; v < 75; ++v) {
      const Vertex wanted = expected_vertex(file, v, player->coefficients, rest[v], linear);
      ASSERT_LT((out[0][v].cast<double>() - wanted.position).norm(), tolerance) << v << " " << size;
      ASSERT_LT((out[1][v].cast<double>() - wanted.normal).norm(), tolerance) << v << " " << size;
      ASSERT_LT((out[2][v].cast<double>() - wanted.tangent).norm(), 4 * tolerance)
          << v << " " << size;
    }
    // Positions alone are the same.
    std::vector<Eigen::Vector3f> alone(75);
    d = {};
    d.rest_positions.data = in[0].front().data();
    d.positions.data = alone.front().data();
    ASSERT_EQ(supple_player_deform(player.get(), &d), SUPPLE_OK);
    for (std::size_t v = 0; v < 75; ++v) ASSERT_EQ(alone[v], out[0][v]);
  }
}

std::string shell_case_name(const ::testing::TestParamInfo<Parameters>& tested) {
  const std::vector<std::string> sets{"Baseline", "Avx2", "Avx512"};
  const auto& [set, float32, linear] = tested.param;
  return sets[static_cast<std::size_t>(set)] + (float32 ? "Float" : "Short") +
         (linear ? "Linear" : "Warped");
}

INSTANTIATE_TEST_SUITE_P(All, ShellDeformTest,
                         ::testing::Combine(::testing::Values(InstructionSet::Baseline,
                                                              InstructionSet::Avx2,
                                                              InstructionSet::Avx512),
                                            ::testing::Bool(), ::testing::Bool()),
                         shell_case_name);

}  // namespace
}  // namespace supple::player
