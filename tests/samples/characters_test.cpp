// SPDX-License-Identifier: Apache-2.0
#include "samples/characters.hpp"

#include "supple/bake/settings.hpp"

#include <gtest/gtest.h>

namespace supple::samples {
namespace {

TEST(Characters, AreAllThereAndWhole) {
  for (const CharacterSample& sample : character_samples()) {
    const auto made = make_character_sample(sample.name, 2000);
    ASSERT_TRUE(made.ok()) << made.error().describe();
    EXPECT_TRUE(made->model.validate().ok()) << sample.name;
    const auto settings = bake::parse_bake_settings(made->bake_toml, sample.name);
    EXPECT_TRUE(settings.ok()) << settings.error().describe();
    EXPECT_FALSE(sample.description.empty());
  }
}

TEST(Characters, AreOfferedByName) {
  ASSERT_NE(find_character_sample("dyrt-man"), nullptr);
  EXPECT_EQ(find_character_sample("nobody"), nullptr);
  const auto made = make_character_sample("nobody");
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().describe().find("dyrt-man"), std::string::npos);
}

}  // namespace
}  // namespace supple::samples
