// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "light/hits.hpp"

#include <array>
#include <vector>

namespace supple::light {

/// What a bounce needs to know of a point's material.
struct PointMaterial {
  Eigen::Vector3f albedo = Eigen::Vector3f::Zero();
  Eigen::Vector3f transmission = Eigen::Vector3f::Zero();
};

/// Radiance transfer of all points: 3 x coefficients floats for each.
struct PointTransfer {
  std::vector<float> values;
  /// Of each point the difference between the values by all directions and by the first half of
  /// them, with the same light from other surfaces: a standard error.
  std::vector<float> error;
};

/// One bounce: every point reflects the distant light that it sees, and `last` at its hits.
/// Some batches from the first hold half of the directions. Empty `last`: no light from other
/// surfaces.
[[nodiscard]] Result<PointTransfer> gather(const LitScene& scene,
                                           const std::vector<TracedBatch>& batches,
                                           const std::vector<PointMaterial>& materials,
                                           const std::vector<float>& last);

}  // namespace supple::light
