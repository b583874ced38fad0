// SPDX-License-Identifier: Apache-2.0
// Light in the player against the formulas of format/layout.hpp in double precision.
#include "light.hpp"
#include "player/file_bytes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace supple::player::testing {
namespace {

/// Floats: a sum of some hundred products of numbers up to 1.
constexpr double kFloatTolerance = 1e-5;

/// A real spherical harmonic by the library's Legendre functions, which have no sign of Condon and
/// Shortley.
double harmonic(int l, int m, const Eigen::Vector3d& d) {
  const auto size = static_cast<unsigned>(std::abs(m));
  const double phi = std::atan2(d.y(), d.x());
  double ratio = 1;  // (l - |m|)! / (l + |m|)!
  for (int i = l - std::abs(m) + 1; i <= l + std::abs(m); ++i) ratio /= i;
  const double k = std::sqrt((2 * l + 1) / (4 * std::numbers::pi) * ratio);
  const double p = std::assoc_legendre(static_cast<unsigned>(l), size, d.z());
  if (m == 0) return k * p;
  return std::numbers::sqrt2 * k * p * (m > 0 ? std::cos(m * phi) : std::sin(-m * phi));
}

double radiance(int order, const std::vector<double>& light, int colour, const Eigen::Vector3d& d) {
  double sum = 0;
  for (int l = 0; l < order; ++l) {
    for (int m = -l; m <= l; ++m) {
      sum += light[static_cast<std::size_t>(3 * (l * (l + 1) + m) + colour)] * harmonic(l, m, d);
    }
  }
  return sum;
}

Eigen::Vector3d direction(Random& random) {
  Eigen::Vector3d d;
  do {
    for (int i = 0; i < 3; ++i) d[i] = 2 * random.uniform() - 1;
  } while (d.norm() > 1 || d.norm() < 0.1);
  return d.normalized();
}

Eigen::Quaterniond rotation(Random& random) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(6 * random.uniform(), direction(random)));
}

Turn turn_by(const Eigen::Matrix3d& matrix) {
  Turn turn{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) turn.m[i][j] = matrix(i, j);
  }
  return turn;
}

TEST(LightTurn, IsTheLightInTurnedDirections) {
  Random random(1);
  for (int order = 1; order <= static_cast<int>(format::kMostLightOrder); ++order) {
    for (const double mirror : {1.0, -1.0}) {
      const Eigen::Matrix3d matrix =
          rotation(random).toRotationMatrix() * Eigen::Vector3d(mirror, 1, 1).asDiagonal();
      std::vector<double> light(static_cast<std::size_t>(3 * order * order));
      for (double& x : light) x = 2 * random.uniform() - 1;
      std::vector<double> turned(light.size());
      turn_light(turn_by(matrix), static_cast<std::uint32_t>(order), light.data(), turned.data());
      for (int i = 0; i < 20; ++i) {
        const Eigen::Vector3d d = direction(random);
        const int colour = i % 3;
        // Rounding: some hundred terms of size 1.
        EXPECT_NEAR(radiance(order, turned, colour, d), radiance(order, light, colour, matrix * d),
                    1e-12)
            << order << " bands, mirror " << mirror;
      }
    }
  }
}

std::vector<double> appearance_by_formula(const soft::Light& light,
                                          const std::vector<float>& coefficients) {
  Eigen::VectorXd x(static_cast<Eigen::Index>(light.inputs.size()));
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const soft::Light::Input& input = light.inputs[static_cast<std::size_t>(i)];
    x[i] = input.scale * double{coefficients[input.coefficient]};
  }
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(light.weights.rows());
  double total = 0;
  for (Eigen::Index j = 0; j < light.centres.cols(); ++j) {
    const double phi =
        std::exp(-(x - light.centres.col(j)).squaredNorm() / (2 * light.width * light.width));
    sum += phi * light.weights.col(j);
    total += phi;
  }
  sum /= total;
  return {sum.data(), sum.data() + sum.size()};
}

/// An asset with light, and its file.
struct Lit {
  soft::Asset asset;
  OpenAsset file;

  explicit Lit(const LightSpec& spec, const io::SuppleWriteSettings& settings = {.float32 = true},
               const supple_open_options& options = {})
      : asset(make(spec)), file(asset, settings, options) {}

  static soft::Asset make(const LightSpec& spec) {
    soft::Asset asset = random_asset({});
    asset.light = random_light(asset, spec);
    return asset;
  }
  [[nodiscard]] const soft::Light& light() const { return *asset.light; }
};

std::vector<float> random_coefficients(std::size_t count, double size, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers(count);
  for (float& x : numbers) x = static_cast<float>(size * (2 * random.uniform() - 1));
  return numbers;
}

TEST(Light, AppearanceFollowsTheFormula) {
  const Lit lit({});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<float> q = random_coefficients(5, seed < 10 ? 1 : 3, seed);
    float appearance[3];
    ASSERT_EQ(supple_asset_appearance(lit.file.get(), q.data(), appearance), SUPPLE_OK);
    const std::vector<double> expected = appearance_by_formula(lit.light(), q);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(appearance[k], expected[k], 1e-6) << seed;
  }
}

TEST(Light, AtACentreAppearanceIsThatOfTheCentre) {
  LightSpec spec;
  spec.width = 0.01;  // the next centre is so far that nothing of it is left
  const Lit lit(spec);
  const soft::Light& light = lit.light();
  for (Eigen::Index j = 0; j < light.centres.cols(); ++j) {
    std::vector<float> q(5);
    for (std::size_t i = 0; i < light.inputs.size(); ++i) {
      q[light.inputs[i].coefficient] = static_cast<float>(
          light.centres(static_cast<Eigen::Index>(i), j) / light.inputs[i].scale);
    }
    float appearance[3];
    ASSERT_EQ(supple_asset_appearance(lit.file.get(), q.data(), appearance), SUPPLE_OK);
    for (Eigen::Index k = 0; k < 3; ++k) {
      EXPECT_EQ(appearance[k], static_cast<float>(light.weights(k, j))) << j;
    }
  }
}

TEST(Light, AppearanceFarFromAllCentresIsThatOfTheNearest) {
  const Lit lit({});
  const std::vector<float> q(5, 1e6F);
  float appearance[3];
  ASSERT_EQ(supple_asset_appearance(lit.file.get(), q.data(), appearance), SUPPLE_OK);
  Eigen::VectorXd x(3);
  for (Eigen::Index i = 0; i < 3; ++i) {
    x[i] = lit.light().inputs[static_cast<std::size_t>(i)].scale * 1e6;
  }
  Eigen::Index nearest = 0;
  (lit.light().centres.colwise() - x).colwise().squaredNorm().minCoeff(&nearest);
  for (Eigen::Index k = 0; k < 3; ++k) {
    EXPECT_NEAR(appearance[k], lit.light().weights(k, nearest), 1e-6);
  }
}

std::vector<float> shaded(supple_player* player, std::size_t vertices, bool back = false) {
  std::vector<float> colours(3 * vertices);
  supple_shading shading{};
  (back ? shading.back : shading.front).data = colours.data();
  EXPECT_EQ(supple_player_shade(player, &shading), SUPPLE_OK) << supple_error_detail();
  return colours;
}

/// Radiance with coefficients of size 1 that fade with the band.
std::vector<float> random_radiance(int order, std::uint64_t seed) {
  return random_coefficients(static_cast<std::size_t>(3 * order * order), 1, seed);
}

/// Colours of all vertices in double precision. Directions of the transfer are those of the file at
/// rest; `turns` has the rotation of each object since then.
std::vector<double> shade_by_formula(const Lit& lit, const std::vector<float>& radiance,
                                     const std::vector<Eigen::Quaterniond>& turns,
                                     const std::vector<float>& coefficients, int side) {
  const soft::Light& light = lit.light();
  const std::vector<double> a = appearance_by_formula(light, coefficients);
  const std::vector<double> given(radiance.begin(), radiance.end());
  std::vector<double> colours;
  for (std::uint32_t v = 0; v < lit.asset.vertex_count; ++v) {
    const Eigen::Matrix3d turn = light.frames[v] == soft::kNoFrame
                                     ? Eigen::Matrix3d::Identity().eval()
                                     : turns[light.frames[v]].toRotationMatrix();
    std::vector<double> seen(given.size());
    turn_light(turn_by(turn), static_cast<std::uint32_t>(light.order), given.data(), seen.data());
    for (int colour = 0; colour < 3; ++colour) {
      double sum = 0;
      for (std::size_t k = 0; k <= light.rank(); ++k) {
        const auto column = static_cast<Eigen::Index>(
            static_cast<std::uint32_t>(side) * lit.asset.vertex_count + v);
        for (Eigen::Index i = colour; i < light.bases[k].rows(); i += 3) {
          sum += (k == 0 ? 1 : a[k - 1]) * double{light.bases[k](i, column)} *
                 seen[static_cast<std::size_t>(i)];
        }
      }
      colours.push_back(std::max(0.0, sum));
    }
  }
  return colours;
}

double largest_difference(const std::vector<float>& colours, const std::vector<double>& expected) {
  EXPECT_EQ(colours.size(), expected.size());
  double worst = 0;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    worst = std::max(worst, std::abs(double{colours[i]} - expected[i]));
  }
  return worst;
}

/// Puts all objects somewhere, and moves them a little; returns how they have turned since rest.
std::vector<Eigen::Quaterniond> move(supple_player* player, const soft::Asset& asset,
                                     std::uint64_t seed) {
  Random random(seed);
  std::vector<Eigen::Quaterniond> turns;
  for (const soft::Object& object : asset.objects) {
    turns.push_back(rotation(random));
    const auto index = static_cast<std::uint32_t>(turns.size() - 1);
    const Eigen::Quaterniond now = turns.back() * object.rest_rotation;
    for (int i = 0; i < 4; ++i) {
      set_pose(player, index, {0.03 * i * i, 0.02 * i, 0}, now);
      EXPECT_EQ(supple_player_step(player, kFrame), SUPPLE_OK);
    }
  }
  return turns;
}

std::vector<float> coefficients_of(const supple_player* player, std::size_t count) {
  const float* q = supple_player_coefficients(player);
  return {q, q + count};
}

TEST(Light, ColoursFollowTheFormula) {
  for (const LightSpec spec :
       {LightSpec{}, LightSpec{.order = 6, .sides = 2, .rank = 7},
        LightSpec{.order = 1, .rank = 1, .centres = 1}, LightSpec{.order = 3, .rank = 0}}) {
    const Lit lit(spec);
    const Player player = make_player(lit.file);
    const std::vector<float> light = random_radiance(spec.order, 5);
    ASSERT_EQ(supple_player_set_light(player.get(), light.data(),
                                      static_cast<std::uint32_t>(light.size())),
              SUPPLE_OK);
    const auto turns = move(player.get(), lit.asset, 8);
    const std::vector<float> q = coefficients_of(player.get(), 5);
    EXPECT_NE(q[0], 0);
    for (int side = 0; side < spec.sides; ++side) {
      const auto expected = shade_by_formula(lit, light, turns, q, side);
      EXPECT_LT(
          largest_difference(shaded(player.get(), lit.asset.vertex_count, side == 1), expected),
          kFloatTolerance)
          << spec.order << " bands, side " << side;
      EXPECT_GT(*std::max_element(expected.begin(), expected.end()), 0.5);
    }
  }
}

TEST(Light, SixteenBitsAreAsNearAsTheWriterSays) {
  const Lit lit({}, {.float32 = false});
  const auto written = io::write_supple(lit.asset);
  ASSERT_TRUE(written.ok());
  // Half a step of 32767.
  EXPECT_LT(written->transfer_error, 0.5001 / 32767);
  EXPECT_GT(written->transfer_error, 0.4 / 32767);
  const Player player = make_player(lit.file);
  const std::vector<float> light = random_radiance(4, 5);
  ASSERT_EQ(supple_player_set_light(player.get(), light.data(), 48), SUPPLE_OK);
  const auto turns = move(player.get(), lit.asset, 8);
  const auto q = coefficients_of(player.get(), 5);
  // 4 bases of 16 numbers, each half a step off, times coefficients up to 1.
  EXPECT_LT(largest_difference(shaded(player.get(), lit.asset.vertex_count),
                               shade_by_formula(lit, light, turns, q, 0)),
            64 * written->transfer_error + kFloatTolerance);
}

TEST(Light, ConstantLightOnAnOpenVertexIsItsAlbedo) {
  soft::Asset asset = random_asset({});
  LightSpec spec;
  spec.rank = 0;
  asset.light = random_light(asset, spec);
  const Eigen::Vector3f albedo(0.2F, 0.5F, 0.9F);
  // Unoccluded transfer for the normal n: A_l Y_lm(n) / pi; of the normal z, m = 0 alone.
  constexpr double kOpen[] = {0.282095, 0.325735, 0.157696, 0};
  asset.light->bases[0].setZero();
  for (int l = 0; l < 4; ++l) {
    for (int colour = 0; colour < 3; ++colour) {
      asset.light->bases[0]
          .row(3 * l * (l + 1) + colour)
          .setConstant(albedo[colour] * static_cast<float>(kOpen[l]));
    }
  }
  const OpenAsset file(asset);
  const Player player = make_player(file);
  const float constant = 2;  // of this radiance: 4 pi Y_00
  std::vector<float> light(3, static_cast<float>(constant * std::sqrt(4 * std::numbers::pi)));
  ASSERT_EQ(supple_player_set_light(player.get(), light.data(), 3), SUPPLE_OK);
  const std::vector<float> colours = shaded(player.get(), asset.vertex_count);
  for (std::size_t v = 0; v < asset.vertex_count; ++v) {
    // The constants above have six digits, the file sixteen bits.
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(colours[3 * v + i], constant * albedo[i], 1e-4);
  }
}

TEST(Light, FewerAndMoreBandsThanTheFilesAreTaken) {
  const Lit lit({.order = 3});
  const Player player = make_player(lit.file);
  const auto with = [&](int order, std::size_t kept) {
    std::vector<float> light = random_radiance(order, 5);
    light.resize(std::max(light.size(), std::size_t{108}));
    std::fill(light.begin() + static_cast<std::ptrdiff_t>(kept), light.end(), 0.0F);
    const auto count = static_cast<std::uint32_t>(3 * order * order);
    EXPECT_EQ(supple_player_set_light(player.get(), light.data(), count), SUPPLE_OK);
    return shaded(player.get(), lit.asset.vertex_count);
  };
  EXPECT_EQ(with(6, 27), with(6, 108));
  EXPECT_EQ(with(2, 12), with(6, 12));
  EXPECT_NE(with(6, 12), with(6, 27));
}

TEST(Light, TurningAssetAndLightTogetherChangesNothing) {
  Random random(4);
  soft::Asset asset = random_asset({});
  asset.light = random_light(asset, {});
  // All turn: those that turn with nothing stay behind.
  for (std::uint32_t& frame : asset.light->frames) {
    if (frame == soft::kNoFrame) frame = 0;
  }
  const OpenAsset file(asset, {.float32 = true});
  const std::vector<float> light = random_radiance(4, 5);
  const Player still = make_player(file);
  ASSERT_EQ(supple_player_set_light(still.get(), light.data(), 48), SUPPLE_OK);
  const std::vector<float> expected = shaded(still.get(), asset.vertex_count);
  for (int i = 0; i < 5; ++i) {
    const Eigen::Quaterniond turn = rotation(random);
    const Player turned = make_player(file);
    for (std::uint32_t o = 0; o < 2; ++o) {
      set_pose(turned.get(), o, {}, turn * asset.objects[o].rest_rotation);
    }
    // L turned as the asset: L_now(d) = L(turn^-1 d).
    std::vector<double> given(light.begin(), light.end());
    std::vector<double> now(48);
    turn_light(turn_by(turn.toRotationMatrix().transpose()), 4, given.data(), now.data());
    const std::vector<float> radiance(now.begin(), now.end());
    ASSERT_EQ(supple_player_set_light(turned.get(), radiance.data(), 48), SUPPLE_OK);
    const std::vector<float> colours = shaded(turned.get(), asset.vertex_count);
    double worst = 0;
    for (std::size_t n = 0; n < colours.size(); ++n) {
      worst = std::max(worst, std::abs(double{colours[n]} - double{expected[n]}));
    }
    EXPECT_LT(worst, 4e-6);  // colours up to 5, in floats
  }
}

TEST(Light, IsTheSameInEveryWorld) {
  const std::vector<float> light = random_radiance(4, 5);
  const Lit plain({});
  const Player reference = make_player(plain.file);
  supple_player_set_light(reference.get(), light.data(), 48);
  const std::vector<float> expected = shaded(reference.get(), plain.asset.vertex_count);
  constexpr std::int32_t kWorlds[][3] = {{SUPPLE_AXIS_MINUS_X, SUPPLE_AXIS_Y, SUPPLE_AXIS_Z},
                                         {SUPPLE_AXIS_X, SUPPLE_AXIS_Z, SUPPLE_AXIS_Y},
                                         {SUPPLE_AXIS_X, SUPPLE_AXIS_Z, SUPPLE_AXIS_MINUS_Y}};
  for (const auto& axes : kWorlds) {
    supple_open_options options{};
    options.axis_x = axes[0];
    options.axis_y = axes[1];
    options.axis_z = axes[2];
    const Lit other({}, {.float32 = true}, options);
    const Player player = make_player(other.file);
    // The light in the program's directions u: L_program(u) = L(file_from_program u).
    Eigen::Matrix3d file_from_program = Eigen::Matrix3d::Zero();
    for (int i = 0; i < 3; ++i) {
      file_from_program(i, std::abs(axes[i]) - 1) = axes[i] > 0 ? 1 : -1;
    }
    std::vector<double> given(light.begin(), light.end());
    std::vector<double> now(48);
    turn_light(turn_by(file_from_program), 4, given.data(), now.data());
    const std::vector<float> radiance(now.begin(), now.end());
    ASSERT_EQ(supple_player_set_light(player.get(), radiance.data(), 48), SUPPLE_OK);
    const std::vector<float> colours = shaded(player.get(), other.asset.vertex_count);
    for (std::size_t n = 0; n < colours.size(); ++n) {
      ASSERT_NEAR(colours[n], expected[n], kFloatTolerance) << axes[0] << axes[1] << axes[2];
    }
  }
}

TEST(Light, HasTheSameBitsWithEveryInstructionSet) {
  for (const bool float32 : {false, true}) {
    const Lit lit({.order = 4, .sides = 2, .rank = 5}, {.float32 = float32});
    std::vector<float> first;
    for (const InstructionSet set :
         {InstructionSet::Baseline, InstructionSet::Avx2, InstructionSet::Avx512}) {
      if (!has(set)) continue;
      const Player player = make_player(lit.file);
      choose(*player, set);
      const std::vector<float> light = random_radiance(4, 5);
      supple_player_set_light(player.get(), light.data(), 48);
      move(player.get(), lit.asset, 8);
      const std::vector<float> colours = shaded(player.get(), lit.asset.vertex_count, true);
      if (first.empty()) first = colours;
      EXPECT_EQ(colours, first);
    }
  }
}

TEST(Light, RangesAndStridesAreWrittenAndNothingElse) {
  const Lit lit({});
  const Player player = make_player(lit.file);
  const std::vector<float> light = random_radiance(4, 5);
  supple_player_set_light(player.get(), light.data(), 48);
  const std::vector<float> whole = shaded(player.get(), 53);
  for (const auto& [first, count] : {std::pair{0U, 53U}, {16U, 9U}, {48U, 5U}, {16U, 32U}}) {
    std::vector<float> wide(std::size_t{5} * 53, -1);
    supple_shading shading{};
    shading.front = {wide.data(), 5 * sizeof(float)};
    shading.first_vertex = first;
    shading.vertex_count = count;
    ASSERT_EQ(supple_player_shade(player.get(), &shading), SUPPLE_OK);
    for (std::size_t v = 0; v < 53; ++v) {
      const bool inside = v >= first && v < first + count;
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(wide[5 * v + i], inside && i < 3 ? whole[3 * v + i] : -1) << v;
      }
    }
  }
}

TEST(Light, FollowsTheMeshWhenItIsReordered) {
  soft::Asset asset = random_asset({});
  asset.light = random_light(asset, {.sides = 2});
  for (std::uint32_t v = 0; v < asset.vertex_count; ++v) {
    const auto x = static_cast<float>(v);
    asset.positions.emplace_back(x, std::sin(x), 0.1F * x * x);
  }
  const OpenAsset file(asset);
  std::vector<float> positions;
  std::vector<std::uint32_t> source;
  std::vector<std::uint32_t> primitives;
  for (const soft::Part& part : asset.parts) {
    primitives.insert(primitives.end(), {part.mesh, part.primitive, part.vertex_count, 0});
    for (std::uint32_t v = part.vertex_count; v-- > 0;) {
      source.push_back(part.first_vertex + v);
      const Eigen::Vector3f& p = asset.positions[source.back()];
      positions.insert(positions.end(), p.data(), p.data() + 3);
    }
  }
  supple_mesh mesh{};
  mesh.primitive_count = 2;
  mesh.primitives = primitives.data();
  mesh.positions = positions.data();
  const std::uint32_t none = 0;
  mesh.indices = &none;
  supple_asset* rebound = nullptr;
  ASSERT_EQ(supple_asset_rebind(file.get(), &mesh, nullptr, &rebound), SUPPLE_OK)
      << supple_error_detail();
  const auto colours_in = [&](const supple_asset* where, bool back) {
    supple_player* player = nullptr;
    EXPECT_EQ(supple_player_create(where, &player), SUPPLE_OK);
    const Player owned(player);
    const std::vector<float> light = random_radiance(4, 5);
    EXPECT_EQ(supple_player_set_light(player, light.data(), 48), SUPPLE_OK);
    move(player, asset, 8);
    return shaded(player, asset.vertex_count, back);
  };
  for (const bool back : {false, true}) {
    const std::vector<float> before = colours_in(file.get(), back);
    const std::vector<float> after = colours_in(rebound, back);
    for (std::size_t v = 0; v < source.size(); ++v) {
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(after[3 * v + i], before[3 * source[v] + i]) << v;
      }
    }
  }
  supple_asset_close(rebound);
}

TEST(Light, CallsThatMakeNoSenseAreRefused) {
  const Lit lit({});
  const Player player = make_player(lit.file);
  supple_player* p = player.get();
  const auto says = [](const char* words) {
    return std::string(supple_error_detail()).find(words) != std::string::npos;
  };
  std::vector<float> colours(std::size_t{3} * 53);
  supple_shading shading{};
  shading.front.data = colours.data();
  EXPECT_EQ(supple_player_shade(p, &shading), SUPPLE_BAD_ARGUMENT);
  EXPECT_TRUE(says("no light was set"));
  std::vector<float> light = random_radiance(6, 5);
  for (const std::uint32_t count : {0U, 1U, 4U, 47U, 49U, 147U}) {
    EXPECT_EQ(supple_player_set_light(p, light.data(), count), SUPPLE_BAD_ARGUMENT) << count;
  }
  EXPECT_EQ(supple_player_set_light(p, nullptr, 48), SUPPLE_BAD_ARGUMENT);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), 1e20F}) {
    light[7] = bad;
    EXPECT_EQ(supple_player_set_light(p, light.data(), 48), SUPPLE_BAD_ARGUMENT);
  }
  light[7] = 0;
  ASSERT_EQ(supple_player_set_light(p, light.data(), 48), SUPPLE_OK);
  shading.back.data = colours.data();
  EXPECT_EQ(supple_player_shade(p, &shading), SUPPLE_BAD_ARGUMENT);
  EXPECT_TRUE(says("no back"));
  shading.back.data = nullptr;
  shading.front.stride = 8;
  EXPECT_EQ(supple_player_shade(p, &shading), SUPPLE_BAD_ARGUMENT);
  shading.front.stride = 0;
  shading.first_vertex = 7;
  EXPECT_EQ(supple_player_shade(p, &shading), SUPPLE_BAD_ARGUMENT);
  std::vector<float> q(5, std::numeric_limits<float>::infinity());
  float appearance[3];
  EXPECT_EQ(supple_asset_appearance(lit.file.get(), q.data(), appearance), SUPPLE_BAD_ARGUMENT);

  const OpenAsset dark(random_asset({}));
  const Player other = make_player(dark);
  supple_light_info info{};
  EXPECT_EQ(supple_asset_light(dark.get(), &info), SUPPLE_BAD_ARGUMENT);
  EXPECT_STREQ(supple_error_detail(), "the file has no light");
  EXPECT_EQ(supple_player_set_light(other.get(), light.data(), 48), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_player_appearance(other.get(), appearance), SUPPLE_BAD_ARGUMENT);
}

TEST(Light, FileSaysWhatItHas) {
  LightSpec spec{.order = 5, .sides = 2, .rank = 4, .centres = 9};
  soft::Asset asset = random_asset({});
  asset.light = random_light(asset, spec);
  asset.light->relative_error = 0.01;
  asset.light->held_out_error = 0.02;
  const OpenAsset file(asset);
  supple_light_info info{};
  ASSERT_EQ(supple_asset_light(file.get(), &info), SUPPLE_OK);
  EXPECT_EQ(info.order, 5U);
  EXPECT_EQ(info.sides, 2U);
  EXPECT_EQ(info.rank, 4U);
  EXPECT_EQ(info.dimensions, 3U);
  EXPECT_EQ(info.centre_count, 9U);
  EXPECT_EQ(info.relative_error, 0.01);
  EXPECT_EQ(info.held_out_error, 0.02);
}

/// Plays what was accepted: every colour finite.
void shade_all(const Bytes& bytes) {
  const AlignedBytes aligned(bytes);
  supple_asset* asset = nullptr;
  if (supple_asset_open(aligned.data(), aligned.size(), &asset) != SUPPLE_OK) return;
  supple_player* player = nullptr;
  ASSERT_EQ(supple_player_create(asset, &player), SUPPLE_OK);
  const std::vector<float> light(48, 1e12F);
  if (supple_player_set_light(player, light.data(), 48) == SUPPLE_OK) {
    supple_player_step(player, kFrame);
    for (const float c : shaded(player, 37)) ASSERT_TRUE(c >= 0 && std::isfinite(c));
  }
  supple_player_destroy(player);
  supple_asset_close(asset);
}

Bytes lit_file(bool float32) {
  MeshSpec mesh;
  mesh.vertices = 37;
  soft::Asset asset = random_asset(mesh);
  asset.light = random_light(asset, {.order = 2, .rank = 2, .centres = 3});
  auto written = io::write_supple(asset, {.float32 = float32});
  SUPPLE_CHECK(written.ok());
  return std::move(written->bytes);
}

TEST(Light, EveryFlippedBitIsRefusedOrPlaysWithFiniteColours) {
  for (const bool float32 : {false, true}) {
    const Bytes whole = lit_file(float32);
    EXPECT_EQ(status_of(whole), SUPPLE_OK);
    for (const std::uint32_t id :
         {format::kLightSection, format::kLightInputSection, format::kLightCentreSection,
          format::kLightFrameSection, format::kLightScaleSection, format::kTransferSection}) {
      OpenTable table(whole);
      const format::Section section = table.at(id);
      // Of long sections the bits of some bytes, among them the high ones of every kind of number.
      const std::size_t step = section.size > 400 ? 61 : 1;
      for (std::size_t byte = 0; byte < section.size; byte += step) {
        for (int bit = 0; bit < 8; ++bit) {
          Bytes bytes = whole;
          bytes[section.offset + byte] ^= static_cast<std::byte>(1U << bit);
          mend(bytes);
          shade_all(bytes);
        }
      }
    }
  }
}

TEST(Light, DamagedSectionsAreNamed) {
  const Bytes whole = lit_file(true);
  const auto refused = [&](std::uint32_t id, std::size_t offset, auto number, const char* words) {
    Bytes bytes = whole;
    std::memcpy(bytes.data() + place_of(bytes, id) + offset, &number, sizeof number);
    mend(bytes);
    EXPECT_EQ(status_of(bytes), SUPPLE_DAMAGED) << words;
    EXPECT_NE(std::string(supple_error_detail()).find(words), std::string::npos)
        << supple_error_detail();
  };
  using format::Light;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused(format::kLightSection, offsetof(Light, order), 0U, "section LIGH, byte");
  refused(format::kLightSection, offsetof(Light, order), 7U, "the order");
  refused(format::kLightSection, offsetof(Light, order), 3U, "LSCA holds");
  refused(format::kLightSection, offsetof(Light, sides), 3U, "the sides");
  refused(format::kLightSection, offsetof(Light, sides), 2U, "LTRA holds");
  refused(format::kLightSection, offsetof(Light, rank), 3U, "LCEN holds");
  refused(format::kLightSection, offsetof(Light, rank), 0U, "do not fit the rank");
  refused(format::kLightSection, offsetof(Light, rank), ~0U, "the rank is out of range");
  refused(format::kLightSection, offsetof(Light, dimensions), 2U, "LINP holds");
  refused(format::kLightSection, offsetof(Light, dimensions), ~0U, "the dimensions");
  refused(format::kLightSection, offsetof(Light, centre_count), 4U, "LCEN holds");
  refused(format::kLightSection, offsetof(Light, width), 0.0, "a number is out of range");
  refused(format::kLightSection, offsetof(Light, held_out_error), nan, "a number is out of range");
  refused(format::kLightInputSection, 0, 5U, "section LINP, record 0");
  refused(format::kLightInputSection, 8, nan, "no such coefficient, or its scale");
  refused(format::kLightCentreSection, 8, 1e31, "a centre is out of range");
  refused(format::kLightCentreSection, 8 * 9, nan, "a weight is out of range");
  refused(format::kLightFrameSection, 4, std::uint16_t{2}, "section LFRA, record 2");
  refused(format::kLightScaleSection, 4, 1e4F, "a scale is out of range");
  refused(format::kTransferSection, 40, std::numeric_limits<float>::infinity(),
          "a transfer is out of range");
}

TEST(Light, IsWholeOrNotThere) {
  for (const std::uint32_t id :
       {format::kLightSection, format::kLightInputSection, format::kLightCentreSection,
        format::kLightFrameSection, format::kLightScaleSection, format::kTransferSection}) {
    Bytes bytes = lit_file(false);
    OpenTable table(bytes);
    EXPECT_EQ(table.at(id).flags, 0);  // older players pass over it
    table.at(id).id = format::section_id("ORBI");
    table.store(bytes);
    EXPECT_EQ(status_of(bytes), SUPPLE_DAMAGED);
    EXPECT_NE(std::string(supple_error_detail()).find("missing"), std::string::npos);
  }
}

TEST(Light, ReplacesThatOfAFileAndNothingElse) {
  soft::Asset asset = random_asset({});
  const auto dark = io::write_supple(asset);
  asset.light = random_light(asset, {});
  const auto lit = io::write_supple(asset);
  ASSERT_TRUE(dark.ok() && lit.ok());
  const auto added = io::with_light(dark->bytes, *asset.light);
  ASSERT_TRUE(added.ok());
  EXPECT_EQ(added->bytes, lit->bytes);
  EXPECT_EQ(added->transfer_error, lit->transfer_error);
  const soft::Light other = random_light(asset, {.order = 2, .rank = 1}, 9);
  const auto replaced = io::with_light(lit->bytes, other);
  const auto direct = io::with_light(dark->bytes, other);
  ASSERT_TRUE(replaced.ok() && direct.ok());
  EXPECT_EQ(replaced->bytes, direct->bytes);
}

TEST(Light, BadOnesAreNotWritten) {
  using soft::Light;
  const std::pair<const char*, std::function<void(Light&)>> cases[] = {
      {"bands", [](Light& l) { l.order = 7; }},
      {"bands", [](Light& l) { l.sides = 0; }},
      {"rank", [](Light& l) { l.bases.clear(); }},
      {"centres", [](Light& l) { l.bases.pop_back(); }},
      {"centres", [](Light& l) { l.inputs.clear(); }},
      {"input", [](Light& l) { l.inputs[1].coefficient = 5; }},
      {"range", [](Light& l) { l.width = 0; }},
      {"range", [](Light& l) { l.weights(0, 0) = std::numeric_limits<double>::infinity(); }},
      {"basis", [](Light& l) { l.bases[1].conservativeResize(48, 52); }},
      {"transfer", [](Light& l) { l.bases[1](3, 4) = std::numeric_limits<float>::quiet_NaN(); }},
      {"frames", [](Light& l) { l.frames.pop_back(); }},
      {"object 2", [](Light& l) { l.frames[5] = 2; }}};
  for (const auto& [words, spoil] : cases) {
    soft::Asset asset = random_asset({});
    asset.light = random_light(asset, {});
    spoil(*asset.light);
    const auto written = io::write_supple(asset);
    ASSERT_FALSE(written.ok()) << words;
    EXPECT_NE(written.error().message().find(words), std::string::npos)
        << written.error().message();
  }
}

}  // namespace
}  // namespace supple::player::testing
