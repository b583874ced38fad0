// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace supple {

/// The state of one stage of work.
struct ProgressState {
  std::string stage;
  double done = 0;           ///< in units of the stage
  double total = 0;          ///< 0: unknown
  double seconds = 0;        ///< since the stage began
  double rate = 0;           ///< units per second
  double seconds_left = -1;  ///< negative: unknown
  bool finished = false;
};

/// Libraries report progress; the process displays it. Silent until a receiver is installed.
void show_progress_with(std::function<void(const ProgressState&)> receiver);

/// A bar on standard error, redrawn at most ten times a second; nothing if that is not a terminal.
void show_progress_on_terminal();

/// Reports a stage from its construction to its destruction. `advance` may be called from any
/// thread.
class Progress {
 public:
  explicit Progress(std::string stage, double total = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance(double amount = 1);
  void set(double done);

 private:
  void report(bool finished);
  std::string m_stage;
  double m_total;
  double m_done = 0;
  std::chrono::steady_clock::time_point m_start;
  std::chrono::steady_clock::time_point m_reported;
};

/// "[#####.....]  52%  reading  1.2e+04/s  00:03 left", at most `width` characters.
[[nodiscard]] std::string format_progress(const ProgressState& state, int width);

}  // namespace supple
