// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <vector>

namespace supple::flesh {

/// Weights of the skin extended into the volume: a mean over the skin with weights area / d^4,
/// smooth inside and equal to the skin's own weights on it (inverse-distance weighting [She68]).
class WeightField {
 public:
  /// Close vertices are merged into at most about `samples`.
  WeightField(const std::vector<geometry::Vec3>& positions, const std::vector<double>& areas,
              const std::vector<double>& weights, std::size_t samples = 1500);

  [[nodiscard]] double operator()(const geometry::Vec3& point) const;

 private:
  struct Sample {
    geometry::Vec3 position;
    double area;
    double weight;
  };
  std::vector<Sample> m_samples;
  double m_blur = 0;  // squared length below which distances are ignored
};

}  // namespace supple::flesh
