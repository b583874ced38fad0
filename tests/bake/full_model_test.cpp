// SPDX-License-Identifier: Apache-2.0
// The player against the finite element model it was reduced from, on the same motion.
#include "supple.h"
#include "supple/fem/assembly.hpp"
#include "supple/fem/solid_modes.hpp"
#include "supple/flesh/inertia.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/io/supple_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <unsupported/Eigen/MatrixFunctions>

#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>

namespace supple::bake {
namespace {

using geometry::Vec3;

constexpr double kMassDamping = 8;      // alpha of C = alpha M + beta K, 1/s
constexpr double kStiffDamping = 2e-3;  // beta, s

/// Where the bone is, and how it accelerates: what the frame's inertial forces depend on.
struct BoneState {
  Vec3 position = Vec3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vec3 acceleration = Vec3::Zero();  // of the origin, bone axes
  Vec3 spin = Vec3::Zero();          // bone axes
  Vec3 spin_rate = Vec3::Zero();
};

/// A limb reduced with all its modes, and unreduced with dense matrices.
struct Limb {
  fem::SolidModel model;
  fem::SolidModes modes;
  flesh::InertialTransfer inertia;
  Eigen::MatrixXd mass;  // free unknowns
  Eigen::MatrixXd stiffness;
  Eigen::MatrixXd carried;  // free x 3N: rows of the full mass, for forces on all nodes
  std::vector<geometry::Index> free_nodes;

  /// -M (a0 + alpha x r + w x (w x r)) + M (g - g0), fixed nodes carried along.
  [[nodiscard]] Eigen::VectorXd force(const BoneState& bone) const {
    const Vec3 gravity(0, -9.81, 0);
    const Vec3 pull = bone.rotation.conjugate() * gravity - gravity;
    Eigen::VectorXd acceleration(carried.cols());
    for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n) {
      const Vec3& r = model.mesh.nodes[n];
      acceleration.segment<3>(static_cast<Eigen::Index>(3 * n)) =
          bone.acceleration + bone.spin_rate.cross(r) + bone.spin.cross(bone.spin.cross(r)) - pull;
    }
    return -(carried * acceleration);
  }
};

Eigen::MatrixXd dense(const reduction::LinearOperator& op, Eigen::Index size) {
  const reduction::MultiVector identity = reduction::MultiVector::Identity(size, size);
  reduction::MultiVector product;
  op.apply(identity, product);
  return product;
}

/// A thigh's worth of flesh around a bone, held at the bone and at both ends.
fem::SolidModel thigh_model(int layers) {
  fem::SolidModel model;
  model.mesh = geometry::to_quadratic(geometry::cylinder_mesh(0.07, 0.35, 1, layers));
  for (Vec3& node : model.mesh.nodes) node.y() -= 0.175;  // the joint is at the upper end
  model.materials = {{"flesh", 8e3, 0.45, 1000}};
  for (const Vec3& node : model.mesh.nodes) {
    const bool held = std::hypot(node.x(), node.z()) < 1e-6 || std::abs(node.y()) < 1e-6 ||
                      std::abs(node.y() + 0.35) < 1e-6;
    model.fixed.push_back(held ? fem::kFixAll : 0);
  }
  return model;
}

/// In the order of a bake: by the part in the answer to bone motion.
void strongest_first(fem::SolidModes& modes) {
  Eigen::Matrix<double, 6, 1> scale;
  scale << Vec3::Ones(), Vec3::Constant(1 / (0.35 * 0.35));
  const Eigen::VectorXd shares =
      (modes.participation.cwiseAbs2() * scale).cwiseQuotient(modes.omega_squared);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(shares.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return shares(a) > shares(b); });
  modes.omega_squared = modes.omega_squared(order).eval();
  modes.shapes = modes.shapes(Eigen::all, order).eval();
}

Limb make_limb(int layers) {
  Limb limb{thigh_model(layers), {}, {}, {}, {}, {}, {}};
  const auto matrices = fem::assemble(limb.model).value();
  limb.free_nodes = matrices.free_nodes;
  const auto size = static_cast<Eigen::Index>(3 * matrices.free_nodes.size());
  limb.mass = dense(matrices.mass, size);
  limb.stiffness = dense(matrices.stiffness, size);
  fem::SolidModel unheld = limb.model;
  unheld.fixed.clear();
  const auto all = fem::assemble(unheld).value();
  const auto full_size = static_cast<Eigen::Index>(3 * all.free_nodes.size());
  const Eigen::MatrixXd full = dense(all.mass, full_size);
  limb.carried.resize(size, full_size);
  for (Eigen::Index i = 0; i < size / 3; ++i) {
    limb.carried.middleRows<3>(3 * i) = full.middleRows<3>(3 * limb.free_nodes[i]);
  }
  limb.modes = fem::solve_modes(limb.model, {.count = static_cast<int>(size)}).value();
  strongest_first(limb.modes);
  limb.inertia = flesh::inertial_transfer(limb.model, limb.modes.shapes, false);
  return limb;
}

/// A player of the first `count` modes. What counts here are its coefficients: one vertex is
/// enough of a skin.
class ReducedLimb {
 public:
  ReducedLimb(const Limb& limb, std::size_t count) : m_limb(limb), m_count(count) {
    soft::Asset asset;
    asset.vertex_count = 1;
    asset.parts = {{0, 0, 0, 1}};
    soft::Object object;
    object.name = "thigh";
    object.bone = "Thigh";
    object.vertices = {0};
    for (std::size_t k = 0; k < count; ++k) {
      const auto row = static_cast<Eigen::Index>(k);
      soft::Mode mode;
      mode.omega = std::sqrt(limb.modes.omega_squared(row));
      mode.damping = 0.5 * (kMassDamping / mode.omega + kStiffDamping * mode.omega);
      for (int c = 0; c < 6; ++c) {
        mode.transfer[c] = limb.inertia.transfer(row, c);
        mode.centrifugal[c] = limb.inertia.centrifugal(row, c);
      }
      mode.displacements = {Eigen::Vector3d::Zero()};
      object.modes.push_back(mode);
    }
    asset.objects = {object};
    const auto bytes = io::write_supple(asset, {.float32 = true}).value().bytes;
    m_bytes.reset(static_cast<std::byte*>(std::aligned_alloc(64, (bytes.size() + 63) / 64 * 64)));
    std::memcpy(m_bytes.get(), bytes.data(), bytes.size());
    EXPECT_EQ(supple_asset_open(m_bytes.get(), bytes.size(), &m_asset), SUPPLE_OK);
    EXPECT_EQ(supple_player_create(m_asset, &m_player), SUPPLE_OK);
    supple_object_settings settings;
    EXPECT_EQ(supple_player_get_settings(m_player, 0, &settings), SUPPLE_OK);
    settings.max_acceleration = 0;
    settings.max_spin = 0;
    EXPECT_EQ(supple_player_set_settings(m_player, 0, &settings), SUPPLE_OK);
  }
  ~ReducedLimb() {
    supple_player_destroy(m_player);
    supple_asset_close(m_asset);
  }
  ReducedLimb(const ReducedLimb&) = delete;
  ReducedLimb& operator=(const ReducedLimb&) = delete;

  void step(const BoneState& bone, double dt) {
    const Eigen::Vector4d q = bone.rotation.coeffs();
    ASSERT_EQ(supple_player_set_bone_pose(m_player, 0, bone.position.data(), q.data()), SUPPLE_OK);
    ASSERT_EQ(supple_player_step(m_player, dt), SUPPLE_OK);
  }

  /// All nodes' displacements.
  [[nodiscard]] Eigen::VectorXd displacement() const {
    const Eigen::VectorXf q =
        Eigen::Map<const Eigen::VectorXf>(supple_player_coefficients(m_player), m_count);
    const Eigen::VectorXd all = m_limb.modes.shapes.leftCols(m_count) * q.cast<double>();
    Eigen::VectorXd moving(3 * static_cast<Eigen::Index>(m_limb.free_nodes.size()));
    for (std::size_t i = 0; i < m_limb.free_nodes.size(); ++i) {
      moving.segment<3>(static_cast<Eigen::Index>(3 * i)) =
          all.segment<3>(3 * Eigen::Index{m_limb.free_nodes[i]});
    }
    return moving;
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  const Limb& m_limb;
  std::size_t m_count;
  std::unique_ptr<std::byte, Free> m_bytes;
  ::supple_asset* m_asset = nullptr;
  supple_player* m_player = nullptr;
};

/// The state after `time` under a constant force from rest, by the matrix exponential of the
/// unreduced system: no modes, no time steps.
Eigen::VectorXd constant_force_response(const Limb& limb, const Eigen::VectorXd& force,
                                        double time) {
  const Eigen::Index n = limb.mass.rows();
  const Eigen::LLT<Eigen::MatrixXd> mass(limb.mass);
  Eigen::MatrixXd system = Eigen::MatrixXd::Zero(2 * n + 1, 2 * n + 1);
  system.block(0, n, n, n).setIdentity();
  system.block(n, 0, n, n) = -mass.solve(limb.stiffness);
  system.block(n, n, n, n) =
      -kMassDamping * Eigen::MatrixXd::Identity(n, n) - kStiffDamping * mass.solve(limb.stiffness);
  system.block(n, 2 * n, n, 1) = mass.solve(force);
  return (time * system).exp().col(2 * n).head(n);
}

/// A recorded motion: a hop with a twist, smooth, from rest; accelerations by its formulas.
BoneState hop(double t) {
  // The window 1 - exp(-(t/0.15)^4) lets it start from rest with three derivatives at zero.
  const auto motion = [](double s) {
    const double on = 1 - std::exp(-std::pow(s / 0.15, 4));
    struct {
      Vec3 position;
      Eigen::Quaterniond rotation;
    } pose{on * Vec3(0.1 * std::sin(5 * s), 0.15 * std::sin(9 * s + 1), 0.05 * std::cos(7 * s)),
           Eigen::Quaterniond(Eigen::AngleAxisd(on * 0.8 * std::sin(6 * s), Vec3::UnitX())) *
               Eigen::AngleAxisd(on * 0.5 * std::sin(4 * s + 0.5), Vec3(1, 2, 3).normalized())};
    return pose;
  };
  const double e = 1e-4;  // central differences of closed formulas: good to 1e-7
  const auto now = motion(t);
  const auto spin_at = [&](double s) {
    const Eigen::AngleAxisd turn(motion(s - e).rotation.conjugate() * motion(s + e).rotation);
    return Vec3(turn.angle() * turn.axis() / (2 * e));
  };
  BoneState bone;
  bone.position = now.position;
  bone.rotation = now.rotation;
  bone.acceleration =
      now.rotation.conjugate() *
      ((motion(t + e).position - 2 * now.position + motion(t - e).position) / (e * e));
  bone.spin = spin_at(t);
  bone.spin_rate = (spin_at(t + e) - spin_at(t - e)) / (2 * e);
  return bone;
}

/// The unreduced model by Newmark's average acceleration with steps far below every period.
std::vector<Eigen::VectorXd> full_response(const Limb& limb, double seconds, int frames,
                                           int steps_per_frame) {
  const double h = seconds / (frames * steps_per_frame);
  const Eigen::MatrixXd damping = kMassDamping * limb.mass + kStiffDamping * limb.stiffness;
  const Eigen::LLT<Eigen::MatrixXd> solver(limb.mass + 0.5 * h * damping +
                                           0.25 * h * h * limb.stiffness);
  const Eigen::Index n = limb.mass.rows();
  Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
  Eigen::VectorXd v = Eigen::VectorXd::Zero(n);
  Eigen::VectorXd a = Eigen::VectorXd::Zero(n);
  std::vector<Eigen::VectorXd> result;
  for (int step = 1; step <= frames * steps_per_frame; ++step) {
    const Eigen::VectorXd u_guess = u + h * v + 0.25 * h * h * a;
    const Eigen::VectorXd v_guess = v + 0.5 * h * a;
    a = solver.solve(limb.force(hop(step * h)) - limb.stiffness * u_guess - damping * v_guess);
    u = u_guess + 0.25 * h * h * a;
    v = v_guess + 0.5 * h * a;
    if (step % steps_per_frame == 0) result.push_back(u);
  }
  return result;
}

TEST(FullModel, AllModesFollowASteadyPushToRoundOff) {
  const Limb limb = make_limb(2);
  const auto all = static_cast<std::size_t>(limb.modes.omega_squared.size());
  ASSERT_LT(all, 600U);
  ReducedLimb player(limb, all);
  // x = a t^2 / 2 has the same second difference at every frame, so the player sees the true
  // acceleration, from the middle of its first frame on.
  const double dt = 1.0 / 60;
  const Vec3 a(3, -2, 4);
  const int frames = 12;
  for (int k = 0; k <= frames; ++k) {
    BoneState bone;
    bone.position = 0.5 * std::pow(k * dt, 2) * a;
    player.step(bone, dt);
  }
  BoneState steady;
  steady.acceleration = a;
  const Eigen::VectorXd expected =
      constant_force_response(limb, limb.force(steady), (frames - 0.5) * dt);
  const double error = (player.displacement() - expected).norm() / expected.norm();
  RecordProperty("relative_error", fmt::format("{:.2e}", error));
  // Coefficients come out as floats.
  EXPECT_LT(error, 3e-7);
}

TEST(FullModel, AllModesFollowASteadySpinToRoundOff) {
  const Limb limb = make_limb(2);
  const auto all = static_cast<std::size_t>(limb.modes.omega_squared.size());
  ReducedLimb player(limb, all);
  // About the vertical, so that gravity does not change in the bone's frame.
  const double dt = 1.0 / 60;
  const Vec3 spin(0, 9, 0);
  const int frames = 12;
  for (int k = 0; k <= frames; ++k) {
    BoneState bone;
    bone.rotation = Eigen::AngleAxisd(9 * k * dt, Vec3::UnitY());
    player.step(bone, dt);
  }
  BoneState steady;
  steady.spin = spin;
  const Eigen::VectorXd expected = constant_force_response(limb, limb.force(steady), frames * dt);
  const double error = (player.displacement() - expected).norm() / expected.norm();
  EXPECT_LT(error, 3e-7);
}

TEST(FullModel, ErrorFallsWithTheNumberOfModes) {
  const Limb limb = make_limb(4);
  constexpr double kSeconds = 1.0;
  constexpr int kFrames = 60;
  const auto full = full_response(limb, kSeconds, kFrames, 64);
  double norm = 0;
  for (const Eigen::VectorXd& u : full) norm += u.squaredNorm();
  const auto all = static_cast<std::size_t>(limb.modes.omega_squared.size());
  const auto error = [&](std::size_t count, int steps_per_frame) {
    ReducedLimb player(limb, count);
    double sum = 0;
    const double dt = kSeconds / (kFrames * steps_per_frame);
    player.step(hop(0), dt);
    for (int k = 1; k <= kFrames * steps_per_frame; ++k) {
      player.step(hop(k * dt), dt);
      if (k % steps_per_frame == 0) {
        sum += (player.displacement() - full[k / steps_per_frame - 1]).squaredNorm();
      }
    }
    return std::sqrt(sum / norm);
  };
  std::string table = "modes   60 Hz      240 Hz     1920 Hz\n";
  double last = 1;
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{5}, std::size_t{20}, std::size_t{80}, all}) {
    const double fine = error(count, 32);
    table += fmt::format("{:5}   {:.2e}   {:.2e}   {:.2e}\n", count, error(count, 1),
                         error(count, 4), fine);
    EXPECT_LE(fine, last * 1.0001);
    last = fine;
  }
  std::fputs(table.c_str(), stderr);
  // What is left with all modes is time: it falls with the square of the frame.
  EXPECT_LT(error(all, 32), 2e-4);
  EXPECT_NEAR(std::log2(error(all, 2) / error(all, 4)), 2, 0.35);
}

}  // namespace
}  // namespace supple::bake
