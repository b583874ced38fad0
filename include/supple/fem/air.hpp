// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/energy.hpp"

#include <cstdint>
#include <vector>

namespace supple::fem {

/// Air, or any other medium around bodies, with the gusts of the player's wind.
struct Air {
  double density = 1.2;                            ///< kg/m^3; 0: none
  Eigen::Vector3d wind = Eigen::Vector3d::Zero();  ///< m/s
  double gusts = 0;      ///< 0 steady; 1: between 0 and twice the velocity
  double gust_size = 1;  ///< m from gust to gust, > 0
  /// rad/s about `pivot`: air that turns as still air does in a turning frame, the other way round.
  Eigen::Vector3d spin = Eigen::Vector3d::Zero();
  Eigen::Vector3d pivot = Eigen::Vector3d::Zero();

  /// Negative or not finite numbers: errors that say which.
  [[nodiscard]] Result<void> validate() const;
  /// m/s at a place and time in seconds.
  [[nodiscard]] Eigen::Vector3d velocity(const Eigen::Vector3d& place, double time) const;
};

/// Which sides of triangles the air touches.
enum class Exposure : std::uint8_t {
  BothSides,  ///< of a sheet
  OneSide,    ///< the outer one, of the surface of a solid
};

/// The pressure of a medium on a surface over one time step. It presses with density |u| u on a
/// sheet, where u is its speed across the sheet relative to it, as it does on shells in the player;
/// each side has half of that, the front by pressure, the back by suction. So a thin plate is the
/// same as a sheet and as a solid, and falls at sqrt(m g / (density area)) in the end.
///
/// Over a step this is the potential b density/3 integral |u|^3 with the normals and areas at its
/// start: convex, so that steps are stable for any density and length.
class AirDrag final : public Energy {
 public:
  /// The air must be valid. Triangles of vertices of the scene; those of a solid face outwards.
  AirDrag(Air air, std::vector<geometry::Triangle> triangles, Exposure exposure);

  /// Takes effect with the next step.
  void set_air(const Air& air) { m_air = air; }

  void begin_step(const TimeStep& step) override;
  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  /// A vertex is coupled with itself alone.
  [[nodiscard]] std::size_t coupling_count() const override { return m_vertices.size(); }
  void list_couplings(std::vector<Coupling>& list) const override;
  [[nodiscard]] std::uint64_t revision() const override { return m_revision; }
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;

 private:
  /// A third of a triangle, at one of its corners.
  struct Corner {
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    double strength = 0;  ///< kg/m: density times area
    double still = 0;     ///< m: n . (x* + b wind), where the air would carry the corner
  };

  Air m_air;
  Exposure m_exposure;
  std::vector<geometry::Triangle> m_triangles;
  std::vector<geometry::Index> m_vertices;    ///< that have triangles, ascending
  std::vector<std::int64_t> m_corner_start;   ///< per vertex, into m_corners
  std::vector<std::int64_t> m_corner_places;  ///< 3 triangle + corner
  std::vector<Corner> m_corners;              ///< by place
  double m_b = 0;                             ///< 0 before the first step
  std::uint64_t m_revision = 0;
};

}  // namespace supple::fem
