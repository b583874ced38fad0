// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/solid_materials.hpp"

#include <gtest/gtest.h>

namespace supple::bake {
namespace {

TEST(MaterialPresets, AreValidAndListed) {
  for (const fem::Material& preset : material_presets()) {
    EXPECT_TRUE(preset.validate().ok()) << preset.name;
    EXPECT_NE(describe_presets().find(preset.name), std::string::npos);
    ASSERT_TRUE(parse_material(preset.name).ok());
    EXPECT_EQ(parse_material(preset.name)->density, preset.density);
  }
}

TEST(MaterialPresets, ThreeNumbersAreReadInOrder) {
  const auto material = parse_material("1.5e4,0.45,980");
  ASSERT_TRUE(material.ok());
  EXPECT_EQ(material->youngs_modulus, 15000);
  EXPECT_EQ(material->poisson_ratio, 0.45);
  EXPECT_EQ(material->density, 980);
}

TEST(MaterialPresets, UnreadableTextIsUsageAndBadValuesAreInput) {
  for (const char* text :
       {"", "flesh", "1,2", "1,0.3,1000,4", "a,0.3,1000", "1,,3", ",,", "1e4x,.3,1"}) {
    ASSERT_FALSE(parse_material(text).ok()) << text;
    EXPECT_EQ(parse_material(text).error().code(), ErrorCode::Usage) << text;
  }
  for (const char* text : {"0,0.3,1000", "1e4,0.5,1000", "1e4,0.3,0", "nan,0.3,1", "inf,0.3,1"}) {
    ASSERT_FALSE(parse_material(text).ok()) << text;
    EXPECT_EQ(parse_material(text).error().code(), ErrorCode::BadInput) << text;
  }
}

TEST(MaterialPresets, RegionsTakeWhatComesBeforeTheEqualsSign) {
  const auto region = parse_region_material("left thigh=muscle");
  ASSERT_TRUE(region.ok());
  EXPECT_EQ(region->region, "left thigh");
  EXPECT_EQ(region->material.name, "muscle");
  EXPECT_FALSE(parse_region_material("muscle").ok());
  EXPECT_FALSE(parse_region_material("=muscle").ok());
}

}  // namespace
}  // namespace supple::bake
