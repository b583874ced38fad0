// SPDX-License-Identifier: Apache-2.0
#include "supple/light/appearance.hpp"

#include "light/lit_shapes.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <Eigen/SVD>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace supple::light {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kFloatDigits = 1e-6;  // of vectors that are stored as floats

/// Smooth functions of the shape, of falling strength, in many rows.
std::vector<float> synthetic(const VectorXd& q, std::size_t rows) {
  std::vector<float> values(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = static_cast<double>(i) / static_cast<double>(rows);
    values[i] =
        static_cast<float>(0.5 + 0.3 * std::sin(q(0) + 6 * a) + 0.1 * std::cos(2 * q(1) - 15 * a) +
                           0.02 * std::sin(3 * q(0) * q(1) + 40 * a));
  }
  return values;
}

struct Samples {
  MatrixXd shapes;
  std::vector<std::vector<float>> transfers;
};
Samples samples(Index count, std::size_t rows, std::uint64_t seed) {
  Random random(seed);
  Samples result{MatrixXd(2, count), {}};
  for (Index j = 0; j < count; ++j) {
    result.shapes.col(j) = Eigen::Vector2d(random.uniform(-1, 1), random.uniform(-1, 1));
    result.transfers.push_back(synthetic(result.shapes.col(j), rows));
  }
  return result;
}

MatrixXd centred(const std::vector<std::vector<float>>& transfers, const Eigen::VectorXf& mean) {
  MatrixXd a(mean.size(), static_cast<Index>(transfers.size()));
  for (Index j = 0; j < a.cols(); ++j) {
    const auto& column = transfers[static_cast<std::size_t>(j)];
    a.col(j) = (Eigen::Map<const Eigen::VectorXf>(column.data(), mean.size()).cast<double>() -
                mean.cast<double>());
  }
  return a;
}

AppearanceModel good_model(const Samples& given, const AppearanceSettings& settings) {
  auto model = build_appearance(given.shapes, given.transfers, settings);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().describe());
  return model.ok() ? *std::move(model) : AppearanceModel{};
}

TEST(Appearance, HasTheSingularValuesOfAFullSvd) {
  // More rows than one piece of the factorisation, and not a multiple of it.
  const Samples given = samples(23, 20011, 1);
  AppearanceSettings settings;
  settings.rank = 6;
  const AppearanceModel model = good_model(given, settings);
  const MatrixXd a = centred(given.transfers, model.mean);
  const Eigen::BDCSVD<MatrixXd> full(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const double largest = full.singularValues()(0);
  EXPECT_LT((model.values - full.singularValues()).cwiseAbs().maxCoeff(), 1e-12 * largest);
  ASSERT_EQ(model.rank(), 6);
  const MatrixXd u = model.basis.cast<double>();
  EXPECT_LT((u.transpose() * u - MatrixXd::Identity(6, 6)).cwiseAbs().maxCoeff(), kFloatDigits);
  // The same subspace, and the same coordinates up to signs.
  const MatrixXd overlap = full.matrixU().leftCols(6).transpose() * u;
  EXPECT_LT((overlap.cwiseAbs() - MatrixXd::Identity(6, 6)).cwiseAbs().maxCoeff(), kFloatDigits);
  EXPECT_LT((model.coordinates - u.transpose() * a).cwiseAbs().maxCoeff(), kFloatDigits * largest);
  // Errors by rank, against the residual itself.
  double energy = 0;
  for (const auto& column : given.transfers) {
    for (const float x : column) energy += double{x} * double{x};
  }
  for (Index r = 0; r <= 6; ++r) {
    const double left = (a - u.leftCols(r) * (u.leftCols(r).transpose() * a)).norm();
    EXPECT_NEAR(model.error_by_rank(r), left / std::sqrt(energy), kFloatDigits) << r;
  }
  EXPECT_EQ(model.variation, model.error_by_rank(0));
}

TEST(Appearance, TakesTheFewestColumnsThatReachTheTolerance) {
  const Samples given = samples(30, 3000, 2);
  for (const double tolerance : {0.1, 0.01, 0.001}) {
    AppearanceSettings settings;
    settings.tolerance = tolerance;
    const AppearanceModel model = good_model(given, settings);
    EXPECT_LE(model.relative_error(), tolerance);
    EXPECT_GT(model.error_by_rank(model.rank() - 1), tolerance);
  }
  AppearanceSettings settings;
  settings.max_rank = 2;
  settings.tolerance = 1e-6;
  EXPECT_EQ(good_model(given, settings).rank(), 2);
}

TEST(Appearance, InterpolatesToShapesItDoesNotKnow) {
  // More shapes, less error; and never less than what the basis leaves.
  const Samples unknown = samples(20, 3000, 99);
  double before = std::numeric_limits<double>::infinity();
  for (const Index count : {10, 40, 160}) {
    const AppearanceModel model = good_model(samples(count, 3000, 3), {});
    double interpolated = 0;
    double projected = 0;
    for (Index j = 0; j < unknown.shapes.cols(); ++j) {
      const HeldOutError error = held_out_error(model, unknown.shapes.col(j),
                                                unknown.transfers[static_cast<std::size_t>(j)]);
      EXPECT_GE(error.interpolated, error.projected * (1 - kFloatDigits));
      interpolated += std::pow(error.interpolated, 2) / 20;
      projected += std::pow(error.projected, 2) / 20;
    }
    std::printf("%3d shapes, rank %d: held out %.4f (projected %.4f), leave-one-out %.4f\n",
                static_cast<int>(count), static_cast<int>(model.rank()), std::sqrt(interpolated),
                std::sqrt(projected), model.leave_one_out_error);
    EXPECT_LT(interpolated, before);
    before = interpolated;
  }
  EXPECT_LT(std::sqrt(before), 0.05);
}

TEST(Appearance, GivesBackTheTransferOfAKnownShape) {
  const Samples given = samples(12, 500, 4);
  AppearanceSettings settings;
  settings.rank = 11;
  const AppearanceModel model = good_model(given, settings);
  for (Index j = 0; j < 12; ++j) {
    const auto& column = given.transfers[static_cast<std::size_t>(j)];
    const HeldOutError error = held_out_error(model, given.shapes.col(j), column);
    EXPECT_LT(error.projected, 1e-5);
    const Eigen::VectorXf found = model.transfer_at(given.shapes.col(j));
    const Eigen::VectorXf exact = Eigen::Map<const Eigen::VectorXf>(column.data(), found.size());
    EXPECT_NEAR(double{(found - exact).norm()} / double{exact.norm()}, error.interpolated, 1e-5);
  }
}

TEST(Appearance, IsTheSameForAnyNumberOfThreads) {
  const Samples given = samples(9, 30000, 5);
  set_thread_count(1);
  const AppearanceModel one = good_model(given, {});
  set_thread_count(3);
  const AppearanceModel three = good_model(given, {});
  set_thread_count(0);
  EXPECT_EQ(one.basis, three.basis);
  EXPECT_EQ(one.coordinates, three.coordinates);
  EXPECT_EQ(one.interpolation.weights, three.interpolation.weights);
}

TEST(Appearance, ShapesThatLookTheSameNeedOneColumn) {
  Samples given = samples(5, 100, 6);
  for (auto& column : given.transfers) column = given.transfers.front();
  const AppearanceModel model = good_model(given, {});
  EXPECT_EQ(model.rank(), 1);
  EXPECT_LT(model.relative_error(), 1e-7);
  const Eigen::VectorXf found = model.transfer_at(Eigen::Vector2d(0.3, -0.2));
  EXPECT_NEAR(found(7), given.transfers[0][7], 1e-6F);
}

TEST(Appearance, RejectsWhatIsWrong) {
  const auto message = [](const Samples& given, const AppearanceSettings& settings = {}) {
    const auto result = build_appearance(given.shapes, given.transfers, settings);
    return result.ok() ? std::string("accepted") : result.error().message();
  };
  Samples bad = samples(4, 50, 7);
  bad.transfers.pop_back();
  EXPECT_NE(message(bad).find("4 shapes with 3 transfers"), std::string::npos);
  bad = samples(4, 50, 7);
  bad.transfers[2].pop_back();
  EXPECT_NE(message(bad).find("shape 3 has 49"), std::string::npos);
  bad = samples(4, 50, 7);
  bad.transfers[1][3] = std::numeric_limits<float>::infinity();
  EXPECT_NE(message(bad).find("shape 2 is not finite"), std::string::npos);
  bad = samples(4, 50, 7);
  bad.shapes.col(1) = bad.shapes.col(0);
  EXPECT_NE(message(bad).find("are the same"), std::string::npos);
  AppearanceSettings settings;
  settings.tolerance = 1;
  EXPECT_NE(message(samples(4, 50, 7), settings).find("tolerance"), std::string::npos);
}

TEST(Appearance, LearnsTheShadowOfABendingSheet) {
  SUPPLE_NEEDS_EMBREE();
  // One number bends a strip from a plane to nearly a circle.
  const auto bent = [](double q) {
    Surface strip =
        testing::painted(testing::grid(32, 4,
                                       [q](int i, int j) {
                                         const double s = i / 32.0 - 0.5;
                                         const double k = 5 * q + 1e-3;
                                         return testing::Vec3(std::sin(k * s) / k, 0.1 * j,
                                                              (1 - std::cos(k * s)) / k);
                                       }),
                         0.7F);
    strip.two_sided = true;
    return strip;
  };
  const auto transfer = [&](double q) {
    TransferSettings settings;
    settings.directions = 512;
    const TransferField field =
        testing::good_transfer(bent(q), testing::painted(testing::TriMesh{}, 0.0F), settings);
    std::vector<float> values(field.front.values().begin(), field.front.values().end());
    values.insert(values.end(), field.back.values().begin(), field.back.values().end());
    return values;
  };
  Samples given{MatrixXd(1, 17), {}};
  for (Index j = 0; j < 17; ++j) {
    given.shapes(0, j) = static_cast<double>(j) / 16;
    given.transfers.push_back(transfer(given.shapes(0, j)));
  }
  const AppearanceModel model = good_model(given, {});
  double worst = 0;
  for (const double q : {0.28, 0.53, 0.72}) {
    worst =
        std::max(worst, held_out_error(model, VectorXd::Constant(1, q), transfer(q)).interpolated);
  }
  std::printf("bending strip: rank %d of 17 shapes, variation %.3f, held out at most %.4f\n",
              static_cast<int>(model.rank()), model.variation, worst);
  EXPECT_LT(worst, 0.03);
  EXPECT_LT(model.rank(), 10);
}

}  // namespace
}  // namespace supple::light
