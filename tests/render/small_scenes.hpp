// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf.hpp"
#include "supple/io/gltf_materials.hpp"
#include "supple/render/drawn_asset.hpp"
#include "supple/render/renderer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace supple::render::testing {

/// A sphere of radius 1 around the origin with its exact normals.
[[nodiscard]] io::GltfPrimitive sphere(int rings = 64);
/// The square -1..1 in x and y, facing +z; u runs right, v down as glTF has it.
[[nodiscard]] io::GltfPrimitive square();

/// One node that draws one primitive.
[[nodiscard]] io::GltfAsset asset_of(io::GltfPrimitive primitive);
/// For material 0 of such an asset.
[[nodiscard]] io::GltfMaterials looks(const io::GltfMaterial& material,
                                      std::vector<io::Image> images = {});
[[nodiscard]] Moment at_rest(const io::GltfAsset& asset);

/// From +z, a square picture in which the origin's plane reaches from -`half` to `half`.
[[nodiscard]] View front_view(double half = 1.25);

/// Plain linear light, no ground, black background: measures only the material.
[[nodiscard]] RendererSettings plain_settings(int side = 128);

struct Shown {
  const io::GltfAsset* asset;
  const io::GltfMaterials* materials;
  const supple_asset* flesh = nullptr;
  Moment moment;
};
/// The picture; fails the calling test if there is none.
[[nodiscard]] io::Image draw(const Shown& shown, const View& view,
                             const RendererSettings& settings);

using Pixel = std::array<int, 4>;
[[nodiscard]] Pixel pixel(const io::Image& image, int x, int y);
/// The pixel in which a point of the world appears.
[[nodiscard]] std::array<double, 2> project(const View& view, const RendererSettings& settings,
                                            const geometry::Vec3& point);
[[nodiscard]] double to_linear(int srgb);
[[nodiscard]] int to_srgb(double linear);

struct Difference {
  double mean = 0;        ///< of channels, in steps of 255
  double far_pixels = 0;  ///< share that differs by more than 24 steps
};
[[nodiscard]] Difference difference(const io::Image& a, const io::Image& b);

}  // namespace supple::render::testing
