// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/player_asset.hpp"

#include "supple/core/check.hpp"
#include "supple/core/random.hpp"

#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace supple::bench {
namespace {

class Numbers {
 public:
  double operator()() { return 2 * m_random.uniform() - 1; }
  Eigen::Vector3f vector() {
    const double x = (*this)();
    const double y = (*this)();
    const double z = (*this)();
    return Eigen::Vector3d(x, y, z).cast<float>();
  }

 private:
  Random m_random{1};
};

soft::Mode random_mode(std::size_t index, std::size_t vertices, Numbers& number) {
  soft::Mode mode;
  mode.omega = 2 * std::numbers::pi * (3 + 2 * static_cast<double>(index));
  mode.damping = 0.1;
  mode.share = 0.1;
  for (double& x : mode.transfer) x = number();
  for (double& x : mode.centrifugal) x = number();
  for (std::size_t i = 0; i < vertices; ++i) {
    mode.displacements.push_back((0.1F * number.vector()).cast<double>());
    mode.normals.push_back(number.vector().cast<double>());
  }
  return mode;
}

void make_shell(soft::Object& object) {
  constexpr double kTurn = 10;  // relative to the change of a normal
  object.shell.emplace();
  object.shell->size = 1;
  object.shell->follow_turn = 1;
  for (soft::Mode& mode : object.modes) {
    mode.turns = std::exchange(mode.normals, {});
    for (Eigen::Vector3d& turn : mode.turns) turn *= kTurn;
  }
}

soft::Light random_light(const AssetSpec& spec, Numbers& number) {
  constexpr Eigen::Index kShapes = 50;
  constexpr Eigen::Index kNumbers = 48;
  soft::Light light;
  const auto modes = static_cast<std::uint32_t>(spec.objects * spec.modes);
  for (std::uint32_t k = 0; k < modes; ++k) light.inputs.push_back({k, 1});
  const auto rank = static_cast<Eigen::Index>(spec.light_rank);
  light.centres = Eigen::MatrixXd::NullaryExpr(modes, kShapes, [&] { return number(); });
  light.weights = Eigen::MatrixXd::NullaryExpr(rank, kShapes, [&] { return number(); });
  for (Eigen::Index k = 0; k <= rank; ++k) {
    light.bases.emplace_back(Eigen::MatrixXf::NullaryExpr(
        kNumbers, spec.vertices, [&] { return static_cast<float>(number()); }));
  }
  light.frames.assign(spec.vertices, 0);
  return light;
}

soft::Asset random_asset(const AssetSpec& spec) {
  Numbers number;
  soft::Asset asset;
  asset.generator = "supple_bench";
  asset.vertex_count = spec.vertices;
  if (spec.vertices > 0) asset.parts = {{0, 0, 0, spec.vertices}};
  for (std::size_t i = 0; i < spec.objects; ++i) {
    soft::Object object;
    object.name = "flesh";
    object.name += std::to_string(i);
    object.bone = "bone";
    object.limit = 0.05;  // baked files set a limit
    object.mass = 2;
    const auto share = [&](std::size_t of) {
      return static_cast<std::uint32_t>(of * spec.vertices / spec.objects);
    };
    const std::uint32_t first = spec.shells ? share(i) : 0;
    const std::uint32_t end = spec.shells ? share(i + 1) : spec.vertices;
    for (std::uint32_t v = first; v < end; ++v) object.vertices.push_back(v);
    for (std::size_t k = 0; k < spec.modes; ++k) {
      object.modes.push_back(random_mode(k, object.vertices.size(), number));
    }
    if (spec.shells) make_shell(object);
    const auto m = static_cast<Eigen::Index>(spec.modes);
    for (int axis = 0; spec.coriolis && axis < 3; ++axis) {
      const Eigen::MatrixXd any = Eigen::MatrixXd::NullaryExpr(m, m, [&] { return number(); });
      object.coriolis.emplace_back(any - any.transpose());
    }
    asset.objects.push_back(std::move(object));
  }
  if (spec.light_rank > 0) asset.light = random_light(spec, number);
  return asset;
}

}  // namespace

OpenAsset::OpenAsset(const Bytes& bytes) : m_bytes(bytes.size()) {
  std::memcpy(m_bytes.data(), bytes.data(), bytes.size());
  supple_asset* asset = nullptr;
  SUPPLE_CHECK(supple_asset_open(m_bytes.data(), m_bytes.size(), &asset) == SUPPLE_OK);
  m_asset.reset(asset);
}

Result<OpenAsset> OpenAsset::make(const AssetSpec& spec) {
  return make(random_asset(spec), spec.float32);
}

Result<OpenAsset> OpenAsset::make(const soft::Asset& asset, bool float32) {
  SUPPLE_TRY(const io::SuppleBytes file, io::write_supple(asset, {float32}));
  return OpenAsset(file.bytes);
}

Player make_player(const OpenAsset& asset) {
  supple_player* player = nullptr;
  SUPPLE_CHECK(supple_player_create(asset.get(), &player) == SUPPLE_OK);
  return Player(player);
}

void Swing::at(double seconds, float matrix[16]) const {
  const double angle = 2 * std::numbers::pi * seconds / period;
  const double turn = 0.5 * std::sin(angle);
  Eigen::Map<Eigen::Matrix4f> m(matrix);
  m.setIdentity();
  m.topLeftCorner<3, 3>() =
      Eigen::AngleAxisd(turn, Eigen::Vector3d(1, 2, 3).normalized()).matrix().cast<float>();
  m.col(3).head<3>() =
      Eigen::Vector3d(std::sin(angle), 1 + 0.2 * std::sin(2 * angle), std::cos(angle))
          .cast<float>();
}

}  // namespace supple::bench
