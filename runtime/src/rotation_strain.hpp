// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shapes.hpp"
#include "shell.hpp"

namespace supple::player {

/// The nodes of one shell: every triangle's strained edges are turned by the triangle's own
/// rotation, and one Laplacian solve joins them (docs/shells.md). What it works on is the shell's;
/// nothing is allocated.
class RotationStrain {
 public:
  /// In the shell's frame. Contract: the file has its nodes at rest.
  RotationStrain(const supple_player& player, const ShellState& shell)
      : RotationStrain(player, shell, {shell.rest, 0}, true) {}
  /// In bind space, from the rest positions of all vertices that the program has.
  RotationStrain(const supple_player& player, const ShellState& shell, const supple_stream_in& rest)
      : RotationStrain(player, shell, rest, false) {}

  /// Linear displacements of all nodes; the two below go on from these.
  void displace(const double* q, std::size_t modes);
  void solve();
  /// Contract: solved, and nothing pulled since.
  [[nodiscard]] Vec3 place(std::uint32_t node) const;
  /// Adds the modal force of a force on a node, J^T F with the exact change J of its place with q,
  /// to the first `modes` numbers. In the frame only.
  void pull(std::uint32_t node, Vec3 force, std::size_t modes, double* modal);
  void write(const supple_stream_out& out) const;

 private:
  struct Corners {
    Vec3 x[3], u[3];
  };
  /// Of a triangle: with r its corners from their centre, (sum |r|^2 I - r r^T) w = sum r x u.
  struct Spin {
    Vec3 r[3];
    Vec3 rows[3];  ///< of the inverse of that matrix; 0 for a triangle without area
  };

  RotationStrain(const supple_player& player, const ShellState& shell, const supple_stream_in& rest,
                 bool in_frame);

  [[nodiscard]] Vec3 rest_of(std::uint32_t node) const;
  [[nodiscard]] Vec3 displacement_of(std::uint32_t node) const;
  [[nodiscard]] VertexSum sum_of(std::uint32_t node) const;
  [[nodiscard]] Vec3 in_space(Vec3 displacement) const;
  [[nodiscard]] Corners corners_of(std::uint32_t triangle) const;
  [[nodiscard]] static Spin spin_of(const Corners& corners);
  [[nodiscard]] double cotangent(std::uint32_t triangle, int corner) const {
    return m_view.cotangents[3 * std::size_t{triangle} + static_cast<std::size_t>(corner)];
  }
  [[nodiscard]] bool is_free(std::uint32_t node) const { return node < m_view.free_nodes; }
  void put(std::uint32_t node, Vec3 v);
  void add(std::uint32_t node, Vec3 v);
  void add_triangle(std::uint32_t triangle);
  void add_end(std::uint32_t node, std::uint32_t other, double weight, Vec3 pull);
  void pull_triangle(std::uint32_t triangle, Vec3 force);
  void pull_held(Vec3 force, std::size_t modes, double* modal);
  void pull_warped(std::uint32_t node, Vec3 force, std::size_t modes, double* modal) const;

  const supple_asset& m_asset;
  const format::Object& m_file;
  std::uint32_t m_object;
  StrainView m_view;
  supple_stream_in m_rest;
  bool m_in_frame;
  const double* m_q = nullptr;
  std::size_t m_modes = 0;
  float* m_p;
  double* m_x;  ///< places, or pulls on displacements
  double* m_weights;
};

/// The node that a vertex belongs to; kNone where the file does not know the shell's nodes.
[[nodiscard]] std::uint32_t node_of(const supple_asset& asset, const ShellState& shell,
                                    std::uint32_t vertex);

}  // namespace supple::player
