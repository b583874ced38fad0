// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fem/element_kernels.hpp"
#include "supple/core/parallel.hpp"
#include "supple/fem/energy.hpp"
#include "supple/fem/sheet_model.hpp"
#include "supple/fem/solid_model.hpp"

#include <Eigen/Core>

#include <span>
#include <vector>

namespace supple::fem {

/// The integration points of a solid's tetrahedra or of a sheet's triangles, as energies that are
/// functions of the deformation gradient F need them. In a sheet the material has two axes: the
/// third component of shape gradients is zero, and so is the third column of F.
struct ElementPoints {
  using Gradients = Eigen::Map<const Eigen::Matrix3Xd>;
  static constexpr std::size_t kGrain = 64;  ///< elements per piece of parallel work

  struct Point {
    std::span<const geometry::Index> vertices;
    Gradients gradients;  ///< one column per node
    double volume;
    Lame lame;

    /// F, the derivative of positions by rest positions.
    [[nodiscard]] Eigen::Matrix3d deformation(const Eigen::VectorXd& x) const {
      Eigen::Matrix3d f = Eigen::Matrix3d::Zero();
      for (std::size_t a = 0; a < vertices.size(); ++a) {
        f += x.segment<3>(3 * Eigen::Index{vertices[a]}) *
             gradients.col(static_cast<Eigen::Index>(a)).transpose();
      }
      return f;
    }
  };

  explicit ElementPoints(const SolidModel& model, geometry::Index first_vertex);
  /// Volumes are areas times thickness; lambda is that of plane stress.
  explicit ElementPoints(const SheetModel& model, geometry::Index first_vertex);

  [[nodiscard]] std::size_t element_count() const { return lambda.size(); }
  [[nodiscard]] std::size_t point_count() const { return volumes.size(); }
  [[nodiscard]] Point point(std::size_t element, std::size_t p) const {
    const std::size_t index = element * points + p;
    return {std::span(vertices).subspan(nodes * element, nodes),
            Gradients(gradients.data() + 3 * nodes * index, 3, static_cast<Eigen::Index>(nodes)),
            volumes[index],
            {lambda[element], mu[element]}};
  }

  /// Sums density(point, its number), an EnergyValue per volume.
  template <class Density>
  [[nodiscard]] EnergyValue sum(const Density& density) const {
    return parallel_reduce(
        element_count(), kGrain, EnergyValue{},
        [&](std::size_t begin, std::size_t end) {
          EnergyValue total;
          for (std::size_t e = begin; e < end; ++e) {
            for (std::size_t p = 0; p < points; ++p) {
              const Point at = point(e, p);
              const EnergyValue value = density(at, e * points + p);
              total += {at.volume * value.joules, at.volume * value.magnitude};
            }
          }
          return total;
        },
        [](EnergyValue a, const EnergyValue& b) { return a += b; });
  }

  /// Adds the forces of stress(point, its number), the derivative of the density by F. Each element
  /// writes its own parts and each vertex sums its own: no races, and a fixed order.
  template <class Stress>
  void add_gradient(const Stress& stress, Eigen::VectorXd& gradient) const {
    Eigen::Matrix3Xd parts = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(vertices.size()));
    parallel_for(element_count(), kGrain, [&](std::size_t e) {
      for (std::size_t p = 0; p < points; ++p) {
        const Point at = point(e, p);
        parts.middleCols(static_cast<Eigen::Index>(nodes * e), static_cast<Eigen::Index>(nodes)) +=
            at.volume * stress(at, e * points + p) * at.gradients;
      }
    });
    gather(parts, gradient);
  }

  [[nodiscard]] std::size_t coupling_count() const {
    return element_count() * nodes * (nodes + 1) / 2;
  }
  void list_couplings(std::vector<Coupling>& list) const;
  /// Calls add(point, its number, its blocks), which adds to the blocks of the element, in the
  /// order of the couplings.
  template <class Add>
  void write_hessian(std::span<double> blocks, const Add& add) const {
    const std::size_t per_element = 9 * nodes * (nodes + 1) / 2;
    parallel_for(element_count(), kGrain, [&](std::size_t e) {
      double* const first = blocks.data() + per_element * e;
      std::fill_n(first, per_element, 0.0);
      for (std::size_t p = 0; p < points; ++p) add(point(e, p), e * points + p, first);
    });
  }

  std::size_t nodes;                      ///< per element
  std::size_t points;                     ///< per element
  std::vector<geometry::Index> vertices;  ///< `nodes` per element
  std::vector<double> lambda, mu;         ///< Pa, per element
  std::vector<double> volumes;            ///< m^3, per point
  std::vector<double> gradients;          ///< 1/m, 3 per node and point

 private:
  void list_parts(std::size_t vertex_count, std::span<const geometry::Index> connectivity);
  void gather(const Eigen::Matrix3Xd& parts, Eigen::VectorXd& gradient) const;

  std::vector<std::int64_t> m_part_start;  ///< per vertex from the first, into m_parts
  std::vector<std::int64_t> m_parts;       ///< places in `vertices`, ascending
  geometry::Index m_first;
};

/// A 3 x 3 block as energies write it.
using HessianBlock = Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;

}  // namespace supple::fem
