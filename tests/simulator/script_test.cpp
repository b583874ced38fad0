// SPDX-License-Identifier: Apache-2.0
#include "supple/simulator/script.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace supple::simulator {
namespace {

constexpr double kPoseError = 1e-12;
constexpr double kTurn = 2 * std::numbers::pi;

TEST(Script, MovesAtConstantVelocityWithinItsSpan) {
  const Script script{{Drift{Vec3(1, 2, 3), {1, 3}}}};
  EXPECT_LT(script.at(0.5).translation.norm(), kPoseError);
  EXPECT_LT((script.at(2).translation - Vec3(1, 2, 3)).norm(), kPoseError);
  EXPECT_LT((script.at(9).translation - Vec3(2, 4, 6)).norm(), kPoseError);
}

TEST(Script, TurnsAboutAnAxisThatIsNotThroughTheOrigin) {
  const Script script{{Turn{Vec3(1, 0, 0), Vec3(0, 5, 0), kTurn / 4, {}}}};
  EXPECT_LT((script.at(1)(Vec3(2, 7, 0)) - Vec3(1, 7, -1)).norm(), kPoseError);
  EXPECT_LT((script.at(2)(Vec3(2, 7, 0)) - Vec3(0, 7, 0)).norm(), kPoseError);
  EXPECT_LT((script.at(0.3)(Vec3(1, -4, 0)) - Vec3(1, -4, 0)).norm(), kPoseError);
}

TEST(Script, OscillatesFromWhereItStarts) {
  const Script script{{Oscillation{Vec3(0, 0.1, 0), 2, kTurn / 4, {}}}};
  EXPECT_LT(script.at(0).translation.norm(), kPoseError);
  EXPECT_NEAR(script.at(0.25).translation.y(), -0.2, kPoseError);
  EXPECT_NEAR(script.at(0.5).translation.y(), 0, kPoseError);
}

TEST(Script, GoesThroughItsKeyframes) {
  Keyframes keyframes;
  keyframes.centre = Vec3(1, 0, 0);
  keyframes.keys = {{1, Vec3::Zero(), Vec3::Zero()},
                    {2, Vec3(0, 1, 0), Vec3(0, 0, kTurn / 4)},
                    {4, Vec3(0, 1, 2), Vec3(0, 0, kTurn / 4)}};
  const Script script{{keyframes}};
  EXPECT_LT((script.at(0)(Vec3(2, 0, 0)) - Vec3(2, 0, 0)).norm(), kPoseError);
  EXPECT_LT((script.at(2)(Vec3(2, 0, 0)) - Vec3(1, 2, 0)).norm(), kPoseError);
  EXPECT_LT((script.at(3)(Vec3(2, 0, 0)) - Vec3(1, 2, 1)).norm(), kPoseError);
  EXPECT_LT((script.at(7)(Vec3(2, 0, 0)) - Vec3(1, 2, 2)).norm(), kPoseError);
  const double root = std::sqrt(0.5);
  EXPECT_LT((script.at(1.5)(Vec3(2, 0, 0)) - Vec3(1 + root, root + 0.5, 0)).norm(), kPoseError);
}

TEST(Script, AppliesMotionsOneAfterTheOther) {
  const Script script{{Drift{Vec3(1, 0, 0), {}}, Turn{Vec3::Zero(), Vec3::UnitZ(), kTurn / 4, {}}}};
  EXPECT_LT((script.at(1)(Vec3(1, 0, 0)) - Vec3(0, 2, 0)).norm(), kPoseError);
}

TEST(Script, RefusesWhatCannotBeFollowed) {
  const auto message = [](ScriptedMotion motion) {
    const Result<void> result = Script{{std::move(motion)}}.validate();
    return result.ok() ? std::string() : result.error().describe();
  };
  EXPECT_NE(message(Turn{Vec3::Zero(), Vec3::Zero(), 1, {}}).find("axis"), std::string::npos);
  EXPECT_NE(message(Drift{Vec3(0, NAN, 0), {}}).find("finite"), std::string::npos);
  EXPECT_NE(message(Drift{Vec3::Zero(), {2, 1}}).find("span"), std::string::npos);
  EXPECT_NE(message(Keyframes{}).find("keyframes"), std::string::npos);
  Keyframes jump;
  jump.keys = {{1, Vec3::Zero(), Vec3::Zero()}, {1, Vec3::Ones(), Vec3::Zero()}};
  EXPECT_NE(message(jump).find("keyframe 2"), std::string::npos);
  EXPECT_EQ(message(Oscillation{Vec3::Ones(), 1, 0, {}}), "");
}

}  // namespace
}  // namespace supple::simulator
