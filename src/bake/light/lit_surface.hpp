// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/light_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_materials.hpp"
#include "supple/light/transfer.hpp"
#include "supple/soft/asset.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace supple::bake::detail {

/// The attribute that keeps the colours which COLOR_0 had before light was in them.
inline constexpr const char* kAlbedoAttribute = "_ALBEDO";

/// Where the vertices of a drawn primitive are in one of the surfaces below.
struct LitPiece {
  std::size_t node = 0;
  std::size_t mesh = 0;
  std::size_t primitive = 0;
  std::size_t first = 0;
  std::size_t count = 0;
  bool moves = false;  ///< among the vertices of the asset; otherwise of the surroundings
};

/// The surfaces of a baked file as light sees them: what its objects deform, at any coefficients,
/// and what stands still around them. In the axes of the file's world at rest.
class LitSurface {
 public:
  /// `parts` and `objects` are those of the .supple.
  [[nodiscard]] static Result<LitSurface> create(const io::GltfAsset& asset,
                                                 const std::vector<soft::Part>& parts,
                                                 std::vector<soft::Object> objects,
                                                 const LightSettings& settings);

  [[nodiscard]] light::Surface at(const Eigen::VectorXd& q) const;
  [[nodiscard]] const light::Surface& at_rest() const { return m_rest; }
  [[nodiscard]] const light::Surface& surroundings() const { return m_surroundings; }
  [[nodiscard]] int sides() const { return m_rest.two_sided ? 2 : 1; }
  [[nodiscard]] const std::vector<LitPiece>& pieces() const { return m_pieces; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return m_warnings; }
  /// Root mean square displacement of all vertices by each mode at coefficient 1, world units.
  [[nodiscard]] Eigen::VectorXd mode_sizes() const;
  /// Diagonal of the box around the vertices of an object at rest, world units.
  [[nodiscard]] double size_of(std::size_t object) const;
  [[nodiscard]] const std::vector<soft::Object>& objects() const { return m_objects; }

 private:
  class Collector;

  [[nodiscard]] std::vector<geometry::Vec3> positions_at(const Eigen::VectorXd& q) const;
  [[nodiscard]] std::vector<geometry::Vec3> group_normals(
      const std::vector<geometry::Vec3>& positions) const;

  light::Surface m_rest;
  light::Surface m_surroundings;
  std::vector<geometry::Vec3> m_own;                    ///< positions as the primitives have them
  std::vector<Eigen::Matrix<double, 3, 4>> m_to_world;  ///< of each vertex, from its own
  std::vector<std::size_t> m_group;  ///< vertices that are one but for seams have one normal
  std::vector<geometry::Vec3> m_rest_group_normals;  ///< of each group, from its triangles
  std::vector<soft::Object> m_objects;
  std::vector<LitPiece> m_pieces;
  std::vector<std::string> m_warnings;
};

}  // namespace supple::bake::detail
