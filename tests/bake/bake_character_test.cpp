// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/bake_character.hpp"

#include "samples/requests.hpp"
#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace supple::bake {
namespace {

constexpr std::size_t kObjects = 4;

/// Objects that take random bones, some of them limited to a mask.
struct RandomObjects {
  std::vector<std::set<std::string>> bones;
  std::vector<bool> masked;

  RandomObjects(const std::vector<character::Bone>& all, Random& random) {
    for (std::size_t o = 0; o < kObjects; ++o) {
      std::set<std::string> taken;
      const std::size_t count = 1 + random.below(4);
      while (taken.size() < count) taken.insert(all[random.below(all.size())].name);
      bones.push_back(std::move(taken));
      masked.push_back(random.below(4) == 0);
    }
  }

  [[nodiscard]] std::string toml() const {
    std::string text;
    for (std::size_t o = 0; o < kObjects; ++o) {
      text += fmt::format("[[object]]\nname = \"object {}\"\nbones = [\"{}\"]\n", o,
                          fmt::join(bones[o], "\", \""));
      if (masked[o]) text += "mask = \"_SOFT\"\n";
    }
    return text;
  }

  /// "object 0, object 1, Spine" for every bone that two objects take without a mask.
  [[nodiscard]] std::multiset<std::string> shared() const {
    std::multiset<std::string> all;
    for (std::size_t a = 0; a < kObjects; ++a) {
      for (std::size_t b = a + 1; b < kObjects; ++b) {
        if (masked[a] || masked[b]) continue;
        for (const std::string& bone : bones[a])
          if (bones[b].count(bone) > 0)
            all.insert(fmt::format("object {}, object {}, {}", a, b, bone));
      }
    }
    return all;
  }
};

/// The names that warnings about shared bones put in quotes.
std::multiset<std::string> reported(const std::vector<std::string>& warnings) {
  std::multiset<std::string> all;
  for (const std::string& warning : warnings) {
    if (warning.find("both take the skin") == std::string::npos) continue;
    EXPECT_NE(warning.find("give each bone to one object"), std::string::npos) << warning;
    std::vector<std::string> names;
    for (std::size_t at = warning.find('\''); at != std::string::npos;) {
      const std::size_t end = warning.find('\'', at + 1);
      if (end == std::string::npos) break;
      names.push_back(warning.substr(at + 1, end - at - 1));
      at = warning.find('\'', end + 1);
    }
    all.insert(fmt::format("{}", fmt::join(names, ", ")));
  }
  return all;
}

TEST(BakeCharacter, ReportsBonesThatSeveralObjectsTake) {
  BakeRequest request;
  auto model = supple::samples::character_model("dyrt-man");
  ASSERT_TRUE(model.ok()) << model.error().describe();
  request.model = *std::move(model);
  request.model->bake_toml.clear();
  const auto plain = read_bake(request);
  ASSERT_TRUE(plain.ok()) << plain.error().describe();
  EXPECT_TRUE(reported(plain->warnings).empty());  // as chosen automatically
  Random random(3);
  std::size_t found = 0;
  for (int i = 0; i < 20; ++i) {
    const RandomObjects objects(plain->skin().bones, random);
    request.model->bake_toml = objects.toml();
    const auto input = read_bake(request);
    ASSERT_TRUE(input.ok()) << input.error().describe() << objects.toml();
    EXPECT_EQ(reported(input->warnings), objects.shared()) << objects.toml();
    found += objects.shared().size();
  }
  EXPECT_GT(found, 0U);
}

}  // namespace
}  // namespace supple::bake
