// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace supple::soft {

/// A vertex that turns with no object: what light does to it does not change with any bone.
inline constexpr std::uint32_t kNoFrame = 0xffffffffU;

/// How all vertices of an asset answer light from far away, whatever their shape [JF03 section 4]:
/// the transfer M = bases[0] + sum a_k bases[k], with appearance coordinates a(q) by normalised
/// radial basis functions. Formulas as in format/layout.hpp.
struct Light {
  /// A coefficient that appearance depends on, counted through all objects, and its scale.
  struct Input {
    std::uint32_t coefficient = 0;
    double scale = 1;
  };

  int order = 4;  ///< bands of spherical harmonics
  int sides = 1;  ///< 2: front and back of sheets
  std::vector<Input> inputs;
  double width = 1;         ///< of the radial basis functions
  Eigen::MatrixXd centres;  ///< inputs x centres, scaled
  Eigen::MatrixXd weights;  ///< rank x centres
  /// rank + 1, each with a column for every vertex, sides one after the other, of 3 order^2
  /// numbers: red, green and blue of each coefficient. In the axes of the file's world at rest.
  std::vector<Eigen::MatrixXf> bases;
  /// For each vertex the object whose bone turns it away from its light, or kNoFrame.
  std::vector<std::uint32_t> frames;
  double relative_error = 0;  ///< of the transfer at the shapes that the model was made of
  double held_out_error = 0;  ///< at others; 0: not measured

  [[nodiscard]] std::size_t rank() const { return bases.empty() ? 0 : bases.size() - 1; }
};

}  // namespace supple::soft
