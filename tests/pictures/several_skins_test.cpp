// SPDX-License-Identifier: Apache-2.0
#include "bake/split_skins.hpp"
#include "cli/small_characters.hpp"
#include "pictures/studio.hpp"
#include "temporary_directory.hpp"

#include "supple/bake/bake_character.hpp"
#include "supple/core/files.hpp"
#include "supple/pictures/subject.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>

namespace supple::pictures::testing {
namespace {

using bake::testing::SkinStyle;
using bake::testing::SkinWriter;
using geometry::Vec3;

/// The tube baked from a file, as `supple bake` does it; `supple render` shows it by its player.
Result<Subject> baked_tube(const SkinWriter& writer, const supple::testing::TemporaryDirectory& in,
                           const std::string& name) {
  bake::BakeRequest request;
  request.character = (in / (name + ".glb")).string();
  request.config = (in / "bake.toml").string();
  request.output = (in / (name + "_soft.glb")).string();
  SUPPLE_TRY_VOID(write_file(request.character, writer.glb()));
  const std::string toml =
      "[[object]]\nbone = \"Leg\"\nelements = 400\nmodes = 3\n"
      "[output]\nfloat32 = true\n";
  SUPPLE_TRY_VOID(write_file(request.config, toml));
  OutputSet output;
  SUPPLE_TRY_VOID(bake::bake_character(request, output));
  SUPPLE_TRY_VOID(output.commit());
  SubjectRequest wanted;
  wanted.file = request.output;
  wanted.soft = (in / (name + "_soft.supple")).string();
  wanted.clip = "1";
  return Subject::load(wanted);
}

double mean_difference(const io::Image& a, const io::Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rgba.size(); ++i) sum += std::abs(a.rgba[i] - b.rgba[i]);
  return sum / static_cast<double>(a.rgba.size());
}

TEST(SeveralSkins, AreDrawnAsOne) {
  auto tube = supple::testing::tube_character().read();
  ASSERT_TRUE(tube.ok());
  // A round tube bends in all directions at the same frequency: its modes would be any two of them.
  for (Vec3& p : tube->meshes[0].primitives[0].positions) {
    p = {1.4 * p.x() + 0.05 * p.y(), p.y(), p.z() + 0.03 * p.x()};
  }
  const supple::testing::TemporaryDirectory directory;
  SkinWriter whole_writer(1);
  whole_writer.add(*tube, {SkinStyle{}});
  SkinWriter split_writer(1);
  Random random(1);
  split_writer.add(*tube, bake::testing::exact_styles(random));
  const auto whole = baked_tube(whole_writer, directory, "whole");
  const auto split = baked_tube(split_writer, directory, "split");
  ASSERT_TRUE(whole.ok()) << whole.error().describe();
  ASSERT_TRUE(split.ok()) << split.error().describe();
  std::map<std::size_t, std::size_t> place;
  for (std::size_t i = 0; i < whole_writer.vertices().size(); ++i) {
    place[whole_writer.vertices()[i].original] = i;
  }
  const double time = whole->liveliest_time();
  const auto one = whole->points(time, Deformation::Full);
  const auto rigid = whole->points(time, Deformation::None);
  const auto several = split->points(time, Deformation::Full);
  ASSERT_EQ(several.size(), split_writer.vertices().size());
  double wrong = 0;
  double flesh = 0;
  for (std::size_t v = 0; v < several.size(); ++v) {
    const std::size_t same = place.at(split_writer.vertices()[v].original);
    wrong = std::max(wrong, (several[v] - one[same]).norm());
    flesh = std::max(flesh, (rigid[same] - one[same]).norm());
  }
  std::printf("flesh moves by %.2g m, several skins differ by %.2g m\n", flesh, wrong);
  EXPECT_GT(flesh, 1e-3);
  EXPECT_LT(wrong, 1e-4);  // of the tube's length, 1 m
  Shot shot;
  shot.width = 200;
  shot.height = 150;
  const auto pictures = studio().draw(*whole, {0, time}, shot);
  const auto same = studio().draw(*split, {0, time}, shot);
  ASSERT_TRUE(pictures.ok() && same.ok());
  // Edges between triangles of different meshes may round a pixel differently.
  EXPECT_LT(mean_difference((*pictures)[1], (*same)[1]), 0.1);
  EXPECT_GT(mean_difference((*pictures)[0], (*same)[1]), 0.1);
}

}  // namespace
}  // namespace supple::pictures::testing
