// SPDX-License-Identifier: Apache-2.0
#include "filter_kernels.hpp"

#include "elementary.hpp"
#include "player.hpp"
#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace supple::player {
namespace {

using testing::OpenAsset;

using Long2 = std::array<long double, 2>;
using Matrix = std::array<Long2, 2>;

Matrix matrix_product(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 2; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
  }
  return c;
}

/// exp(A h) of q'' + 2 xi w q' + w^2 q = 0 in long double, by 24 Taylor terms of a step small
/// enough and repeated squaring: knows nothing of sines or of critical damping.
Matrix integrated(double w, double xi, double h) {
  int halvings = 0;
  const long double size = (1.0L + w + 2.0L * xi * w) * (1.0L + w) * h;
  while (std::ldexp(size, -halvings) > 0.5L) ++halvings;
  const long double step = std::ldexp(static_cast<long double>(h), -halvings);
  const Matrix a{{{0, step}, {-static_cast<long double>(w) * w * step, -2.0L * xi * w * step}}};
  // Squaring exp(x) - 1 keeps the small difference: (1 + d)^2 - 1 = 2 d + d^2.
  Matrix d{};
  Matrix term{{{1, 0}, {0, 1}}};
  for (int n = 1; n <= 24; ++n) {
    term = matrix_product(term, a);
    for (auto& row : term) {
      for (auto& x : row) x /= n;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) d[i][j] += term[i][j];
    }
  }
  for (int i = 0; i < halvings; ++i) {
    const Matrix square = matrix_product(d, d);
    for (std::size_t r = 0; r < 2; ++r) {
      for (std::size_t c = 0; c < 2; ++c) d[r][c] = 2 * d[r][c] + square[r][c];
    }
  }
  d[0][0] += 1;
  d[1][1] += 1;
  return d;
}

constexpr double kHertz[] = {0.5, 2.0, 7.3, 40.0};
constexpr double kDampings[] = {0,         1e-6,     0.05,  0.5,  0.99, 1 - 1e-6, 1 - 1e-12, 1,
                                1 + 1e-12, 1 + 1e-6, 1.001, 1.01, 1.5,  4,        30};
constexpr double kSteps[] = {1e-5, 1e-3, 1 / 144.0, 1 / 60.0, 1 / 30.0, 0.25, 3.0};

std::vector<InstructionSet> sets() {
  std::vector<InstructionSet> found;
  for (const auto set : {InstructionSet::Baseline, InstructionSet::Avx2, InstructionSet::Avx512}) {
    if (has(set)) found.push_back(set);
  }
  return found;
}

/// All combinations as modes of one object, so that groups of lanes mix the regimes.
soft::Asset all_modes() {
  std::vector<soft::Mode> modes;
  for (const double hertz : kHertz) {
    for (const double xi : kDampings) modes.push_back(testing::oscillator(hertz, xi));
  }
  return testing::one_object(std::move(modes));
}

class Transitions {
 public:
  explicit Transitions(InstructionSet set)
      : m_asset(all_modes()), m_player(testing::make_player(m_asset)) {
    choose(*m_player, set);
  }
  [[nodiscard]] std::vector<double> over(double h) const {
    std::vector<double> rows(kTransitionRows * lanes());
    m_player->filter->transition(m_asset.get()->constants_of(0), lanes(), lanes(), h, rows.data());
    return rows;
  }
  [[nodiscard]] const FilterKernels& kernels() const { return *m_player->filter; }
  [[nodiscard]] std::size_t lanes() const { return m_asset.get()->lanes(0); }

 private:
  OpenAsset m_asset;
  testing::Player m_player;
};

// Rounding of w h in double, times w h itself: the phase of 40 Hz after 3 s is 754.
constexpr double kTolerance = 1e-12;

TEST(Filter, StepMatchesHighOrderIntegrationForAnyDamping) {
  const Transitions transitions(InstructionSet::Baseline);
  const std::size_t lanes = transitions.lanes();
  double worst = 0;
  for (const double h : kSteps) {
    const auto rows = transitions.over(h);
    std::size_t lane = 0;
    for (const double hertz : kHertz) {
      for (const double xi : kDampings) {
        const double w = 2 * std::numbers::pi * hertz;
        const Matrix exact = integrated(w, xi, h);
        // In units in which q and q'/w are of one size.
        const double errors[] = {rows[lane] - static_cast<double>(exact[0][0]),
                                 (rows[lanes + lane] - static_cast<double>(exact[0][1])) * w,
                                 (rows[2 * lanes + lane] - static_cast<double>(exact[1][0])) / w,
                                 rows[3 * lanes + lane] - static_cast<double>(exact[1][1])};
        for (const double error : errors) {
          EXPECT_LT(std::abs(error), kTolerance) << hertz << " Hz, xi " << xi << ", h " << h;
          worst = std::max(worst, std::abs(error));
        }
        ++lane;
      }
    }
  }
  RecordProperty("largest_error", std::to_string(worst));
  std::printf("largest error of the filter: %.1e\n", worst);
}

TEST(Filter, GivesTheSameBitsWithEveryInstructionSet) {
  const Transitions baseline(InstructionSet::Baseline);
  for (const InstructionSet set : sets()) {
    const Transitions other(set);
    for (const double h : kSteps) EXPECT_EQ(baseline.over(h), other.over(h));
  }
}

TEST(Filter, SweepIsTheBitsOfItsParts) {
  for (const InstructionSet set : sets()) {
    const Transitions transitions(set);
    const FilterKernels& kernels = transitions.kernels();
    const std::size_t lanes = transitions.lanes();
    const auto before = transitions.over(1 / 144.0);
    const auto after = transitions.over(1 / 60.0);
    std::vector<double> u(lanes), q(lanes), q_dot(lanes);
    for (std::size_t k = 0; k < lanes; ++k) {
      const double phase = static_cast<double>(k);
      u[k] = std::sin(phase);
      q[k] = std::cos(3 * phase);
      q_dot[k] = 20 * std::sin(5 * phase);
    }
    std::vector<double> swept_q = q, swept_q_dot = q_dot, swept_then(lanes), then(lanes);
    kernels.sweep(before.data(), after.data(), lanes, lanes, u.data(), u.data(), swept_q.data(),
                  swept_q_dot.data(), swept_then.data());
    kernels.advance(before.data(), lanes, lanes, u.data(), q.data(), q_dot.data());
    kernels.advance(after.data(), lanes, lanes, u.data(), q.data(), q_dot.data());
    kernels.look_ahead(after.data(), lanes, lanes, u.data(), q.data(), q_dot.data(), then.data());
    EXPECT_EQ(swept_q, q);
    EXPECT_EQ(swept_q_dot, q_dot);
    EXPECT_EQ(swept_then, then);
  }
}

TEST(Filter, IsSmoothAcrossCriticalDamping) {
  const OpenAsset asset(
      testing::one_object({testing::oscillator(2, 1 - 1e-9), testing::oscillator(2, 1),
                           testing::oscillator(2, 1 + 1e-9)}));
  std::vector<double> rows(kTransitionRows * kLanes);
  kFilterKernelsBaseline.transition(asset.get()->constants_of(0), kLanes, 3, 0.1, rows.data());
  for (std::size_t row = 0; row < kTransitionRows; ++row) {
    const double* at = rows.data() + row * kLanes;
    const double scale = std::abs(at[1]);
    EXPECT_NEAR(at[0], at[1], 1e-8 * scale);
    EXPECT_NEAR(at[2], at[1], 1e-8 * scale);
    EXPECT_NEAR(at[0] + at[2], 2 * at[1], 1e-13 * scale);  // the kink would show here
  }
}

TEST(Filter, StaysFiniteOverAnyTime) {
  const Transitions transitions(InstructionSet::Baseline);
  for (const double h : {1e-300, 1e-9, 1e3, 1e6}) {
    for (const double x : transitions.over(h)) EXPECT_TRUE(std::isfinite(x)) << h;
  }
}

/// The answer to a constant force of w^2, long after: 1 if the filter is right. `sign` +1 is
/// [JP02 eq. 19] as printed, -1 what it should say.
double printed_gain(double w, double xi, double h, double sign) {
  const double wd = w * std::sqrt(1 - xi * xi);
  const double eps = std::exp(-xi * w * h);
  const double gamma = sign * std::asin(xi);
  const double input = 2 *
                       (eps * std::cos(wd * h + gamma) - eps * eps * std::cos(2 * wd * h + gamma)) /
                       (3 * w * wd) * w * w;
  return input / (1 - 2 * eps * std::cos(wd * h) + eps * eps);
}

double our_gain(double hertz, double xi, double h) {
  const OpenAsset asset(testing::one_object({testing::oscillator(hertz, xi)}));
  std::vector<double> rows(kTransitionRows * kLanes);
  kFilterKernelsBaseline.transition(asset.get()->constants_of(0), kLanes, 1, h, rows.data());
  std::array<double, kLanes> q{};
  std::array<double, kLanes> q_dot{};
  std::array<double, kLanes> u{};
  u[0] = 1;
  for (double t = 0; t < 60; t += h) {
    kFilterKernelsBaseline.advance(rows.data(), kLanes, 1, u.data(), q.data(), q_dot.data());
  }
  return q[0];
}

TEST(Filter, PrintedRecursionDivergesAsTheStepShrinksAndOursDoesNot) {
  const double w = 2 * std::numbers::pi * 2;
  const double xi = 0.05;
  double last = 0;
  for (const double rate : {60.0, 144.0, 1000.0, 10000.0}) {
    const double printed = printed_gain(w, xi, 1 / rate, +1);
    std::printf("%6.0f Hz: gain of the printed filter %.2f, with the sign mended %.3f, ours %.6f\n",
                rate, printed, printed_gain(w, xi, 1 / rate, -1), our_gain(2, xi, 1 / rate));
    EXPECT_GT(printed, last);
    last = printed;
    // A minute of decay at xi w = 0.63 leaves 4e-17.
    EXPECT_NEAR(our_gain(2, xi, 1 / rate), 1, 1e-12);
  }
  EXPECT_NEAR(printed_gain(w, xi, 1e-3, +1), 6.3, 0.05);
  EXPECT_NEAR(printed_gain(w, xi, 1e-3, +1), 1 + 4 * xi / (3 * w * 1e-3), 0.01);
  EXPECT_NEAR(printed_gain(w, xi, 1e-3, -1), 1, 0.01);
}

TEST(Elementary, ExponentialIsThatOfTheLibrary) {
  for (double x = 0; x > -699; x -= 0.37) {
    EXPECT_NEAR(exp_of_negative(x) / std::exp(x), 1, 4e-16) << x;
    EXPECT_EQ(exp_of_negative(splat(x))[1], exp_of_negative(x)) << x;
  }
  EXPECT_EQ(exp_of_negative(0.0), 1);
  EXPECT_LT(exp_of_negative(-1e300), 1e-300);
}

TEST(Elementary, SineAndCosineAreThoseOfTheLibrary) {
  for (double x = 0; x < kLargestAngle; x = x * 1.01 + 0.013) {
    Doubles sine;
    Doubles cosine;
    sin_cos(splat(x), sine, cosine);
    EXPECT_NEAR(sine[0], std::sin(x), 3e-16) << x;
    EXPECT_NEAR(cosine[1], std::cos(x), 3e-16) << x;
  }
}

}  // namespace
}  // namespace supple::player
