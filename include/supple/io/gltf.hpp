// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/geometry/types.hpp"

#include <Eigen/Geometry>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace supple::io {

/// The JSON document and its binary buffer, exactly as read: this makes re-export lossless.
struct GltfDocument;

/// A node's local transform. `matrix` is set if the file gives a matrix, and then takes precedence;
/// the three parts contain its decomposition, so that code that reads poses can ignore the
/// difference.
struct GltfTransform {
  geometry::Vec3 translation = geometry::Vec3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  geometry::Vec3 scale = geometry::Vec3::Ones();
  std::optional<Eigen::Matrix4d> matrix;

  [[nodiscard]] Eigen::Matrix4d to_matrix() const;
};

struct GltfNode {
  std::string name;
  std::optional<std::size_t> parent;
  std::vector<std::size_t> children;
  GltfTransform local;
  std::optional<std::size_t> mesh;
  std::optional<std::size_t> skin;
  std::vector<double> weights;  ///< overrides the mesh's default weights; empty: no override
};

/// Displacements of one morph target; an attribute missing from the file is empty.
struct GltfMorphTarget {
  std::vector<geometry::Vec3> positions;
  std::vector<geometry::Vec3> normals;
  std::vector<geometry::Vec3> tangents;
};

/// An application-specific vertex attribute, "_NAME": `width` numbers per vertex.
struct GltfAttribute {
  std::string name;
  std::size_t width = 1;
  std::vector<float> values;
};

/// The vertices of one draw call. Strips and fans are converted to triangles; points and lines keep
/// their position in the list but are empty (`GltfAsset::warnings` names them).
struct GltfPrimitive {
  std::vector<geometry::Vec3> positions;
  std::vector<geometry::Vec3> normals;
  std::vector<Eigen::Vector4d> tangents;
  std::vector<Eigen::Vector2d> texcoords;
  std::vector<Eigen::Vector4d> colours;  ///< RGBA; alpha 1 if the file has RGB
  std::size_t influences = 0;            ///< joints per vertex: 0, 4, 8, ...
  std::vector<std::uint32_t> joints;     ///< `influences` per vertex: indices into the skin's list
  std::vector<double> weights;           ///< as in the file, not normalised
  std::vector<GltfAttribute> attributes;
  std::vector<geometry::Triangle> triangles;
  std::vector<GltfMorphTarget> targets;
  std::optional<std::size_t> material;
};

struct GltfMesh {
  std::string name;
  std::vector<GltfPrimitive> primitives;  ///< all with the same number of targets
  std::vector<std::string> target_names;  ///< one per target, "" if unnamed
  std::vector<double> weights;            ///< default weights, one per target
};

struct GltfSkin {
  std::string name;
  std::vector<std::size_t> joints;                     ///< nodes
  std::vector<Eigen::Matrix4d> inverse_bind_matrices;  ///< one per joint
  std::optional<std::size_t> skeleton;                 ///< common root node
};

enum class GltfInterpolation { Linear, Step, CubicSpline };
enum class GltfPath { Translation, Rotation, Scale, Weights };

/// Keys of one animated quantity. Rotations are x, y, z, w. A CubicSpline key contains in-tangent,
/// value and out-tangent, so `values` then has 3 * width numbers per key, otherwise width.
struct GltfSampler {
  GltfInterpolation interpolation = GltfInterpolation::Linear;
  std::size_t width = 0;
  std::vector<double> times;  ///< seconds, not decreasing
  std::vector<double> values;
};

struct GltfChannel {
  std::size_t node = 0;
  GltfPath path = GltfPath::Translation;
  std::size_t sampler = 0;
};

struct GltfAnimation {
  std::string name;
  std::vector<GltfSampler> samplers;
  std::vector<GltfChannel> channels;
  double duration = 0;  ///< the last key of any channel, seconds
};

/// A glTF 2.0 file: typed views for computing, and the untouched document for writing back.
///
/// Everything missing from the views (materials beyond name and colour, textures, cameras, further
/// texture coordinates, extras, extensions) is still in `document`. Lengths are in the file's
/// units.
struct GltfAsset {
  std::string name;  ///< the file's name in messages
  std::vector<GltfNode> nodes;
  std::vector<std::size_t> parents_first;  ///< all nodes, each after its parent
  std::vector<std::size_t> scene_roots;    ///< of the default scene
  std::vector<GltfMesh> meshes;
  std::vector<GltfSkin> skins;
  std::vector<GltfAnimation> animations;
  std::vector<std::string> materials;         ///< names
  std::vector<Eigen::Vector4d> base_colours;  ///< linear RGBA per material, without its texture
  std::vector<std::string> warnings;          ///< skipped or repaired items, ready for display
  std::string bake_id;  ///< of the .supple file written together with this one; "": none
  std::shared_ptr<const GltfDocument> document;
};

/// Reads .glb or .gltf. Buffers outside the file are read from `base_directory` and nowhere else;
/// without one they are an error. `name` is for messages.
[[nodiscard]] Result<GltfAsset> read_gltf(std::span<const std::byte> bytes, std::string_view name,
                                          const std::filesystem::path& base_directory = {});
[[nodiscard]] Result<GltfAsset> read_gltf(const std::filesystem::path& path);

/// The document as one .glb: only its buffers change (they are merged into one).
[[nodiscard]] Result<Bytes> write_gltf(const GltfAsset& asset);
[[nodiscard]] Result<void> write_gltf(const GltfAsset& asset, const std::filesystem::path& path);

/// The same, with the id of the .supple file that belongs to it, in asset.extras.supple_bake.
[[nodiscard]] Result<Bytes> write_baked_gltf(const GltfAsset& asset, const std::string& bake_id);

/// An error for JSON that would take too much memory or stack to parse, found without parsing it.
[[nodiscard]] Result<void> check_json_size(std::string_view text);

/// The document as one .gltf: JSON with its buffer as a data: URI.
[[nodiscard]] Result<std::string> write_gltf_text(const GltfAsset& asset);

/// All triangles of the default scene in world space, as a viewer shows them at rest: node
/// transforms, default morph weights and skins applied, mirrored parts flipped to face outwards.
[[nodiscard]] Result<geometry::TriMesh> gltf_surface(const GltfAsset& asset);
/// The same from a file; warnings go to the log.
[[nodiscard]] Result<geometry::TriMesh> read_gltf_surface(const std::filesystem::path& path);

/// The largest distance of a vertex's sum of weights from 1; 0 without weights.
[[nodiscard]] double weight_sum_error(const GltfPrimitive& primitive);

/// Whether that distance is small enough for viewers to agree: some normalise the weights, others
/// do not.
[[nodiscard]] bool weights_normalised(const GltfPrimitive& primitive, double tolerance = 1e-3);

}  // namespace supple::io
