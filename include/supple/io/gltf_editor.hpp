// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf.hpp"

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace supple::io {

enum class GltfStorage {
  Dense,
  Sparse  ///< only the vertices that move, if that is smaller
};

/// Adds to a document and leaves the rest unchanged. The original asset is not modified; `finish`
/// reads the result like any other file, so that no invalid file gets out.
///
/// Indices and sizes of arguments are contracts; numbers that are not finite are errors.
class GltfEditor {
 public:
  explicit GltfEditor(const GltfAsset& asset);
  ~GltfEditor();
  GltfEditor(GltfEditor&&) noexcept;
  GltfEditor& operator=(GltfEditor&&) noexcept;

  /// Appends targets to a mesh: `by_primitive[p][k]` displaces primitive p in target k. A target of
  /// a primitive may be empty: it does not move. Weights, target names and existing weight
  /// animations are extended, with the new targets at weight 0.
  [[nodiscard]] Result<void> add_morph_targets(
      std::size_t mesh, const std::vector<std::string>& names,
      const std::vector<std::vector<GltfMorphTarget>>& by_primitive,
      GltfStorage storage = GltfStorage::Dense);

  /// Notes in the mesh's extras that all of its targets from `first` on come from a bake.
  void mark_baked_targets(std::size_t mesh, std::size_t first);

  /// Removes the targets that are marked so, with their weights and keys, animations that have no
  /// channel without them, and the bytes that only they used, if those are the last of the file, as
  /// a bake writes them. Meshes in `except` keep theirs. Returns how many targets there were.
  [[nodiscard]] Result<std::size_t> remove_baked_targets(const std::set<std::size_t>& except = {});

  /// Adds or replaces an application-specific attribute; its name begins with '_'.
  [[nodiscard]] Result<void> set_attribute(std::size_t mesh, std::size_t primitive,
                                           const GltfAttribute& attribute);

  /// Adds or replaces the colours of a primitive's vertices: linear RGBA.
  [[nodiscard]] Result<void> set_colours(std::size_t mesh, std::size_t primitive,
                                         const std::vector<Eigen::Vector4d>& colours);

  /// Makes every vertex of a skinned primitive follow only this joint of its skin.
  [[nodiscard]] Result<void> follow_joint(std::size_t mesh, std::size_t primitive,
                                          std::size_t joint);

  /// A new animation without channels; give it at least one before finishing.
  [[nodiscard]] std::size_t add_animation(const std::string& name);

  /// Adds a channel, or replaces the one that the animation has for this node and path.
  [[nodiscard]] Result<void> set_channel(std::size_t animation, std::size_t node, GltfPath path,
                                         const GltfSampler& sampler);

  /// Sets the translation, rotation or scale of a node while no animation moves it. Its skins stay
  /// bound as before. Nodes with a matrix are rejected.
  [[nodiscard]] Result<void> set_rest(std::size_t node, GltfPath path,
                                      std::span<const double> values);

  /// A node of the default scene that marks a place.
  void add_empty_node(const std::string& name, const geometry::Vec3& place);

  /// Embeds images that lie beside the file, so that the result can be moved.
  [[nodiscard]] Result<void> embed_images();

  [[nodiscard]] Result<GltfAsset> finish() &&;

 private:
  std::string m_name;
  std::unique_ptr<GltfDocument> m_document;
};

}  // namespace supple::io
