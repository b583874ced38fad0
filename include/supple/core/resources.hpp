// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace supple {

/// Peak resident memory of this process in bytes; 0 if unknown.
[[nodiscard]] double peak_memory_bytes();

/// Physical memory of the machine in bytes; 0 if unknown.
[[nodiscard]] double physical_memory_bytes();

/// Seconds since construction or the last `lap`.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - m_start).count();
  }
  [[nodiscard]] double lap() {
    const double elapsed = seconds();
    m_start = Clock::now();
    return elapsed;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point m_start = Clock::now();
};

}  // namespace supple
