// SPDX-License-Identifier: Apache-2.0
#include "supple/core/check.hpp"
#include "supple/light/transfer.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

namespace supple::light {
namespace {

constexpr float kUnitSlack = 1e-4F;  // of numbers that were stored with few digits

/// One colour for each vertex, or one for all.
Result<void> check_colours(const std::vector<Eigen::Vector3f>& colours, std::size_t vertices,
                           const char* name) {
  if (colours.size() != 1 && colours.size() != vertices) {
    return bad_input(
        fmt::format("the surface has {} colours of {}; give one, or one for each of {} "
                    "vertices",
                    colours.size(), name, vertices));
  }
  for (std::size_t v = 0; v < colours.size(); ++v) {
    const auto c = colours[v].array();
    if (colours[v].allFinite() && (c >= 0).all() && (c <= 1).all()) continue;
    return bad_input(fmt::format("the {} of vertex {} is not from 0 to 1", name, v + 1));
  }
  return {};
}

const Eigen::Vector3f& colour_of(const std::vector<Eigen::Vector3f>& colours, std::size_t v) {
  return colours.size() == 1 ? colours.front() : colours[v];
}

Result<void> check_normals(const std::vector<geometry::Vec3>& normals, std::size_t vertices) {
  if (normals.empty()) return {};
  if (normals.size() != vertices) {
    return bad_input(
        fmt::format("the surface has {} normals for {} vertices", normals.size(), vertices));
  }
  for (std::size_t v = 0; v < vertices; ++v) {
    const double length = normals[v].norm();
    if (length == 0 || std::abs(length - 1) <= double{kUnitSlack}) continue;
    return bad_input(
        fmt::format("the normal of vertex {} has the length {} instead of 1", v + 1, length));
  }
  return {};
}

}  // namespace

Result<void> Surface::validate() const {
  SUPPLE_TRY_VOID(mesh.validate());
  // The highest bit of a triangle's number tells sides apart.
  if (mesh.triangles.size() >= std::size_t{1} << 30U) {
    return bad_input(fmt::format("{} triangles are too many to trace", mesh.triangles.size()));
  }
  SUPPLE_TRY_VOID(check_normals(normals, vertex_count()));
  SUPPLE_TRY_VOID(check_colours(albedo, vertex_count(), "albedo"));
  if (transmission.empty()) return {};
  if (!two_sided) {
    return bad_input(
        "only sheets transmit light: make the surface two-sided, or drop its "
        "transmission");
  }
  SUPPLE_TRY_VOID(check_colours(transmission, vertex_count(), "transmission"));
  for (std::size_t v = 0; v < vertex_count(); ++v) {
    const Eigen::Vector3f sum = colour_of(albedo, v) + colour_of(transmission, v);
    if (sum.maxCoeff() <= 1 + kUnitSlack) continue;
    return bad_input(
        fmt::format("albedo and transmission of vertex {} add up to {}, which is more than 1",
                    v + 1, sum.maxCoeff()));
  }
  return {};
}

Result<void> TransferSettings::validate() const {
  constexpr std::size_t kFewest = 16;
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  if (order < 1 || order > 6) {
    return bad_input(fmt::format("the order {} of the harmonics must be from 1 to 6", order));
  }
  for (const std::size_t count : {directions, most_directions}) {
    if (std::has_single_bit(count) && count >= kFewest && count <= kMost) continue;
    return bad_input(fmt::format("{} directions: their number must be a power of two from {} to {}",
                                 count, kFewest, kMost));
  }
  if (!(noise >= 0 && std::isfinite(noise))) {
    return bad_input(fmt::format("the noise {} must be 0 or more", noise));
  }
  if (bounces < 0 || bounces > 1000) {
    return bad_input(fmt::format("the number of bounces {} must be from 0 to 1000", bounces));
  }
  if (!(converged >= 0 && converged < 1)) {
    return bad_input(fmt::format("the limit {} of a bounce must be in [0, 1)", converged));
  }
  if (!(offset > 0 && offset <= 0.1)) {
    return bad_input(fmt::format("the offset {} must be in (0, 0.1] edges", offset));
  }
  return {};
}

Eigen::Vector3f TransferVectors::radiance(std::size_t vertex, const Eigen::MatrixX3f& light) const {
  SUPPLE_CHECK_OP(light.rows(), ==, m_coefficients);
  Eigen::Vector3f sum = Eigen::Vector3f::Zero();
  for (int colour = 0; colour < 3; ++colour) {
    for (int i = 0; i < m_coefficients; ++i)
      sum(colour) += at(vertex, colour, i) * light(i, colour);
  }
  return sum.cwiseMax(0);
}

}  // namespace supple::light
