// SPDX-License-Identifier: Apache-2.0
#include "supple/shell/settings.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace supple::shell {
namespace {

ObjectSettings good() {
  ObjectSettings settings;
  settings.name = "leaf";
  return settings;
}

TEST(ShellSettings, DefaultsNeedOnlyAName) {
  EXPECT_TRUE(good().validate().ok());
  EXPECT_FALSE(ObjectSettings{}.validate().ok());
}

TEST(ShellSettings, ComplaintsNameTheShellAndTheValue) {
  const auto complaint = [](auto&& spoil) {
    ObjectSettings settings = good();
    spoil(settings);
    const auto result = settings.validate();
    return result.ok() ? std::string("nothing") : result.error().message();
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto has = [](const std::string& text, const char* part) {
    return text.find("shell 'leaf'") != std::string::npos && text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(complaint([](auto& s) { s.modes = 0; }), "modes is 0"));
  EXPECT_TRUE(has(complaint([](auto& s) { s.tether = -1; }), "tether is -1"));
  EXPECT_TRUE(has(complaint([](auto& s) { s.limit = kNan; }), "limit is nan"));
  EXPECT_TRUE(has(complaint([](auto& s) { s.damping = DampingRatio{-0.1}; }), "damping.ratio"));
  EXPECT_TRUE(has(complaint([](auto& s) { s.damping = RayleighDamping{kNan, 0}; }), "mass"));
  EXPECT_TRUE(has(complaint([](auto& s) { s.damping = RayleighDamping{0, -1}; }), "stiffness"));
  EXPECT_TRUE(has(complaint([](auto& s) {
                    s.damping = RayleighDamping{2e6, 0};
                  }),
                  "from 0 to 1e+06"));
  EXPECT_TRUE(has(complaint([](auto& s) { s.points = 2'000'000; }), "points is 2000000"));
}

}  // namespace
}  // namespace supple::shell
