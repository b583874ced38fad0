// SPDX-License-Identifier: Apache-2.0
#include "supple/render/drawn_asset.hpp"

#include "render/drawn_asset_data.hpp"

#include "supple/core/check.hpp"
#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>
#include <supple.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <map>
#include <numeric>

namespace supple::render {

using Eigen::Matrix4d;
using geometry::Vec3;

std::vector<std::pair<std::string, GLuint>> attribute_places() {
  return {{"a_position", Position},  {"a_normal", Normal},    {"a_tangent", Tangent},
          {"a_uv", TexCoord},        {"a_colour", Colour},    {"a_joints_0", Joints0},
          {"a_weights_0", Weights0}, {"a_joints_1", Joints1}, {"a_weights_1", Weights1}};
}

namespace {

constexpr std::size_t kMostInfluences = 8;

/// Interleaved in the order of the vertex array.
struct Vertex {
  std::array<float, 3> position{};
  std::array<float, 3> normal{};
  std::array<float, 4> tangent{};
  std::array<float, 2> uv{};
  std::array<float, 4> colour{1, 1, 1, 1};
};

struct SkinVertex {
  std::array<std::uint16_t, kMostInfluences> joints{};
  std::array<float, kMostInfluences> weights{};
};

template <std::size_t N, class Vector>
void store(std::array<float, N>& out, const Vector& vector) {
  for (std::size_t i = 0; i < N; ++i) {
    out[i] = static_cast<float>(vector[static_cast<Eigen::Index>(i)]);
  }
}

std::vector<Vertex> vertices_of(const io::GltfPrimitive& primitive) {
  std::vector<Vertex> vertices(primitive.positions.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    store(vertices[v].position, primitive.positions[v]);
    if (!primitive.normals.empty()) store(vertices[v].normal, primitive.normals[v]);
    if (!primitive.tangents.empty()) store(vertices[v].tangent, primitive.tangents[v]);
    if (!primitive.texcoords.empty()) store(vertices[v].uv, primitive.texcoords[v]);
    if (!primitive.colours.empty()) store(vertices[v].colour, primitive.colours[v]);
  }
  return vertices;
}

/// The strongest influences, normalised; without any weight the vertex follows its first joint, as
/// in io::blended_matrix.
SkinVertex skin_vertex(const io::GltfPrimitive& primitive, std::size_t vertex) {
  const std::size_t first = primitive.influences * vertex;
  std::vector<std::size_t> order(primitive.influences);
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return primitive.weights[a] > primitive.weights[b];
  });
  order.resize(std::min(order.size(), kMostInfluences));
  double sum = 0;
  for (const std::size_t i : order) sum += std::max(0.0, primitive.weights[i]);
  SkinVertex result;
  if (!(sum > 0)) {
    result.joints[0] = static_cast<std::uint16_t>(primitive.joints[first]);
    result.weights[0] = 1;
    return result;
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.joints[k] = static_cast<std::uint16_t>(primitive.joints[order[k]]);
    result.weights[k] = static_cast<float>(std::max(0.0, primitive.weights[order[k]]) / sum);
  }
  return result;
}

class Builder {
 public:
  Builder(const gpu::Context& context, const io::GltfAsset& asset,
          const io::GltfMaterials& materials, const supple_asset* flesh)
      : m_context(context),
        m_gl(context.gl()),
        m_asset(asset),
        m_materials(materials),
        m_flesh(flesh),
        m_data(std::make_unique<DrawnAsset::Data>()) {}

  Result<std::unique_ptr<DrawnAsset::Data>> build() {
    m_data->gl = &m_gl;
    TextureStore store(m_context, m_materials);
    m_data->materials = store.materials();
    m_data->textures = std::move(store).take_textures();
    make_white();
    m_data->paint.look.metallic = 0;
    m_data->paint.look.roughness = 0.55;
    if (m_flesh != nullptr) SUPPLE_TRY_VOID(add_flesh());
    SUPPLE_TRY_VOID(add_skins());
    for (const std::size_t node : io::shown_nodes(m_asset)) SUPPLE_TRY_VOID(add_node(node));
    if (m_data->items.empty()) {
      return bad_input(fmt::format("'{}' shows no triangles in its default scene", m_asset.name));
    }
    SUPPLE_TRY_VOID(gpu::check_gl(m_gl, fmt::format("uploading '{}'", m_asset.name)));
    return std::move(m_data);
  }

 private:
  void make_white() {
    m_data->white = gpu::Texture(m_gl);
    const std::array<std::uint8_t, 4> pixel{255, 255, 255, 255};
    m_gl.BindTexture(GL_TEXTURE_2D, m_data->white.id());
    m_gl.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 1, 1);
    m_gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
  }

  Result<void> add_flesh() {
    SUPPLE_TRY(m_data->flesh, gpu::ModalShapes::create(m_gl, m_flesh, gpu::ModalPath::Textures));
    SUPPLE_TRY(m_data->coefficients,
               gpu::InstanceTexture::create(m_gl, m_data->flesh->coefficient_texels(), 1));
    supple_asset_info info{};
    (void)supple_asset_describe(m_flesh, &info);
    for (std::uint32_t p = 0; p < info.part_count; ++p) {
      supple_part_info part{};
      (void)supple_asset_part(m_flesh, p, &part);
      m_first_vertices[{part.mesh, part.primitive}] = static_cast<int>(part.first_vertex);
    }
    find_shells(info);
    return {};
  }

  void find_shells(const supple_asset_info& info) {
    m_of_shell.resize(info.vertex_count);
    std::vector<float> shape(std::size_t{3} * info.vertex_count);
    for (std::uint32_t o = 0; o < info.object_count; ++o) {
      supple_object_info object{};
      (void)supple_asset_object(m_flesh, o, &object);
      if (object.kind != SUPPLE_SHELL) continue;
      for (std::uint32_t m = 0; m < object.mode_count; ++m) {
        (void)supple_asset_mode_shape(m_flesh, object.first_mode + m, shape.data(), nullptr);
        for (std::size_t i = 0; i < shape.size(); ++i) {
          if (shape[i] != 0) m_of_shell[i / 3] = true;
        }
      }
    }
  }

  Result<void> add_skins() {
    m_data->skins.reserve(m_asset.skins.size());
    for (const io::GltfSkin& skin : m_asset.skins) {
      SceneSkin& added = m_data->skins.emplace_back();
      added.joints = skin.joints;
      added.inverse_binds = skin.inverse_bind_matrices;
      SUPPLE_TRY(
          added.palette,
          gpu::InstanceTexture::create(m_gl, 4 * std::max<std::size_t>(1, skin.joints.size()), 1)
              .during(fmt::format("skin '{}' of '{}'", skin.name, m_asset.name)));
    }
    return {};
  }

  Result<void> add_node(std::size_t node) {
    const std::size_t mesh = *m_asset.nodes[node].mesh;
    for (std::size_t p = 0; p < m_asset.meshes[mesh].primitives.size(); ++p) {
      const io::GltfPrimitive& primitive = m_asset.meshes[mesh].primitives[p];
      if (!primitive.triangles.empty()) SUPPLE_TRY_VOID(add_item(node, mesh, p));
      m_vertices += primitive.positions.size();
    }
    return {};
  }

  Result<void> add_item(std::size_t node, std::size_t mesh, std::size_t primitive) {
    const auto [known, fresh] = m_known.try_emplace({mesh, primitive}, m_data->primitives.size());
    if (fresh) {
      SUPPLE_TRY(ScenePrimitive made, make_primitive(mesh, primitive));
      m_data->primitives.push_back(std::move(made));
    }
    SceneItem item;
    item.primitive = known->second;
    item.node = node;
    item.first_vertex = m_vertices;
    const ScenePrimitive& drawn = m_data->primitives[item.primitive];
    if (drawn.influences > 0) item.skin = m_asset.nodes[node].skin;
    if (drawn.targets > 0) {
      SUPPLE_TRY(item.weights, gpu::InstanceTexture::create(m_gl, drawn.targets, 1));
    }
    m_data->items.push_back(std::move(item));
    return {};
  }

  Result<ScenePrimitive> make_primitive(std::size_t mesh, std::size_t place) {
    const io::GltfPrimitive& source = m_asset.meshes[mesh].primitives[place];
    ScenePrimitive made;
    made.vertices = static_cast<int>(source.positions.size());
    made.has_normals = !source.normals.empty();
    made.has_tangents = !source.tangents.empty();
    made.influences = source.influences == 0 ? 0 : source.influences <= 4 ? 4 : 8;
    made.material = source.material.value_or(m_data->materials.size() - 1);
    made.targets = source.targets.size();
    if (const auto found = m_first_vertices.find({mesh, place}); found != m_first_vertices.end()) {
      made.first_vertex = found->second;
      const auto begin = m_of_shell.begin() + made.first_vertex;
      made.shell = std::find(begin, begin + made.vertices, true) != begin + made.vertices;
    }
    for (const Vec3& p : source.positions) made.centre += p / double(source.positions.size());
    made.array = gpu::VertexArray(m_gl);
    m_gl.BindVertexArray(made.array.id());
    upload_vertices(source, made);
    upload_corners(source, made);
    m_gl.BindVertexArray(0);
    if (made.targets > 0) SUPPLE_TRY_VOID(upload_targets(source, made));
    return made;
  }

  void floats(GLuint place, GLint count, std::size_t stride, std::size_t begin) const {
    m_gl.EnableVertexAttribArray(place);
    m_gl.VertexAttribPointer(place, count, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                             gpu::buffer_offset(begin));
  }

  void upload_vertices(const io::GltfPrimitive& source, ScenePrimitive& made) const {
    const std::vector<Vertex> vertices = vertices_of(source);
    made.buffers.push_back(
        gpu::make_buffer(m_gl, GL_ARRAY_BUFFER, std::span<const Vertex>(vertices)));
    floats(Position, 3, sizeof(Vertex), offsetof(Vertex, position));
    floats(Normal, 3, sizeof(Vertex), offsetof(Vertex, normal));
    floats(Tangent, 4, sizeof(Vertex), offsetof(Vertex, tangent));
    floats(TexCoord, 2, sizeof(Vertex), offsetof(Vertex, uv));
    floats(Colour, 4, sizeof(Vertex), offsetof(Vertex, colour));
    if (made.influences == 0) return;
    std::vector<SkinVertex> skin(vertices.size());
    for (std::size_t v = 0; v < skin.size(); ++v) skin[v] = skin_vertex(source, v);
    made.buffers.push_back(
        gpu::make_buffer(m_gl, GL_ARRAY_BUFFER, std::span<const SkinVertex>(skin)));
    constexpr std::size_t kFour = 4;
    for (const std::size_t half : {std::size_t{0}, std::size_t{1}}) {
      const GLuint joints = half == 0 ? Joints0 : Joints1;
      m_gl.EnableVertexAttribArray(joints);
      m_gl.VertexAttribIPointer(
          joints, 4, GL_UNSIGNED_SHORT, sizeof(SkinVertex),
          gpu::buffer_offset(offsetof(SkinVertex, joints) + half * kFour * sizeof(std::uint16_t)));
      floats(half == 0 ? Weights0 : Weights1, 4, sizeof(SkinVertex),
             offsetof(SkinVertex, weights) + half * kFour * sizeof(float));
    }
  }

  void upload_corners(const io::GltfPrimitive& source, ScenePrimitive& made) const {
    std::vector<std::uint32_t> corners;
    corners.reserve(3 * source.triangles.size());
    for (const geometry::Triangle& triangle : source.triangles) {
      for (const geometry::Index v : triangle) corners.push_back(static_cast<std::uint32_t>(v));
    }
    made.corners = static_cast<GLsizei>(corners.size());
    made.buffers.push_back(
        gpu::make_buffer(m_gl, GL_ELEMENT_ARRAY_BUFFER, std::span<const std::uint32_t>(corners)));
  }

  /// Target after target, two texels per vertex: position and normal.
  Result<void> upload_targets(const io::GltfPrimitive& source, ScenePrimitive& made) const {
    constexpr std::size_t kWidth = 2048;
    const std::size_t vertices = source.positions.size();
    const std::size_t rows = (2 * vertices * made.targets + kWidth - 1) / kWidth;
    GLint largest = 0;
    m_gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (rows > static_cast<std::size_t>(largest)) {
      return bad_input(
          fmt::format("'{}' has {} morph targets of {} vertices: too many for a texture on this "
                      "GPU; export fewer",
                      m_asset.name, made.targets, vertices));
    }
    std::vector<float> texels(4 * kWidth * rows);
    for (std::size_t t = 0; t < made.targets; ++t) {
      const io::GltfMorphTarget& target = source.targets[t];
      for (std::size_t v = 0; v < vertices; ++v) {
        float* texel = &texels[8 * (t * vertices + v)];
        for (int i = 0; i < 3; ++i) {
          if (!target.positions.empty()) texel[i] = static_cast<float>(target.positions[v][i]);
          if (!target.normals.empty()) texel[4 + i] = static_cast<float>(target.normals[v][i]);
        }
      }
    }
    made.morphs = gpu::Texture(m_gl);
    m_gl.BindTexture(GL_TEXTURE_2D, made.morphs.id());
    m_gl.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, kWidth, static_cast<GLsizei>(rows));
    m_gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kWidth, static_cast<GLsizei>(rows), GL_RGBA,
                       GL_FLOAT, texels.data());
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    m_gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return {};
  }

  const gpu::Context& m_context;
  const gpu::Gl& m_gl;
  const io::GltfAsset& m_asset;
  const io::GltfMaterials& m_materials;
  const supple_asset* m_flesh;
  std::unique_ptr<DrawnAsset::Data> m_data;
  std::map<std::pair<std::size_t, std::size_t>, int> m_first_vertices;
  std::vector<bool> m_of_shell;  // per vertex of the flesh's file
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> m_known;
  std::size_t m_vertices = 0;  // of what was added
};

}  // namespace

DrawnAsset::DrawnAsset(std::unique_ptr<Data> data) : m_data(std::move(data)) {}
DrawnAsset::~DrawnAsset() = default;
DrawnAsset::DrawnAsset(DrawnAsset&&) noexcept = default;
DrawnAsset& DrawnAsset::operator=(DrawnAsset&&) noexcept = default;

Result<DrawnAsset> DrawnAsset::create(const gpu::Context& context, const io::GltfAsset& asset,
                                      const io::GltfMaterials& materials,
                                      const supple_asset* flesh) {
  SUPPLE_TRY(std::unique_ptr<Data> data, Builder(context, asset, materials, flesh).build());
  return DrawnAsset(std::move(data));
}

void DrawnAsset::Data::bind_colours(const SceneItem& item) const {
  const ScenePrimitive& primitive = primitives[item.primitive];
  gl->BindBuffer(GL_ARRAY_BUFFER, item.painted ? item.paint.id() : primitive.buffers.front().id());
  if (item.painted) {
    gl->VertexAttribPointer(Colour, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
  } else {
    gl->VertexAttribPointer(Colour, 4, GL_FLOAT, GL_FALSE, sizeof(Vertex),
                            gpu::buffer_offset(offsetof(Vertex, colour)));
  }
}

void DrawnAsset::paint(std::span<const Eigen::Vector3f> colours) {
  for (SceneItem& item : m_data->items) {
    const auto count = static_cast<std::size_t>(m_data->primitives[item.primitive].vertices);
    item.painted = item.first_vertex + count <= colours.size();
    if (!item.painted) continue;
    item.paint =
        gpu::make_buffer(*m_data->gl, GL_ARRAY_BUFFER, colours.subspan(item.first_vertex, count));
  }
}

void DrawnAsset::show(const Moment& moment) {
  for (SceneSkin& skin : m_data->skins) {
    std::vector<float> palette(skin.palette.floats_per_row());
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      const Eigen::Matrix4f matrix =
          (moment.world[skin.joints[j]] * skin.inverse_binds[j]).cast<float>();
      std::copy_n(matrix.data(), 16, &palette[16 * j]);
    }
    skin.palette.upload(palette);
  }
  for (SceneItem& item : m_data->items) {
    item.world = moment.world[item.node];
    const std::size_t targets = m_data->primitives[item.primitive].targets;
    if (targets == 0) continue;
    std::vector<float> acting(item.weights.floats_per_row());
    item.active_targets = 0;
    const std::vector<double>& weights = moment.weights[item.node];
    for (std::size_t t = 0; t < std::min(targets, weights.size()); ++t) {
      if (weights[t] == 0) continue;
      float* texel = &acting[4 * static_cast<std::size_t>(item.active_targets++)];
      texel[0] = static_cast<float>(t);
      texel[1] = static_cast<float>(weights[t]);
    }
    item.weights.upload(acting);
  }
  m_data->flesh_acts = m_data->flesh && !moment.coefficients.empty();
  m_data->linear = moment.linear;
  if (m_data->flesh_acts) {
    SUPPLE_CHECK_OP(moment.coefficients.size(), ==, m_data->coefficients.floats_per_row());
    m_data->coefficients.upload(moment.coefficients);
  }
}

}  // namespace supple::render
