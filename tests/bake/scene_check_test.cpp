// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/scene_check.hpp"

#include <gtest/gtest.h>

namespace supple::bake {
namespace {

/// Two entries that take turns; the second response goes on to the end of the first.
soft::SceneTraits turns() {
  soft::SceneTraits scene;
  scene.palette = {{"open", "o", 1, 1, {1}, true}, {"close", "c", 1, 1, {0}, false}};
  scene.responses.resize(2);
  scene.responses[0].states = 2;
  scene.responses[0].rests = true;
  scene.responses[1].entry = 1;
  scene.responses[1].states = 3;
  scene.responses[1].onward = {0, 1};
  scene.q.setZero(1, 5);
  // Rows of two entries: states of the first response, of the second, and the start.
  const std::optional<std::uint32_t> none;
  scene.next = {none, 1, none, 1, 0, none, 0, none, 0, none, 0, none};
  return scene;
}

TEST(SceneCheck, CountsWhatPlayCanDo) {
  const SceneCheck check = *check_scene("door", turns());
  EXPECT_EQ(check.responses, 2U);
  EXPECT_EQ(check.reachable, 2U);
  EXPECT_EQ(check.resting, 2U);
}

TEST(SceneCheck, FindsResponsesThatNothingLeadsTo) {
  soft::SceneTraits scene = turns();
  soft::SceneResponse lonely;
  lonely.states = 1;
  scene.responses.push_back(lonely);
  scene.q.setZero(1, 6);
  scene.next.insert(scene.next.end() - 2, {std::nullopt, 1});
  const SceneCheck check = *check_scene("door", scene);
  EXPECT_EQ(check.responses, 3U);
  EXPECT_EQ(check.reachable, 2U);
}

TEST(SceneCheck, FindsResponsesThatNeverRest) {
  soft::SceneTraits scene = turns();
  scene.responses[0].rests = false;
  EXPECT_EQ(check_scene("door", scene)->resting, 0U);
  scene.responses[0].onward = {1, 0};  // round and round
  EXPECT_EQ(check_scene("door", scene)->resting, 0U);
}

TEST(SceneCheck, RefusesATableAgainstTheRules) {
  soft::SceneTraits forbidden = turns();
  forbidden.next[0] = 0;
  const auto first = check_scene("door", forbidden);
  ASSERT_FALSE(first.ok());
  EXPECT_NE(first.error().describe().find("forbid 'open' at frame 0 of response 0"),
            std::string::npos)
      << first.error().describe();
  soft::SceneTraits missing = turns();
  missing.next[10].reset();
  const auto second = check_scene("door", missing);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().describe().find("allow 'open' at the start"), std::string::npos)
      << second.error().describe();
}

}  // namespace
}  // namespace supple::bake
