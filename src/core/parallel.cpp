// SPDX-License-Identifier: Apache-2.0
#include "supple/core/parallel.hpp"

#include "supple/core/job.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <fmt/format.h>

#include <future>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#ifdef SUPPLE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace supple {
namespace {

/// Tells the thread sanitizer about TBB's guarantees, which it cannot see because Debian's TBB is
/// not instrumented: a loop's bodies see all earlier writes, and later code sees the bodies'
/// writes. (This file itself is not instrumented either: see CMakeLists.txt.)
class LoopOrder {
 public:
#ifdef SUPPLE_TSAN
  LoopOrder() {
    __tsan_release(&m_begun);
  }
  ~LoopOrder() {
    __tsan_acquire(&m_ended);
  }
  void enter_body() {
    __tsan_acquire(&m_begun);
  }
  void leave_body() {
    __tsan_release(&m_ended);
  }

 private:
  char m_begun = 0;
  char m_ended = 0;
#else
  static void enter_body() {}
  static void leave_body() {}
#endif
};

// The arena has as many slots as requested threads (TBB's own has one per core, regardless of the
// limit); the limit lets TBB start that many workers.
std::unique_ptr<tbb::global_control> g_limit;
std::unique_ptr<tbb::task_arena> g_arena;

}  // namespace

void set_thread_count(int count) {
  g_arena.reset();
  g_limit.reset();
  if (count > 0) {
    g_limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    static_cast<std::size_t>(count));
    g_arena = std::make_unique<tbb::task_arena>(count);
  }
}

int thread_count() {
  return g_arena ? g_arena->max_concurrency() : tbb::info::default_concurrency();
}

int most_threads() {
  return 8 * tbb::info::default_concurrency();
}

Result<void> check_threads(int count) {
  const int wanted = count > 0 ? count : tbb::info::default_concurrency();
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(wanted));
  std::promise<void> all_started;
  const std::shared_future<void> end = all_started.get_future().share();
  std::string failure;
  try {
    while (threads.size() < static_cast<std::size_t>(wanted)) {
      threads.emplace_back([end] { end.wait(); });
    }
  } catch (const std::system_error& error) {
    failure = error.what();
  }
  all_started.set_value();
  for (std::thread& thread : threads) thread.join();
  if (failure.empty()) return {};
  return io_error(fmt::format(
      "the system starts {} of {} threads ({}); use fewer, or raise its limits (ulimit -u, -v)",
      threads.size(), wanted, failure));
}

void parallel_chunks(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t chunks = (count + grain - 1) / grain;
  LoopOrder order;
  Job* const job = current_job();  // a thread may run chunks of several loops
  const auto run_chunk = [&](std::size_t chunk) {
    order.enter_body();
    const JobScope scope(job);
    const std::size_t begin = chunk * grain;
    body(begin, std::min(begin + grain, count));
    order.leave_body();
  };
  if (chunks == 1) {
    run_chunk(0);
  } else if (chunks > 1) {
    const auto run_all = [&] { tbb::parallel_for(std::size_t{0}, chunks, run_chunk); };
    if (g_arena) {
      g_arena->execute(run_all);
    } else {
      run_all();
    }
  }
}

void with_one_thread(const std::function<void()>& body) {
  tbb::task_arena alone(1);
  alone.execute(body);
}

}  // namespace supple
