// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_pose.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace supple::io {
namespace {

using Eigen::Matrix4d;
using geometry::Index;
using geometry::Vec3;

Vec3 transform_point(const Matrix4d& matrix, const Vec3& point) {
  return matrix.topLeftCorner<3, 3>() * point + matrix.topRightCorner<3, 1>();
}

Eigen::Quaterniond as_rotation(const double* v) {
  return Eigen::Quaterniond(v[3], v[0], v[1], v[2]).normalized();
}

/// The keys around a time: between `key` and the next, at fraction `t` of `step` seconds.
struct Interval {
  std::size_t key = 0;
  double t = 0;
  double step = 0;
};

Interval locate(const std::vector<double>& times, double time) {
  if (!(time > times.front())) return {};
  if (time >= times.back()) return {times.size() - 1, 0, 0};
  const auto next = std::upper_bound(times.begin(), times.end(), time);
  const auto key = static_cast<std::size_t>(next - times.begin()) - 1;
  const double step = *next - times[key];
  return {key, (time - times[key]) / step, step};
}

/// glTF 2.0, appendix C.3 and C.5: linear, constant, or Hermite with tangents scaled by the step.
std::vector<double> interpolate(const GltfSampler& sampler, const Interval& at, bool rotation) {
  const std::size_t width = sampler.width;
  const bool cubic = sampler.interpolation == GltfInterpolation::CubicSpline;
  const auto part = [&](std::size_t key, std::size_t which) {
    return sampler.values.data() + (cubic ? 3 * key + which : key) * width;
  };
  const double* a = part(at.key, 1);
  std::vector<double> result(a, a + width);
  if (at.t == 0 || sampler.interpolation == GltfInterpolation::Step) return result;
  const double* b = part(at.key + 1, 1);
  const double t = at.t;
  if (cubic) {
    const double* out_tangent = part(at.key, 2);
    const double* in_tangent = part(at.key + 1, 0);
    const double t2 = t * t;
    const double t3 = t2 * t;
    for (std::size_t i = 0; i < width; ++i) {
      result[i] = (2 * t3 - 3 * t2 + 1) * a[i] + at.step * (t3 - 2 * t2 + t) * out_tangent[i] +
                  (-2 * t3 + 3 * t2) * b[i] + at.step * (t3 - t2) * in_tangent[i];
    }
  } else if (rotation) {
    const Eigen::Quaterniond q = as_rotation(a).slerp(t, as_rotation(b));  // the short way round
    result = {q.x(), q.y(), q.z(), q.w()};
  } else {
    for (std::size_t i = 0; i < width; ++i) result[i] = (1 - t) * a[i] + t * b[i];
  }
  return result;
}

void apply(const GltfChannel& channel, std::vector<double> value, GltfPose& pose) {
  GltfTransform& local = pose.locals[channel.node];
  if (channel.path == GltfPath::Weights) {
    pose.weights[channel.node] = std::move(value);
    return;
  }
  local.matrix.reset();
  if (channel.path == GltfPath::Rotation) {
    local.rotation = as_rotation(value.data());
  } else {
    Vec3& part = channel.path == GltfPath::Scale ? local.scale : local.translation;
    part = Eigen::Map<const Vec3>(value.data());
  }
}

std::vector<double> rest_weights(const GltfAsset& asset, const GltfNode& node) {
  const bool own = !node.weights.empty() || !node.mesh;
  return own ? node.weights : asset.meshes[*node.mesh].weights;
}

void apply_clip(const GltfAnimation& animation, double time, GltfPose& pose) {
  for (const GltfChannel& channel : animation.channels) {
    const GltfSampler& sampler = animation.samplers[channel.sampler];
    const Interval interval = locate(sampler.times, time);
    apply(channel, interpolate(sampler, interval, channel.path == GltfPath::Rotation), pose);
  }
}

/// Whether most of the surface is mirrored, and its triangles therefore inside out.
bool is_mirrored(const GltfPrimitive& primitive, const GltfNode& node, const Matrix4d& world,
                 const std::vector<Matrix4d>& joint_matrices) {
  if (!node.skin || primitive.influences == 0) {
    return world.topLeftCorner<3, 3>().determinant() < 0;
  }
  std::size_t mirrored = 0;
  for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
    const Matrix4d blend = blended_matrix(primitive, v, joint_matrices);
    if (blend.topLeftCorner<3, 3>().determinant() < 0) ++mirrored;
  }
  return 2 * mirrored > primitive.positions.size();
}

Result<void> append(const GltfAsset& asset, std::size_t node_index, std::size_t primitive_index,
                    const GltfPose& pose, const std::vector<Matrix4d>& world,
                    geometry::TriMesh& surface) {
  const GltfNode& node = asset.nodes[node_index];
  const GltfPrimitive& primitive = asset.meshes[*node.mesh].primitives[primitive_index];
  const auto first = surface.positions.size();
  if (first + primitive.positions.size() > std::numeric_limits<Index>::max()) {
    return bad_input("the scene has more than 2^31 vertices");
  }
  const auto positions = posed_positions(asset, node_index, primitive_index, pose, world);
  surface.positions.insert(surface.positions.end(), positions.begin(), positions.end());
  const bool flip = is_mirrored(
      primitive, node, world[node_index],
      node.skin ? skinning_matrices(asset.skins[*node.skin], world) : std::vector<Matrix4d>());
  const auto offset = static_cast<Index>(first);
  for (const geometry::Triangle& t : primitive.triangles) {
    surface.triangles.push_back(
        {t[0] + offset, t[flip ? 2 : 1] + offset, t[flip ? 1 : 2] + offset});
  }
  return {};
}

/// A scene may show one mesh at many nodes, so a small file could demand any amount of memory.
std::size_t most_vertices(const GltfAsset& asset) {
  constexpr std::size_t kAlways = std::size_t{1} << 24U;
  constexpr std::size_t kCopies = 16;
  std::size_t count = 0;
  for (const GltfMesh& mesh : asset.meshes) {
    for (const GltfPrimitive& primitive : mesh.primitives) count += primitive.positions.size();
  }
  return kAlways + kCopies * count;
}

}  // namespace

Matrix4d GltfTransform::to_matrix() const {
  if (matrix) return *matrix;
  Matrix4d result = Matrix4d::Identity();
  result.topLeftCorner<3, 3>() = rotation.toRotationMatrix() * scale.asDiagonal();
  result.topRightCorner<3, 1>() = translation;
  return result;
}

GltfPose rest_pose(const GltfAsset& asset) {
  GltfPose pose;
  for (const GltfNode& node : asset.nodes) {
    pose.locals.push_back(node.local);
    pose.weights.push_back(rest_weights(asset, node));
  }
  return pose;
}

GltfPose sample(const GltfAsset& asset, const GltfAnimation& animation, double time) {
  GltfPose pose = rest_pose(asset);
  apply_clip(animation, time, pose);
  return pose;
}

std::vector<double> sample_weights(const GltfAsset& asset, const GltfAnimation& animation,
                                   std::size_t node, double time) {
  std::vector<double> weights = rest_weights(asset, asset.nodes[node]);
  for (const GltfChannel& channel : animation.channels) {
    if (channel.node != node || channel.path != GltfPath::Weights) continue;
    const GltfSampler& sampler = animation.samplers[channel.sampler];
    weights = interpolate(sampler, locate(sampler.times, time), false);
  }
  return weights;
}

ClipPoses::ClipPoses(const GltfAsset& asset, const GltfAnimation& animation,
                     std::vector<std::size_t> nodes)
    : m_asset(asset),
      m_animation(animation),
      m_nodes(std::move(nodes)),
      m_pose(rest_pose(asset)),
      m_world(world_matrices(asset, m_pose)) {
  std::vector<bool> moves(asset.nodes.size(), false);
  for (const GltfChannel& channel : animation.channels) {
    if (channel.path != GltfPath::Weights) moves[channel.node] = true;
  }
  std::vector<bool> matters(asset.nodes.size(), false);
  for (const std::size_t node : m_nodes) {
    for (std::optional<std::size_t> at = node; at && !matters[*at]; at = asset.nodes[*at].parent) {
      matters[*at] = true;
    }
  }
  for (const std::size_t node : asset.parents_first) {
    const std::optional<std::size_t>& parent = asset.nodes[node].parent;
    if (parent && moves[*parent]) moves[node] = true;
    if (moves[node] && matters[node]) m_moving.push_back(node);
  }
}

std::vector<Matrix4d> ClipPoses::at(double time) {
  apply_clip(m_animation, time, m_pose);
  for (const std::size_t node : m_moving) {
    const Matrix4d local = m_pose.locals[node].to_matrix();
    const std::optional<std::size_t>& parent = m_asset.nodes[node].parent;
    m_world[node] = parent ? Matrix4d(m_world[*parent] * local) : local;
  }
  std::vector<Matrix4d> result;
  result.reserve(m_nodes.size());
  for (const std::size_t node : m_nodes) result.push_back(m_world[node]);
  return result;
}

std::vector<Matrix4d> world_matrices(const GltfAsset& asset, const GltfPose& pose) {
  std::vector<Matrix4d> world(asset.nodes.size());
  for (const std::size_t node : asset.parents_first) {
    const Matrix4d local = pose.locals[node].to_matrix();
    const std::optional<std::size_t>& parent = asset.nodes[node].parent;
    world[node] = parent ? Matrix4d(world[*parent] * local) : local;
  }
  return world;
}

std::vector<Matrix4d> skinning_matrices(const GltfSkin& skin, const std::vector<Matrix4d>& world) {
  std::vector<Matrix4d> matrices;
  matrices.reserve(skin.joints.size());
  for (std::size_t i = 0; i < skin.joints.size(); ++i) {
    matrices.emplace_back(world[skin.joints[i]] * skin.inverse_bind_matrices[i]);
  }
  return matrices;
}

std::vector<Vec3> morphed_positions(const GltfPrimitive& primitive,
                                    const std::vector<double>& weights) {
  std::vector<Vec3> positions = primitive.positions;
  for (std::size_t k = 0; k < std::min(weights.size(), primitive.targets.size()); ++k) {
    const std::vector<Vec3>& displacement = primitive.targets[k].positions;
    if (weights[k] == 0 || displacement.empty()) continue;
    for (std::size_t v = 0; v < positions.size(); ++v) positions[v] += weights[k] * displacement[v];
  }
  return positions;
}

Matrix4d blended_matrix(const GltfPrimitive& primitive, std::size_t vertex,
                        const std::vector<Matrix4d>& joint_matrices) {
  Matrix4d blend = Matrix4d::Zero();
  double sum = 0;
  const std::size_t first = vertex * primitive.influences;
  for (std::size_t k = first; k < first + primitive.influences; ++k) {
    if (primitive.weights[k] == 0) continue;
    blend += primitive.weights[k] * joint_matrices[primitive.joints[k]];
    sum += primitive.weights[k];
  }
  return sum > 0 ? Matrix4d(blend / sum) : joint_matrices[primitive.joints[first]];
}

std::vector<Vec3> posed_positions(const GltfAsset& asset, std::size_t node, std::size_t primitive,
                                  const GltfPose& pose, const std::vector<Matrix4d>& world) {
  const GltfNode& owner = asset.nodes[node];
  const GltfPrimitive& source = asset.meshes[*owner.mesh].primitives[primitive];
  std::vector<Vec3> positions = morphed_positions(source, pose.weights[node]);
  if (!owner.skin || source.influences == 0) {
    for (Vec3& position : positions) position = transform_point(world[node], position);
    return positions;
  }
  const std::vector<Matrix4d> matrices = skinning_matrices(asset.skins[*owner.skin], world);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    positions[v] = transform_point(blended_matrix(source, v, matrices), positions[v]);
  }
  return positions;
}

std::vector<std::size_t> shown_nodes(const GltfAsset& asset) {
  std::vector<std::size_t> shown;
  std::vector<std::size_t> pending(asset.scene_roots.rbegin(), asset.scene_roots.rend());
  while (!pending.empty()) {
    const std::size_t index = pending.back();
    pending.pop_back();
    const GltfNode& node = asset.nodes[index];
    pending.insert(pending.end(), node.children.rbegin(), node.children.rend());
    if (node.mesh) shown.push_back(index);
  }
  return shown;
}

Result<geometry::TriMesh> gltf_surface(const GltfAsset& asset) {
  const GltfPose pose = rest_pose(asset);
  const std::vector<Matrix4d> world = world_matrices(asset, pose);
  const std::size_t limit = most_vertices(asset);
  geometry::TriMesh surface;
  for (const std::size_t index : shown_nodes(asset)) {
    const std::size_t mesh = *asset.nodes[index].mesh;
    for (std::size_t p = 0; p < asset.meshes[mesh].primitives.size(); ++p) {
      SUPPLE_TRY_VOID(append(asset, index, p, pose, world, surface));
      if (surface.positions.size() > limit) {
        return bad_input("the scene repeats its meshes too often").at(asset.name);
      }
    }
  }
  if (surface.triangles.empty()) {
    return bad_input("the default scene contains no triangles").at(asset.name);
  }
  if (auto valid = surface.validate(); !valid.ok()) return std::move(valid).error().at(asset.name);
  return surface;
}

Result<geometry::TriMesh> read_gltf_surface(const std::filesystem::path& path) {
  SUPPLE_TRY(const GltfAsset asset, read_gltf(path));
  for (const std::string& warning : asset.warnings) log::warn("{}: {}", asset.name, warning);
  return gltf_surface(asset);
}

double weight_sum_error(const GltfPrimitive& primitive) {
  double worst = 0;
  for (std::size_t i = 0; i < primitive.weights.size(); i += primitive.influences) {
    double sum = 0;
    for (std::size_t k = 0; k < primitive.influences; ++k) sum += primitive.weights[i + k];
    worst = std::max(worst, std::abs(sum - 1));
  }
  return worst;
}

bool weights_normalised(const GltfPrimitive& primitive, double tolerance) {
  return weight_sum_error(primitive) <= tolerance;
}

}  // namespace supple::io
