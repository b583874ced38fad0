// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/light/lit_surface.hpp"

#include "supple/bake/baked_file.hpp"
#include "supple/bake/gltf_character.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace supple::bake::detail {

/// Coefficients of all objects as they occur in motion, a column each; the first is the rest shape.
struct ShapePoints {
  Eigen::MatrixXd q;
  std::vector<std::string> warnings;
};

/// Of scenes the states of their portraits; of flesh and shells the frames of the file's clips or,
/// without any, of gravity and wind. Where nothing moves, random shapes of a stated size.
[[nodiscard]] Result<ShapePoints> find_shape_points(const io::GltfAsset& asset,
                                                    const GltfCharacter& source,
                                                    const BakedFile& file,
                                                    const LitSurface& surface,
                                                    const LightSettings& settings);

/// The shapes for which light is computed.
struct ChosenShapes {
  Eigen::MatrixXd q;                 ///< a column each; rest first
  Eigen::MatrixXd held_out;          ///< others, to measure the error
  std::vector<Eigen::Index> inputs;  ///< coefficients that differ between them
  Eigen::VectorXd scales;            ///< of all coefficients: distances are 1 in the mean

  /// The inputs of a shape, scaled.
  [[nodiscard]] Eigen::VectorXd place(const Eigen::VectorXd& shape) const;
};

/// By K-means++, each centre's nearest point. `sizes` has what a coefficient of 1 moves. Fewer
/// where fewer differ.
[[nodiscard]] Result<ChosenShapes> choose_shapes(const Eigen::MatrixXd& points,
                                                 const Eigen::VectorXd& sizes,
                                                 const LightShapes& settings);

}  // namespace supple::bake::detail
