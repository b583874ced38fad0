// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/settings/vertex_selection.hpp"

#include "supple/bake/prepared_shells.hpp"
#include "supple/geometry/shell_surface.hpp"

namespace supple::bake::detail {

/// Prepares one shell: its frame, its welded surface, its fixed vertices, its regions and handles.
class ShellBuilder {
 public:
  ShellBuilder(const io::GltfAsset& asset, const GltfCharacter& source, std::size_t first_number)
      : m_asset(asset), m_source(source), m_first_number(first_number) {}

  [[nodiscard]] Result<PreparedShell> build(const ShellSettings& settings,
                                            std::vector<ShellPart> parts);

 private:
  [[nodiscard]] Result<void> find_bone();
  [[nodiscard]] Result<void> find_joint(std::size_t skin);
  [[nodiscard]] Result<void> find_frame();
  void collect_vertices();
  [[nodiscard]] Result<void> make_surface();
  [[nodiscard]] Result<std::vector<std::uint8_t>> selected(const std::vector<std::string>& texts);
  [[nodiscard]] Result<void> fix_nodes();
  [[nodiscard]] Result<void> assign_regions();
  [[nodiscard]] Result<void> attach_handles();
  [[nodiscard]] Result<soft::Attachment> attach(const ShellHandle& handle);
  [[nodiscard]] Result<std::size_t> handle_vertex(const ShellHandle& handle);
  void warn_about_handles();
  [[nodiscard]] const io::GltfPrimitive& primitive(const ShellPart& part) const;
  [[nodiscard]] std::size_t number(std::size_t vertex) const { return vertex + m_first_number; }

  const io::GltfAsset& m_asset;
  const GltfCharacter& m_source;
  std::size_t m_first_number;

  PreparedShell m_shell;
  Eigen::Matrix4d m_world_from_bind = Eigen::Matrix4d::Identity();
  // Vertices and triangles of the shell's parts, one after the other.
  std::vector<std::uint32_t> m_asset_vertex;
  std::vector<geometry::Vec3> m_bind;
  SelectableVertices m_selectable;
  std::vector<geometry::Triangle> m_triangles;
  std::vector<std::string> m_triangle_materials;
  geometry::ShellSurface m_surface;
};

}  // namespace supple::bake::detail
