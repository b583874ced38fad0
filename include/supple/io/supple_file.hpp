// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace supple::io {

/// One vibration of an object, as the player wants it; symbols as in format/layout.hpp.
struct SuppleMode {
  double omega = 0;
  double damping = 0;
  std::array<double, 6> transfer{};
  std::array<double, 6> centrifugal{};
  double share = 0;
  /// On the object's vertices, in bind space at coefficient 1. Of a shell `normals` are turns: the
  /// rows of Psi, in bind axes.
  std::vector<Eigen::Vector3f> displacements;
  std::vector<Eigen::Vector3f> normals;
};

/// Where a shell feels distributed forces, in its frame, metres.
struct SupplePoint {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  double mass = 0;                                        ///< kg that it stands for
  Eigen::Vector3d area_vector = Eigen::Vector3d::Zero();  ///< m^2, of the rest surface
  Eigen::Vector3d lever = Eigen::Vector3d::Zero();        ///< kg m, see docs/shells.md
  std::vector<Eigen::Vector3d> displacements, turns;      ///< per mode
};

/// A handle that a bone moves; symbols as in format/layout.hpp.
struct SuppleAttachment {
  std::uint32_t vertex = 0;
  std::uint32_t components = 0;
  std::uint32_t node = 0;
  std::string bone;
  double stiffness = 0;
  Eigen::Vector3d rest = Eigen::Vector3d::Zero();  ///< the vertex at rest, in the frame, metres
  Eigen::Matrix<double, 3, 4> bone_from_frame = Eigen::Matrix<double, 3, 4>::Identity();
};

/// The prefactored solve of the rotation-strain reconstruction. Nodes are the shell's vertices with
/// those that coincide taken as one; free nodes come first, in the order of elimination.
struct SuppleStrain {
  std::vector<std::uint32_t> node_of_vertex;            ///< per vertex of the object
  std::vector<std::uint32_t> vertex_of_node;            ///< a vertex of the asset for each node
  std::uint32_t free_nodes = 0;                         ///< the others do not move
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< nodes
  std::vector<std::array<double, 3>> cotangents;        ///< of the corners, halved
  /// L of L L^T = the Laplacian over free nodes: by columns, the diagonal first in each.
  std::vector<std::uint32_t> column_start;  ///< free_nodes + 1
  std::vector<std::uint32_t> rows;
  std::vector<double> values;
};

/// What makes an object a shell.
struct SuppleShell {
  bool modelled_under_gravity = false;
  double medium_density = 0;  ///< kg/m^3; 0: none
  double weight = 1;          ///< of the gravity on its modes' mass, what acts in that medium
  double size = 0;            ///< metres
  double follow_turn = 0;     ///< radians
  double point_error = 0;
  std::vector<SupplePoint> points;
  std::vector<SuppleAttachment> attachments;
  std::optional<SuppleStrain> strain;
};

struct SuppleObject {
  std::string name;
  std::string bone;
  std::uint32_t node = 0;
  std::uint32_t joint = 0;
  Eigen::Matrix<double, 3, 4> frame_from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  Eigen::Quaterniond rest_rotation = Eigen::Quaterniond::Identity();
  double limit = 0;                     ///< metres; 0: none
  double mass = 0;                      ///< kg
  std::vector<std::uint32_t> vertices;  ///< that it moves, ascending
  std::vector<SuppleMode> modes;
  /// Empty, or 3 matrices m x m: G_axis = 2 Phi^T M [e_axis] Phi, so that Q -= sum w_axis G q'.
  std::vector<Eigen::MatrixXd> coriolis;
  std::optional<SuppleShell> shell;  ///< none: flesh
};

struct SupplePart {
  std::uint32_t mesh = 0;
  std::uint32_t primitive = 0;
  std::uint32_t first_vertex = 0;
  std::uint32_t vertex_count = 0;
};

struct SuppleAsset {
  std::string generator;
  std::uint64_t mesh_hash = 0;  ///< mesh_hash() of what the parts hold
  std::uint32_t vertex_count = 0;
  std::uint32_t index_count = 0;
  double metres_per_unit = 1;
  std::vector<SupplePart> parts;
  std::vector<SuppleObject> objects;
};

struct SuppleWriteSettings {
  bool float32 = false;  ///< shapes as floats instead of 16-bit numbers
};

struct SuppleBytes {
  Bytes bytes;
  double position_error = 0;  ///< largest rounding error of a displacement at coefficient 1, metres
  double relative_error = 0;  ///< the same over the largest displacement of its mode
};

/// Sizes that disagree and numbers that are not finite are errors that name the object.
[[nodiscard]] Result<SuppleBytes> write_supple(const SuppleAsset& asset,
                                               const SuppleWriteSettings& settings = {});

/// As `supple_mesh_hash` of the player.
[[nodiscard]] std::uint64_t mesh_hash(const std::vector<Eigen::Vector3f>& positions,
                                      const std::vector<std::uint32_t>& indices);

}  // namespace supple::io
