// SPDX-License-Identifier: Apache-2.0
#include "bake/mixed_model.hpp"
#include "bake/rigs.hpp"
#include "bake/split_skins.hpp"
#include "io/gltf_validator.hpp"
#include "samples/requests.hpp"
#include "temporary_directory.hpp"

#include "supple/bake/bake_character.hpp"
#include "supple/bake/node_character.hpp"
#include "supple/io/gltf_pose.hpp"

#include <gtest/gtest.h>
#include <supple.h>

#include <cmath>
#include <memory>

namespace supple::bake::testing {
namespace {

using Eigen::Matrix4d;
using geometry::Vec3;
using supple::testing::TemporaryDirectory;

/// Of the character's size: matrices and positions are rounded to floats.
constexpr double kSameFlesh = 1e-4;

constexpr const char* kCheap = "elements = 400\nmodes = 3\n";

io::GltfAsset sample_character() {
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

Result<Baked> bake(const io::GltfAsset& asset, const std::string& toml,
                   const std::string& skeleton = {}) {
  const TemporaryDirectory directory;
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

/// Two of the pieces of flesh that a bake would choose itself, cheap enough for a test.
std::string two_objects(const io::GltfAsset& asset) {
  BakeRequest request;
  request.model = CharacterModel{"test", asset, "", {}};
  const auto input = read_bake(request);
  if (!input.ok()) return {};
  std::string toml;
  for (std::size_t o = 0; o < std::min<std::size_t>(2, input->settings.objects.size()); ++o) {
    const auto& bones = input->settings.objects[o].region.bones;
    toml += fmt::format("[[object]]\nbones = [\"{}\"]\nname = \"part {}\"\n{}",
                        fmt::join(bones, "\", \""), o, kCheap);
  }
  return toml;
}

/// The names of what a bake would choose.
std::vector<std::string> proposed(const io::GltfAsset& asset) {
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
  Vec3 position = Vec3::Zero();
  Vec3 normal = Vec3::Zero();
};

/// All vertices that the writer wrote, at a moment of the first clip.
std::vector<Drawn> drawn(const io::GltfAsset& asset, const std::vector<WrittenVertex>& vertices,
                         double time) {
  const io::GltfPose pose = io::sample(asset, asset.animations.front(), time);
  const std::vector<Matrix4d> world = io::world_matrices(asset, pose);
  std::vector<Drawn> result;
  std::map<std::size_t, std::vector<Vec3>> positions;
  std::map<std::size_t, std::vector<Matrix4d>> palettes;
  for (const WrittenVertex& at : vertices) {
    const io::GltfNode& node = asset.nodes[at.node];
    const io::GltfPrimitive& primitive = asset.meshes[*node.mesh].primitives[0];
    if (!positions.contains(at.node)) {
      positions[at.node] = io::posed_positions(asset, at.node, 0, pose, world);
      palettes[at.node] = io::skinning_matrices(asset.skins[*node.skin], world);
    }
    Drawn vertex{positions[at.node][at.vertex], Vec3::Zero()};
    if (!primitive.normals.empty()) {
      Vec3 normal = primitive.normals[at.vertex];
      for (std::size_t k = 0; k < primitive.targets.size(); ++k) {
        const auto& change = primitive.targets[k].normals;
        if (!change.empty()) normal += pose.weights[at.node][k] * change[at.vertex];
      }
      const Matrix4d blend = io::blended_matrix(primitive, at.vertex, palettes[at.node]);
      vertex.normal = (blend.topLeftCorner<3, 3>().inverse().transpose() * normal).normalized();
    }
    result.push_back(vertex);
  }
  return result;
}

struct Difference {
  double position = 0;  ///< the largest, of the character's size
  double normal = 0;
  double motion = 0;  ///< how far the flesh moves at most, of the character's size
};

/// The same character written twice: every vertex of `split` beside its original in `whole`.
Difference compare(const Baked& whole, const SkinWriter& whole_writer, const Baked& split,
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
      worst.position =
          std::max(worst.position, (b[v].position - same.position).norm() / box.diagonal());
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

double size_of(const io::GltfAsset& asset) {
  geometry::Box box;
  for (const io::GltfNode& node : asset.nodes) {
    if (!node.mesh || !node.skin) continue;
    for (const io::GltfPrimitive& primitive : asset.meshes[*node.mesh].primitives) {
      for (const Vec3& p : primitive.positions) box.add(p);
    }
  }
  return box.diagonal();
}

/// Three skins: shuffled joints; only the joints in use, a hundredth or a hundred times as large;
/// and stretched unevenly. The first one's space, which is the character's, is any as well.
std::vector<SkinStyle> random_styles(const io::GltfAsset& asset, Random& random) {
  const double size = size_of(asset);
  std::vector<SkinStyle> styles(3);
  styles[0].shuffled = true;
  if (random.below(2) == 0) styles[0].to_original = random_bind_space(random, size, 0.01);
  styles[1].only_used_joints = true;
  styles[1].shuffled = true;
  styles[1].to_original = random_bind_space(random, size, random.below(2) == 0 ? 0.01 : 100);
  styles[2].to_original = random_bind_space(random, size, 1);
  styles[2].to_original.col(0) *= 2;
  return styles;
}

void expect_same_flesh(const io::GltfAsset& asset, std::uint64_t seed) {
  SkinWriter whole_writer(seed);
  whole_writer.add(asset, {SkinStyle{}});
  SkinWriter split_writer(seed);
  Random random(seed);
  split_writer.add(asset, random_styles(asset, random));
  const io::GltfAsset whole_asset = whole_writer.read();
  const io::GltfAsset split_asset = split_writer.read();
  EXPECT_GE(split_asset.skins.size(), 2U);
  EXPECT_EQ(proposed(whole_asset), proposed(split_asset));
  const std::string toml = two_objects(whole_asset);
  const auto whole = bake(whole_asset, toml);
  const auto split = bake(split_asset, toml);
  ASSERT_EQ(whole.ok(), split.ok()) << (whole.ok() ? split : whole).error().describe();
  if (!whole.ok()) return;  // a sheet of cardboard has no flesh, in one skin or three
  const Difference difference = compare(*whole, whole_writer, *split, split_writer);
  EXPECT_LT(difference.position, kSameFlesh);
  EXPECT_LT(difference.normal, 1e-2);
  std::printf("%s: flesh moves by %.2g of the size, differs by %.2g, normals by %.2g\n",
              asset.name.c_str(), difference.motion, difference.position, difference.normal);
  if (!io::testing::validator().empty()) EXPECT_TRUE(io::testing::is_valid(split->glb));
}

TEST(SeveralSkins, GiveTheSameFleshAsOne) {
  const io::GltfAsset asset = sample_character();
  for (const std::uint64_t seed : {1, 2}) {
    SCOPED_TRACE(seed);
    expect_same_flesh(asset, seed);
  }
}

TEST(SeveralSkins, OfOtherCharactersGiveTheSameFlesh) {
  std::size_t found = 0;
  for (const char* file :
       {"khronos/CesiumMan/CesiumMan.glb", "khronos/Fox/Fox.glb",
        "khronos/RiggedFigure/RiggedFigure.glb", "khronos/RiggedSimple/RiggedSimple.glb",
        "khronos/SimpleSkin/SimpleSkin.gltf", "makehuman/human.glb", "quaternius/Dolphin.glb",
        "quaternius/RobotExpressive.glb", "kaykit/Knight.glb"}) {
    if (!std::filesystem::exists(assets() / file)) continue;
    SCOPED_TRACE(file);
    const auto asset = io::read_gltf(assets() / file);
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    expect_same_flesh(*asset, ++found);
  }
  if (found == 0) GTEST_SKIP() << "SKIPPED: no kept characters";
}

/// The largest displacement of any vertex after a push, in metres.
double pushed(const BakedFile& file, std::uint32_t vertex, const std::array<double, 3>& force) {
  supple_player* player = nullptr;
  EXPECT_EQ(supple_player_create(file.asset(), &player), SUPPLE_OK);
  supple_asset_info info{};
  (void)supple_asset_describe(file.asset(), &info);
  const std::array<double, 3> weightless{};
  const std::array<double, 3> origin{};
  const std::array<double, 4> upright{0, 0, 0, 1};
  (void)supple_player_set_gravity(player, weightless.data());
  for (int step = 0; step < 12; ++step) {
    for (std::uint32_t o = 0; o < info.object_count; ++o) {
      (void)supple_player_set_bone_pose(player, o, origin.data(), upright.data());
    }
    if (step > 0) EXPECT_EQ(supple_player_push(player, vertex, force.data()), SUPPLE_OK);
    (void)supple_player_step(player, 1.0 / 60);
  }
  const float* q = supple_player_coefficients(player);
  double sum = 0;
  for (std::uint32_t m = 0; m < info.mode_count; ++m) {
    supple_mode_info mode{};
    (void)supple_asset_mode(file.asset(), m, &mode);
    sum += std::pow(q[m] * mode.largest_displacement, 2);
  }
  supple_player_destroy(player);
  return std::sqrt(sum);
}

TEST(SeveralSkins, AnswerPushesAsOne) {
  const io::GltfAsset asset = sample_character();
  SkinWriter whole_writer(3);
  whole_writer.add(asset, {SkinStyle{}});
  SkinWriter split_writer(3);
  Random random(3);
  split_writer.add(asset, random_styles(asset, random));
  const std::string toml = two_objects(whole_writer.read());
  const auto whole = bake(whole_writer.read(), toml);
  const auto split = bake(split_writer.read(), toml);
  ASSERT_TRUE(whole.ok() && split.ok());
  // Vertices are numbered in the order in which they were written: parts follow the nodes.
  std::map<std::size_t, std::uint32_t> place;
  for (std::size_t v = 0; v < whole_writer.vertices().size(); ++v) {
    place[whole_writer.vertices()[v].original] = static_cast<std::uint32_t>(v);
  }
  std::size_t compared = 0;
  for (std::size_t v = 0; v < split_writer.vertices().size(); v += 97) {
    const std::array<double, 3> force{random.uniform(-3, 3), random.uniform(-3, 3),
                                      random.uniform(-3, 3)};
    const double one = pushed(*whole->file, place[split_writer.vertices()[v].original], force);
    const double several = pushed(*split->file, static_cast<std::uint32_t>(v), force);
    EXPECT_NEAR(one, several, 1e-3 * one) << v;
    if (one > 0) ++compared;
  }
  EXPECT_GT(compared, 5U);
}

TEST(SeveralSkins, RigidMeshesUnderBonesRideAlong) {
  const io::GltfAsset asset = sample_character();
  SkinWriter writer(4);
  Random random(4);
  writer.add(asset, random_styles(asset, random));
  const std::size_t bone = asset.skins[0].joints[asset.skins[0].joints.size() / 2];
  const std::size_t box = writer.add_rigid_box(bone, 0.05);
  const io::GltfAsset before = writer.read();
  const auto baked = bake(before, two_objects(before));
  ASSERT_TRUE(baked.ok()) << baked.error().describe();
  const io::GltfAsset& after = baked->asset;
  EXPECT_TRUE(after.meshes[*after.nodes[box].mesh].primitives[0].targets.empty());
  ASSERT_FALSE(before.animations.empty());
  for (const double time : {0.0, 0.3, 0.7}) {
    const auto old_pose = io::sample(before, before.animations[0], time);
    const auto new_pose = io::sample(after, after.animations[0], time);
    const auto a =
        io::posed_positions(before, box, 0, old_pose, io::world_matrices(before, old_pose));
    const auto b =
        io::posed_positions(after, box, 0, new_pose, io::world_matrices(after, new_pose));
    for (std::size_t v = 0; v < a.size(); ++v) EXPECT_EQ(a[v], b[v]);
  }
}

/// Two copies of a character, the second one turned and further away, its bones with the same
/// names; each in two skins.
struct TwoCharacters {
  io::GltfAsset original = sample_character();
  SkinWriter writer{5};
  SkinWriter alone{5};
  std::size_t second = 0;  ///< the first node of the second
  io::GltfAsset asset;

  TwoCharacters() {
    Random random(5);
    const auto styles = random_styles(original, random);
    alone.add(original, {SkinStyle{}});
    writer.add(original, {styles[0]});
    io::GltfAsset other = original;
    for (const std::size_t root : other.scene_roots) {
      other.nodes[root].local.translation += Vec3(2, 0, 1);
    }
    writer.add(other, {styles[1], styles[2]});
    second = writer.first_node();
    asset = writer.read();
  }
};

TEST(SeveralSkeletons, AreCharactersToChooseFrom) {
  const TwoCharacters two;
  const auto usual = character_from_gltf(two.asset);
  ASSERT_TRUE(usual.ok()) << usual.error().describe();
  ASSERT_FALSE(usual->warnings.empty());
  EXPECT_NE(usual->warnings[0].find("2 skeletons"), std::string::npos) << usual->warnings[0];
  const std::string toml = two_objects(two.alone.read());
  for (const std::size_t first : {std::size_t{0}, two.second}) {
    std::size_t top = 0;  // the highest bone
    const auto& joints = two.original.skins[0].joints;
    for (const std::size_t node : two.original.parents_first) {
      if (std::find(joints.begin(), joints.end(), node) == joints.end()) continue;
      top = node;
      break;
    }
    const std::string name =
        fmt::format("{} (node {})", two.original.nodes[top].name, first + top);
    const auto baked = bake(two.asset, toml, name);
    ASSERT_TRUE(baked.ok()) << baked.error().describe();
    for (const soft::Object& object : baked->file->objects()) {
      EXPECT_EQ(object.node >= two.second, first > 0);
    }
    // The other one has no targets.
    for (const WrittenVertex& at : two.writer.vertices()) {
      if ((at.node >= two.second) == (first > 0)) continue;
      EXPECT_TRUE(baked->asset.meshes[*baked->asset.nodes[at.node].mesh].primitives[0]
                      .targets.empty());
    }
    // A .supple finds its own character again.
    const auto moved = moved_character(baked->asset, baked->file->asset());
    ASSERT_TRUE(moved.ok());
    EXPECT_TRUE(baked->file->check_mesh(moving_surface(*moved, "").mesh_hash).ok());
    if (!io::testing::validator().empty()) EXPECT_TRUE(io::testing::is_valid(baked->glb));
  }
  const auto unknown = bake(two.asset, toml, "nobody");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().describe().find("available"), std::string::npos);
}

TEST(SeveralSkeletons, BakedInTurnMoveInOneFile) {
  const TwoCharacters two;
  const std::string toml = two_objects(two.alone.read());
  const auto alone = bake(two.alone.read(), toml);
  const auto usual = bake(two.asset, toml);
  ASSERT_TRUE(alone.ok() && usual.ok());
  const bool second_first = usual->file->objects().front().node >= two.second;
  const auto& joints = two.original.skins[0].joints;
  const auto top = *std::find_if(
      two.original.parents_first.begin(), two.original.parents_first.end(), [&](std::size_t node) {
        return std::find(joints.begin(), joints.end(), node) != joints.end();
      });
  const auto both = bake(usual->asset, toml,
                         fmt::format("{} (node {})", two.original.nodes[top].name,
                                     (second_first ? 0 : two.second) + top));
  ASSERT_TRUE(both.ok()) << both.error().describe();
  std::size_t moving = 0;
  for (const WrittenVertex& at : two.writer.vertices()) {
    const auto& mesh = both->asset.meshes[*both->asset.nodes[at.node].mesh];
    if (!mesh.primitives[0].targets.empty()) ++moving;
  }
  EXPECT_EQ(moving, two.writer.vertices().size());
  EXPECT_TRUE(usual->file->check_mesh(
                  moving_surface(*moved_character(both->asset, usual->file->asset()), "").mesh_hash)
                  .ok());
  if (!io::testing::validator().empty()) EXPECT_TRUE(io::testing::is_valid(both->glb));
}

/// A mast and its flag: one bone each, and no joint in common.
io::SkinnedModel mast_and_flag() {
  io::SkinnedModel model = mixed_model();
  for (io::SkinnedVertex& vertex : model.parts[1].skin) vertex = {{0, 0, 0, 0}, {1, 0, 0, 0}};
  return model;
}

TEST(SeveralSkins, WithoutCommonJointsAreOneCharacter) {
  const io::GltfAsset asset = *io::make_gltf(mast_and_flag());
  const auto usual = character_from_gltf(asset);
  ASSERT_TRUE(usual.ok());
  Random random(6);
  for (int i = 0; i < 5; ++i) {
    std::vector<SkinStyle> styles(2);
    for (SkinStyle& style : styles) style.only_used_joints = true;
    styles[1].to_original = random_bind_space(random, 1, 100);
    SkinWriter writer(6);
    writer.keep_primitives_whole();
    writer.add(asset, styles);
    const io::GltfAsset split = writer.read();
    ASSERT_EQ(split.skins[0].joints.size(), 1U);
    ASSERT_NE(split.skins[0].joints, split.skins[1].joints);
    const auto several = character_from_gltf(split);
    ASSERT_TRUE(several.ok()) << several.error().describe();
    EXPECT_EQ(several->character.bones.size(), 2U);
    for (std::size_t v = 0; v < writer.vertices().size(); ++v) {
      const Vec3& at = several->character.positions[v];
      const Vec3& same = usual->character.positions[writer.vertices()[v].original];
      EXPECT_LT((at - same).norm(), 1e-5) << v;
    }
  }
}

TEST(SeveralSkins, HaveFleshAndShellsTogether) {
  const io::GltfAsset asset = *io::make_gltf(mixed_model());
  SkinWriter whole_writer(7);
  whole_writer.keep_primitives_whole();
  whole_writer.add(asset, {SkinStyle{}});
  SkinWriter split_writer(7);
  split_writer.keep_primitives_whole();
  Random random(7);
  std::vector<SkinStyle> styles(2);
  styles[0].to_original = random_bind_space(random, 1, 0.01);
  styles[1].only_used_joints = styles[1].shuffled = true;
  styles[1].to_original = random_bind_space(random, 1, 3);
  split_writer.add(asset, styles);
  std::string toml = kMixedSettings;
  const std::string flag =
      fmt::format("surface {}", split_writer.vertices().front().node);  // written first
  toml.replace(toml.find("mesh = \"flag\""), 13, "mesh = \"" + flag + "\"");
  const auto whole = bake(whole_writer.read(), toml);
  const auto split = bake(split_writer.read(), toml);
  ASSERT_TRUE(whole.ok()) << whole.error().describe();
  ASSERT_TRUE(split.ok()) << split.error().describe();
  const Difference difference = compare(*whole, whole_writer, *split, split_writer);
  // Shapes of shells are chosen to within shell_tolerance, a thousandth.
  EXPECT_LT(difference.position, 1e-3);
  EXPECT_GT(difference.motion, 1e-2);
  if (!io::testing::validator().empty()) EXPECT_TRUE(io::testing::is_valid(split->glb));
}

}  // namespace
}  // namespace supple::bake::testing
