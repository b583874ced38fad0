// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/soft/object.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace supple::bake::detail {

/// A recorded motion of vertices, frame by frame. Frames are asked for several times and from
/// several threads.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  [[nodiscard]] virtual Eigen::Index rows() const = 0;  ///< 3 per vertex
  [[nodiscard]] virtual std::size_t frames() const = 0;
  /// From the rest positions, and of the normals.
  [[nodiscard]] virtual Result<Eigen::VectorXd> displacement(std::size_t frame) const = 0;
  [[nodiscard]] virtual Result<Eigen::VectorXd> normal_change(std::size_t frame) const = 0;

 protected:
  FrameSource() = default;
  FrameSource(const FrameSource&) = default;
  FrameSource& operator=(const FrameSource&) = default;
};

/// Shapes b_k of unit length, most important first, and the matching changes of the normals.
struct MotionShapes {
  Eigen::MatrixXd positions;  ///< rows x shapes
  Eigen::MatrixXd normals;
  /// |A - B B^T A|_F / |A|_F over the displacements of all frames.
  double relative_error = 0;
};

/// The leading singular vectors of the displacements, as few as bring every vertex of every frame
/// within `tolerance` (in the motion's unit), at most `most`. Normals follow by least squares.
[[nodiscard]] Result<MotionShapes> find_motion_shapes(const FrameSource& motion, double tolerance,
                                                      int most);

/// The shapes as modes of an object that the exporter of linear motion can write.
[[nodiscard]] std::vector<soft::Mode> shape_modes(const MotionShapes& shapes);

/// An error of weights, relative to their largest values, that moves no vertex by more than `share`
/// (in the motion's unit): errors of several weights add up by their squares. `largest` has the
/// largest weight of each shape.
[[nodiscard]] double weight_tolerance(const Eigen::MatrixXd& shapes, const Eigen::VectorXd& largest,
                                      double share);

/// The longest of the vectors x y z, x y z, ...
[[nodiscard]] double largest_vector(const Eigen::VectorXd& vectors);

}  // namespace supple::bake::detail
