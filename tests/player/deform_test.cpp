// SPDX-License-Identifier: Apache-2.0
#include "player.hpp"

#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace supple::player::testing {
namespace {

using Eigen::Vector3d;

// Sums of a few floats of about 1; normals and tangents likewise.
constexpr double kFloatSum = 2e-6;

/// A mesh with everything that a deformation can use.
struct Mesh {
  explicit Mesh(std::uint32_t count) : rest(count) {
    Random random(9);
    const auto vector = [&random] {
      return Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    };
    for (Vertex& v : rest) {
      v = {vector(), vector().normalized(), {}};
      v.tangent = v.normal.cross(vector()).normalized();
    }
    for (int joint = 0; joint < 6; ++joint) {
      Eigen::Affine3f m = Eigen::Affine3f::Identity();
      m.rotate(Eigen::AngleAxisf(0.3F * static_cast<float>(joint), Eigen::Vector3f(1, 2, 2) / 3));
      m.translation() = vector().cast<float>();
      palette.push_back(m.matrix());
    }
    for (std::size_t i = 0; i < 8 * rest.size(); ++i) {
      joints.push_back(static_cast<std::uint16_t>(random.below(6)));
      weights.push_back(static_cast<float>(random.uniform(0.1, 1)));
    }
  }
  std::vector<Vertex> rest;
  std::vector<Eigen::Matrix4f> palette;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
};

/// The straightforward way, in double.
std::vector<Vertex> expected_vertices(const OpenAsset& file, const supple_player* player,
                                      const Mesh& mesh, std::uint32_t influences) {
  supple_asset_info info{};
  supple_asset_describe(file.get(), &info);
  std::vector<Vertex> out = mesh.rest;
  for (std::uint32_t k = 0; k < info.mode_count; ++k) {
    const double q = supple_player_coefficients(player)[k];
    std::vector<Eigen::Vector3f> u(info.vertex_count);
    std::vector<Eigen::Vector3f> n(info.vertex_count);
    supple_asset_mode_shape(file.get(), k, u[0].data(), n[0].data());
    for (std::size_t v = 0; v < out.size(); ++v) {
      out[v].position += q * u[v].cast<double>();
      out[v].normal += q * n[v].cast<double>();
    }
  }
  for (std::size_t v = 0; v < out.size(); ++v) {
    out[v].normal.normalize();
    out[v].tangent = Eigen::Quaterniond::FromTwoVectors(mesh.rest[v].normal, out[v].normal) *
                     mesh.rest[v].tangent;
    if (influences == 0) continue;
    Eigen::Matrix4d blend = Eigen::Matrix4d::Zero();
    for (std::size_t j = 0; j < influences; ++j) {
      blend += mesh.weights[v * influences + j] *
               mesh.palette[mesh.joints[v * influences + j]].cast<double>();
    }
    out[v].position = (blend * out[v].position.homogeneous()).head<3>();
    out[v].normal = (blend.topLeftCorner<3, 3>() * out[v].normal).normalized();
    out[v].tangent = (blend.topLeftCorner<3, 3>() * out[v].tangent).normalized();
  }
  return out;
}

/// Floats at a stride, with a marker in every byte that must stay untouched.
class Stream {
 public:
  static constexpr float kMark = 12345.5F;
  Stream(std::size_t count, std::size_t floats)
      : m_floats(floats), m_count(count), m_data((count + 1) * floats, kMark) {}
  void set(std::size_t i, const Vector3d& v) {
    for (std::size_t k = 0; k < 3; ++k) {
      m_data[i * m_floats + k] = static_cast<float>(v[static_cast<int>(k)]);
    }
  }
  [[nodiscard]] Vector3d get(std::size_t i) const {
    const float* p = m_data.data() + i * m_floats;
    return {p[0], p[1], p[2]};
  }
  [[nodiscard]] bool untouched(std::size_t first, std::size_t end) const {
    for (std::size_t i = 0; i <= m_count; ++i) {
      const std::size_t from = i >= first && i < end ? 3 : 0;
      for (std::size_t k = from; k < m_floats; ++k) {
        if (m_data[i * m_floats + k] != kMark) return false;
      }
    }
    return true;
  }
  [[nodiscard]] supple_stream_in in() const { return {m_data.data(), 4 * m_floats}; }
  [[nodiscard]] supple_stream_out out() { return {m_data.data(), 4 * m_floats}; }

 private:
  std::size_t m_floats, m_count;
  std::vector<float> m_data;
};

struct Case {
  InstructionSet set;
  bool float32;
  std::size_t stride;  ///< in floats
  std::uint32_t influences;
};

class DeformTest : public ::testing::TestWithParam<Case> {
 protected:
  void play(const Player& player) {
    for (int k = 0; k < 25; ++k) {
      for (std::uint32_t object = 0; object < player->asset->summary->object_count; ++object) {
        set_pose(player.get(), object, Vector3d(4 * std::sin(0.3 * k + object), 0, 0));
      }
      supple_player_step(player.get(), 1.0 / 60);
    }
  }

  /// Deforms vertices first to end and compares them.
  void check(const MeshSpec& spec, std::uint32_t first, std::uint32_t count) {
    const Case& c = GetParam();
    const OpenAsset file(random_asset(spec), {.float32 = c.float32});
    const Player player = make_player(file);
    choose(*player, c.set);
    play(player);
    const Mesh mesh(spec.vertices);
    const std::size_t n = spec.vertices;
    Stream rest_p(n, c.stride), rest_n(n, c.stride), rest_t(n, c.stride);
    Stream p(n, c.stride), normal(n, c.stride), t(n, c.stride);
    for (std::size_t i = 0; i < n; ++i) {
      rest_p.set(i, mesh.rest[i].position);
      rest_n.set(i, mesh.rest[i].normal);
      rest_t.set(i, mesh.rest[i].tangent);
    }
    supple_deformation d{};
    d.rest_positions = rest_p.in();
    d.rest_normals = rest_n.in();
    d.rest_tangents = rest_t.in();
    d.positions = p.out();
    d.normals = normal.out();
    d.tangents = t.out();
    d.first_vertex = first;
    d.vertex_count = count;
    if (c.influences != 0) {
      d.palette = mesh.palette[0].data();
      d.joint_count = 6;
      d.influences = c.influences;
      d.joints = mesh.joints.data();
      d.weights = mesh.weights.data();
    }
    ASSERT_EQ(supple_player_deform(player.get(), &d), SUPPLE_OK);
    const auto exact = expected_vertices(file, player.get(), mesh, c.influences);
    const std::size_t end = count == 0 ? n : first + count;
    double moved = 0;
    for (std::size_t i = first; i < end; ++i) {
      const double size = 1 + exact[i].position.norm();
      EXPECT_NEAR((p.get(i) - exact[i].position).norm(), 0, kFloatSum * size) << i;
      EXPECT_NEAR((normal.get(i) - exact[i].normal).norm(), 0, kFloatSum) << i;
      EXPECT_NEAR((t.get(i) - exact[i].tangent).norm(), 0, 10 * kFloatSum) << i;
      moved = std::max(moved, (p.get(i) - mesh.rest[i].position).norm());
    }
    EXPECT_GT(moved, 1e-4);
    EXPECT_TRUE(p.untouched(first, end) && normal.untouched(first, end) && t.untouched(first, end));
  }
};

TEST_P(DeformTest, MatchesTheScalarSum) {
  check({.vertices = 53, .objects = {{3, 0, 1}, {2, 20, 2}}}, 0, 0);
}

TEST_P(DeformTest, WritesItsRangeAndNothingElse) {
  check({.vertices = 160, .objects = {{3, 0, 1}, {9, 60, 3}}}, 32, 71);
}

TEST_P(DeformTest, CopiesBlocksThatNobodyMoves) {
  check({.vertices = 130, .objects = {{2, 0, 40}, {1, 64, 100}}}, 0, 0);
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto set : {InstructionSet::Baseline, InstructionSet::Avx2, InstructionSet::Avx512}) {
    if (!has(set)) continue;
    for (const bool float32 : {false, true}) {
      for (const std::size_t stride : {3U, 5U}) {
        for (const std::uint32_t influences : {0U, 4U, 8U}) {
          cases.push_back({set, float32, stride, influences});
        }
      }
    }
  }
  return cases;
}

std::string deform_case_name(const ::testing::TestParamInfo<Case>& tested) {
  const char* names[] = {"Baseline", "Avx2", "Avx512"};
  const Case& c = tested.param;
  return std::string(names[static_cast<int>(c.set)]) + (c.float32 ? "Float" : "Int16") + "Stride" +
         std::to_string(c.stride) + "Influences" + std::to_string(c.influences);
}

INSTANTIATE_TEST_SUITE_P(All, DeformTest, ::testing::ValuesIn(all_cases()), deform_case_name);

TEST(Deform, AnySubsetOfTheOutputsWillDo) {
  MeshSpec spec;
  const OpenAsset file(random_asset(spec));
  const Player player = make_player(file);
  for (int k = 0; k < 9; ++k) {
    set_pose(player.get(), 0, Vector3d(0.5 * k * k, 0, 0));
    supple_player_step(player.get(), 1.0 / 60);
  }
  std::vector<float> rest(std::size_t{3} * spec.vertices, 0.5F);
  std::vector<float> all[3];
  std::vector<float> one[3];
  for (auto& v : all) v.assign(rest.size(), 0);
  for (auto& v : one) v.assign(rest.size(), 0);
  const auto deform = [&](float* p, float* n, float* t) {
    supple_deformation d{};
    d.rest_positions = d.rest_normals = d.rest_tangents = {rest.data(), 0};
    d.positions = {p, 0};
    d.normals = {n, 0};
    d.tangents = {t, 0};
    EXPECT_EQ(supple_player_deform(player.get(), &d), SUPPLE_OK);
  };
  deform(all[0].data(), all[1].data(), all[2].data());
  deform(one[0].data(), nullptr, nullptr);
  deform(nullptr, one[1].data(), nullptr);
  deform(nullptr, nullptr, one[2].data());
  deform(nullptr, nullptr, nullptr);
  // Each subset is a separate kernel, in which the compiler may fuse different products and sums.
  constexpr float kFewRoundings = 1e-6F;
  for (int i = 0; i < 3; ++i) {
    for (std::size_t v = 0; v < rest.size(); ++v) {
      EXPECT_NEAR(all[i][v], one[i][v], kFewRoundings) << i << ", number " << v;
    }
  }
}

TEST(Deform, JointsOutOfRangeStayInsideThePalette) {
  MeshSpec spec;
  const OpenAsset file(random_asset(spec));
  const Player player = make_player(file);
  const std::vector<float> rest(std::size_t{3} * spec.vertices, 0.5F);
  std::vector<float> out(rest.size());
  const std::vector<std::uint16_t> joints(std::size_t{4} * spec.vertices, 60000);
  const std::vector<float> weights(joints.size(), 0.25F);
  const std::vector<float> palette(32, 1);
  supple_deformation d{};
  d.rest_positions = {rest.data(), 0};
  d.positions = {out.data(), 0};
  d.palette = palette.data();
  d.joint_count = 2;
  d.influences = 4;
  d.joints = joints.data();
  d.weights = weights.data();
  EXPECT_EQ(supple_player_deform(player.get(), &d), SUPPLE_OK);
  EXPECT_NEAR(out[0], 2.5, 1e-6);  // 3 * 0.5 + 1
}

TEST(Deform, RefusesWhatItCannotDo) {
  MeshSpec spec;
  const OpenAsset file(random_asset(spec));
  const Player player = make_player(file);
  std::vector<float> data(std::size_t{3} * spec.vertices);
  supple_deformation good{};
  good.rest_positions = {data.data(), 12};
  good.positions = {data.data(), 12};
  const auto status = [&](auto&& change) {
    supple_deformation d = good;
    change(d);
    return supple_player_deform(player.get(), &d);
  };
  EXPECT_EQ(status([](auto& d) { d.positions.stride = 8; }), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(status([](auto& d) { d.rest_positions.data = nullptr; }), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(status([&](auto& d) { d.normals.data = data.data(); }), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(status([](auto& d) { d.first_vertex = 8; }), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(status([](auto& d) { d.first_vertex = 64; }), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(status([](auto& d) { d.vertex_count = 54; }), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(status([&](auto& d) { d.palette = data.data(); }), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_player_deform(nullptr, &good), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_player_deform(player.get(), nullptr), SUPPLE_BAD_ARGUMENT);
}

}  // namespace
}  // namespace supple::player::testing
