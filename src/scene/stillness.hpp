// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace supple::scene::detail {

/// When a scene rests: a pendulum stands still where it turns round, so ten frames in a row must.
class Stillness {
 public:
  /// m: where no vertex moves further in a frame, the frame is still.
  explicit Stillness(double most) : m_most(most) {}

  void restart() { m_frames = 0; }
  /// Whether the scene rests after a frame in which one vertex moved so far, and no other further.
  [[nodiscard]] bool rests_after(double furthest) {
    constexpr std::size_t kFrames = 10;
    m_frames = furthest < m_most ? m_frames + 1 : 0;
    return m_frames >= kFrames;
  }

 private:
  double m_most;
  std::size_t m_frames = 0;
};

}  // namespace supple::scene::detail
