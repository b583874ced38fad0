// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/progress.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace supple::gallery {

/// A piece of flesh to bake, and its number of elements.
struct BakePart {
  std::string name;
  double elements = 0;
};

/// What to show of a bake that is running.
struct BakeOutlook {
  std::string stage;
  std::size_t part = 0;  ///< counted from 1; 0: not at a part
  std::size_t parts = 0;
  double done = 0;           ///< 0 to 1; never decreases
  double seconds_left = -1;  ///< negative: unknown
};

/// Makes one bar of a bake's nested stages. A bake counts finished parts; within a part, time
/// stands for progress, at the pace of the finished parts.
class BakeProgress {
 public:
  using Clock = std::chrono::steady_clock;

  /// Known once the file is read.
  void set_parts(std::vector<BakePart> parts) { m_parts = std::move(parts); }
  void add(const ProgressState& state, Clock::time_point now);
  [[nodiscard]] BakeOutlook look(Clock::time_point now);

 private:
  [[nodiscard]] BakeOutlook look_at_parts(const ProgressState& stage, Clock::time_point now) const;
  void note_part(const ProgressState& stage, Clock::time_point now);

  std::vector<BakePart> m_parts;
  std::vector<ProgressState> m_stages;  ///< that are running, the outermost first
  bool m_baked = false;                 ///< the first stage has ended
  Clock::time_point m_stage_began;
  Clock::time_point m_part_began;
  double m_finished = 0;  ///< elements of finished parts
  double m_shown = 0;
};

}  // namespace supple::gallery
