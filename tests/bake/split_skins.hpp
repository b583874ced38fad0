// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/gltf_samples.hpp"
#include "supple/core/random.hpp"
#include "supple/io/gltf.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace supple::bake::testing {

/// How one group of triangles is written: with a skin of its own.
struct SkinStyle {
  Eigen::Matrix4d to_original = Eigen::Matrix4d::Identity();  ///< from the skin's bind space
  bool only_used_joints = false;
  bool shuffled = false;
};

/// A vertex of a written file, and which vertex of the original it is.
struct WrittenVertex {
  std::size_t node = 0;
  std::size_t vertex = 0;
  std::size_t original = 0;  ///< counted through all skinned primitives
};

/// Characters of other files, written anew: their skeletons, their first clip, and their skinned
/// triangles in as many meshes with skins as there are styles.
class SkinWriter {
 public:
  explicit SkinWriter(std::uint64_t seed) : m_random(seed) {}

  /// From now on styles go to primitives in turn, instead of to triangles by chance.
  void keep_primitives_whole() { m_whole_primitives = true; }

  /// Several may be added: each has its own skeleton.
  void add(const io::GltfAsset& asset, const std::vector<SkinStyle>& styles) {
    m_asset = &asset;
    m_first_node = m_json["nodes"].size();
    m_original = 0;
    add_nodes();
    for (const io::GltfNode& node : asset.nodes) {
      if (!node.mesh || !node.skin) continue;
      for (const io::GltfPrimitive& primitive : asset.meshes[*node.mesh].primitives) {
        if (primitive.influences == 0 || primitive.triangles.empty()) continue;
        const io::GltfSkin& skin = asset.skins[*node.skin];
        if (m_whole_primitives) {
          add_mesh(primitive, skin, styles[m_json["meshes"].size() % styles.size()],
                   primitive.triangles);
        } else {
          add_groups(primitive, skin, styles);
        }
        m_original += primitive.positions.size();
      }
    }
    if (!asset.animations.empty()) add_clip(asset.animations.front());
  }

  /// A box on a node below a joint, without a skin.
  std::size_t add_rigid_box(std::size_t parent, double size) {
    std::vector<float> corners;
    for (int i = 0; i < 8; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        corners.push_back(static_cast<float>((i >> axis & 1) != 0 ? size : -size));
      }
    }
    const std::vector<std::uint16_t> indices{0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                             2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    Json primitive{{"attributes", {{"POSITION", positions(corners)}}},
                   {"indices", m_file.accessor(indices, 5123, "SCALAR", 1)}};
    m_json["meshes"].push_back({{"primitives", Json::array({primitive})}});
    m_json["nodes"].push_back({{"name", "box"},
                               {"mesh", m_json["meshes"].size() - 1},
                               {"translation", {size, 2 * size, 0}}});
    const std::size_t box = m_json["nodes"].size() - 1;
    m_json["nodes"][parent]["children"].push_back(box);
    return box;
  }

  [[nodiscard]] Bytes glb() const { return m_file.glb(); }

  [[nodiscard]] io::GltfAsset read() const {
    auto asset = m_file.read();
    EXPECT_TRUE(asset.ok()) << asset.error().describe();
    return *std::move(asset);
  }

  [[nodiscard]] const std::vector<WrittenVertex>& vertices() const { return m_vertices; }
  [[nodiscard]] std::size_t first_node() const { return m_first_node; }  ///< of the last character

 private:
  using Json = io::testing::Json;

  std::size_t positions(const std::vector<float>& numbers) {
    std::vector<float> low(3, std::numeric_limits<float>::max());
    std::vector<float> high(3, std::numeric_limits<float>::lowest());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      low[i % 3] = std::min(low[i % 3], numbers[i]);
      high[i % 3] = std::max(high[i % 3], numbers[i]);
    }
    const std::size_t accessor = m_file.floats(numbers, "VEC3", 3);
    m_json["accessors"][accessor]["min"] = low;
    m_json["accessors"][accessor]["max"] = high;
    return accessor;
  }

  void add_nodes() {
    for (const io::GltfNode& node : m_asset->nodes) {
      Json json{{"name", node.name}};
      const io::GltfTransform& local = node.local;
      if (local.matrix) {
        json["matrix"] = std::vector<double>(local.matrix->data(), local.matrix->data() + 16);
      } else {
        const Eigen::Quaterniond q = local.rotation.normalized();
        json["translation"] = {local.translation.x(), local.translation.y(), local.translation.z()};
        json["rotation"] = {q.x(), q.y(), q.z(), q.w()};
        json["scale"] = {local.scale.x(), local.scale.y(), local.scale.z()};
      }
      for (const std::size_t child : node.children) {
        json["children"].push_back(m_first_node + child);
      }
      m_json["nodes"].push_back(std::move(json));
    }
    for (const std::size_t root : m_asset->scene_roots) {
      m_json["scenes"][0]["nodes"].push_back(m_first_node + root);
    }
    m_json["scene"] = 0;
  }

  /// Triangles by chance in small runs, so that groups meet everywhere.
  void add_groups(const io::GltfPrimitive& primitive, const io::GltfSkin& skin,
                  const std::vector<SkinStyle>& styles) {
    constexpr std::size_t kRun = 7;
    std::vector<std::vector<geometry::Triangle>> groups(styles.size());
    std::size_t group = 0;
    for (std::size_t t = 0; t < primitive.triangles.size(); ++t) {
      if (t % kRun == 0) group = m_random.below(styles.size());
      groups[group].push_back(primitive.triangles[t]);
    }
    for (std::size_t g = 0; g < styles.size(); ++g) {
      if (!groups[g].empty()) add_mesh(primitive, skin, styles[g], groups[g]);
    }
  }

  /// Vertices in the order of their first use.
  void add_mesh(const io::GltfPrimitive& primitive, const io::GltfSkin& skin,
                const SkinStyle& style, const std::vector<geometry::Triangle>& triangles) {
    std::vector<std::size_t> used;
    std::map<geometry::Index, std::size_t> place;
    std::vector<std::uint32_t> corners;
    for (const geometry::Triangle& triangle : triangles) {
      for (const geometry::Index v : triangle) {
        const auto [found, fresh] = place.try_emplace(v, used.size());
        if (fresh) used.push_back(static_cast<std::size_t>(v));
        corners.push_back(static_cast<std::uint32_t>(found->second));
      }
    }
    const std::vector<std::size_t> joints = joint_list(primitive, skin, style, used);
    Json attributes = vertex_attributes(primitive, used, style);
    add_weights(primitive, used, joints, attributes);
    m_json["meshes"].push_back(
        {{"primitives",
          Json::array({{{"attributes", attributes},
                        {"indices", m_file.accessor(corners, 5125, "SCALAR", 1)}}})}});
    add_skin(skin, style, joints);
    m_json["nodes"].push_back({{"name", "surface " + std::to_string(m_json["nodes"].size())},
                               {"mesh", m_json["meshes"].size() - 1},
                               {"skin", m_json["skins"].size() - 1}});
    const std::size_t node = m_json["nodes"].size() - 1;
    m_json["scenes"][0]["nodes"].push_back(node);
    for (std::size_t i = 0; i < used.size(); ++i) {
      m_vertices.push_back({node, i, m_original + used[i]});
    }
  }

  std::vector<std::size_t> joint_list(const io::GltfPrimitive& primitive, const io::GltfSkin& skin,
                                      const SkinStyle& style,
                                      const std::vector<std::size_t>& used) {
    std::vector<bool> wanted(skin.joints.size(), !style.only_used_joints);
    for (const std::size_t v : used) {
      for (std::size_t k = v * primitive.influences; k < (v + 1) * primitive.influences; ++k) {
        if (primitive.weights[k] > 0) wanted[primitive.joints[k]] = true;
      }
    }
    std::vector<std::size_t> joints;
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      if (wanted[j]) joints.push_back(j);
    }
    for (std::size_t i = joints.size(); style.shuffled && i > 1; --i) {
      std::swap(joints[i - 1], joints[m_random.below(i)]);
    }
    return joints;
  }

  Json vertex_attributes(const io::GltfPrimitive& primitive, const std::vector<std::size_t>& used,
                         const SkinStyle& style) {
    const Eigen::Matrix4d own = style.to_original.inverse();
    const Eigen::Matrix3d normal_map = style.to_original.topLeftCorner<3, 3>().transpose();
    std::vector<float> places;
    std::vector<float> normals;
    const auto put = [](const Eigen::Vector3d& v, std::vector<float>& to) {
      for (const double x : v) to.push_back(static_cast<float>(x));
    };
    for (const std::size_t v : used) {
      put((own * primitive.positions[v].homogeneous()).head<3>(), places);
      if (!primitive.normals.empty()) {
        put((normal_map * primitive.normals[v]).normalized(), normals);
      }
    }
    Json attributes{{"POSITION", positions(places)}};
    if (!normals.empty()) attributes["NORMAL"] = m_file.floats(normals, "VEC3", 3);
    return attributes;
  }

  void add_weights(const io::GltfPrimitive& primitive, const std::vector<std::size_t>& used,
                   const std::vector<std::size_t>& joints, Json& attributes) {
    std::map<std::size_t, std::uint16_t> place;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      place[joints[i]] = static_cast<std::uint16_t>(i);
    }
    for (std::size_t set = 0; 4 * set < primitive.influences; ++set) {
      std::vector<std::uint16_t> bones;
      std::vector<float> weights;
      for (const std::size_t v : used) {
        const auto begin =
            primitive.weights.begin() + static_cast<std::ptrdiff_t>(v * primitive.influences);
        const double sum =
            std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(primitive.influences), 0.0);
        for (std::size_t k = v * primitive.influences + 4 * set;
             k < v * primitive.influences + 4 * set + 4; ++k) {
          const double weight = primitive.weights[k] / sum;
          bones.push_back(weight > 0 ? place[primitive.joints[k]] : std::uint16_t{0});
          weights.push_back(static_cast<float>(weight));
        }
      }
      attributes["JOINTS_" + std::to_string(set)] = m_file.accessor(bones, 5123, "VEC4", 4);
      attributes["WEIGHTS_" + std::to_string(set)] = m_file.floats(weights, "VEC4", 4);
    }
  }

  void add_skin(const io::GltfSkin& skin, const SkinStyle& style,
                const std::vector<std::size_t>& joints) {
    std::vector<float> matrices;
    Json nodes = Json::array();
    for (const std::size_t j : joints) {
      nodes.push_back(m_first_node + skin.joints[j]);
      const Eigen::Matrix4d own = skin.inverse_bind_matrices[j] * style.to_original;
      for (int i = 0; i < 16; ++i) matrices.push_back(static_cast<float>(own.data()[i]));
    }
    m_json["skins"].push_back(
        {{"joints", nodes}, {"inverseBindMatrices", m_file.floats(matrices, "MAT4", 16)}});
  }

  void add_clip(const io::GltfAnimation& clip) {
    Json samplers = Json::array();
    Json channels = Json::array();
    for (const io::GltfChannel& channel : clip.channels) {
      if (channel.path == io::GltfPath::Weights) continue;
      const io::GltfSampler& from = clip.samplers[channel.sampler];
      const std::vector<float> times(from.times.begin(), from.times.end());
      const std::vector<float> values(from.values.begin(), from.values.end());
      const std::size_t input = m_file.floats(times, "SCALAR", 1);
      m_json["accessors"][input]["min"] = {times.front()};
      m_json["accessors"][input]["max"] = {times.back()};
      const bool turns = channel.path == io::GltfPath::Rotation;
      const char* kind = from.interpolation == io::GltfInterpolation::Step     ? "STEP"
                         : from.interpolation == io::GltfInterpolation::Linear ? "LINEAR"
                                                                               : "CUBICSPLINE";
      const char* path = turns                                 ? "rotation"
                         : channel.path == io::GltfPath::Scale ? "scale"
                                                               : "translation";
      samplers.push_back({{"input", input},
                          {"output", m_file.floats(values, turns ? "VEC4" : "VEC3", turns ? 4 : 3)},
                          {"interpolation", kind}});
      channels.push_back({{"sampler", samplers.size() - 1},
                          {"target", {{"node", m_first_node + channel.node}, {"path", path}}}});
    }
    if (channels.empty()) return;
    m_json["animations"].push_back(
        {{"name", "clip"}, {"samplers", samplers}, {"channels", channels}});
  }

  io::testing::HandMade m_file;
  Json& m_json = m_file.json;
  Random m_random;
  const io::GltfAsset* m_asset = nullptr;
  std::size_t m_first_node = 0;
  std::size_t m_original = 0;
  bool m_whole_primitives = false;
  std::vector<WrittenVertex> m_vertices;
};

/// A turn, a shift and a scale, as exporters leave them in the matrices of a skin.
inline Eigen::Matrix4d random_bind_space(Random& random, double size, double scale) {
  const auto number = [&] { return random.uniform(-1, 1); };
  const Eigen::Quaterniond turn(number(), number(), number(), number());
  Eigen::Affine3d map(Eigen::Translation3d(size * Eigen::Vector3d(number(), number(), number())));
  map.rotate(turn.normalized()).scale(scale);
  return map.matrix();
}

inline double size_of(const io::GltfAsset& asset) {
  geometry::Box box;
  for (const io::GltfNode& node : asset.nodes) {
    if (!node.mesh || !node.skin) continue;
    for (const io::GltfPrimitive& primitive : asset.meshes[*node.mesh].primitives) {
      for (const geometry::Vec3& p : primitive.positions) box.add(p);
    }
  }
  return box.diagonal();
}

/// Three skins: shuffled joints; only the joints in use, a hundredth or a hundred times as large;
/// and stretched unevenly. The first one's space, which is the character's, is any as well.
inline std::vector<SkinStyle> random_styles(const io::GltfAsset& asset, Random& random) {
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

/// The same in spaces that round nothing: axes exchanged, units in powers of two.
inline std::vector<SkinStyle> exact_styles(Random& random) {
  std::vector<SkinStyle> styles(3);
  for (SkinStyle& style : styles) {
    style.shuffled = true;
    const auto first = static_cast<Eigen::Index>(random.below(3));
    Eigen::Matrix3d axes = Eigen::Matrix3d::Zero();
    for (Eigen::Index i = 0; i < 3; ++i) axes((first + i) % 3, i) = 1;
    const int power = static_cast<int>(random.below(13)) - 6;
    style.to_original.topLeftCorner<3, 3>() = std::ldexp(1.0, power) * axes;
  }
  styles[1].only_used_joints = styles[2].only_used_joints = true;
  return styles;
}

/// All in one space: each with its own list of joints.
inline std::vector<SkinStyle> shared_styles() {
  std::vector<SkinStyle> styles(3);
  styles[0].shuffled = styles[1].shuffled = true;
  styles[1].only_used_joints = styles[2].only_used_joints = true;
  return styles;
}

}  // namespace supple::bake::testing
