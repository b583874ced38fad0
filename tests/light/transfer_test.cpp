// SPDX-License-Identifier: Apache-2.0
#include "supple/light/transfer.hpp"

#include "light/lit_shapes.hpp"
#include "supple/core/parallel.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

namespace supple::light {
namespace {

using namespace testing;
using std::numbers::pi;

constexpr double kFloatRounding = 2e-6;  // of sums of a few thousand floats near 1
constexpr double kThree = 3;             // standard errors

const Surface kNothing = painted(TriMesh{}, 0.0F);

TransferSettings shadows(std::size_t directions = 2048) {
  TransferSettings settings;
  settings.directions = directions;
  settings.bounces = 0;
  return settings;
}

TransferSettings many_bounces(std::size_t directions) {
  TransferSettings settings;
  settings.directions = directions;
  settings.bounces = 200;
  settings.converged = 1e-6;
  return settings;
}

/// Mean and standard error of the mean of vertex 0 over independent sets of directions.
struct Sampled {
  Eigen::VectorXd mean;
  Eigen::VectorXd error;
};
Sampled sample(const Surface& surface, const Surface& around, TransferSettings settings, int sets) {
  Eigen::MatrixXd found(coefficient_count(settings.order), sets);
  for (int k = 0; k < sets; ++k) {
    settings.seed = static_cast<std::uint64_t>(100 + k);
    found.col(k) = vector_of(good_transfer(surface, around, settings).front, 0);
  }
  Sampled result;
  result.mean = found.rowwise().mean();
  const Eigen::VectorXd variance =
      (found.colwise() - result.mean).rowwise().squaredNorm() / (sets - 1.0);
  result.error = (variance / sets).cwiseSqrt();
  return result;
}

/// A wall that fills x < 0, seen from a place close to it.
struct Wall {
  static constexpr double kFar = 100;
  static constexpr double kNear = 1e-2;  // from the wall: what is seen past its ends is 1e-8
  Surface floor = probe(Vec3(kNear, 0, 0));
  Surface wall = painted(
      rectangle(Vec3(0, -kFar, -kFar), Vec3(0, 2 * kFar, 0), Vec3(0, 0, 2 * kFar), 1, 1), 0.0F);
};

/// equations.md section 5.
Eigen::VectorXd wall_transfer() {
  Eigen::VectorXd m = Eigen::VectorXd::Zero(16);
  m(0) = 0.141047;
  m(2) = 0.162868;
  m(3) = 0.103685;
  m(6) = 0.078848;
  m(7) = 0.136569;
  m(13) = 0.096989;
  m(15) = -0.025042;
  return m;
}
constexpr double kSixDigits = 5e-7;  // of the numbers above

TEST(Transfer, UnoccludedIsTheCosineLobe) {
  SUPPLE_NEEDS_EMBREE();
  const Surface ball = painted(geometry::sphere_surface(1.5, 3), Eigen::Vector3f(1, 0.5F, 0.25F));
  for (int order = 1; order <= kMostOrder; ++order) {
    TransferSettings settings;
    settings.order = order;
    settings.directions = 256;
    const TransferField field = good_transfer(ball, kNothing, settings);
    const auto normals = geometry::vertex_normals(ball.mesh);
    ASSERT_EQ(field.front.vertex_count(), ball.vertex_count());
    EXPECT_EQ(field.back.vertex_count(), 0U);
    for (std::size_t v = 0; v < ball.vertex_count(); ++v) {
      const Eigen::VectorXd exact = unoccluded(order, normals[v]);
      for (int colour = 0; colour < 3; ++colour) {
        const double albedo = std::pow(0.5, colour);
        EXPECT_LT((vector_of(field.front, v, colour) - albedo * exact).cwiseAbs().maxCoeff(),
                  kFloatRounding);
      }
    }
  }
  const Eigen::VectorXd up =
      vector_of(good_transfer(probe(Vec3::Zero()), kNothing, shadows()).front, 0);
  EXPECT_NEAR(up(0), 0.282095, kSixDigits);
  EXPECT_NEAR(up(2), 0.325735, kSixDigits);
  EXPECT_NEAR(up(6), 0.157696, kSixDigits);
  EXPECT_LT(up.tail(7).cwiseAbs().maxCoeff(), kFloatRounding);
}

TEST(Transfer, ConstantLightGivesTheAlbedo) {
  SUPPLE_NEEDS_EMBREE();
  const Eigen::Vector3f albedo(0.2F, 0.9F, 0.5F);
  const TransferField field = good_transfer(
      painted(geometry::torus_surface(3, 0.1, 40, 12), albedo), kNothing, shadows(256));
  Eigen::MatrixX3f light = Eigen::MatrixX3f::Zero(16, 3);
  light.row(0) = Eigen::RowVector3f(1, 2, 3) * static_cast<float>(std::sqrt(4 * pi));
  // The outermost circle of the torus sees everything.
  const Eigen::Vector3f out = field.front.radiance(0, light);
  EXPECT_NEAR(out.x(), 0.2F, kFloatRounding);
  EXPECT_NEAR(out.y(), 1.8F, 2 * kFloatRounding);
  EXPECT_NEAR(out.z(), 1.5F, 2 * kFloatRounding);
}

TEST(Transfer, WallHidesHalfOfTheLight) {
  SUPPLE_NEEDS_EMBREE();
  const Wall scene;
  const Sampled found = sample(scene.floor, scene.wall, shadows(), 64);
  const Eigen::VectorXd exact = wall_transfer();
  double worst = 0;
  for (Eigen::Index i = 0; i < 16; ++i) {
    const double off = std::abs(found.mean(i) - exact(i));
    worst = std::max(worst, off / (found.error(i) + kSixDigits / kThree));
  }
  std::printf("wall: standard errors off %.2f, standard error of one set %.1e\n", worst,
              found.error.maxCoeff() * 8);
  EXPECT_LT(worst, kThree);
  EXPECT_LT(found.error.maxCoeff(), 1e-3);
}

TEST(Transfer, CapHidesItsPartOfTheCosine) {
  SUPPLE_NEEDS_EMBREE();
  for (const double angle : {0.2, 0.6, 1.0}) {
    constexpr int kCorners = 400;
    TriMesh disc;
    disc.positions.emplace_back(0, 0, 1);
    for (int k = 0; k < kCorners; ++k) {
      const double phi = 2 * pi * k / kCorners;
      disc.positions.emplace_back(std::tan(angle) * std::cos(phi), std::tan(angle) * std::sin(phi),
                                  1);
      disc.triangles.push_back({0, 1 + k, 1 + (k + 1) % kCorners});
    }
    const Sampled found = sample(probe(Vec3::Zero()), painted(disc, 0.0F), shadows(), 16);
    const double exact = 1 - std::pow(std::sin(angle), 2);
    const double open = found.mean(0) * std::sqrt(4 * pi);
    const double error = found.error(0) * std::sqrt(4 * pi);
    // A polygon of 400 corners lacks 4e-5 of its circle.
    std::printf("cap of %.1f: %.5f, exact %.5f, standard error %.1e\n", angle, open, exact, error);
    EXPECT_LT(std::abs(open - exact), kThree * error + 4e-5);
  }
}

TEST(Transfer, NoiseFallsFasterThanThatOfRandomDirections) {
  SUPPLE_NEEDS_EMBREE();
  const Wall scene;
  std::vector<double> errors;
  for (const std::size_t directions : {256U, 1024U, 4096U}) {
    const Sampled found = sample(scene.floor, scene.wall, shadows(directions), 16);
    errors.push_back(found.error.norm() * 4);
  }
  std::printf("noise of 256, 1024, 4096 directions: %.2e %.2e %.2e\n", errors[0], errors[1],
              errors[2]);
  // Random directions would halve it each time; one direction in each cell of a grid leaves the
  // cells at the edges of shadows: N^-3/4, a factor of 2.8 [Mit96]. Sixteen sets know it to 18 %.
  EXPECT_GT(errors[0] / errors[1], 2.1);
  EXPECT_GT(errors[1] / errors[2], 2.1);
}

TEST(Transfer, EstimatesItsNoise) {
  SUPPLE_NEEDS_EMBREE();
  // Places before the wall that are far enough from each other to be independent.
  Wall scene;
  TriMesh places;
  for (int i = 0; i < 40; ++i) {
    append(places, probe(Vec3(0.01 + 0.07 * i, 0.3 * i, -0.2 * i)).mesh);
  }
  const Surface surface = painted(places, 1.0F);
  TransferSettings fine = shadows(65536);
  const TransferField exact = good_transfer(surface, scene.wall, fine);
  for (const std::size_t directions : {256U, 2048U}) {
    const TransferField field = good_transfer(surface, scene.wall, shadows(directions));
    double error = 0;
    double noise = 0;
    for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
      error += (vector_of(field.front, v) - vector_of(exact.front, v)).squaredNorm();
      noise += std::pow(double{field.noise[v]}, 2);
    }
    const double ratio = std::sqrt(noise / error);
    std::printf("%zu directions: error %.1e, estimate %.2f times that\n", directions,
                std::sqrt(error / static_cast<double>(surface.vertex_count())), ratio);
    // Halves are spread worse than the whole, by 2^(1/4) if noise falls with N^-3/4, up to sqrt(2).
    EXPECT_GT(ratio, 0.7);
    EXPECT_LT(ratio, 2.5);
  }
}

TEST(Transfer, DoublesDirectionsUntilTheNoiseIsSmall) {
  SUPPLE_NEEDS_EMBREE();
  const Wall scene;
  TransferSettings settings = shadows(64);
  settings.noise = 0.004;
  const TransferField field = good_transfer(scene.floor, scene.wall, settings);
  EXPECT_GT(field.directions, 64U);
  EXPECT_LE(field.relative_noise, 0.004);
  settings.noise = 1e-9;
  settings.most_directions = 512;
  EXPECT_EQ(good_transfer(scene.floor, scene.wall, settings).directions, 512U);
}

TEST(Transfer, DoublingKeepsTheFirstDirections) {
  SUPPLE_NEEDS_EMBREE();
  // 256 directions from the start and 64 doubled twice are the same directions.
  const Wall scene;
  TransferSettings doubled = shadows(64);
  doubled.noise = 1e-9;
  doubled.most_directions = 256;
  const Eigen::VectorXd a = vector_of(good_transfer(scene.floor, scene.wall, doubled).front, 0);
  const Eigen::VectorXd b =
      vector_of(good_transfer(scene.floor, scene.wall, shadows(256)).front, 0);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), kFloatRounding);
}

TEST(Transfer, SheetsHaveTwoSides) {
  SUPPLE_NEEDS_EMBREE();
  Surface sheet = painted(rectangle(Vec3::Zero(), Vec3(1, 0, 0), Vec3(0, 1, 0), 3, 3), 0.5F);
  sheet.two_sided = true;
  sheet.transmission = {Eigen::Vector3f(0.25F, 0, 0.5F)};
  const TransferField field = good_transfer(sheet, kNothing, shadows(256));
  const Eigen::VectorXd up = unoccluded(4, Vec3(0, 0, 1));
  const Eigen::VectorXd down = unoccluded(4, Vec3(0, 0, -1));
  for (std::size_t v = 0; v < sheet.vertex_count(); ++v) {
    const auto off = [&](const TransferVectors& side, int colour, const Eigen::VectorXd& exact) {
      return (vector_of(side, v, colour) - exact).cwiseAbs().maxCoeff();
    };
    EXPECT_LT(off(field.front, 0, 0.5 * up + 0.25 * down), kFloatRounding);
    EXPECT_LT(off(field.front, 1, 0.5 * up), kFloatRounding);
    EXPECT_LT(off(field.back, 2, 0.5 * down + 0.5 * up), kFloatRounding);
  }
}

TEST(Transfer, BackHitsReadTheBackField) {
  SUPPLE_NEEDS_EMBREE();
  // A place below a wide sheet sees its back and nothing else: what the back gets from below, and
  // what the sheet lets through from above. Its edges are 50 m away at 1 m of height: 4e-4.
  constexpr double kEdges = 2e-3;
  Surface sheet =
      painted(rectangle(Vec3(-50, -50, 1), Vec3(100, 0, 0), Vec3(0, 100, 0), 8, 8), 0.9F);
  sheet.two_sided = true;
  const Eigen::VectorXd up = unoccluded(4, Vec3(0, 0, 1));
  const Eigen::VectorXd down = unoccluded(4, Vec3(0, 0, -1));
  const auto off = [&](const Eigen::VectorXd& exact) {
    const TransferField field = good_transfer(probe(Vec3::Zero()), sheet, many_bounces(2048));
    return (vector_of(field.front, 0) - exact).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(off(0.9 * down), kEdges);
  sheet.albedo = {Eigen::Vector3f::Constant(0.5F)};
  sheet.transmission = {Eigen::Vector3f::Constant(0.4F)};
  EXPECT_LT(off(0.5 * down + 0.4 * up), kEdges);
  // The back of a surface that is no sheet is black.
  sheet = painted(sheet.mesh, 0.9F);
  EXPECT_LT(off(0 * up), kEdges);
}

TEST(Transfer, IsTheSameForAnyNumberOfThreads) {
  SUPPLE_NEEDS_EMBREE();
  Surface sheet =
      painted(grid(40, 40,
                   [](int i, int j) {
                     return Vec3(0.1 * i, 0.1 * j, 0.3 * std::sin(0.9 * i) * std::cos(0.7 * j));
                   }),
              Eigen::Vector3f(0.8F, 0.5F, 0.3F));
  sheet.two_sided = true;
  TransferSettings settings;
  settings.directions = 256;
  std::vector<TransferField> fields;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    fields.push_back(good_transfer(
        sheet, painted(box_of_sides(Vec3(0, 0, -1), Vec3(4, 4, 0.5), 4), 0.5F), settings));
  }
  set_thread_count(0);
  for (std::size_t k = 1; k < fields.size(); ++k) {
    const auto same = [&](const TransferVectors& a, const TransferVectors& b) {
      return a.values().size() == b.values().size() && !a.values().empty() &&
             std::memcmp(a.values().data(), b.values().data(), a.values().size_bytes()) == 0;
    };
    EXPECT_TRUE(same(fields[0].front, fields[k].front));
    EXPECT_TRUE(same(fields[0].back, fields[k].back));
    EXPECT_TRUE(same(fields[0].surroundings_front, fields[k].surroundings_front));
    EXPECT_EQ(fields[0].noise, fields[k].noise);
  }
}

TEST(Transfer, OtherAlbedosNeedNoNewRays) {
  SUPPLE_NEEDS_EMBREE();
  const auto folded = [](const Eigen::Vector3f& albedo) {
    return painted(
        grid(20, 4, [](int i, int j) { return Vec3(0.1 * i, 0.3 * j, 0.4 * std::abs(i % 4 - 2)); }),
        albedo);
  };
  TransferSettings settings;
  settings.directions = 128;
  const Surface around = painted(box_of_sides(Vec3(-1, -1, -1), Vec3(4, 4, 0.5), 2), 0.5F);
  const auto traced = trace(folded(Eigen::Vector3f(0.1F, 0.2F, 0.3F)), around, settings);
  ASSERT_TRUE(traced.ok());
  const Eigen::Vector3f other(0.9F, 0.5F, 0);
  const auto changed = traced->transfer({other}, {Eigen::Vector3f::Constant(0.25F)});
  ASSERT_TRUE(changed.ok());
  const TransferField fresh = good_transfer(folded(other), painted(around.mesh, 0.25F), settings);
  EXPECT_EQ(std::memcmp(changed->front.values().data(), fresh.front.values().data(),
                        fresh.front.values().size_bytes()),
            0);
  EXPECT_LE(traced->cost().hits, traced->cost().rays);
  EXPECT_GT(traced->cost().hits, 0U);
  EXPECT_FALSE(traced->transfer({other, other}, {other}).ok());
  EXPECT_FALSE(traced->transfer({Eigen::Vector3f::Constant(2)}, {other}).ok());
}

TEST(Transfer, CrumpledSheetsDoNotShadeThemselvesFromBelow) {
  SUPPLE_NEEDS_EMBREE();
  // The normal of a needle's tip that points into the needle; crumpled sheets have such vertices.
  // All that is around the tip itself is seen from behind and ignored; nothing else is there.
  TriMesh needle;
  needle.positions = {Vec3(0, 0, 1), Vec3(0.01, 0, 0), Vec3(-0.005, 0.0087, 0),
                      Vec3(-0.005, -0.0087, 0)};
  needle.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
  Surface surface = painted(needle, 1.0F);
  surface.normals.assign(4, Vec3(0, 0, -1));
  for (const double offset : {1e-4, 1e-3, 1e-2}) {
    TransferSettings settings = shadows(512);
    settings.offset = offset;
    EXPECT_NEAR(under_constant_light(good_transfer(surface, kNothing, settings).front, 0), 1, 0.02);
  }
}

TEST(Transfer, RejectsWhatIsWrong) {
  const auto message = [](const Surface& surface, const TransferSettings& settings) {
    const auto result = compute_transfer(surface, kNothing, settings);
    return result.ok() ? std::string("accepted") : result.error().message();
  };
  const Surface sound = probe(Vec3::Zero());
  TransferSettings settings;
  settings.directions = 1000;
  EXPECT_NE(message(sound, settings).find("power of two"), std::string::npos);
  settings = {};
  settings.order = 7;
  EXPECT_NE(message(sound, settings).find("order 7"), std::string::npos);
  settings = {};
  settings.offset = 0;
  EXPECT_NE(message(sound, settings).find("offset"), std::string::npos);
  settings = {};
  settings.bounces = -1;
  EXPECT_NE(message(sound, settings).find("bounces"), std::string::npos);
  settings = {};
  Surface bad = sound;
  bad.albedo = {Eigen::Vector3f(0, 1.5F, 0)};
  EXPECT_NE(message(bad, settings).find("albedo of vertex 1"), std::string::npos);
  bad.albedo.resize(2);
  EXPECT_NE(message(bad, settings).find("2 colours"), std::string::npos);
  bad = sound;
  bad.transmission = {Eigen::Vector3f::Zero()};
  EXPECT_NE(message(bad, settings).find("only sheets"), std::string::npos);
  bad.two_sided = true;
  bad.albedo = {Eigen::Vector3f::Constant(0.7F)};
  bad.transmission = {Eigen::Vector3f::Constant(0.7F)};
  EXPECT_NE(message(bad, settings).find("more than 1"), std::string::npos);
  bad = sound;
  bad.normals = {Vec3(0, 0, 2), Vec3(0, 0, 1), Vec3(0, 0, 1)};
  EXPECT_NE(message(bad, settings).find("length 2"), std::string::npos);
  bad = sound;
  bad.mesh.positions[1].x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(bad, settings), "accepted");
}

TEST(Transfer, WithoutEmbreeSaysWhatToInstall) {
  if (can_trace()) {
    EXPECT_TRUE(compute_transfer(probe(Vec3::Zero()), kNothing, shadows(64)).ok());
    return;
  }
  const auto result = compute_transfer(probe(Vec3::Zero()), kNothing, shadows(64));
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message().find("libembree-dev"), std::string::npos);
}

}  // namespace
}  // namespace supple::light
