// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/reduction/streaming_svd.hpp"
#include "supple/scene/portrait.hpp"
#include "supple/scene/recording.hpp"

#include <Eigen/Core>

#include <functional>
#include <span>

namespace supple::scene {

/// Turns recorded vertices (x y z each) into those that are drawn. They may be more: a surface
/// that coarse tetrahedra carry.
using Draw = std::function<void(std::span<const float> recorded, Eigen::VectorXd& drawn)>;
/// Draws what was recorded.
[[nodiscard]] Draw draw_as_recorded();

struct ShapeSettings {
  Eigen::Index max_rank = 48;
  Eigen::Index rank = 0;     ///< exactly so many shapes; 0: as few as the tolerance allows
  double tolerance = 0.005;  ///< of the motion, in the Frobenius norm
  [[nodiscard]] Result<void> validate() const;
};

/// Displacement shapes of a scene: drawn = rest + basis q [JF03 eq. 5].
struct Shapes {
  Eigen::VectorXd rest;   ///< x y z of what is drawn, at rest
  Eigen::MatrixXd basis;  ///< orthonormal columns, the strongest first
  Eigen::VectorXd values;
  /// What r shapes leave of the motion, relative, r from 0 to as many as were looked at.
  Eigen::VectorXd error_by_rank;
  [[nodiscard]] double relative_error() const { return error_by_rank(basis.cols()); }
};

/// Reduces all frames of all chains in one pass, in bounded memory, chain by chain.
class ShapeReducer {
 public:
  ShapeReducer(Eigen::VectorXd rest, Draw draw, const ShapeSettings& settings);

  [[nodiscard]] Result<void> add(const Chain& chain);
  /// An error if the tolerance or the rank cannot be met; it says what can.
  [[nodiscard]] Result<Shapes> finish();
  /// As many as max_rank allows, whatever they leave. More chains may follow.
  [[nodiscard]] Result<Shapes> strongest();

 private:
  [[nodiscard]] Shapes shapes(const reduction::TruncatedSvd& svd, Eigen::Index rank) const;
  Eigen::VectorXd m_rest;
  Draw m_draw;
  ShapeSettings m_settings;
  reduction::StreamingSvd m_svd;
};

/// Coordinates of all frames of a chain, a column each: basis^T (drawn - rest).
[[nodiscard]] Eigen::MatrixXd project(const Chain& chain, const Shapes& shapes, const Draw& draw);
/// The same for several, one after the other.
[[nodiscard]] Eigen::MatrixXd project_all(const std::vector<Chain>& chains, const Shapes& shapes,
                                          const Draw& draw);

}  // namespace supple::scene
