// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/bullet_deformable.hpp"
#include "benchmarks/measure.hpp"
#include "supple/bake/simulate.hpp"
#include "supple/contact/candidates.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"
#include "supple/geometry/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace supple::bench {
namespace {

using geometry::Vec3;
using simulator::World;

constexpr double kLyingTarget = 0.15;  // seconds a step, 6,600 elements with 200 contacts, one core
constexpr double kClothTarget = 20;    // seconds, slowest step
constexpr double kClothMemory = 2e9;
constexpr double kGrowthTarget = 1.4;  // exponent

/// What `supple simulate` would simulate.
Result<World> world_of(const std::string& toml) {
  bake::SimulateRequest request;
  request.model = {"benchmark", toml};
  SUPPLE_TRY(const bake::SimulateInput input, bake::read_scene(request));
  SUPPLE_TRY(simulator::Description description, bake::describe_simulation(input));
  return World::create(std::move(description));
}

struct ContactRun {
  std::vector<double> seconds;  ///< per step
  int iterations = 0;
  std::size_t contacts = 0;       ///< at most
  std::size_t intersections = 0;  ///< over all steps
};

Result<ContactRun> run_steps(World& world, int steps) {
  ContactRun run;
  for (int i = 0; i < steps; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    SUPPLE_TRY(const simulator::StepReport report, world.step());
    run.seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    run.iterations += report.iterations;
    run.contacts = std::max(run.contacts, report.contacts);
    run.intersections += world.count_intersections();
  }
  return run;
}

/// A block of 6,600 elements comes down on a floor and rocks.
Result<std::string> lying_row() {
  constexpr int kSettle = 10;
  constexpr int kContactSteps = 30;
  set_thread_count(1);
  SUPPLE_TRY(World world, world_of("[[solid]]\nname = \"block\"\nsize = [0.2, 0.22, 0.2]\n"
                                   "cells = 11\nposition = [0, 0.1115, 0]\nmaterial = "
                                   "{youngs_modulus = 1e6, poisson_ratio = 0.45, density = 1000}\n"
                                   "[[obstacle]]\nname = \"floor\"\nsize = [1, 0.02, 1]\n"
                                   "position = [0.01, -0.01, 0.02]\n"));
  SUPPLE_TRY_VOID(run_steps(world, kSettle));
  SUPPLE_TRY_VOID(world.push(0, {5, 77, 1300}, Vec3(0.5, 0, 0.5)));
  SUPPLE_TRY(const ContactRun run, run_steps(world, kContactSteps));
  set_thread_count(0);
  const double step = median(run.seconds);
  return fmt::format(
      "| a block of 6,600 elements on a floor, one core | {} | {:.0f} ms | {:.0f} ms "
      "| {:.1f} | {} | {:.0f} ms a step: {} |\n",
      world.bodies()[0].vertex_count, 1e3 * step, 1e3 * *std::ranges::max_element(run.seconds),
      static_cast<double>(run.iterations) / kContactSteps, run.intersections, 1e3 * kLyingTarget,
      step <= kLyingTarget ? "yes" : "**no**");
}

constexpr double kClothSide = 0.7;    // m
constexpr double kBallRadius = 0.15;  // m
constexpr double kClothThickness = 0.0015;

/// A cotton cloth of cells x cells just above a ball.
std::string cloth_scene(int cells) {
  return fmt::format(
      "[[cloth]]\nname = \"cloth\"\nsize = [{0}, 0, {0}]\ncells = {1}\nposition = [0.03, {2}, "
      "0.02]\n"
      "rotation = [0, 12, 0]\nthickness = {3}\nvelocity = [0, -1, 0]\ndamping = 0.002\n"
      "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nsize = [{4}, {4}, {4}]\ncells = 28\n",
      kClothSide, cells, kBallRadius + 0.004, kClothThickness, 2 * kBallRadius);
}

/// The same cloth in Bullet's world, and how often it meets itself or the ball, over all steps.
std::string bullet_cloth_row(const World& start, int steps, double ours) {
  BulletCloth cloth;
  const simulator::Body& body = start.bodies()[0];
  cloth.mesh.positions = start.positions(0);
  cloth.mesh.triangles = body.surface;
  cloth.mass = 0.15 * kClothSide * kClothSide;
  cloth.stiffness = 0.5 * std::sqrt(3) * 30e6 * 0.3e-3;  // of triangles: sqrt(3)/2 E t
  cloth.thickness = kClothThickness;
  cloth.friction = 0.3;
  cloth.centre = Vec3::Zero();
  cloth.radius = kBallRadius;
  const auto world = make_bullet_cloth(cloth);
  if (world == nullptr) return "| Bullet's deformable world | not installed | | | | | |\n";
  // A ball inside of the one that it collides with: what meets it has gone through the surface.
  std::vector<geometry::Triangle> triangles = body.surface;
  const geometry::TriMesh ball = geometry::sphere_surface(0.99 * kBallRadius, 3);
  const auto first = static_cast<geometry::Index>(cloth.mesh.positions.size());
  for (const geometry::Triangle& t : ball.triangles) {
    triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  const std::size_t count = cloth.mesh.positions.size() + ball.positions.size();
  std::vector<std::uint8_t> free(count, 0);
  std::fill_n(free.begin(), cloth.mesh.positions.size(), std::uint8_t{1});
  const contact::ContactMesh mesh = contact::make_contact_mesh(std::move(triangles), free);
  Eigen::VectorXd x(static_cast<Eigen::Index>(3 * count));
  for (std::size_t i = 0; i < ball.positions.size(); ++i) {
    x.segment<3>(static_cast<Eigen::Index>(3 * (first + i))) = ball.positions[i];
  }
  std::vector<double> seconds;
  std::size_t intersections = 0;
  for (int i = 0; i < steps; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    world->step();
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    const std::vector<Vec3> positions = world->positions();
    for (std::size_t k = 0; k < positions.size(); ++k) {
      x.segment<3>(static_cast<Eigen::Index>(3 * k)) = positions[k];
    }
    intersections += contact::find_intersections(mesh, x).size();
  }
  return fmt::format(
      "| Bullet's deformable world, the same cloth of springs, single precision, one core | {} | "
      "{:.0f} ms | {:.0f} ms | – | {} | a step takes {:.3f} of ours |\n",
      first, 1e3 * median(seconds), 1e3 * *std::ranges::max_element(seconds), intersections,
      median(seconds) / ours);
}

Result<std::string> cloth_rows() {
  constexpr int kContactSteps = 40;
  SUPPLE_TRY(World world, world_of(cloth_scene(99)));
  SUPPLE_TRY(const World start, world_of(cloth_scene(99)));
  SUPPLE_TRY(const ContactRun run, run_steps(world, kContactSteps));
  const double slowest = *std::ranges::max_element(run.seconds);
  const double memory = peak_memory_bytes();
  std::string rows = fmt::format(
      "| a cloth falls on a ball and folds, two cores, {} contacts | {} | {:.0f} ms | {:.0f} ms | "
      "{:.1f} | {} | no step above {:.0f} s: {}; memory {:.2f} GB, under {:.0f}: {} |\n",
      run.contacts, world.bodies()[0].vertex_count, 1e3 * median(run.seconds), 1e3 * slowest,
      static_cast<double>(run.iterations) / kContactSteps, run.intersections, kClothTarget,
      slowest <= kClothTarget ? "yes" : "**no**", 1e-9 * memory, 1e-9 * kClothMemory,
      memory <= kClothMemory ? "yes" : "**no**");
  return rows + bullet_cloth_row(start, kContactSteps, median(run.seconds));
}

Result<std::string> contact_growth() {
  constexpr int kContactSteps = 8;  // the first ones of the contact
  std::string rows;
  double first_vertices = 0;
  double first_seconds = 0;
  for (const int cells : {44, 99, 223}) {
    SUPPLE_TRY(World world, world_of(cloth_scene(cells)));
    SUPPLE_TRY(const ContactRun run, run_steps(world, kContactSteps));
    const double vertices = world.bodies()[0].vertex_count;
    double total = 0;
    for (const double s : run.seconds) total += s;
    const double step = total / kContactSteps;
    const bool is_first = first_vertices == 0;
    if (is_first) {
      first_vertices = vertices;
      first_seconds = step;
    }
    const double exponent =
        is_first ? 0 : std::log(step / first_seconds) / std::log(vertices / first_vertices);
    rows += fmt::format("| {} | {} | {:.1f} | {:.2f} s | {} |\n", vertices, run.contacts,
                        static_cast<double>(run.iterations) / kContactSteps, step,
                        is_first ? "–" : fmt::format("{:.2f}", exponent));
  }
  return rows;
}

}  // namespace

Result<std::string> simulated_contact() {
  std::string text = fmt::format(
      "## Simulator: contact\n\n"
      "Steps of 1/60 s with the settings of `supple simulate`. Intersections are counted by the "
      "exact test after every step. {}\n\n"
      "| what | vertices | median step | slowest | iterations | intersections | target |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n",
      load_note());
  SUPPLE_TRY(const std::string lying, lying_row());
  SUPPLE_TRY(const std::string cloth, cloth_rows());
  SUPPLE_TRY(const std::string growth, contact_growth());
  text += lying + cloth;
  text += fmt::format(
      "\nGrowth: the same cloth with smaller cells, the mean of the first 8 steps; the target of "
      "the exponent to the first row is {}.\n\n"
      "| vertices | contacts | iterations a step | a step | exponent |\n"
      "| --- | --- | --- | --- | --- |\n",
      kGrowthTarget);
  return text + growth;
}

}  // namespace supple::bench
