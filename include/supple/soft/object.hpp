// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The one model of what Supple bakes: vertices that move as rest + sum q_k basis_k, how the q_k
/// follow the motion of a bone, and what goes beyond that for each kind. Flesh and shells produce
/// soft objects; the file, the exporter of clips and the player's tests consume them.
namespace supple::soft {

/// How one coefficient answers: q'' + 2 damping omega q' + omega^2 q = f, with f from the motion of
/// the object's frame. Modes are mass-normalised.
struct Vibration {
  double omega = 0;                     ///< rad/s
  double damping = 0;                   ///< xi
  std::array<double, 6> transfer{};     ///< row of H: angular acceleration, acceleration
  std::array<double, 6> centrifugal{};  ///< row of C, per xx yy zz xy xz yz of S
  double share = 0;                     ///< of the static response to the frame's motion
};

/// A vibration and what it does to the object's vertices, in bind space at coefficient 1.
struct Mode : Vibration {
  std::vector<geometry::Vec3> displacements;
  /// Corrections of normals [JP02 eq. 20]; empty where the surface has no normals, and for shells.
  std::vector<geometry::Vec3> normals;
  /// Rows of Psi, in bind axes: rotation vectors by which a shell turns. Empty for flesh.
  std::vector<geometry::Vec3> turns;
};

/// Where a shell feels distributed forces, in its frame, metres.
struct ForcePoint {
  geometry::Vec3 position = geometry::Vec3::Zero();
  double mass = 0;                                      ///< kg that it stands for
  geometry::Vec3 area_vector = geometry::Vec3::Zero();  ///< m^2, of the rest surface
  geometry::Vec3 lever = geometry::Vec3::Zero();        ///< kg m, see docs/shells.md
  std::vector<geometry::Vec3> displacements, turns;     ///< per mode
};

/// A handle that a bone moves; symbols as in format/layout.hpp.
struct Attachment {
  std::uint32_t vertex = 0;
  std::uint32_t components = 0;
  std::uint32_t node = 0;
  std::string bone;
  double stiffness = 0;
  geometry::Vec3 rest = geometry::Vec3::Zero();  ///< the vertex at rest, in the frame, metres
  Eigen::Matrix<double, 3, 4> bone_from_frame = Eigen::Matrix<double, 3, 4>::Identity();
};

/// The prefactored solve of the rotation-strain reconstruction. Nodes are the shell's vertices with
/// coincident ones merged; free nodes come first, in the order of elimination.
struct StrainSolve {
  std::vector<std::uint32_t> node_of_vertex;            ///< per vertex of the object
  std::vector<std::uint32_t> vertex_of_node;            ///< a vertex of the asset for each node
  std::vector<geometry::Vec3> rest;                     ///< each node in the frame; may be empty
  std::uint32_t free_nodes = 0;                         ///< the others do not move
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< nodes
  std::vector<std::array<double, 3>> cotangents;        ///< of the corners, halved
  /// L of L L^T = the Laplacian over free nodes: by columns, the diagonal first in each.
  std::vector<std::uint32_t> column_start;  ///< free_nodes + 1
  std::vector<std::uint32_t> rows;
  std::vector<double> values;
};

/// What makes an object a shell.
struct ShellTraits {
  bool modelled_under_gravity = false;
  double medium_density = 0;  ///< kg/m^3; 0: none
  double weight = 1;          ///< of the gravity on its modes' mass, what acts in that medium
  double size = 0;            ///< metres
  double follow_turn = 0;     ///< radians
  double point_error = 0;
  std::vector<ForcePoint> points;
  std::vector<Attachment> attachments;
  std::optional<StrainSolve> strain;
};

/// One thing that a user can do to a scene; symbols as in format/layout.hpp.
struct PaletteEntry {
  std::string name;
  std::string key;  ///< of a keyboard; "": none
  double weakest = 1, strongest = 1;
  std::vector<std::uint32_t> followed_by;  ///< entries that may act next
  bool from_rest = true;
};

/// A recorded answer to an entry.
struct SceneResponse {
  std::uint32_t entry = 0;
  double strength = 1;
  std::uint32_t states = 0;  ///< frames, with the one before the impulse
  bool rests = false;
  std::optional<std::uint32_t> stronger;  ///< response to the next strength from the same origin
  /// Response and frame that go on after the last state.
  std::optional<std::array<std::uint32_t, 2>> onward;
  Eigen::VectorXd origin_velocity;  ///< per mode and second, before the impulse
};

/// What makes an object a scene: its modes have shapes, and their coefficients follow recorded
/// responses [JF03].
struct SceneTraits {
  double frame_seconds = 0;
  double half_life = 0.1;  ///< s, of offsets at transitions
  double beta = 0;         ///< s^2, of [JF03 eq. 9]
  std::vector<PaletteEntry> palette;
  std::vector<SceneResponse> responses;
  Eigen::MatrixXd q;  ///< modes x states, responses in order
  /// For each state, and once more for the beginning, a row of entries: the response that answers
  /// there; none: not allowed.
  std::vector<std::optional<std::uint32_t>> next;
};

/// The node of an object that no bone carries: its frame is the world.
inline constexpr std::uint32_t kNoNode = 0xffffffffU;

enum class Kind { Flesh, Shell, Scene };

struct Object {
  std::string name;
  std::string bone;         ///< that carries it
  std::uint32_t node = 0;   ///< of that bone in the glTF file, or kNoNode
  std::uint32_t joint = 0;  ///< of that bone in the skin
  /// Bind-space position to metres in the frame of the bone (its axes without their scale).
  Eigen::Matrix<double, 3, 4> frame_from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  Eigen::Quaterniond rest_rotation = Eigen::Quaterniond::Identity();
  double limit = 0;                     ///< metres; 0: none
  double mass = 0;                      ///< kg
  std::vector<std::uint32_t> vertices;  ///< that it moves, ascending
  std::vector<Mode> modes;
  /// Empty, or 3 matrices m x m: G_axis = 2 Phi^T M [e_axis] Phi, so that Q -= sum w_axis G q'.
  std::vector<Eigen::MatrixXd> coriolis;
  std::optional<ShellTraits> shell;
  std::optional<SceneTraits> scene;  ///< neither of both: flesh

  [[nodiscard]] Kind kind() const {
    return shell ? Kind::Shell : scene ? Kind::Scene : Kind::Flesh;
  }
};

/// "flesh", "shell" or "scene", for messages.
[[nodiscard]] const char* kind_name(Kind kind);

}  // namespace supple::soft
