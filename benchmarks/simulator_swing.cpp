// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/bullet_deformable.hpp"
#include "benchmarks/measure.hpp"
#include "supple/core/hash.hpp"
#include "supple/core/parallel.hpp"
#include "supple/fem/motion.hpp"
#include "supple/fem/quadratic_energies.hpp"
#include "supple/fem/solid_energy.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/reduction/cholesky.hpp"
#include "supple/reduction/multivector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace supple::bench {
namespace {

constexpr double kStepTarget = 0.1;  // seconds, 6,480 elements at 60 Hz on one core
constexpr double kStepStretch = 0.06;
constexpr int kSwingSteps = 60;
/// Where Newton's method stops: unbalanced force relative to all forces, and m/s.
constexpr double kSwingForce = 1e-6;
constexpr double kSwingSpeed = 1e-4;

/// A box of rubber, 6,480 elements, held at one end.
fem::SolidModel rubber_box() {
  fem::SolidModel model;
  geometry::Box box;
  box.add(geometry::Vec3(0, 0, 0));
  box.add(geometry::Vec3(0.36, 0.2, 0.12));
  model.mesh = geometry::box_mesh(box, 18, 10, 6);
  model.materials = {{"rubber", 1e5, 0.45, 1000}};
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (const auto node : model.mesh.node_sets.at("x_min")) model.fixed[node] = fem::kFixAll;
  return model;
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The body as it swings down from rest.
struct Swinging {
  fem::SolidModel model = rubber_box();
  Eigen::VectorXd masses = fem::lumped_masses(model);
  fem::SolidEnergy elastic{model, fem::SolidLaw::StableNeoHookean};
  fem::DeadLoad gravity{fem::weight(masses, {0, 0, -9.81})};
  fem::Newton newton{fem::FreeVertices(model.fixed, masses), masses};
  fem::MotionState state;
  std::vector<double> seconds;
  int iterations = 0;

  Swinging() {
    state.x.resize(static_cast<Eigen::Index>(3 * model.mesh.nodes.size()));
    for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
      state.x.segment<3>(static_cast<Eigen::Index>(3 * i)) = model.mesh.nodes[i];
    }
    state.v = Eigen::VectorXd::Zero(state.x.size());
  }

  Result<void> run() {
    fem::StepSettings settings;
    settings.relative_force = kSwingForce;
    settings.speed = kSwingSpeed;
    for (int i = 0; i < kSwingSteps; ++i) {
      Result<fem::NewtonReport> report = fem::NewtonReport{};
      seconds.push_back(seconds_of([&] {
        report = fem::step(newton, {&elastic, &gravity}, settings, state);
      }));
      if (!report.ok()) return Error(report.error());
      iterations += report->iterations;
    }
    return {};
  }
};

/// Multiplications and additions of one element's exact Hessian, counted in
/// SolidEnergy::write_hessian: F 72, cofactors 27, products with gradients 120, and for each of 10
/// blocks 18 + 9 of the outer product, 5 + 4 of the diagonal, 9 + 15 + 9 of the turn.
constexpr double kElementFlops = 72 + 27 + 120 + 10 * (27 + 9 + 33);

struct Parts {
  double gradient = 0, exact = 0, definite = 0, factor = 0, solve = 0;  ///< s
  double factor_flops = 0, factor_bytes = 0, peak = 0;
};

Result<Parts> measure_parts(Swinging& body) {
  Parts parts;
  constexpr int kRounds = 15;
  const Eigen::VectorXd& x = body.state.x;
  fem::MassAnchor inertia(body.masses, 3600, x);
  fem::EnergySum sum({&body.elastic, &inertia});
  std::vector<double> blocks(9 * body.elastic.coupling_count());
  reduction::BlockMatrix k = fem::hessian(sum, x, fem::Curvature::Definite);
  SUPPLE_TRY(reduction::SymbolicFactor analysed, reduction::analyse(*k.graph));
  parts.factor_flops = analysed.flops;
  parts.factor_bytes = 8 * analysed.entries;
  const auto symbolic = std::make_shared<const reduction::SymbolicFactor>(std::move(analysed));
  using Factor = reduction::Cholesky<double>;
  SUPPLE_TRY(const auto factor, Factor::factorise(symbolic, k, nullptr, 0));
  reduction::MultiVector solution;
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(x.size());
  const reduction::MultiVector dense = reduction::MultiVector::Random(2048, 256);
  const auto medians = interleaved_medians(
      {{[&] { body.elastic.add_gradient(x, gradient); }, 3},
       {[&] { body.elastic.write_hessian(x, fem::Curvature::Exact, blocks); }, 1},
       {[&] { body.elastic.write_hessian(x, fem::Curvature::Definite, blocks); }, 1},
       {[&] { (void)Factor::factorise(symbolic, k, nullptr, 0); }, 1},
       {[&] { factor->apply(x, solution); }, 3},
       {[&] { (void)reduction::inner_products(dense, dense); }, 1}},
      kRounds);
  parts.gradient = medians[0];
  parts.exact = medians[1];
  parts.definite = medians[2];
  parts.factor = medians[3];
  parts.solve = medians[4];
  parts.peak = 2.0 * 2048 * 256 * 256 / medians[5];
  return parts;
}

std::string bullet_row(const Swinging& body, double ours) {
  const auto world = make_bullet_solid(body.model);
  if (world == nullptr) return "| Bullet's deformable world | not installed | | | |\n";
  std::vector<double> seconds;
  for (int i = 0; i < kSwingSteps; ++i) seconds.push_back(seconds_of([&] { world->step(); }));
  const std::vector<geometry::Vec3> theirs = world->positions();
  double furthest = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const geometry::Vec3 p = body.state.x.segment<3>(static_cast<Eigen::Index>(3 * i));
    furthest = std::max(furthest, (theirs[i] - p).norm());
  }
  return fmt::format(
      "| Bullet's deformable world, single precision, its default iterations | {:.1f} ms | "
      "{:.1f} ms | – | {:.2f} of ours; up to {:.1f} mm away in the end |\n",
      1e3 * median(seconds), 1e3 * *std::ranges::max_element(seconds), median(seconds) / ours,
      1e3 * furthest);
}

}  // namespace

Result<std::string> free_swing() {
  set_thread_count(1);
  Swinging body;
  SUPPLE_TRY_VOID(body.run());
  SUPPLE_TRY(const Parts parts, measure_parts(body));
  const double step = median(body.seconds);
  Hasher hasher;
  hasher.add(
      std::as_bytes(std::span(body.state.x.data(), static_cast<std::size_t>(body.state.x.size()))));
  const std::string peer = bullet_row(body, step);
  set_thread_count(0);
  const auto elements = static_cast<double>(body.model.mesh.element_count());
  const double hessian_flops = elements * kElementFlops;
  const double hessian_bytes = elements * 8 * (12 + 4 + 90);
  std::string text = fmt::format(
      "## Simulator: free swing\n\n"
      "A rubber box of {} linear elements (stable neo-Hookean, nu = 0.45), held at one end, swings "
      "down at 60 Hz by implicit Euler: {} steps on one core, each converged to {:.0e} of all "
      "forces or {:.0e} m/s. {}\n\n"
      "| what | median | slowest | target | |\n| --- | --- | --- | --- | --- |\n"
      "| Supple, a step | {:.1f} ms | {:.1f} ms | {:.0f} ms (stretch {:.0f}): {} | {:.1f} Newton "
      "iterations, hash `{}` |\n{}\n",
      body.model.mesh.element_count(), kSwingSteps, kSwingForce, kSwingSpeed, load_note(),
      1e3 * step, 1e3 * *std::ranges::max_element(body.seconds), 1e3 * kStepTarget,
      1e3 * kStepStretch, step <= kStepTarget ? "yes" : "**no**",
      static_cast<double>(body.iterations) / kSwingSteps, hasher.finish().hex().substr(0, 16),
      peer);
  text += fmt::format(
      "The parts of a Newton iteration. One core multiplies dense matrices at {:.1f} GFlop/s here, "
      "in the same run.\n\n"
      "| part | time | MFlop | MB | GFlop/s |\n| --- | --- | --- | --- | --- |\n"
      "| gradient | {:.2f} ms | | | |\n"
      "| exact Hessian of elements | {:.2f} ms | {:.1f} | {:.1f} | {:.1f} |\n"
      "| definite Hessian of elements | {:.2f} ms | | | |\n"
      "| factorisation | {:.2f} ms | {:.0f} | {:.1f} | {:.1f} |\n"
      "| solution | {:.2f} ms | {:.1f} | {:.1f} | {:.1f} |\n",
      1e-9 * parts.peak, 1e3 * parts.gradient, 1e3 * parts.exact, 1e-6 * hessian_flops,
      1e-6 * hessian_bytes, 1e-9 * hessian_flops / parts.exact, 1e3 * parts.definite,
      1e3 * parts.factor, 1e-6 * parts.factor_flops, 1e-6 * parts.factor_bytes,
      1e-9 * parts.factor_flops / parts.factor, 1e3 * parts.solve, 0.5e-6 * parts.factor_bytes,
      1e-6 * parts.factor_bytes, 0.5e-9 * parts.factor_bytes / parts.solve);
  return text;
}

}  // namespace supple::bench
