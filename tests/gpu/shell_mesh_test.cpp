// SPDX-License-Identifier: Apache-2.0
// Warping on the GPU: beside integrals and exponentials in double precision, which share nothing
// with the shader's polynomials, and beside the CPU player.
#include "supple/gpu/modal_mesh.hpp"

#include "gpu/modal_mesh_fixture.hpp"

#include <Eigen/Geometry>

#include <array>
#include <numbers>

namespace supple::gpu::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::array kPaths{ModalPath::Attributes, ModalPath::Textures, ModalPath::Compute};

Matrix3d turned(const Vector3d& w) {
  const double angle = w.norm();
  if (angle == 0) return Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, w / angle).toRotationMatrix();
}

/// Integral of the rotations by s w over s from 0 to 1: Gauss-Legendre with three points on each of
/// 64 intervals, exact to 1e-13 for the angles here.
Matrix3d mean_turned(const Vector3d& w) {
  constexpr int kIntervals = 64;
  const double apart = std::sqrt(0.6);
  Matrix3d sum = Matrix3d::Zero();
  for (int i = 0; i < kIntervals; ++i) {
    for (int k = -1; k <= 1; ++k) {
      const double s = (i + 0.5 + 0.5 * apart * k) / kIntervals;
      sum += (k == 0 ? 8.0 : 5.0) / 18 / kIntervals * turned(s * w);
    }
  }
  return sum;
}

/// A mesh whose every vertex belongs to one shell of one mode, with turns of all sizes.
struct Curl {
  static constexpr std::uint32_t kVertices = 257;
  Case c{"curl", {kVertices, {{1, 0, 1}}}, 0, true};
  soft::Asset file;
  Character character{kVertices, 0, true};

  explicit Curl(double largest_turn) {
    c.shells = true;
    file = asset_of(c);
    soft::Mode& mode = file.objects[0].modes[0];
    for (std::size_t v = 0; v < kVertices; ++v) {
      const double angle = largest_turn * static_cast<double>(v) / (kVertices - 1);
      mode.displacements[v] = 0.2 * mode.displacements[v].normalized();
      mode.turns[v] = angle * mode.turns[v].normalized();
    }
  }
};

/// The largest difference of positions, normals and tangents from the integrals.
std::array<double, 3> errors(const std::vector<float>& got, const Curl& curl,
                             const OpenAsset& asset, bool linear) {
  std::vector<float> shape(std::size_t{3} * Curl::kVertices);
  std::vector<float> turn(shape.size());
  EXPECT_EQ(supple_asset_mode_shape(asset.get(), 0, shape.data(), turn.data()), SUPPLE_OK);
  std::array<double, 3> worst{};
  const auto column = [](const float* p) {
    return Vector3d(Eigen::Map<const Eigen::Vector3f>(p).cast<double>());
  };
  for (std::size_t v = 0; v < Curl::kVertices; ++v) {
    const Vector3d w = column(&turn[3 * v]);
    const Vector3d p = column(&shape[3 * v]);
    const auto col = static_cast<Eigen::Index>(v);
    const Vector3d x = curl.character.positions.col(col).cast<double>();
    const Vector3d n = curl.character.normals.col(col).cast<double>();
    const Vector3d t = curl.character.tangents.col(col).cast<double>();
    const Matrix3d r = turned(w);
    const std::array<Vector3d, 3> wanted{
        linear ? Vector3d(x + p) : Vector3d(x + mean_turned(w) * p),
        linear ? Vector3d((n + w.cross(n)).normalized()) : Vector3d(r * n),
        linear ? Vector3d(t + w.cross(t)) : Vector3d(r * t)};
    for (std::size_t i = 0; i < 3; ++i) {
      const double length = linear && i == 2 ? wanted[i].norm() : 1;
      worst[i] = std::max(worst[i], (column(&got[9 * v + 3 * i]) - wanted[i]).norm() / length);
    }
  }
  return worst;
}

class ShellMeshTest : public ModalMeshFixture {
 protected:
  /// Position, normal and tangent of every vertex of the curl, by the GPU.
  [[nodiscard]] std::vector<float> evaluate(const Curl& curl, const OpenAsset& asset,
                                            ModalPath path, bool linear) const {
    auto made =
        ModalMesh::create(*context, asset.get(), curl.character.rest, {path, 1, {}, linear});
    EXPECT_TRUE(made.ok()) << made.error().describe();
    std::vector<float> row(made->coefficient_floats());
    const float q = 1;
    EXPECT_EQ(supple_asset_gpu_coefficients(asset.get(), &q, row.data()), SUPPLE_OK);
    made->set_coefficients(row);
    made->evaluate();
    auto read = made->read(0);
    EXPECT_TRUE(read.ok()) << read.error().describe();
    return *std::move(read);
  }

  void expect_exact(double largest_turn, bool linear) const {
    // Some ten roundings of numbers around 1, the polynomials' own 2e-7, and that of the angle.
    const double exact = 1.5e-6 + 1e-7 * largest_turn;
    const Curl curl(largest_turn);
    for (const bool float32 : {false, true}) {
      const OpenAsset asset(curl.file, {float32});
      for (const ModalPath path : kPaths) {
        if (path == ModalPath::Compute && !context->has_compute()) continue;
        SCOPED_TRACE("path " + std::to_string(static_cast<int>(path)) + ", turns up to " +
                     std::to_string(largest_turn));
        const auto worst = errors(evaluate(curl, asset, path, linear), curl, asset, linear);
        EXPECT_LT(worst[0], exact);
        EXPECT_LT(worst[1], exact);
        EXPECT_LT(worst[2], exact);
      }
    }
  }
};

TEST_F(ShellMeshTest, WarpsAsTheIntegralOfRotations) {
  for (const double turn : {0.0, 1e-4, 0.03, 1.2, 3.3, 8.0}) expect_exact(turn, false);
}

TEST_F(ShellMeshTest, StaysExactOverSeveralTurns) {
  expect_exact(6 * std::numbers::pi, false);
}

TEST_F(ShellMeshTest, LinearModesAreLeftAlone) {
  expect_exact(1.2, true);
}

TEST_F(ShellMeshTest, EqualsTheCpu) {
  for (const bool float32 : {false, true}) {
    for (const std::size_t modes : {1, 4, 5}) {
      Case c{std::to_string(modes) + " modes", one_object(modes, 100), 0, true};
      c.shells = true;
      c.turns = 2 * std::numbers::pi;
      for (const ModalPath path : kPaths) compare(c, path, float32);
    }
    Case many{"20 modes", one_object(20, 100), 0, false};
    many.shells = true;
    many.turns = 2 * std::numbers::pi;
    compare(many, ModalPath::Textures, float32);
    compare(many, ModalPath::Compute, float32);
  }
}

TEST_F(ShellMeshTest, EqualsTheCpuUnderASkin) {
  for (const std::uint32_t influences : {4U, 8U}) {
    Case c{"skinned shell", one_object(5, 100), influences, true};
    c.shells = true;
    c.turns = 2 * std::numbers::pi;
    for (const ModalPath path : kPaths) compare(c, path, false);
  }
}

TEST_F(ShellMeshTest, SharesBlocksWithFlesh) {
  // Shell, flesh and shell again, side by side in every block of sixteen vertices; the last flesh
  // overlaps the first.
  Case c{"mixed", {150, {{5, 0, 3}, {3, 1, 3}, {4, 2, 3}}}, 0, true};
  c.shells = true;
  for (const ModalPath path : kPaths) compare(c, path, false);
  c.mesh.objects.push_back({2, 1, 6});
  compare(c, ModalPath::Textures, false);
  compare(c, ModalPath::Compute, false);
}

TEST_F(ShellMeshTest, EveryWayToDivideACrowdGivesTheSame) {
  Case c{"crowd of shells", {301, {{5, 0, 2}, {2, 1, 2}}}, 0, false, 21};
  c.shells = true;
  for (const CrowdTuning& tuning :
       {CrowdTuning{64, 1, 1, 1, true}, CrowdTuning{128, 2, 4, 0, true},
        CrowdTuning{16, 4, 1, 4, true}, CrowdTuning{128, 8, 2, 2, false},
        CrowdTuning{64, 16, 1, 8, true}}) {
    SCOPED_TRACE("tile " + std::to_string(tuning.tile) + ", stage " + std::to_string(tuning.stage));
    compare(c, ModalPath::Compute, false, tuning);
  }
}

}  // namespace
}  // namespace supple::gpu::testing
