// SPDX-License-Identifier: Apache-2.0
#include "simulator/bodies.hpp"
#include "simulator/stress_scenes.hpp"
#include "supple/simulator/world.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

namespace supple::simulator {
namespace {

/// Scene and steps per second.
class Stress : public testing::TestWithParam<std::tuple<std::size_t, int>> {};

/// Every accepted state is tested exactly; run() fails on the first intersection. Prints a row of
/// the table in docs/simulate.md.
TEST_P(Stress, NothingIntersects) {
  const StressScene& scene = stress_scenes()[std::get<0>(GetParam())];
  const int rate = std::get<1>(GetParam());
  Description description = scene.make();
  description.solver.h = 1.0 / rate;
  World world = make_world(std::move(description));
  const int steps = static_cast<int>(std::lround(scene.seconds * rate));
  const std::clock_t begin = std::clock();
  const RunSummary summary = run(world, steps);
  const double processor = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const StageSeconds& seconds = summary.seconds;
  const double percent = seconds.total / 100;
  fmt::print(
      "| {} | 1/{} | {} | {:.1f} | {} | {} | {} | {:.2g} | {:.0f} | {:.0f} {:.0f} {:.0f} |\n",
      scene.name, rate, world.vertex_count(), static_cast<double>(summary.iterations) / steps,
      summary.most_iterations, summary.divided, summary.contacts_max,
      1e3 * summary.smallest_distance, 1e3 * processor / steps, seconds.assembly / percent,
      seconds.factorisation / percent, (seconds.search + seconds.candidates) / percent);
}

std::string stress_name(const testing::TestParamInfo<std::tuple<std::size_t, int>>& info) {
  return fmt::format("{}At{}Hz", stress_scenes()[std::get<0>(info.param)].name,
                     std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Scenes, Stress,
                         testing::Combine(testing::Range(std::size_t{0}, std::size_t{10}),
                                          testing::Values(30, 60, 240)),
                         stress_name);

}  // namespace
}  // namespace supple::simulator
