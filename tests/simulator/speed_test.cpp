// SPDX-License-Identifier: Apache-2.0
#include "simulator/bodies.hpp"
#include "supple/core/parallel.hpp"
#include "supple/reduction/symbolic_factor.hpp"
#include "supple/simulator/world.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

namespace supple::simulator {
namespace {

/// 6,600 elements of rubber, 0.2 m high.
Solid large_block() {
  geometry::Box box;
  box.add(Vec3(-0.1, 0.0015, -0.1));
  box.add(Vec3(0.1, 0.2015, 0.1));
  return solid("block", geometry::box_mesh(box, 10, 11, 10), {"rubber", 1e6, 0.45, 1000});
}

struct StepCost {
  double milliseconds = 0;  ///< processor time of one thread
  double iterations = 0;
  std::size_t contacts = 0;
  StageSeconds seconds;
};

/// The mean of `steps` steps on one thread.
StepCost cost_of(World& world, int steps) {
  set_thread_count(1);
  const std::clock_t begin = std::clock();
  const RunSummary summary = run(world, steps);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  set_thread_count(0);
  return {1e3 * seconds / steps, summary.iterations / static_cast<double>(steps),
          summary.contacts_max, summary.seconds};
}

void print(const char* name, const StepCost& cost, int steps) {
  const double wall = cost.seconds.total / 100;
  fmt::print(
      "{}: {:.0f} ms a step, {:.2f} iterations, {} contacts; assembly {:.0f} %, factors {:.0f} %, "
      "search {:.0f} %, candidates {:.0f} %, check {:.0f} % of {} steps\n",
      name, cost.milliseconds, cost.iterations, cost.contacts, cost.seconds.assembly / wall,
      cost.seconds.factorisation / wall, cost.seconds.search / wall, cost.seconds.candidates / wall,
      cost.seconds.check / wall, steps);
}

/// Prints what docs/simulator.md says about speed; fails only far beyond it, since machines differ.
TEST(Speed, OfALargeBlock) {
  constexpr double kFarTooSlow = 1000;  // ms
  constexpr int kSteps = 10;
  Description swing;
  swing.solids.push_back(large_block());
  swing.gravity = Vec3(5, -9.81, 2);
  swing.pins.push_back({"block", swing.solids[0].model.mesh.node_sets.at("y_max"), {}});
  World swinging = make_world(swing);
  run(swinging, 5);
  const StepCost free = cost_of(swinging, kSteps);
  print("free swing", free, kSteps);

  Description lie;
  lie.solids.push_back(large_block());
  lie.obstacles.push_back(obstacle("floor", plane_mesh(Vec3(0.01, 0, 0.02), Vec3::UnitY(), 1)));
  World lying = make_world(lie);
  run(lying, 5);
  ASSERT_TRUE(lying.push(0, {5, 77, 1300}, Vec3(0.5, 0, 0.5)).ok());
  const StepCost contact = cost_of(lying, kSteps);
  print("lying", contact, kSteps);
  EXPECT_LT(free.milliseconds, kFarTooSlow);
  EXPECT_LT(contact.milliseconds, kFarTooSlow);

  const fem::SolidEnergy energy(swing.solids[0].model, swing.solids[0].law);
  Eigen::VectorXd x(3 * static_cast<Eigen::Index>(swing.solids[0].model.mesh.nodes.size()));
  for (Eigen::Index i = 0; i < x.size() / 3; ++i) {
    x.segment<3>(3 * i) = swing.solids[0].model.mesh.nodes[static_cast<std::size_t>(i)];
  }
  const auto factor = reduction::analyse(*fem::hessian(energy, x, fem::Curvature::Definite).graph);
  ASSERT_TRUE(factor.ok());
  fmt::print("factor: {:.2f} GFlop, {:.1f} MB\n", 1e-9 * factor->flops, 8e-6 * factor->entries);
}

}  // namespace
}  // namespace supple::simulator
