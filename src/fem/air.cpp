// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/air.hpp"

#include "supple/core/parallel.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace supple::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::Index;

constexpr std::size_t kAirGrain = 256;

Vector3d vertex_at(const VectorXd& x, Index vertex) {
  return x.segment<3>(3 * Eigen::Index{vertex});
}

}  // namespace

Result<void> Air::validate() const {
  if (!(density >= 0) || !std::isfinite(density)) {
    return bad_input(fmt::format("the air's density is {} kg/m^3; give 0 or more", density));
  }
  if (!wind.allFinite()) return bad_input("the wind's velocity is not finite; give numbers in m/s");
  if (!(gusts >= 0 && gusts <= 1)) {
    return bad_input(fmt::format("the gusts are {}; give a number from 0 to 1", gusts));
  }
  if (!(gust_size > 0) || !std::isfinite(gust_size)) {
    return bad_input(fmt::format("the size of gusts is {} m; give more than 0", gust_size));
  }
  return {};
}

/// The two waves that the player's wind has (runtime/src/point_kernels.cpp), which go with it.
Vector3d Air::velocity(const Vector3d& place, double time) const {
  const Vector3d turning = spin.cross(place - pivot);
  const double speed = wind.norm();
  if (gusts == 0 || speed == 0) return wind + turning;
  const double phase = 2 * std::numbers::pi / gust_size * (wind.dot(place) / speed - speed * time);
  return (1 + gusts * (0.6 * std::sin(phase) + 0.4 * std::sin(2.7 * phase + 1.3))) * wind + turning;
}

AirDrag::AirDrag(Air air, std::vector<geometry::Triangle> triangles, Exposure exposure)
    : m_air(std::move(air)), m_exposure(exposure), m_triangles(std::move(triangles)) {
  m_corner_places.resize(3 * m_triangles.size());
  std::iota(m_corner_places.begin(), m_corner_places.end(), 0);
  const auto vertex_of = [&](std::int64_t place) { return m_triangles[place / 3][place % 3]; };
  std::ranges::stable_sort(m_corner_places, {}, vertex_of);
  for (std::size_t i = 0; i < m_corner_places.size(); ++i) {
    const Index vertex = vertex_of(m_corner_places[i]);
    if (!m_vertices.empty() && m_vertices.back() == vertex) continue;
    m_vertices.push_back(vertex);
    m_corner_start.push_back(static_cast<std::int64_t>(i));
  }
  m_corner_start.push_back(static_cast<std::int64_t>(m_corner_places.size()));
  m_corners.resize(m_corner_places.size());
}

void AirDrag::begin_step(const TimeStep& step) {
  ++m_revision;
  m_b = step.b;
  const VectorXd past = step.past_positions();
  const double per_area = (m_exposure == Exposure::BothSides ? 1.0 : 0.5) * m_air.density;
  parallel_for(m_triangles.size(), kAirGrain, [&](std::size_t t) {
    const geometry::Triangle& triangle = m_triangles[t];
    const Vector3d a = vertex_at(*step.x, triangle[0]);
    const Vector3d twice =
        (vertex_at(*step.x, triangle[1]) - a).cross(vertex_at(*step.x, triangle[2]) - a);
    const double length = twice.norm();
    const Vector3d normal = length > 0 ? Vector3d(twice / length) : Vector3d(Vector3d::Zero());
    for (std::size_t c = 0; c < 3; ++c) {
      const Vector3d wind = m_air.velocity(vertex_at(*step.x, triangle[c]), step.time);
      m_corners[3 * t + c] = {normal, per_area * length / 6,
                              normal.dot(vertex_at(past, triangle[c]) + m_b * wind)};
    }
  });
}

EnergyValue AirDrag::value(const VectorXd& x) const {
  if (m_b == 0) return {};
  return parallel_reduce(
      m_triangles.size(), kAirGrain, EnergyValue{},
      [&](std::size_t begin, std::size_t end) {
        EnergyValue sum;
        for (std::size_t place = 3 * begin; place < 3 * end; ++place) {
          const Corner& corner = m_corners[place];
          const double along = corner.normal.dot(vertex_at(x, m_triangles[place / 3][place % 3]));
          const double speed = std::abs(corner.still - along) / m_b;
          const double energy = m_b * corner.strength / 3 * speed * speed * speed;
          // Rounding enters by the difference of places.
          const double rounding = corner.strength * speed * speed * std::abs(along);
          sum += {energy, energy + rounding};
        }
        return sum;
      },
      [](EnergyValue a, const EnergyValue& b) { return a += b; });
}

void AirDrag::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  if (m_b == 0) return;
  parallel_for(m_vertices.size(), kAirGrain, [&](std::size_t i) {
    const Vector3d at = vertex_at(x, m_vertices[i]);
    Vector3d sum = Vector3d::Zero();
    for (auto k = m_corner_start[i]; k < m_corner_start[i + 1]; ++k) {
      const Corner& corner = m_corners[m_corner_places[k]];
      const double speed = (corner.normal.dot(at) - corner.still) / m_b;
      sum += corner.strength * std::abs(speed) * speed * corner.normal;
    }
    gradient.segment<3>(3 * Eigen::Index{m_vertices[i]}) += sum;
  });
}

void AirDrag::list_couplings(std::vector<Coupling>& list) const {
  for (const Index vertex : m_vertices) list.push_back({vertex, vertex});
}

void AirDrag::write_hessian(const VectorXd& x, Curvature /*curvature*/,
                            std::span<double> blocks) const {
  parallel_for(m_vertices.size(), kAirGrain, [&](std::size_t i) {
    const Vector3d at = vertex_at(x, m_vertices[i]);
    Matrix3d sum = Matrix3d::Zero();
    for (auto k = m_corner_start[i]; k < m_corner_start[i + 1] && m_b > 0; ++k) {
      const Corner& corner = m_corners[m_corner_places[k]];
      const double speed = std::abs(corner.normal.dot(at) - corner.still) / m_b;
      sum += 2 * corner.strength * speed / m_b * corner.normal * corner.normal.transpose();
    }
    std::copy_n(sum.data(), 9, blocks.data() + 9 * i);  // symmetric
  });
}

}  // namespace supple::fem
