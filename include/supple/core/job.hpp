// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/progress.hpp"

#include <atomic>
#include <functional>

namespace supple {

/// Work that can be cancelled alone and tells its progress only to its owner, while other work goes
/// on in the same process: a bake that a page asked for, beside the server.
///
/// It belongs to the threads that hold a JobScope, and to the loops of core/parallel.hpp that they
/// run. There, `interrupted()` is also true once the job is cancelled, and stages of Progress
/// report to the job instead of the process. The job must outlive both.
class Job {
 public:
  /// `receiver` is called from any thread that works for the job, one call at a time.
  explicit Job(std::function<void(const ProgressState&)> receiver = {});
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Any thread may call.
  void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool cancelled() const { return m_cancelled.load(std::memory_order_relaxed); }

  /// For Progress.
  void report(const ProgressState& state) const;

 private:
  std::function<void(const ProgressState&)> m_receiver;
  std::atomic<bool> m_cancelled{false};
};

/// The job that this thread works for; null: none.
[[nodiscard]] Job* current_job();

/// Makes this thread work for a job, or for none (null), until the scope ends.
class JobScope {
 public:
  explicit JobScope(Job* job);
  ~JobScope();
  JobScope(const JobScope&) = delete;
  JobScope& operator=(const JobScope&) = delete;

 private:
  Job* m_before;
};

}  // namespace supple
