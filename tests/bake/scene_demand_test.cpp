// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/demand.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace supple::bake::detail {
namespace {

SceneSettings settings_of(std::size_t states, bool adaptive) {
  SceneSettings settings;
  settings.sampling.states = states;
  settings.sampling.adaptive = adaptive;
  return settings;
}

TEST(SceneDemand, GrowsWithWhatIsKept) {
  // 20,000 frames of 2,000 vertices as floats, and every fifth a state of 100 kB.
  const SceneDemand demand = estimate_demand(settings_of(20'000, false), {2000, 25'000, 100'000});
  const double kept = 20'000 * (12.0 * 2000 + 100'000 / 5.0);
  EXPECT_GT(demand.disk, kept);
  EXPECT_LT(demand.disk, 1.2 * kept);  // and a batch of chains
  EXPECT_GT(estimate_demand(settings_of(20'000, true), {2000, 25'000, 100'000}).disk, kept);
  // The samples are not in memory at once.
  EXPECT_LT(demand.memory, demand.disk);
  // 48 coordinates of each state in doubles, and shapes of the drawn vertices.
  EXPECT_GT(demand.memory, 8.0 * 48 * (20'000 + 3 * 25'000));
}

TEST(SceneDemand, TooLittleDiskOrMemoryIsAnErrorWithFigures) {
  const SceneDemand demand{3e9, 2e9};
  EXPECT_TRUE(check_demand(demand, {4e9, 4e9}, "a.work").ok());
  const auto disk = check_demand(demand, {1e9, 4e9}, "a.work");
  ASSERT_FALSE(disk.ok());
  EXPECT_EQ(disk.error().code(), ErrorCode::Io);
  EXPECT_NE(disk.error().message().find("3.00 GB of disk in 'a.work', and 1.00 GB are free"),
            std::string::npos)
      << disk.error().message();
  const auto memory = check_demand(demand, {4e9, 1e9}, "a.work");
  ASSERT_FALSE(memory.ok());
  EXPECT_NE(memory.error().message().find("2.00 GB of memory, and the machine has 1.00 GB"),
            std::string::npos)
      << memory.error().message();
  const double unknown = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(check_demand(demand, {unknown, unknown}, "a.work").ok());
}

TEST(SceneDemand, FoldersNeedNotExist) {
  const SceneDemand here = measure_supply(".");
  EXPECT_GT(here.disk, 0);
  EXPECT_GT(here.memory, 0);
  EXPECT_LT(measure_supply("no/such/folder").disk, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace supple::bake::detail
