// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/render/drawn_asset.hpp"

#include "supple/gpu/modal_shapes.hpp"
#include "supple/gpu/objects.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::render {

/// Locations of the vertex attributes; drawing without flesh attributes leaves the others free.
enum Attribute : GLuint {
  Position,
  Normal,
  Tangent,
  TexCoord,
  Colour,
  Joints0,
  Weights0,
  Joints1,
  Weights1
};
[[nodiscard]] std::vector<std::pair<std::string, GLuint>> attribute_places();

/// Texture units by use; programs and draws agree on them.
enum Unit : GLuint {
  BaseColour,
  MetallicRoughness,
  NormalMap,
  Occlusion,
  Emissive,
  ShadowCompare,
  ShadowDepth,
  Openness,
  PictureDepth,
  Palette,
  Morphs,
  MorphWeights,
  Coefficients,
  Shapes  ///< and the next
};
constexpr std::size_t kMaterialTextures = 5;  ///< the first units

struct ScenePrimitive {
  gpu::VertexArray array;
  std::vector<gpu::Buffer> buffers;
  GLsizei corners = 0;
  int vertices = 0;
  int influences = 0;  ///< 0, 4 or 8
  bool has_normals = false;
  bool has_tangents = false;
  std::size_t material = 0;
  gpu::Texture morphs;
  std::size_t targets = 0;
  int first_vertex = -1;  ///< of the flesh; -1: none
  bool shell = false;     ///< belongs to a shell: thin, so drawn double-sided
  geometry::Vec3 centre = geometry::Vec3::Zero();
};

struct SceneTexture {
  GLuint texture = 0;  ///< 0: white
  gpu::Sampler sampler;
  Eigen::Matrix<double, 2, 3> transform = Eigen::Matrix<double, 2, 3>::Identity();
  bool used = false;
};

struct SceneMaterial {
  io::GltfMaterial look;
  std::array<SceneTexture, kMaterialTextures> textures;
};

struct SceneSkin {
  gpu::InstanceTexture palette;
  std::vector<std::size_t> joints;
  std::vector<Eigen::Matrix4d> inverse_binds;
};

/// A primitive drawn by a node.
struct SceneItem {
  std::size_t primitive = 0;
  std::size_t node = 0;
  std::optional<std::size_t> skin;
  std::size_t first_vertex = 0;  ///< among those of everything shown
  gpu::Buffer paint;             ///< colours of its vertices
  bool painted = false;
  // State of the current moment:
  Eigen::Matrix4d world = Eigen::Matrix4d::Identity();
  gpu::InstanceTexture weights;  ///< (target, weight) of the active targets
  int active_targets = 0;
};

struct DrawnAsset::Data {
  const gpu::Gl* gl = nullptr;
  std::vector<ScenePrimitive> primitives;
  std::vector<SceneItem> items;
  std::vector<SceneSkin> skins;
  std::vector<SceneMaterial> materials;  ///< the last is for primitives without one
  std::vector<gpu::Texture> textures;
  gpu::Texture white;
  std::optional<gpu::ModalShapes> flesh;
  gpu::InstanceTexture coefficients;
  bool flesh_acts = false;
  bool linear = false;

  SceneMaterial paint;  ///< of what is painted
  [[nodiscard]] const SceneMaterial& material_of(const SceneItem& item) const {
    return item.painted ? paint : materials[primitives[item.primitive].material];
  }
  /// With the item's vertex array bound: where its colours come from.
  void bind_colours(const SceneItem& item) const;
};

/// Texture data of the file for a scene; `srgb` pictures contain colours, others numbers.
class TextureStore {
 public:
  TextureStore(const gpu::Context& context, const io::GltfMaterials& materials);
  [[nodiscard]] std::vector<SceneMaterial> materials();
  [[nodiscard]] std::vector<gpu::Texture> take_textures() && { return std::move(m_textures); }

 private:
  [[nodiscard]] SceneTexture texture(const std::optional<io::GltfTexture>& use, bool srgb);
  [[nodiscard]] GLuint upload(std::size_t image, bool srgb);
  const gpu::Context& m_context;
  const gpu::Gl& m_gl;
  const io::GltfMaterials& m_source;
  std::vector<gpu::Texture> m_textures;
  std::vector<std::array<GLuint, 2>> m_uploaded;  ///< per image: as numbers, as colours; 0: not yet
};

}  // namespace supple::render
