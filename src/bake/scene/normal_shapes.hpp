// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/drawn_scene.hpp"

#include "supple/scene/recording.hpp"
#include "supple/soft/object.hpp"

#include <Eigen/Core>

namespace supple::bake::detail {

/// Normals by least squares: the changes of unit normals over the sampled frames, in the
/// coordinates of the shapes.
class NormalShapes {
 public:
  /// `drawn` must outlive this object.
  NormalShapes(const DrawnScene& drawn, Eigen::Index rank);

  /// `q`: the coordinates of the chain's frames, a column each.
  void add(const scene::Chain& chain, const Eigen::MatrixXd& q);
  void put_into(soft::Object& object) const;

 private:
  const DrawnScene& m_drawn;
  Eigen::VectorXd m_rest;
  Eigen::MatrixXd m_changes, m_squares;
};

}  // namespace supple::bake::detail
