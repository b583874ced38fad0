// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/image.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace supple::io {

enum class GltfWrap { Repeat, Mirror, Clamp };

/// One use of a picture by a material.
struct GltfTexture {
  std::size_t image = 0;
  GltfWrap wrap_u = GltfWrap::Repeat;
  GltfWrap wrap_v = GltfWrap::Repeat;
  bool nearest = false;  ///< magnified without blending of neighbours
  /// KHR_texture_transform: takes (u, v, 1) to where the picture is read.
  Eigen::Matrix<double, 2, 3> transform = Eigen::Matrix<double, 2, 3>::Identity();
};

enum class GltfAlpha { Opaque, Mask, Blend };

/// The metallic-roughness model of glTF 2.0, colours linear.
struct GltfMaterial {
  std::string name;
  Eigen::Vector4d base_colour = Eigen::Vector4d::Ones();
  double metallic = 1;
  double roughness = 1;
  double normal_scale = 1;
  double occlusion_strength = 1;
  Eigen::Vector3d emissive = Eigen::Vector3d::Zero();
  GltfAlpha alpha = GltfAlpha::Opaque;
  double alpha_cutoff = 0.5;
  bool double_sided = false;
  bool unlit = false;
  std::optional<GltfTexture> base_colour_texture;
  std::optional<GltfTexture> metallic_roughness_texture;
  std::optional<GltfTexture> normal_texture;
  std::optional<GltfTexture> occlusion_texture;
  std::optional<GltfTexture> emissive_texture;
};

struct GltfMaterials {
  std::vector<GltfMaterial> materials;  ///< one per material of the file
  /// One per image of the file; empty (width 0) where no material uses it or it cannot be read.
  std::vector<Image> images;
  std::vector<std::string> warnings;  ///< pictures that cannot be read, what was left out
};

/// How the file's surfaces look, with the pictures they use decoded. Looks are no reason to refuse
/// a file: what is wrong or unknown becomes a warning and the default of glTF.
[[nodiscard]] GltfMaterials read_materials(const GltfAsset& asset);

}  // namespace supple::io
