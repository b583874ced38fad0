// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace supple::light {

/// A diffuse surface: a soft object in one shape, or what stands around it. Lengths in metres.
struct Surface {
  geometry::TriMesh mesh;
  std::vector<geometry::Vec3> normals = {};  ///< per vertex, unit; empty: from the mesh
  /// Reflected part of red, green and blue light, per vertex; one entry: the same everywhere.
  std::vector<Eigen::Vector3f> albedo = {Eigen::Vector3f::Constant(0.7F)};
  /// A sheet, which is lit on both sides. Otherwise backs are dark and seen by nobody.
  bool two_sided = false;
  /// Part that leaves at the other side, diffuse, of sheets only; as albedo; empty: none. Albedo
  /// and transmission together are at most 1.
  std::vector<Eigen::Vector3f> transmission = {};

  [[nodiscard]] std::size_t vertex_count() const { return mesh.positions.size(); }
  /// Or an error that names the first offender.
  [[nodiscard]] Result<void> validate() const;
};

struct TransferSettings {
  int order = 4;  ///< 1 to 6: 16 coefficients
  /// Over the whole sphere, a power of two: each side of a surface traces half of them. All
  /// vertices and shapes share them, so that noise is the same in every shape.
  std::size_t directions = 2048;
  /// Directions double until the relative noise (see TransferField) is no larger, or until there
  /// are `most_directions`; 0: they do not double.
  double noise = 0;
  std::size_t most_directions = 65536;
  int bounces = 3;  ///< 0: shadows alone; stops early once a bounce adds less than `converged`
  double converged = 1e-4;  ///< of the transfer, relative, root mean square
  /// Origins lie this part of the shortest edge at a vertex above it.
  double offset = 1e-3;
  std::uint64_t seed = 1;  ///< of the directions
  [[nodiscard]] Result<void> validate() const;
};

/// Transfer vectors [SKS02] of one side: exit radiance of vertex v in colour c is
/// sum_i at(v, c, i) L_(i, c) for the coefficients L of the distant light.
class TransferVectors {
 public:
  TransferVectors() = default;
  TransferVectors(std::size_t vertices, int coefficients)
      : m_coefficients(coefficients),
        m_values(vertices * 3 * static_cast<std::size_t>(coefficients)) {}

  [[nodiscard]] std::size_t vertex_count() const {
    return m_values.empty() ? 0 : m_values.size() / (3 * static_cast<std::size_t>(m_coefficients));
  }
  [[nodiscard]] int coefficients() const { return m_coefficients; }
  [[nodiscard]] float at(std::size_t vertex, int colour, int i) const {
    return m_values[(vertex * 3 + static_cast<std::size_t>(colour)) *
                        static_cast<std::size_t>(m_coefficients) +
                    static_cast<std::size_t>(i)];
  }
  /// Vertex by vertex; of each, red, green, blue; of each of these, the coefficients.
  [[nodiscard]] std::span<const float> values() const { return m_values; }
  [[nodiscard]] std::span<float> values() { return m_values; }
  /// Exit radiance of a vertex; negative values become 0.
  [[nodiscard]] Eigen::Vector3f radiance(std::size_t vertex, const Eigen::MatrixX3f& light) const;

 private:
  int m_coefficients = 0;
  std::vector<float> m_values;
};

struct TransferField {
  TransferVectors front;
  TransferVectors back;  ///< of sheets; otherwise empty
  TransferVectors surroundings_front;
  TransferVectors surroundings_back;
  /// Standard error of the front's transfer vector, of each vertex: the length of its error, mean
  /// over colours, from two halves of the directions. It errs on the high side, because the halves
  /// together are better spread than each.
  std::vector<float> noise;
  double relative_noise = 0;  ///< root mean square of `noise` over that of the transfer vectors
  std::size_t directions = 0;
  int bounces = 0;         ///< that were gathered
  double last_bounce = 0;  ///< what the last one added, relative
};

/// What a trace cost.
struct TraceCost {
  std::size_t rays = 0;
  std::size_t hits = 0;
  double trace_seconds = 0;
  std::size_t bytes = 0;  ///< of the hits that are kept
};

/// The rays of a shape, traced once. Bounces and other albedos use the hits and trace no more.
class TracedShape {
 public:
  TracedShape(TracedShape&&) noexcept;
  TracedShape& operator=(TracedShape&&) noexcept;
  ~TracedShape();

  /// Transfer with the albedo and transmission of the surfaces given to `trace`.
  [[nodiscard]] Result<TransferField> transfer() const;
  /// The same with others; sizes as in Surface.
  [[nodiscard]] Result<TransferField> transfer(
      const std::vector<Eigen::Vector3f>& albedo,
      const std::vector<Eigen::Vector3f>& surroundings_albedo) const;
  [[nodiscard]] const TraceCost& cost() const;

 private:
  friend Result<TracedShape> trace(const Surface&, const Surface&, const TransferSettings&);
  struct Impl;
  explicit TracedShape(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

/// Traces a surface among its surroundings, which may be empty: they cast shadows and reflect.
/// Without Embree this is an error that says what to install.
[[nodiscard]] Result<TracedShape> trace(const Surface& surface, const Surface& surroundings,
                                        const TransferSettings& settings);

/// Diffuse transfer with shadows and interreflections [SKS02; JF03 section 4.1]. Results are the
/// same for any number of threads. All shapes of a model should have the same number of directions:
/// find it with one shape and `noise`, then set `noise` to 0.
[[nodiscard]] Result<TransferField> compute_transfer(const Surface& surface,
                                                     const Surface& surroundings,
                                                     const TransferSettings& settings);

/// Whether this build has Embree.
[[nodiscard]] bool can_trace();

}  // namespace supple::light
