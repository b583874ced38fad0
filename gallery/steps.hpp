// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace supple::gallery {

/// Tells which of several long steps is under way and how long the rest may take: first by their
/// usual times, then by how this machine compares.
class GallerySteps {
 public:
  /// All steps are planned before the first begins.
  void plan(double usual_seconds);
  void begin(const std::string& what, double usual_seconds);
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  int m_planned = 0;
  int m_begun = 0;
  double m_usual_total = 0;
  double m_usual_done = 0;     ///< of steps that have ended
  double m_usual_current = 0;  ///< of the one under way
  Clock::time_point m_start;
};

}  // namespace supple::gallery
