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
  bool nearest = false;  ///< magnified without interpolation
  /// KHR_texture_transform: maps (u, v, 1) to the position read in the picture.
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
  /// One per image of the file; empty (width 0) if no material uses it or it cannot be read.
  std::vector<Image> images;
  std::vector<std::string> warnings;  ///< unreadable pictures and ignored features
};

/// The materials of the file, with their pictures decoded. Appearance is never a reason to reject a
/// file: invalid or unknown values give a warning and glTF's default.
[[nodiscard]] GltfMaterials read_materials(const GltfAsset& asset);

}  // namespace supple::io
