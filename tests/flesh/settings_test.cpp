// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/settings.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

namespace supple::flesh {
namespace {

ObjectSettings left_thigh() {
  ObjectSettings settings;
  settings.name = "thigh";
  settings.region.bones = {"LeftUpLeg"};
  return settings;
}

TEST(TissuePresets, EveryOneIsValidAndFoundByItsName) {
  std::set<std::string> names;
  for (const fem::Material& preset : tissue_presets()) {
    EXPECT_TRUE(preset.validate().ok()) << preset.name;
    EXPECT_TRUE(names.insert(preset.name).second) << preset.name << " twice";
    const auto found = find_tissue(preset.name);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->youngs_modulus, preset.youngs_modulus);
  }
  for (const char* promised : {"fat", "muscle", "skin", "gelatine", "rubber"}) {
    EXPECT_TRUE(names.contains(promised)) << promised;
  }
}

TEST(TissuePresets, LieWithinTheMeasuredRanges) {
  // Ranges of the sources that the table cites.
  const auto modulus = [](const char* name) { return find_tissue(name)->youngs_modulus; };
  EXPECT_NEAR(modulus("fat"), 3.25e3, 0.91e3);       // [SZP07]
  EXPECT_NEAR(modulus("muscle"), 12.5e3, 7.5e3);     // [GDM10]
  EXPECT_NEAR(modulus("skin"), 250e3, 150e3);        // [DPG00]
  EXPECT_NEAR(modulus("gelatine"), 3 * 20e3, 10e3);  // [NZR14]
}

TEST(TissuePresets, UnknownNamesNameTheKnownOnes) {
  const auto missing = find_tissue("muscel");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), ErrorCode::BadInput);
  const std::string text = missing.error().describe();
  EXPECT_NE(text.find("did you mean 'muscle'"), std::string::npos) << text;
  EXPECT_NE(text.find("rubber"), std::string::npos) << text;
}

TEST(ObjectSettings, DefaultsWork) {
  const auto valid = left_thigh().validate();
  EXPECT_TRUE(valid.ok()) << valid.error().describe();
  EXPECT_FALSE(ObjectSettings().validate().ok()) << "no name, no region";
}

TEST(ObjectSettings, EveryValueOutOfRangeIsNamed) {
  using Spoil = std::function<void(ObjectSettings&)>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const fem::Material fat = tissue_presets().front();
  const std::vector<std::pair<const char*, Spoil>> cases{
      {"name", [](ObjectSettings& s) { s.name.clear(); }},
      {"surface_material", [](ObjectSettings& s) { s.region.bones.clear(); }},
      {"bone has no name", [](ObjectSettings& s) { s.region.bones.emplace_back(); }},
      {"no material", [](ObjectSettings& s) { s.layers.clear(); }},
      {"Poisson", [](ObjectSettings& s) { s.layers[0].material.poisson_ratio = 0.5; }},
      {"has no depth",
       [&](ObjectSettings& s) {
         s.layers = {{fat, 0}, {fat, 0}};
       }},
      {"must grow",
       [&](ObjectSettings& s) {
         s.layers = {{fat, 0.02}, {fat, 0.01}};
       }},
      {"depth",
       [&](ObjectSettings& s) {
         s.layers = {{fat, -1}};
       }},
      {"damping.ratio", [](ObjectSettings& s) { s.damping = DampingRatio{-0.1}; }},
      {"alpha",
       [&](ObjectSettings& s) {
         s.damping = RayleighDamping{nan, 0};
       }},
      {"beta",
       [](ObjectSettings& s) {
         s.damping = RayleighDamping{0, -1};
       }},
      {"settle", [](ObjectSettings& s) { s.damping = SettlesIn{0}; }},
      {"radius", [&](ObjectSettings& s) { s.core.radius = nan; }},
      {"fraction", [](ObjectSettings& s) { s.core.fraction = 1; }},
      {"border", [](ObjectSettings& s) { s.border = 1; }},
      {"ramp", [&](ObjectSettings& s) { s.ramp = nan; }},
      {"less than border", [](ObjectSettings& s) { s.ramp = 0.1; }},
      {"elements", [](ObjectSettings& s) { s.elements = 0; }},
      {"modes", [](ObjectSettings& s) { s.modes = 0; }},
      {"capture", [](ObjectSettings& s) { s.capture = 1; }},
      {"max_modes", [](ObjectSettings& s) { s.max_modes = -1; }},
      {"sag", [](ObjectSettings& s) { s.sag = -0.1; }},
      {"limit", [](ObjectSettings& s) { s.limit = -0.01; }},
  };
  for (const auto& [word, spoil] : cases) {
    ObjectSettings settings = left_thigh();
    spoil(settings);
    const auto valid = settings.validate();
    ASSERT_FALSE(valid.ok()) << word;
    EXPECT_EQ(valid.error().code(), ErrorCode::BadInput);
    EXPECT_NE(valid.error().describe().find(word), std::string::npos) << valid.error().describe();
    EXPECT_NE(valid.error().describe().find("object '"), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace supple::flesh
