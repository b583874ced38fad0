// SPDX-License-Identifier: Apache-2.0
#include "player/synthetic_asset.hpp"
#include "render/small_scenes.hpp"

#include "supple/render/drawn_asset.hpp"

#include <gtest/gtest.h>
#include <supple.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>
#include <vector>

namespace supple::render::testing {
namespace {

using geometry::Index;
using geometry::Vec3;

soft::Asset shell_on(const io::GltfAsset& asset) {
  soft::Asset file = player::testing::one_object({player::testing::oscillator(3, 0.1)});
  const io::GltfPrimitive& primitive = asset.meshes[0].primitives[0];
  file.vertex_count = static_cast<std::uint32_t>(primitive.positions.size());
  file.index_count = static_cast<std::uint32_t>(3 * primitive.triangles.size());
  file.parts = {{0, 0, 0, file.vertex_count}};
  soft::Object& object = file.objects[0];
  object.shell.emplace();
  object.shell->size = 2;
  object.shell->follow_turn = 1;
  for (std::uint32_t v = 0; v < file.vertex_count; ++v) object.vertices.push_back(v);
  return file;
}

/// A strip from x = -1 to 1 that faces +z, and the mode that bends it in its plane: at coefficient
/// 1 its far end is turned by 1.
struct Beam {
  static constexpr Index kAlong = 40;
  io::GltfAsset asset;
  soft::Asset file;

  Beam() {
    io::GltfPrimitive strip;
    for (Index i = 0; i <= kAlong; ++i) {
      for (const double y : {-0.12, 0.12}) {
        strip.positions.emplace_back(2.0 * i / kAlong - 1, y, 0);
        strip.normals.emplace_back(0, 0, 1);
      }
    }
    for (Index i = 0; i < 2 * kAlong; i += 2) {
      strip.triangles.push_back({i, i + 2, i + 1});
      strip.triangles.push_back({i + 1, i + 2, i + 3});
    }
    strip.material = 0;
    asset = asset_of(strip);
    file = shell_on(asset);
    soft::Mode& mode = file.objects[0].modes[0];
    for (const Vec3& x : asset.meshes[0].primitives[0].positions) {
      const double s = x.x() + 1;
      const double turn = 0.5 * s;
      mode.displacements.emplace_back(-turn * x.y(), 0.25 * s * s, 0);
      mode.turns.emplace_back(0, 0, turn);
    }
  }

  /// The same by formulas: sums of rotations about z.
  [[nodiscard]] io::GltfAsset bent(double q) const {
    io::GltfAsset result = asset;
    for (Vec3& x : result.meshes[0].primitives[0].positions) {
      const double s = x.x() + 1;
      const double w = 0.5 * q * s;
      const Vec3 p = q * Vec3(-0.5 * s * x.y(), 0.25 * s * s, 0);
      if (w == 0) continue;
      // The mean over all turns from 0 to w, about z.
      const double c = std::sin(w) / w;
      const double d = (1 - std::cos(w)) / w;
      x += Vec3(c * p.x() - d * p.y(), d * p.x() + c * p.y(), 0);
    }
    return result;
  }
};

Moment moment_of(const io::GltfAsset& asset, const supple_asset* opened, float q) {
  supple_gpu_layout layout{};
  EXPECT_EQ(supple_asset_gpu_layout(opened, &layout), SUPPLE_OK);
  Moment moment = at_rest(asset);
  moment.coefficients.resize(std::size_t{4} * layout.coefficient_texels);
  EXPECT_EQ(supple_asset_gpu_coefficients(opened, &q, moment.coefficients.data()), SUPPLE_OK);
  return moment;
}

io::GltfMaterials matte() {
  io::GltfMaterial look;
  look.metallic = 0;
  return looks(look);
}

TEST(PreparedShells, DrawsAWarpedBeamAndALinearOne) {
  const Beam beam;
  const player::testing::OpenAsset opened(beam.file, {});
  const io::GltfMaterials materials = matte();
  const RendererSettings settings = plain_settings(200);
  const View view = front_view(2.2);
  constexpr float kBend = 2;
  Moment moment = moment_of(beam.asset, opened.get(), kBend);
  const io::Image warped = draw({&beam.asset, &materials, opened.get(), moment}, view, settings);
  moment.linear = true;
  const io::Image linear = draw({&beam.asset, &materials, opened.get(), moment}, view, settings);
  const io::GltfAsset bent = beam.bent(kBend);
  const io::Image expected = draw({&bent, &materials, nullptr, at_rest(bent)}, view, settings);
  constexpr double kSameWarped = 0.3;  // steps of 255: edges, by 16-bit shapes
  EXPECT_LT(difference(warped, expected).mean, kSameWarped);
  EXPECT_GT(difference(warped, linear).mean, 10 * kSameWarped);
}

TEST(PreparedShells, LightsBothSidesWhateverTheMaterialSays) {
  io::GltfPrimitive front = square();
  front.material = 0;
  io::GltfPrimitive back = front;
  for (Vec3& n : back.normals) n = -n;
  for (auto& t : back.triangles) std::swap(t[1], t[2]);
  const io::GltfAsset seen = asset_of(front);
  const io::GltfAsset from_behind = asset_of(back);
  soft::Asset file = shell_on(from_behind);
  for (std::size_t v = 0; v < back.positions.size(); ++v) {
    file.objects[0].modes[0].displacements.emplace_back(0.1, 0, 0);
    file.objects[0].modes[0].turns.emplace_back(0, 0, 0);
  }
  const player::testing::OpenAsset opened(file, {});
  const io::GltfMaterials materials = matte();
  const RendererSettings settings = plain_settings(64);
  const View view = front_view();
  const io::Image lit = draw({&seen, &materials, nullptr, at_rest(seen)}, view, settings);
  const Moment still = moment_of(from_behind, opened.get(), 0);
  const io::Image shell = draw({&from_behind, &materials, opened.get(), still}, view, settings);
  const io::Image solid =
      draw({&from_behind, &materials, nullptr, at_rest(from_behind)}, view, settings);
  EXPECT_GT(pixel(lit, 32, 32)[0], 60);
  EXPECT_NEAR(pixel(shell, 32, 32)[0], pixel(lit, 32, 32)[0], 1);
  EXPECT_LT(pixel(solid, 32, 32)[0], 5) << "this test needs a material with one side";
}

}  // namespace
}  // namespace supple::render::testing
