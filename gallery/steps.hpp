// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace supple::gallery {

/// Reports which of several long steps is running and how long the rest may take: at first from
/// typical times, then scaled by the speed of this machine.
class GallerySteps {
 public:
  /// Plan all steps before the first begins.
  void plan(double usual_seconds);
  void begin(const std::string& what, double usual_seconds);
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  int m_planned = 0;
  int m_begun = 0;
  double m_usual_total = 0;
  double m_usual_done = 0;     ///< of finished steps
  double m_usual_current = 0;  ///< of the current step
  Clock::time_point m_start;
};

}  // namespace supple::gallery
