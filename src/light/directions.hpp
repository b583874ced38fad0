// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace supple::light {

/// Directions that all vertices share, and the harmonics there.
struct DirectionSet {
  int coefficients = 0;
  std::vector<Eigen::Vector3f> directions;
  std::vector<float> harmonics;  ///< `coefficients` for each direction

  [[nodiscard]] std::size_t count() const { return directions.size(); }
};

/// Directions begin .. end - 1 of an endless sequence: Sobol's first two dimensions with Owen's
/// scrambling [Owe97], mapped to the sphere by area. Every power of two of them from the start, and
/// every such block of the same size, has one direction in each cell of a grid of equal areas.
/// Within the range they are sorted, so that neighbours in the list are neighbours on the sphere.
[[nodiscard]] DirectionSet make_directions(std::size_t begin, std::size_t end, int order,
                                           std::uint64_t seed);

}  // namespace supple::light
