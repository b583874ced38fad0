// SPDX-License-Identifier: Apache-2.0
// A swim's BVH file as Blender reads it.
#include "supple/io/bvh.hpp"

#include "oracle/runs.hpp"
#include "source_directory.hpp"
#include "temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace supple::io {
namespace {

using oracle::runs;
using supple::testing::TemporaryDirectory;

TEST(BvhInBlender, PutsTheJointsOfASwimWhereWeDo) {
  if (!runs("blender --version")) GTEST_SKIP() << "SKIPPED: Blender is missing";
  const TemporaryDirectory directory;
  const std::string file = directory.path("swim.bvh");
  ASSERT_TRUE(runs(fmt::format("'{}' swim paper --seconds 3 -q -o '{}'",
                               supple::testing::built_program().string(), file)));
  const auto bvh = read_bvh(std::filesystem::path(file));
  ASSERT_TRUE(bvh.ok()) << bvh.error().describe();
  const std::vector<int> frames{0, 37, 90, 180};
  ASSERT_TRUE(
      runs(fmt::format("SUPPLE_OUT='{}' blender -b --factory-startup --python-exit-code 1 --python "
                       "'{}/tests/oracle/blender_bvh.py' -- '{}' {}",
                       directory.path("out.json"), supple::testing::source_directory().string(),
                       file, fmt::join(frames, " "))));
  const auto seen = nlohmann::json::parse(directory.read("out.json"));
  ASSERT_EQ(seen.size(), frames.size());
  constexpr double kTolerance = 1e-3;  // m: floats, and six decimals of angles along a chain
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const auto pose = bvh_pose(*bvh, frames[k] * bvh->frame_time);
    for (std::size_t j = 0; j < bvh->joints.size(); ++j) {
      const auto& place = seen[k].at(bvh->joints[j].name);
      const geometry::Vec3 at(place[0], place[1], place[2]);
      EXPECT_LT((at - pose[j].translation()).norm(), kTolerance)
          << bvh->joints[j].name << " in frame " << frames[k];
    }
  }
}

}  // namespace
}  // namespace supple::io
