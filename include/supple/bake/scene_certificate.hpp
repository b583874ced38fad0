// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"
#include "supple/scene/playback.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace supple::bake {

/// Play at a transition that was tested: how many frames after it, and what intersects there.
struct TestedTransition {
  std::string from, to;   ///< entries
  std::size_t frame = 0;  ///< after the transition
  std::size_t intersections = 0;
  Eigen::VectorXd q;                                     ///< coordinates there
  std::vector<geometry::Vec3> positions;                 ///< of what is drawn and deforms
  std::vector<std::array<geometry::Vec3, 3>> triangles;  ///< that are crossed
};

/// Cached transitions as they are played, tested for intersections by the exact test.
struct TransitionTest {
  /// Pairs of a state and an entry that may act there, and ends that go on elsewhere.
  std::size_t cached = 0;
  std::size_t rerouted = 0;       ///< of them, to another answer than the nearest
  std::size_t tested = 0;         ///< of them, evenly spread
  std::size_t frames = 0;         ///< that were tested
  std::size_t crossing = 0;       ///< tested transitions with an intersection in any frame
  std::size_t intersections = 0;  ///< pairs, over all frames
  /// Pairs in the same frames of the same responses without blending: what the reduction to shapes
  /// causes by itself.
  std::size_t unblended = 0;
  std::size_t crossing_unblended = 0;  ///< transitions whose responses intersect by themselves
  TestedTransition worst;              ///< with the most pairs; none: no positions
};

/// Of jumps of the velocity at transitions, relative to the largest speed.
struct PopScore {
  double largest = 0;
  double mean = 0;
};

/// How far random play is from the samples, as a share of the portrait's size.
struct Coverage {
  double mean = 0;
  double most = 0;  ///< 95 % of the frames are below
  double largest = 0;
  std::vector<double> off;  ///< every frame
};

/// What a baked scene is worth: all that its report shows and that is not in the files.
struct SceneCertificate {
  /// Pairs of an edge and a triangle over all sampled frames, by the exact test. Recordings and
  /// other simulators are not tested.
  std::size_t intersections_samples = 0;
  TransitionTest transitions;
  PopScore pops;        ///< by the player's own blend
  PopScore paper_pops;  ///< by [JF03 eq. 12]
  Coverage coverage;
  std::size_t play_triggers = 0;       ///< of the random play of pops and coverage
  std::vector<float> error_by_frame;   ///< m, RMS over vertices, of every sampled frame
  std::vector<float> error_by_vertex;  ///< m, RMS over sampled frames, of what deforms
  double largest_error = 0;            ///< m, of any vertex in any sampled frame
  double motion = 0;                   ///< m, RMS displacement over vertices and sampled frames
  /// Vertex animation textures of the playable states: positions and normals of 16 bits.
  std::size_t texture_bytes = 0;
  // For pictures:
  geometry::TriMesh deforming;           ///< at rest; vertices as in error_by_vertex
  geometry::TriMesh still;               ///< obstacles
  std::vector<std::string> entries;      ///< names
  Eigen::MatrixXf portrait;              ///< the first two coordinates of playable states
  std::vector<std::size_t> first_state;  ///< of each response, and the number of states
  std::vector<std::size_t> entry_of_response;
};

}  // namespace supple::bake
