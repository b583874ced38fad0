// SPDX-License-Identifier: Apache-2.0
#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace supple::player::testing {
namespace {

constexpr double kTexelRounding = 2e-6;  // sums of up to 20 floats of order 1

/// The words of supple.h about texels, as a program: what a shader would add to a vertex.
template <class Number>
class TexelReader {
 public:
  TexelReader(const OpenAsset& asset, const supple_player* player) {
    supple_gpu_layout layout{};
    SUPPLE_CHECK(supple_asset_gpu_layout(asset.get(), &layout) == SUPPLE_OK);
    const std::size_t row = std::size_t{4} * layout.width;
    m_shapes.assign(row * layout.shape_height * layout.shape_layers, Number{77});
    m_table.assign(row * layout.table_height, 77);
    m_coefficients.assign(std::size_t{4} * layout.coefficient_texels, 77);
    SUPPLE_CHECK(supple_asset_gpu_textures(asset.get(), m_shapes.data(), m_table.data()) ==
                 SUPPLE_OK);
    SUPPLE_CHECK(supple_player_gpu_coefficients(player, m_coefficients.data()) == SUPPLE_OK);
  }

  [[nodiscard]] Eigen::Vector3d displacement(std::size_t vertex) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    std::size_t place = vertex / 16;
    do {
      const std::uint32_t* entry = &m_table.at(4 * place);
      for (std::uint32_t mode = 0; mode < modes(entry); ++mode) {
        const std::size_t texel = mode / 2 * 3 + mode % 2 * 2;
        const Number* p = &m_shapes.at(4 * (entry[0] + 16 * texel + vertex % 16));
        const float c = m_coefficients.at(4 * (entry[1] + mode / 2) + 2 * (mode % 2));
        sum += c * Eigen::Vector3d(p[0], p[1], p[2]);
      }
      place = entry[3];
    } while (place != 0);
    return sum;
  }

  [[nodiscard]] Eigen::Vector3d normal_change(std::size_t vertex) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    std::size_t place = vertex / 16;
    do {
      const std::uint32_t* entry = &m_table.at(4 * place);
      for (std::uint32_t mode = 0; mode < modes(entry); ++mode) {
        const std::size_t lane = vertex % 16;
        const std::size_t first = entry[0] + lane + 16 * (mode / 2 * 3);
        const Number x = m_shapes.at(4 * (first + mode % 2 * 32) + 3);
        const Number* yz = &m_shapes.at(4 * (first + 16) + 2 * (mode % 2));
        const float c = m_coefficients.at(4 * (entry[1] + mode / 2) + 2 * (mode % 2) + 1);
        sum += c * Eigen::Vector3d(x, yz[0], yz[1]);
      }
      place = entry[3];
    } while (place != 0);
    return sum;
  }

  /// Whether an object that is a shell has a place in the vertex' block.
  [[nodiscard]] bool in_block_of_shell(std::size_t vertex) const {
    std::size_t place = vertex / 16;
    do {
      if ((m_table.at(4 * place + 2) & kShell) != 0) return true;
      place = m_table.at(4 * place + 3);
    } while (place != 0);
    return false;
  }

 private:
  static constexpr std::uint32_t kShell = 0x80000000U;
  static std::uint32_t modes(const std::uint32_t* entry) { return entry[2] & ~kShell; }

  std::vector<Number> m_shapes;
  std::vector<std::uint32_t> m_table;
  std::vector<float> m_coefficients;
};

/// The same from mode_shape and coefficients, which the CPU kernels' tests vouch for.
struct Expected {
  std::vector<Eigen::Vector3d> displacements, normal_changes;
};
Expected expected_sums(const OpenAsset& asset, const supple_player* player) {
  supple_asset_info info{};
  supple_asset_describe(asset.get(), &info);
  Expected sums{std::vector<Eigen::Vector3d>(info.vertex_count, Eigen::Vector3d::Zero()),
                std::vector<Eigen::Vector3d>(info.vertex_count, Eigen::Vector3d::Zero())};
  std::vector<float> shape(std::size_t{3} * info.vertex_count);
  std::vector<float> normal(shape.size());
  for (std::uint32_t mode = 0; mode < info.mode_count; ++mode) {
    supple_asset_mode_shape(asset.get(), mode, shape.data(), normal.data());
    const double c = supple_player_coefficients(player)[mode];
    for (std::size_t v = 0; v < info.vertex_count; ++v) {
      sums.displacements[v] += c * Eigen::Map<const Eigen::Vector3f>(&shape[3 * v]).cast<double>();
      sums.normal_changes[v] +=
          c * Eigen::Map<const Eigen::Vector3f>(&normal[3 * v]).cast<double>();
    }
  }
  return sums;
}

void shake_objects(const Player& player, std::uint32_t objects) {
  for (int k = 0; k < 20; ++k) {
    for (std::uint32_t i = 0; i < objects; ++i) {
      set_pose(player.get(), i, Eigen::Vector3d(50 * std::sin(0.7 * k), 30 * std::cos(k), 2 * k));
    }
    SUPPLE_CHECK(supple_player_step(player.get(), 1.0 / 60) == SUPPLE_OK);
  }
}

template <class Number>
void expect_texels_hold_the_sum(const MeshSpec& spec, bool float32) {
  const OpenAsset asset(random_asset(spec), {.float32 = float32});
  const Player player = make_player(asset);
  shake_objects(player, static_cast<std::uint32_t>(spec.objects.size()));
  const TexelReader<Number> texels(asset, player.get());
  const Expected sums = expected_sums(asset, player.get());
  double largest = 0;
  for (std::size_t v = 0; v < spec.vertices; ++v) {
    largest = std::max(largest, sums.displacements[v].norm());
    EXPECT_LT((texels.displacement(v) - sums.displacements[v]).norm(), kTexelRounding) << v;
    EXPECT_LT((texels.normal_change(v) - sums.normal_changes[v]).norm(), kTexelRounding) << v;
  }
  EXPECT_GT(largest, 1e-3);
}

TEST(GpuTexels, HoldTheModalSumForAnyNumberOfModes) {
  for (const std::size_t modes : {1, 2, 5, 6, 20}) {
    SCOPED_TRACE(modes);
    const MeshSpec spec{.vertices = 53, .objects = {{modes, 0, 1}}};
    expect_texels_hold_the_sum<std::int16_t>(spec, false);
    expect_texels_hold_the_sum<float>(spec, true);
  }
}

TEST(GpuTexels, ChainObjectsThatShareVertices) {
  const MeshSpec spec{.vertices = 101, .objects = {{3, 0, 1}, {2, 20, 2}, {7, 40, 1}, {1, 90, 1}}};
  expect_texels_hold_the_sum<std::int16_t>(spec, false);
  expect_texels_hold_the_sum<float>(spec, true);
}

TEST(GpuTexels, FillSeveralLayers) {
  // 100 modes are 150 texels a vertex: more than the 1024 x 1024 of a layer.
  const MeshSpec spec{.vertices = 8000, .objects = {{100, 0, 1}}};
  const OpenAsset asset(random_asset(spec));
  supple_gpu_layout layout{};
  ASSERT_EQ(supple_asset_gpu_layout(asset.get(), &layout), SUPPLE_OK);
  EXPECT_EQ(layout.shape_layers, 2U);
  EXPECT_EQ(layout.coefficient_texels, 50U + 2U);
  expect_texels_hold_the_sum<std::int16_t>(spec, false);
}

TEST(GpuCoefficients, FromElsewhereAreScaledAsThePlayersOwn) {
  const MeshSpec spec{.vertices = 60, .objects = {{5, 0, 2}, {4, 1, 2}}};
  const OpenAsset asset(random_asset(spec), {});
  const Player player = make_player(asset);
  shake_objects(player, 2);
  supple_gpu_layout layout{};
  ASSERT_EQ(supple_asset_gpu_layout(asset.get(), &layout), SUPPLE_OK);
  std::vector<float> own(std::size_t{4} * layout.coefficient_texels, 77);
  std::vector<float> given(own.size(), 78);
  ASSERT_EQ(supple_player_gpu_coefficients(player.get(), own.data()), SUPPLE_OK);
  const float* coefficients = supple_player_coefficients(player.get());
  ASSERT_EQ(supple_asset_gpu_coefficients(asset.get(), coefficients, given.data()), SUPPLE_OK);
  EXPECT_EQ(given, own);
  EXPECT_NE(own.front(), 0);
  EXPECT_EQ(supple_asset_gpu_coefficients(asset.get(), nullptr, given.data()), SUPPLE_BAD_ARGUMENT);
}

TEST(GpuAttributes, AreTheTexelsOfTheVertex) {
  const MeshSpec spec{.vertices = 60, .objects = {{5, 0, 2}, {4, 1, 2}}};
  const OpenAsset asset(random_asset(spec), {.float32 = true});
  const Player player = make_player(asset);
  shake_objects(player, 2);
  supple_gpu_layout layout{};
  ASSERT_EQ(supple_asset_gpu_layout(asset.get(), &layout), SUPPLE_OK);
  ASSERT_EQ(layout.attributes, 8U);
  std::vector<float> coefficients(std::size_t{4} * layout.coefficient_texels);
  ASSERT_EQ(supple_player_gpu_coefficients(player.get(), coefficients.data()), SUPPLE_OK);
  const Expected sums = expected_sums(asset, player.get());
  constexpr std::array<std::size_t, 5> kShapeOfMode{0, 2, 3, 5, 6};
  std::vector<float> all(std::size_t{4} * 8 * spec.vertices);
  ASSERT_EQ(supple_asset_gpu_attributes(asset.get(), 0, spec.vertices, all.data()), SUPPLE_OK);
  for (std::uint32_t v = 0; v < spec.vertices; ++v) {
    std::array<float, 32> a{};
    ASSERT_EQ(supple_asset_gpu_attributes(asset.get(), v, 1, a.data()), SUPPLE_OK);
    EXPECT_EQ(0, std::memcmp(a.data(), &all[a.size() * v], sizeof a));
    const auto first = static_cast<std::size_t>(a[30]);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t mode = 0; mode < 5; ++mode) {
      const double c = coefficients.at(4 * first + 2 * mode);
      const std::span<const float> p = std::span(a).subspan(4 * kShapeOfMode[mode], 3);
      sum += c * Eigen::Vector3d(p[0], p[1], p[2]);
    }
    EXPECT_LT((sum - sums.displacements[v]).norm(), kTexelRounding) << v;
  }
}

/// Shell and flesh by turns, in the same blocks up to vertex 64; behind it the shell is alone.
soft::Asset half_shell() {
  soft::Asset asset = random_asset({.vertices = 96, .objects = {{5, 0, 2}, {4, 1, 2}}});
  testing::become_shell(asset.objects[0], 0.035);
  const auto keep = std::size_t{32};  // vertices 1, 3, ... 63
  asset.objects[1].vertices.resize(keep);
  for (soft::Mode& mode : asset.objects[1].modes) {
    mode.displacements.resize(keep);
    mode.normals.resize(keep);
  }
  return asset;
}

TEST(GpuTexels, MarkShells) {
  const OpenAsset asset(half_shell());
  const Player player = make_player(asset);
  shake_objects(player, 2);
  const TexelReader<std::int16_t> texels(asset, player.get());
  const Expected sums = expected_sums(asset, player.get());
  for (std::size_t v = 0; v < 96; ++v) {
    EXPECT_TRUE(texels.in_block_of_shell(v)) << v;
    EXPECT_LT((texels.displacement(v) - sums.displacements[v]).norm(), kTexelRounding) << v;
    EXPECT_LT((texels.normal_change(v) - sums.normal_changes[v]).norm(), kTexelRounding) << v;
  }
  const OpenAsset flesh(random_asset({.vertices = 53, .objects = {{5, 0, 1}}}));
  const Player other = make_player(flesh);
  EXPECT_FALSE(TexelReader<std::int16_t>(flesh, other.get()).in_block_of_shell(0));
}

TEST(GpuAttributes, MarkTheVerticesOfShells) {
  const OpenAsset asset(half_shell());
  for (std::uint32_t v = 0; v < 96; ++v) {
    std::array<std::int16_t, 32> a{};
    ASSERT_EQ(supple_asset_gpu_attributes(asset.get(), v, 1, a.data()), SUPPLE_OK);
    EXPECT_EQ(a[31], v % 2 == 0 ? 1 : 0) << v;
  }
}

TEST(GpuAttributes, AreRefusedWhereTheyDoNotFit) {
  std::vector<float> vectors(std::size_t{32} * 64);
  const MeshSpec six_modes{.vertices = 64, .objects = {{6, 0, 1}}};
  const MeshSpec shared_vertices{.vertices = 64, .objects = {{2, 0, 1}, {2, 30, 3}}};
  for (const MeshSpec& spec : {six_modes, shared_vertices}) {
    const OpenAsset asset(random_asset(spec));
    supple_gpu_layout layout{};
    ASSERT_EQ(supple_asset_gpu_layout(asset.get(), &layout), SUPPLE_OK);
    EXPECT_EQ(layout.attributes, 0U);
    EXPECT_EQ(supple_asset_gpu_attributes(asset.get(), 0, 64, vectors.data()), SUPPLE_BAD_ARGUMENT);
  }
  const OpenAsset fits(random_asset({.vertices = 64, .objects = {{5, 0, 1}}}));
  EXPECT_EQ(supple_asset_gpu_attributes(fits.get(), 60, 5, vectors.data()), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_asset_gpu_attributes(fits.get(), 60, 4, nullptr), SUPPLE_BAD_ARGUMENT);
}

}  // namespace
}  // namespace supple::player::testing
