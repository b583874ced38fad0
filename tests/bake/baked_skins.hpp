// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/split_skins.hpp"
#include "samples/requests.hpp"
#include "temporary_directory.hpp"

#include "supple/bake/bake_character.hpp"
#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <Eigen/LU>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// Characters in one skin and in several: baked as the command does it, and compared as viewers
/// draw them.
namespace supple::bake::testing {

/// Of the character's size: matrices and positions are rounded to floats.
inline constexpr double kSameFlesh = 1e-4;

inline constexpr const char* kCheap = "elements = 400\nmodes = 3\n";

inline io::GltfAsset sample_character() {
  auto model = samples::character_model("dyrt-man");
  EXPECT_TRUE(model.ok()) << model.error().describe();
  return model->asset;
}

/// A bake as the command does it, with its files read back.
struct Baked {
  Bytes glb;
  io::GltfAsset asset;
  std::unique_ptr<BakedFile> file;
  std::vector<std::string> warnings;
};

inline Result<Baked> bake(const io::GltfAsset& asset, const std::string& toml,
                          const std::string& skeleton = {}) {
  const supple::testing::TemporaryDirectory directory;
  BakeRequest request;
  request.model = CharacterModel{"test", asset, toml, {}};
  if (asset.animations.empty()) request.motions = {"jump"};
  request.output = (directory / "out.glb").string();
  if (!skeleton.empty()) request.skeleton = skeleton;
  OutputSet output;
  SUPPLE_TRY(const BakeRun run, bake_character(request, output));
  SUPPLE_TRY_VOID(output.commit());
  Baked baked;
  baked.warnings = run.warnings;
  SUPPLE_TRY(baked.glb, read_file(request.output));
  SUPPLE_TRY(baked.asset, io::read_gltf(std::filesystem::path(request.output)));
  SUPPLE_TRY(BakedFile file, BakedFile::open(run.supple.bytes, "out.supple"));
  baked.file = std::make_unique<BakedFile>(std::move(file));
  return baked;
}

/// For a character none of whose parts a bake would choose: the bone that most vertices follow.
inline std::string busiest_bone(const io::GltfAsset& asset) {
  const auto source = character_from_gltf(asset);
  if (!source.ok()) return {};
  const character::Character& character = source->character;
  std::vector<double> sums(character.bones.size(), 0.0);
  for (std::size_t i = 0; i < character.joints.size(); ++i) {
    sums[static_cast<std::size_t>(character.joints[i])] += character.weights[i];
  }
  const auto most = std::max_element(sums.begin(), sums.end()) - sums.begin();
  return fmt::format("[[object]]\nbone = \"{}\"\n{}",
                     character.bones[static_cast<std::size_t>(most)].name, kCheap);
}

/// Two of the pieces of flesh that a bake would choose itself, cheap enough for a test.
inline std::string two_objects(const io::GltfAsset& asset) {
  BakeRequest request;
  request.model = CharacterModel{"test", asset, "", {}};
  const auto input = read_bake(request);
  if (!input.ok()) return busiest_bone(asset);
  std::string toml;
  for (std::size_t o = 0; o < std::min<std::size_t>(2, input->settings.objects.size()); ++o) {
    const auto& bones = input->settings.objects[o].region.bones;
    toml += fmt::format("[[object]]\nbones = [\"{}\"]\nname = \"part {}\"\n{}",
                        fmt::join(bones, "\", \""), o, kCheap);
  }
  return toml;
}

/// The names of what a bake would choose.
inline std::vector<std::string> proposed(const io::GltfAsset& asset) {
  BakeRequest request;
  request.model = CharacterModel{"test", asset, "", {}};
  const auto input = read_bake(request);
  std::vector<std::string> names;
  if (!input.ok()) return names;
  for (const auto& object : input->settings.objects) names.push_back(object.name);
  std::sort(names.begin(), names.end());
  return names;
}

/// Where a viewer draws a vertex, and its normal there.
struct Drawn {
  geometry::Vec3 position = geometry::Vec3::Zero();
  geometry::Vec3 normal = geometry::Vec3::Zero();
};

/// All vertices that the writer wrote, at a moment of the first clip.
inline std::vector<Drawn> drawn(const io::GltfAsset& asset,
                                const std::vector<WrittenVertex>& vertices, double time) {
  const io::GltfPose pose = io::sample(asset, asset.animations.front(), time);
  const std::vector<Eigen::Matrix4d> world = io::world_matrices(asset, pose);
  std::vector<Drawn> result;
  std::map<std::size_t, std::vector<geometry::Vec3>> positions;
  std::map<std::size_t, std::vector<Eigen::Matrix4d>> palettes;
  for (const WrittenVertex& at : vertices) {
    const io::GltfNode& node = asset.nodes[at.node];
    const io::GltfPrimitive& primitive = asset.meshes[*node.mesh].primitives[0];
    if (!positions.contains(at.node)) {
      positions[at.node] = io::posed_positions(asset, at.node, 0, pose, world);
      palettes[at.node] = io::skinning_matrices(asset.skins[*node.skin], world);
    }
    Drawn vertex{positions[at.node][at.vertex], geometry::Vec3::Zero()};
    if (!primitive.normals.empty()) {
      geometry::Vec3 normal = primitive.normals[at.vertex];
      for (std::size_t k = 0; k < primitive.targets.size(); ++k) {
        const auto& change = primitive.targets[k].normals;
        if (!change.empty()) normal += pose.weights[at.node][k] * change[at.vertex];
      }
      const Eigen::Matrix4d blend = io::blended_matrix(primitive, at.vertex, palettes[at.node]);
      vertex.normal = (blend.topLeftCorner<3, 3>().inverse().transpose() * normal).normalized();
    }
    result.push_back(vertex);
  }
  return result;
}

struct Difference {
  double position = 0;   ///< the largest, of the character's size
  std::size_t node = 0;  ///< of the split file: there
  double normal = 0;
  double motion = 0;  ///< how far the flesh moves at most, of the character's size
};

/// The same character written twice: every vertex of `split` beside its original in `whole`.
inline Difference compare(const Baked& whole, const SkinWriter& whole_writer, const Baked& split,
                          const SkinWriter& split_writer) {
  std::map<std::size_t, std::size_t> place;
  for (std::size_t i = 0; i < whole_writer.vertices().size(); ++i) {
    place[whole_writer.vertices()[i].original] = i;
  }
  const io::GltfAsset still = whole_writer.read();
  const double duration = whole.asset.animations.front().duration;
  Difference worst;
  for (int i = 0; i <= 6; ++i) {
    const double time = duration * i / 6;
    const auto a = drawn(whole.asset, whole_writer.vertices(), time);
    const auto b = drawn(split.asset, split_writer.vertices(), time);
    geometry::Box box;
    for (const Drawn& vertex : a) box.add(vertex.position);
    for (std::size_t v = 0; v < b.size(); ++v) {
      const Drawn& same = a[place.at(split_writer.vertices()[v].original)];
      const double apart = (b[v].position - same.position).norm() / box.diagonal();
      if (apart > worst.position) worst.node = split_writer.vertices()[v].node;
      worst.position = std::max(worst.position, apart);
      worst.normal = std::max(worst.normal, (b[v].normal - same.normal).norm());
    }
    if (still.animations.empty()) continue;
    const auto rigid = drawn(still, whole_writer.vertices(), time);
    for (std::size_t v = 0; v < a.size(); ++v) {
      worst.motion =
          std::max(worst.motion, (a[v].position - rigid[v].position).norm() / box.diagonal());
    }
  }
  return worst;
}

}  // namespace supple::bake::testing
