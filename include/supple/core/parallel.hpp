// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace supple {

/// Sets the number of threads for all later work, possibly more than the machine has cores; 0 means
/// one per core. Results never depend on it. Do not call this during parallel work.
void set_thread_count(int count);
[[nodiscard]] int thread_count();

/// More than eight threads per core only cost time and memory.
[[nodiscard]] int most_threads();
/// Whether the system starts that many threads (0: one per core), found out by trying. TBB would
/// abort the process instead.
[[nodiscard]] Result<void> check_threads(int count);

/// Runs body(begin, end) over fixed chunks of [0, count). Chunk bounds depend only on `count` and
/// `grain`, so each chunk computes the same for any number of threads. Calls may nest. An exception
/// thrown by a body reaches the caller after all running chunks have ended.
void parallel_chunks(std::size_t count, std::size_t grain,
                     const std::function<void(std::size_t begin, std::size_t end)>& body);

/// Runs `body` with one thread: for libraries whose own loops give results that depend on the
/// number of threads.
void with_one_thread(const std::function<void()>& body);

/// Runs body(i) for every i in [0, count).
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, Body&& body) {
  parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

/// Reduces chunk results in the order of their chunks: the same bits for any number of threads.
/// `map(begin, end)` returns a chunk's value, `join(a, b)` combines two neighbours.
template <class T, class Map, class Join>
T parallel_reduce(std::size_t count, std::size_t grain, T identity, Map&& map, Join&& join) {
  static_assert(!std::is_same_v<T, bool>,
                "neighbouring elements of a vector<bool> share a byte: use char");
  grain = std::max<std::size_t>(grain, 1);
  std::vector<T> partial((count + grain - 1) / grain, identity);
  parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
    partial[begin / grain] = map(begin, end);
  });
  T total = std::move(identity);
  for (T& value : partial) total = join(std::move(total), std::move(value));
  return total;
}

}  // namespace supple
