// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/drawn_scene.hpp"

#include "supple/bake/scene_certificate.hpp"
#include "supple/core/result.hpp"
#include "supple/scene/recording.hpp"
#include "supple/scene/reduction.hpp"
#include "supple/scene/sampling.hpp"
#include "supple/soft/object.hpp"

#include <Eigen/Core>

#include <functional>

namespace supple::bake::detail {

/// The triangle of every pair that intersects where the recorded vertices (x y z each) are; empty:
/// the simulator cannot tell.
using CrossingTest =
    std::function<std::vector<std::array<geometry::Vec3, 3>>(const Eigen::VectorXd& recorded)>;

/// The recorded vertices (x y z each) as the shapes of what is drawn move them.
struct RecordedShapes {
  Eigen::VectorXd rest;
  Eigen::MatrixXd shapes;
};

/// Collects the figures of a certificate while the frames pass by, and completes it.
class CertificateMaker {
 public:
  /// The arguments must outlive this object.
  CertificateMaker(const DrawnScene& drawn, const scene::Shapes& shapes,
                   const CrossingTest& crossings);

  /// `q`: the coordinates of the chain's frames, a column each. The first chain begins at rest.
  void add(const scene::Chain& chain, const Eigen::MatrixXd& q);
  /// The same combinations of frames as the shapes of the drawn vertices.
  [[nodiscard]] RecordedShapes recorded() const;
  /// Can be interrupted.
  [[nodiscard]] Result<SceneCertificate> finish(const soft::SceneTraits& traits,
                                                const scene::SamplingSettings& sampling) const;

 private:
  void draw_pictures(const soft::SceneTraits& traits, SceneCertificate& certificate) const;

  const DrawnScene& m_drawn;
  const scene::Shapes& m_shapes;
  const CrossingTest& m_crossings;
  Eigen::VectorXd m_recorded_rest;
  Eigen::MatrixXd m_recorded;  ///< sum of displacement q^T
  Eigen::MatrixXd m_squares;   ///< sum of q q^T
  Eigen::VectorXd m_error;     ///< per drawn vertex, sum of squares
  double m_motion = 0;         ///< sum of squares
  double m_largest = 0;        ///< squared
  std::vector<float> m_error_by_frame;
  std::size_t m_intersections = 0;  ///< pairs, over all frames
};

/// Cached transitions, evenly spread over all of them, played for the time that their blend takes.
[[nodiscard]] Result<TransitionTest> test_transitions(const soft::SceneTraits& traits,
                                                      const RecordedShapes& recorded,
                                                      const CrossingTest& crossings);

}  // namespace supple::bake::detail
