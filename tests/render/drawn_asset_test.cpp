// SPDX-License-Identifier: Apache-2.0
#include "supple/render/drawn_asset.hpp"

#include "player/synthetic_asset.hpp"
#include "render/small_scenes.hpp"
#include "source_directory.hpp"

#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <supple.h>
#include <Eigen/Geometry>

#include <filesystem>
#include <string>
#include <vector>

namespace supple::render::testing {
namespace {

using geometry::Vec3;

/// Pictures of the same surface from two sources: rounding moves an edge by a sample here and
/// there, and nothing else.
constexpr double kSameMean = 0.15;  ///< steps of 255
constexpr double kSameFar = 0.002;  ///< share of pixels

void expect_same(const io::Image& a, const io::Image& b) {
  const Difference apart = difference(a, b);
  EXPECT_LT(apart.mean, kSameMean);
  EXPECT_LT(apart.far_pixels, kSameFar);
}

/// Two modes on every vertex of a sphere: a stretch along x, and a bump to the upper right.
struct Flesh {
  io::GltfAsset asset = asset_of(sphere(32));
  soft::Asset file = player::testing::one_object(
      {player::testing::oscillator(3, 0.1), player::testing::oscillator(5, 0.1)});

  Flesh() {
    const io::GltfPrimitive& primitive = asset.meshes[0].primitives[0];
    const auto count = static_cast<std::uint32_t>(primitive.positions.size());
    file.vertex_count = count;
    file.index_count = static_cast<std::uint32_t>(3 * primitive.triangles.size());
    file.parts = {{0, 0, 0, count}};
    for (std::uint32_t v = 0; v < count; ++v) {
      file.objects[0].vertices.push_back(v);
      const Eigen::Vector3f p = primitive.positions[v].cast<float>();
      const float bump = std::exp(-4 * (p - Eigen::Vector3f(0.6F, 0.7F, 0.3F)).squaredNorm());
      file.objects[0].modes[0].displacements.emplace_back(p.x(), 0, 0);
      file.objects[0].modes[0].normals.emplace_back(-0.5F * p.x(), 0, 0);
      file.objects[0].modes[1].displacements.emplace_back((bump * p).cast<double>());
      file.objects[0].modes[1].normals.emplace_back(0, bump, 0);
    }
  }

  /// The same without flesh: positions and normals as the sum says.
  [[nodiscard]] io::GltfAsset deformed(const std::array<float, 2>& q) const {
    io::GltfAsset result = asset;
    io::GltfPrimitive& primitive = result.meshes[0].primitives[0];
    for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
      for (std::size_t m = 0; m < 2; ++m) {
        const soft::Mode& mode = file.objects[0].modes[m];
        primitive.positions[v] += q[m] * mode.displacements[v];
        primitive.normals[v] += q[m] * mode.normals[v];
      }
      primitive.normals[v].normalize();
    }
    return result;
  }
};

void expect_flesh_as_the_sum_says(bool float32) {
  const Flesh flesh;
  const player::testing::OpenAsset opened(flesh.file, {.float32 = float32});
  const std::array<float, 2> q{0.12F, 0.3F};
  supple_gpu_layout layout{};
  ASSERT_EQ(supple_asset_gpu_layout(opened.get(), &layout), SUPPLE_OK);
  Moment moment = at_rest(flesh.asset);
  moment.coefficients.resize(std::size_t{4} * layout.coefficient_texels);
  ASSERT_EQ(supple_asset_gpu_coefficients(opened.get(), q.data(), moment.coefficients.data()),
            SUPPLE_OK);
  io::GltfMaterial look;
  look.metallic = 0;
  const io::GltfMaterials materials = looks(look);
  const RendererSettings settings = plain_settings(200);
  const View view = front_view(1.6);
  const io::Image soft = draw({&flesh.asset, &materials, opened.get(), moment}, view, settings);
  const io::GltfAsset sum = flesh.deformed(q);
  expect_same(soft, draw({&sum, &materials, nullptr, at_rest(sum)}, view, settings));
  // And that is not the sphere; nor is it moved where no coefficients are given.
  const io::Image rest =
      draw({&flesh.asset, &materials, nullptr, at_rest(flesh.asset)}, view, settings);
  EXPECT_GT(difference(soft, rest).far_pixels, 0.02);
  expect_same(rest,
              draw({&flesh.asset, &materials, opened.get(), at_rest(flesh.asset)}, view, settings));
}

TEST(DrawnAsset, FleshIsWhereTheSumSays) {
  expect_flesh_as_the_sum_says(false);
  expect_flesh_as_the_sum_says(true);
}

/// Every skinned or morphed vertex by io's functions on the CPU, and no skin or target left.
io::GltfAsset posed_by_cpu(const io::GltfAsset& asset, const io::GltfPose& pose) {
  io::GltfAsset result = asset;
  const auto world = io::world_matrices(asset, pose);
  result.meshes.clear();
  result.nodes.assign(asset.nodes.size(), {});
  result.skins.clear();
  for (std::size_t n = 0; n < asset.nodes.size(); ++n) {
    result.nodes[n].children = asset.nodes[n].children;
    result.nodes[n].parent = asset.nodes[n].parent;
    if (!asset.nodes[n].mesh) continue;
    io::GltfMesh mesh = asset.meshes[*asset.nodes[n].mesh];
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
      io::GltfPrimitive& primitive = mesh.primitives[p];
      const io::GltfPrimitive source = primitive;
      primitive.positions = io::posed_positions(asset, n, p, pose, world);
      std::vector<Eigen::Matrix4d> palette;
      if (asset.nodes[n].skin) {
        palette = io::skinning_matrices(asset.skins[*asset.nodes[n].skin], world);
      }
      for (std::size_t v = 0; v < primitive.normals.size(); ++v) {
        Vec3 normal = source.normals[v];
        for (std::size_t t = 0; t < std::min(source.targets.size(), pose.weights[n].size()); ++t) {
          const auto& change = source.targets[t].normals;
          if (!change.empty()) normal += pose.weights[n][t] * change[v];
        }
        const bool skinned = !palette.empty() && source.influences > 0;
        const Eigen::Matrix3d matrix =
            skinned ? Eigen::Matrix3d(io::blended_matrix(source, v, palette).topLeftCorner<3, 3>())
                    : Eigen::Matrix3d(world[n].topLeftCorner<3, 3>().inverse().transpose());
        primitive.normals[v] = (matrix * normal).normalized();
      }
      primitive.tangents.clear();
      primitive.targets.clear();
      primitive.influences = 0;
      primitive.joints.clear();
      primitive.weights.clear();
    }
    result.nodes[n].mesh = result.meshes.size();
    result.meshes.push_back(std::move(mesh));
  }
  return result;
}

void expect_posed_as_by_cpu(const std::filesystem::path& file, double time) {
  SCOPED_TRACE(file.string());
  const auto asset = io::read_gltf(file);
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const io::GltfMaterials materials = io::read_materials(*asset);
  EXPECT_TRUE(materials.warnings.empty()) << fmt::format("{}", materials.warnings.front());
  const io::GltfPose pose = asset->animations.empty()
                                ? io::rest_pose(*asset)
                                : io::sample(*asset, asset->animations.back(), time);
  const io::GltfAsset still = posed_by_cpu(*asset, pose);
  const Moment moment{io::world_matrices(*asset, pose), pose.weights, {}};
  Moment plain = at_rest(still);

  std::vector<Vec3> points;
  for (const io::GltfMesh& mesh : still.meshes) {
    for (const io::GltfPrimitive& p : mesh.primitives) {
      points.insert(points.end(), p.positions.begin(), p.positions.end());
    }
  }
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  View view;
  view.camera = frame(points, {30, 10}, 1);
  view.key_direction = key_direction({30, 10});
  view.centre = box.center();
  view.radius = 0.5 * box.diagonal().norm();
  view.floor = box.min().y();
  RendererSettings settings;
  settings.width = 240;
  settings.height = 240;
  const io::Image gpu = draw({&*asset, &materials, nullptr, moment}, view, settings);
  const io::Image cpu = draw({&still, &materials, nullptr, plain}, view, settings);
  expect_same(gpu, cpu);
  if (!asset->animations.empty()) {
    const io::Image rest = draw({&*asset, &materials, nullptr, at_rest(*asset)}, view, settings);
    EXPECT_GT(difference(gpu, rest).far_pixels, 5 * kSameFar);
  }
}

TEST(DrawnAsset, SkinsAndMorphsCharactersAsTheCpuDoes) {
  std::vector<std::string> absent;
  bool seen = false;
  for (const char* name :
       {"khronos/CesiumMan/CesiumMan.glb", "khronos/Fox/Fox.glb", "kaykit/Knight.glb",
        "khronos/AnimatedMorphCube/AnimatedMorphCube.glb", "khronos/RiggedSimple/RiggedSimple.glb",
        "makehuman/human.glb", "quaternius/Dolphin.glb"}) {
    const std::filesystem::path file = supple::testing::assets() / name;
    if (!std::filesystem::exists(file)) {
      absent.emplace_back(name);
      continue;
    }
    expect_posed_as_by_cpu(file, 0.6);
    seen = true;
  }
  if (!absent.empty()) {
    fmt::print("SKIPPED: not beside the project, not posed on the GPU and on the CPU: {}\n",
               fmt::join(absent, ", "));
  }
  if (!seen) GTEST_SKIP();
}

TEST(DrawnAsset, RefusesWhatShowsNothing) {
  io::GltfAsset asset = asset_of({});
  const auto context = gpu::Context::create();
  ASSERT_TRUE(context.ok()) << context.error().describe();
  const auto scene = DrawnAsset::create(*context, asset, looks({}), nullptr);
  ASSERT_FALSE(scene.ok());
  EXPECT_NE(scene.error().message().find("shows no triangles"), std::string::npos);
}

}  // namespace
}  // namespace supple::render::testing
