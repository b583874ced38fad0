// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/clip_export.hpp"

#include "bake/export/thinning.hpp"
#include "bake/rigs.hpp"
#include "bake/synthetic_flesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace supple::bake {
namespace {

using geometry::Vec3;

struct FleshedRig : testing::Rig {
  std::vector<soft::Object> objects;
};

std::optional<FleshedRig> load_fleshed(const std::string& file) {
  auto rig = testing::load_rig(file);
  if (!rig) return std::nullopt;
  auto objects = testing::bulges(rig->source.character);
  return FleshedRig{*std::move(rig), std::move(objects)};
}

/// Positions of all parts as the input's skin would move them after adding coefficient * shape.
std::vector<Vec3> expected_positions(const FleshedRig& rig, std::size_t clip, double time,
                                     const Eigen::RowVectorXd& q) {
  io::GltfAsset displaced = rig.asset;
  Eigen::Index column = 0;
  for (const soft::Object& object : rig.objects) {
    for (const soft::Mode& mode : object.modes) {
      for (std::size_t i = 0; i < object.vertices.size(); ++i) {
        const auto vertex = static_cast<std::uint32_t>(object.vertices[i]);
        for (const soft::Part& part : rig.source.parts) {
          if (vertex < part.first_vertex || vertex >= part.first_vertex + part.vertex_count) {
            continue;
          }
          displaced.meshes[part.mesh]
              .primitives[part.primitive]
              .positions[vertex - part.first_vertex] += q[column] * mode.displacements[i];
        }
      }
      ++column;
    }
  }
  const io::GltfPose pose = io::sample(displaced, displaced.animations[clip], time);
  const auto world = io::world_matrices(displaced, pose);
  std::vector<Vec3> positions;
  for (std::size_t n = 0; n < displaced.nodes.size(); ++n) {
    if (!displaced.nodes[n].mesh) continue;
    for (std::size_t p = 0; p < displaced.meshes[*displaced.nodes[n].mesh].primitives.size(); ++p) {
      const auto part = io::posed_positions(displaced, n, p, pose, world);
      positions.insert(positions.end(), part.begin(), part.end());
    }
  }
  return positions;
}

std::vector<Vec3> shown_positions(const io::GltfAsset& asset, std::size_t clip, double time) {
  const io::GltfPose pose = io::sample(asset, asset.animations[clip], time);
  const auto world = io::world_matrices(asset, pose);
  std::vector<Vec3> positions;
  for (std::size_t n = 0; n < asset.nodes.size(); ++n) {
    if (!asset.nodes[n].mesh) continue;
    for (std::size_t p = 0; p < asset.meshes[*asset.nodes[n].mesh].primitives.size(); ++p) {
      const auto part = io::posed_positions(asset, n, p, pose, world);
      positions.insert(positions.end(), part.begin(), part.end());
    }
  }
  return positions;
}

double size_of(const std::vector<Vec3>& points) {
  Vec3 low = points[0];
  Vec3 high = points[0];
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return (high - low).norm();
}

class GltfExportOf : public ::testing::TestWithParam<const char*> {};

TEST_P(GltfExportOf, ShowsCoefficientTimesShapeInEveryClip) {
  const auto rig = load_fleshed(GetParam());
  if (!rig) GTEST_SKIP() << "skipped: no " << GetParam();
  const auto clips = testing::swinging_clips(rig->asset, 60, 4);
  for (const bool sign : {false, true}) {
    ExportSettings settings;
    settings.signed_weights = sign;
    const auto result = export_clips(rig->asset, rig->source, rig->objects, clips, settings);
    ASSERT_TRUE(result.ok()) << result.error().describe();
    EXPECT_LE(result->largest_error, settings.tolerance + 1e-4);
    // Swings of 0.2 on a bulge of a fifth of the size: a weight's error is at most this much.
    constexpr double kTolerance = 4 * 0.0011 * 0.2 * 0.2;
    for (std::size_t c = 0; c < std::min<std::size_t>(clips.size(), 3); ++c) {
      const Tracks& tracks = clips[c].tracks;
      for (Eigen::Index f = 0; f < tracks.values.rows(); f += 7) {
        const auto expected = expected_positions(*rig, c, tracks.time(f), tracks.values.row(f));
        const auto shown = shown_positions(result->asset, c, tracks.time(f));
        ASSERT_EQ(shown.size(), expected.size());
        double worst = 0;
        for (std::size_t v = 0; v < shown.size(); ++v) {
          worst = std::max(worst, (shown[v] - expected[v]).norm());
        }
        EXPECT_LT(worst, kTolerance * size_of(expected)) << "clip " << c << ", frame " << f;
      }
    }
  }
}

TEST_P(GltfExportOf, KeepsWeightsInRangeAndNamesUnique) {
  const auto rig = load_fleshed(GetParam());
  if (!rig) GTEST_SKIP() << "skipped: no " << GetParam();
  const auto clips = testing::swinging_clips(rig->asset, 60, 4);
  const auto result = export_clips(rig->asset, rig->source, rig->objects, clips, {});
  ASSERT_TRUE(result.ok()) << result.error().describe();
  double highest = 0;
  for (const io::GltfAnimation& animation : result->asset.animations) {
    for (const io::GltfChannel& channel : animation.channels) {
      if (channel.path != io::GltfPath::Weights) continue;
      const io::GltfSampler& sampler = animation.samplers[channel.sampler];
      for (const double weight : sampler.values) {
        EXPECT_GE(weight, -1e-6);  // the morphing cube comes with weights of -1.5e-7
        EXPECT_LE(weight, 1);
        highest = std::max(highest, weight);
      }
    }
  }
  EXPECT_EQ(highest, 1);
  for (const io::GltfMesh& mesh : result->asset.meshes) {
    const std::set<std::string> names(mesh.target_names.begin(), mesh.target_names.end());
    EXPECT_EQ(names.size(), mesh.target_names.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Files, GltfExportOf,
                         ::testing::Values("khronos/CesiumMan/CesiumMan.glb", "khronos/Fox/Fox.glb",
                                           "quaternius/Dolphin.glb",
                                           "khronos/AnimatedMorphCube/AnimatedMorphCube.glb"));

TEST(ClipExport, KeepsAnAnimationOfWeightsThatIsThere) {
  const auto rig = load_fleshed("khronos/AnimatedMorphCube/AnimatedMorphCube.glb");
  if (!rig) GTEST_SKIP() << "skipped: no AnimatedMorphCube.glb";
  const auto clips = testing::swinging_clips(rig->asset, 60, 4);
  const auto result = export_clips(rig->asset, rig->source, rig->objects, clips, {});
  ASSERT_TRUE(result.ok()) << result.error().describe();
  const double duration = rig->asset.animations[0].duration;
  std::size_t animated = 0;
  for (int i = 0; i <= 500; ++i) {
    const double time = duration * i / 500;
    const auto before = io::sample(rig->asset, rig->asset.animations[0], time);
    const auto after = io::sample(result->asset, result->asset.animations[0], time);
    for (std::size_t n = 0; n < before.weights.size(); ++n) {
      for (std::size_t w = 0; w < before.weights[n].size(); ++w) {
        EXPECT_NEAR(after.weights[n][w], before.weights[n][w], 1e-5);
        ++animated;
      }
    }
  }
  EXPECT_GT(animated, 0U);
}

TEST(ClipExport, AddsAMotionAsAnAnimationWithItsBones) {
  const auto rig = load_fleshed("khronos/CesiumMan/CesiumMan.glb");
  if (!rig) GTEST_SKIP() << "skipped: no CesiumMan.glb";
  for (const char* name : {"turn", "jump"}) {
    auto motion = character::built_in_motion(name, rig->source.character, 60);
    ASSERT_TRUE(motion.ok());
    BakedClip clip;
    clip.motion = *motion;
    clip.tracks = testing::swings(name, motion->duration, 60, 4);
    const auto result = export_clips(rig->asset, rig->source, rig->objects, {clip}, {});
    ASSERT_TRUE(result.ok()) << result.error().describe();
    ASSERT_EQ(result->asset.animations.size(), rig->asset.animations.size() + 1);
    const io::GltfAnimation& added = result->asset.animations.back();
    EXPECT_EQ(added.name, name);
    EXPECT_LE(added.channels.size(), 3U);  // the root's way, its turn, the weights
    const auto& joints = result->asset.skins[0].joints;
    for (std::size_t f = 0; f < motion->frames.size(); f += 10) {
      const auto world =
          io::world_matrices(result->asset, io::sample(result->asset, added, motion->time(f)));
      for (std::size_t b = 0; b < joints.size(); ++b) {
        EXPECT_LT((world[joints[b]] - motion->frames[f][b]).norm(), 1e-5) << f << ' ' << b;
      }
    }
  }
}

TEST(ClipExport, WritesAClipOfOneMomentAsOneKey) {
  const auto rig = load_fleshed("khronos/CesiumMan/CesiumMan.glb");
  if (!rig) GTEST_SKIP() << "skipped: no CesiumMan.glb";
  auto clips = testing::swinging_clips(rig->asset, 60, 4);
  BakedClip still;
  still.motion = *character::built_in_motion("sine", rig->source.character, 60);
  still.motion.frames.resize(1);
  still.motion.frames[0][0](0, 3) += 1;
  still.motion.duration = 0;
  still.tracks = testing::swings("pose", 0, 60, 4);
  clips.push_back(still);
  const auto result = export_clips(rig->asset, rig->source, rig->objects, clips, {});
  ASSERT_TRUE(result.ok()) << result.error().describe();
  const io::GltfAnimation& pose = result->asset.animations.back();
  for (const io::GltfSampler& sampler : pose.samplers) EXPECT_EQ(sampler.times.size(), 1U);
}

TEST(ClipExport, GivesModesThatNeverMoveAVisibleSize) {
  auto rig = load_fleshed("khronos/CesiumMan/CesiumMan.glb");
  if (!rig) GTEST_SKIP() << "skipped: no CesiumMan.glb";
  auto clips = testing::swinging_clips(rig->asset, 60, 4);
  clips[0].tracks.values.col(1).setZero();
  const auto result = export_clips(rig->asset, rig->source, rig->objects, clips, {});
  ASSERT_TRUE(result.ok());
  double reach = 0;
  for (const Vec3& d : rig->objects[0].modes[1].displacements) reach = std::max(reach, d.norm());
  std::vector<Vec3> part;
  for (const auto v : rig->objects[0].vertices) {
    part.push_back(rig->source.character.positions[static_cast<std::size_t>(v)]);
  }
  EXPECT_NEAR(result->scales[1] * reach, 0.01 * size_of(part), 1e-9);
}

soft::Object object_of(const std::string& name, std::size_t modes) {
  soft::Object object;
  object.name = name;
  object.modes.resize(modes);
  return object;
}

TEST(BakedTarget, HasANameThatTheBakerGivesToOneOfTheModes) {
  // The names of tests/web/pages/three_behaviour.js, and more.
  const std::vector<soft::Object> objects{object_of("flesh 0", 1), object_of("flesh 1", 7),
                                          object_of("belly", 7)};
  for (const char* name : {"flesh 0 1 +", "flesh 0 1 -", "flesh 1 7 + (2)", "belly 1", "belly 7 -",
                           "belly 2 (13)", "belly 2 - (3)"}) {
    EXPECT_TRUE(is_baked_target(name, objects)) << name;
  }
  for (const char* name :
       {"smile", "flesh 1 8 +", "belly 8 +", "belly 0 +", "belly 01", "belly", "belly 1 *",
        "belly 1+", "belly 1 + ", "bellyache 1 +", "my belly 1 +", "belly 1 ()", "belly 1 (2",
        "belly 1 (x)", "belly 1 (2) (3)", "", ")", " ("}) {
    EXPECT_FALSE(is_baked_target(name, objects)) << name;
  }
}

TEST(BakedTarget, IsEveryOneOfABakedFile) {
  const auto rig = load_fleshed("khronos/CesiumMan/CesiumMan.glb");
  if (!rig) GTEST_SKIP() << "skipped: no CesiumMan.glb";
  const auto clips = testing::swinging_clips(rig->asset, 60, 4);
  for (const bool signed_weights : {false, true}) {
    ExportSettings settings;
    settings.signed_weights = signed_weights;
    auto once = export_clips(rig->asset, rig->source, rig->objects, clips, settings);
    ASSERT_TRUE(once.ok()) << once.error().describe();
    // Baked a second time, names get numbers.
    const auto twice = export_clips(once->asset, rig->source, rig->objects, clips, settings);
    ASSERT_TRUE(twice.ok()) << twice.error().describe();
    const auto& names = twice->asset.meshes[0].target_names;
    ASSERT_EQ(names.size(), signed_weights ? 8U : 16U);
    for (const std::string& name : names) {
      EXPECT_TRUE(is_baked_target(name, rig->objects)) << name;
    }
  }
}

TEST(Thinning, KeepsEveryRowWithinTheTolerance) {
  const Eigen::MatrixXd values = testing::swings("x", 3, 60, 3).values;
  for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
    const auto kept = detail::thin(values, tolerance);
    EXPECT_EQ(kept.front(), 0);
    EXPECT_EQ(kept.back(), values.rows() - 1);
    EXPECT_LT(static_cast<Eigen::Index>(kept.size()), values.rows());
    for (Eigen::Index row = 0; row < values.rows(); ++row) {
      const auto line = detail::on_polyline(values, kept, static_cast<double>(row));
      EXPECT_LE((line - values.row(row)).cwiseAbs().maxCoeff(), tolerance * (1 + 1e-12));
    }
  }
  EXPECT_EQ(detail::thin(values, 0).size(), static_cast<std::size_t>(values.rows()));
  EXPECT_EQ(detail::thin(Eigen::MatrixXd::Zero(50, 2), 0).size(), 2U);
  EXPECT_EQ(detail::thin(Eigen::MatrixXd::Ones(1, 2), 0).size(), 1U);
}

}  // namespace
}  // namespace supple::bake
