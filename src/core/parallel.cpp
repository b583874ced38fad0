// SPDX-License-Identifier: Apache-2.0
#include "supple/core/parallel.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>

#include <memory>

namespace supple {
namespace {

std::unique_ptr<tbb::global_control> g_limit;

}  // namespace

void set_thread_count(int count) {
  g_limit.reset();
  if (count > 0) {
    g_limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                    static_cast<std::size_t>(count));
  }
}

int thread_count() {
  return static_cast<int>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void parallel_chunks(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t, std::size_t)>& body) {
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t chunks = (count + grain - 1) / grain;
  const auto run_chunk = [&](std::size_t chunk) {
    const std::size_t begin = chunk * grain;
    body(begin, std::min(begin + grain, count));
  };
  if (chunks == 1) {
    run_chunk(0);
  } else if (chunks > 1) {
    tbb::parallel_for(std::size_t{0}, chunks, run_chunk);
  }
}

}  // namespace supple
