// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/certificate.hpp"

#include "supple/scene/playback.hpp"
#include "supple/soft/object.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace supple::bake::detail {

/// A state and an entry that acts there, or the end of a response that goes on elsewhere.
struct CachedTransition {
  std::uint32_t response = 0, frame = 0;
  std::optional<std::uint32_t> entry;
};

/// All of them, in the order of states.
[[nodiscard]] std::vector<CachedTransition> cached_transitions(const soft::SceneTraits& traits);
/// So many of them at most, evenly spread.
[[nodiscard]] std::vector<CachedTransition> spread_transitions(
    const std::vector<CachedTransition>& all, std::size_t most);

/// One transition, tested.
struct TransitionOutcome {
  std::size_t intersections = 0;
  std::size_t worst_frame = 0, worst_count = 0;
};

/// Plays transitions at full strength for the time that their blend takes, and tests some frames
/// for intersections.
class TransitionTester {
 public:
  /// The arguments must outlive this object.
  TransitionTester(const soft::SceneTraits& traits, const RecordedShapes& recorded,
                   const CrossingTest& crossings);

  [[nodiscard]] std::size_t frames() const { return m_frames.size(); }
  /// As the table has it.
  [[nodiscard]] TransitionOutcome test(const CachedTransition& transition) const;
  /// The same frames of the same response without the blend.
  [[nodiscard]] TransitionOutcome test_unblended(const CachedTransition& transition) const;
  /// With another group of responses that answers. Ends once so many pairs are found.
  [[nodiscard]] TransitionOutcome test_answer(const CachedTransition& transition,
                                              std::uint32_t group, std::size_t most) const;
  /// Coordinates so many frames after a transition.
  [[nodiscard]] Eigen::VectorXd play(const CachedTransition& transition, std::size_t frame) const;
  [[nodiscard]] std::vector<std::array<geometry::Vec3, 3>> crossings(
      const Eigen::VectorXd& q) const {
    return m_crossings(m_recorded.rest + m_recorded.shapes * q);
  }

 private:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  /// Just after the transition.
  [[nodiscard]] scene::Playback begin(const CachedTransition& transition) const;
  [[nodiscard]] TransitionOutcome count(scene::Playback playback, bool blended,
                                        std::size_t most = kAll) const;

  const soft::SceneTraits& m_traits;
  const RecordedShapes& m_recorded;
  const CrossingTest& m_crossings;
  std::vector<std::size_t> m_frames;  ///< after a transition, ascending
};

}  // namespace supple::bake::detail
