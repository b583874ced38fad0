// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf.hpp"

#include <vector>

namespace supple::io {

/// The nodes of the default scene that have a mesh, in the file's order, parents first.
[[nodiscard]] std::vector<std::size_t> shown_nodes(const GltfAsset& asset);

/// Local transforms and morph weights of every node at one moment.
struct GltfPose {
  std::vector<GltfTransform> locals;
  std::vector<std::vector<double>> weights;  ///< per node; empty if its mesh has no targets
};

/// The pose without any animation.
[[nodiscard]] GltfPose rest_pose(const GltfAsset& asset);

/// The pose at `time` seconds: the animation's channels applied to the rest pose. Before the first
/// and after the last key a channel keeps its value; rotations go the short way round.
[[nodiscard]] GltfPose sample(const GltfAsset& asset, const GltfAnimation& animation, double time);

/// The morph weights of one node in that pose.
[[nodiscard]] std::vector<double> sample_weights(const GltfAsset& asset,
                                                 const GltfAnimation& animation, std::size_t node,
                                                 double time);

/// World matrices of all nodes.
[[nodiscard]] std::vector<Eigen::Matrix4d> world_matrices(const GltfAsset& asset,
                                                          const GltfPose& pose);

/// World matrices of some nodes during a clip. Nodes that the clip does not move are placed once,
/// so that the others of a large file cost nothing. Asset and animation must outlive it.
class ClipPoses {
 public:
  ClipPoses(const GltfAsset& asset, const GltfAnimation& animation, std::vector<std::size_t> nodes);
  [[nodiscard]] std::vector<Eigen::Matrix4d> at(double time);

 private:
  const GltfAsset& m_asset;
  const GltfAnimation& m_animation;
  std::vector<std::size_t> m_nodes;
  std::vector<std::size_t> m_moving;  ///< those of m_nodes and above, each after its parent
  GltfPose m_pose;
  std::vector<Eigen::Matrix4d> m_world;
};

/// One matrix per joint that takes bind-pose vertices to world space: world * inverse bind.
[[nodiscard]] std::vector<Eigen::Matrix4d> skinning_matrices(
    const GltfSkin& skin, const std::vector<Eigen::Matrix4d>& world);

/// Positions displaced by morph targets; `weights` may be shorter than the list of targets.
[[nodiscard]] std::vector<geometry::Vec3> morphed_positions(const GltfPrimitive& primitive,
                                                            const std::vector<double>& weights);

/// The matrix that moves a vertex, blended with its normalised weights. A vertex without any weight
/// follows its first joint.
[[nodiscard]] Eigen::Matrix4d blended_matrix(const GltfPrimitive& primitive, std::size_t vertex,
                                             const std::vector<Eigen::Matrix4d>& joint_matrices);

/// World positions of a primitive of `node`'s mesh. For a skinned mesh the node's own transform is
/// ignored, as glTF requires.
[[nodiscard]] std::vector<geometry::Vec3> posed_positions(
    const GltfAsset& asset, std::size_t node, std::size_t primitive, const GltfPose& pose,
    const std::vector<Eigen::Matrix4d>& world);

}  // namespace supple::io
