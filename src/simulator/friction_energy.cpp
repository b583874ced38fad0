// SPDX-License-Identifier: Apache-2.0
#include "supple/simulator/friction_energy.hpp"

#include "simulator/pair_energy.hpp"
#include "supple/core/parallel.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace supple::simulator {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;
using geometry::Vec3;

constexpr std::size_t kFrictionGrain = 256;

/// f, f' / y and f'' of the smoothed distance y, which is linear from e on.
struct SmoothLength {
  double value, slope_over_length, curvature;
};

SmoothLength smooth_length(double y, double e) {
  if (y >= e) return {y, 1 / y, 0};
  return {y * y / e - y * y * y / (3 * e * e) + e / 3, (2 - y / e) / e, 2 * (1 - y / e) / e};
}

/// Two unit vectors across n.
Eigen::Matrix<double, 3, 2> tangents_of(const Vec3& n) {
  Eigen::Index smallest = 0;
  n.cwiseAbs().minCoeff(&smallest);
  Eigen::Matrix<double, 3, 2> result;
  result.col(0) = n.cross(Vec3::Unit(smallest)).normalized();
  result.col(1) = n.cross(result.col(0));
  return result;
}

}  // namespace

void FrictionEnergy::renew(const std::vector<ContactEnergy::Contact>& contacts,
                           const ContactSurface& surface, const VectorXd& start, double speed,
                           double h) {
  m_contacts.clear();
  m_smooth = speed * h;
  for (const ContactEnergy::Contact& contact : contacts) {
    const auto& vertices = contact.pair.vertices;
    const double coefficient = std::sqrt(surface.friction[static_cast<std::size_t>(vertices[0])] *
                                         surface.friction[static_cast<std::size_t>(vertices[3])]);
    if (coefficient == 0) continue;
    Sliding sliding{vertices, contact.closest.weights,
                    tangents_of(contact.closest.gap.normalized()), coefficient * contact.force,
                    Vector2d::Zero()};
    sliding.start = place(sliding, start);
    m_contacts.push_back(sliding);
  }
  ++m_revision;
}

void FrictionEnergy::clear() {
  m_contacts.clear();
  ++m_revision;
}

Vector2d FrictionEnergy::place(const Sliding& contact, const VectorXd& x) {
  return contact.tangents.transpose() * (gather(contact.vertices, x) * contact.weights);
}

fem::EnergyValue FrictionEnergy::value(const VectorXd& x) const {
  double joules = 0;
  for (const Sliding& contact : m_contacts) {
    joules +=
        contact.limit * smooth_length((place(contact, x) - contact.start).norm(), m_smooth).value;
  }
  return {joules, joules};  // no term is negative
}

void FrictionEnergy::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  for (const Sliding& contact : m_contacts) {
    const Vector2d u = place(contact, x) - contact.start;
    const Vec3 force = contact.limit * smooth_length(u.norm(), m_smooth).slope_over_length *
                       (contact.tangents * u);
    for (int i = 0; i < 4; ++i) {
      gradient.segment<3>(3 * Eigen::Index{contact.vertices[static_cast<std::size_t>(i)]}) +=
          contact.weights[i] * force;
    }
  }
}

void FrictionEnergy::list_couplings(std::vector<fem::Coupling>& list) const {
  for (const Sliding& contact : m_contacts) list_stencil(contact.vertices, list);
}

void FrictionEnergy::write_hessian(const VectorXd& x, fem::Curvature /*curvature*/,
                                   std::span<double> blocks) const {
  parallel_for(m_contacts.size(), kFrictionGrain, [&](std::size_t i) {
    const Sliding& contact = m_contacts[i];
    const Vector2d u = place(contact, x) - contact.start;
    const double length = u.norm();
    const SmoothLength f = smooth_length(length, m_smooth);
    Eigen::Matrix2d plane = f.slope_over_length * Eigen::Matrix2d::Identity();
    if (length > 0) {
      const Vector2d along = u / length;
      plane += (f.curvature - f.slope_over_length) * along * along.transpose();
    }
    const Eigen::Matrix3d block =
        contact.limit * (contact.tangents * plane * contact.tangents.transpose());
    double* out = blocks.data() + 90 * i;
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b <= a; ++b, out += 9) {
        block_at(out) = contact.weights[a] * contact.weights[b] * block;
      }
    }
  });
}

}  // namespace supple::simulator
