// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace supple::bench {

/// The median of a nonempty list, the upper of the two middle values.
[[nodiscard]] double median(std::vector<double> values);

struct Job {
  std::function<void()> call;
  int repeats = 1;  ///< calls per round, so that short work exceeds the clock's resolution
};

/// Seconds per call of each job: medians over rounds in which all take turns, so that disturbances
/// affect all jobs equally.
[[nodiscard]] std::vector<double> interleaved_medians(const std::vector<Job>& jobs, int rounds);

/// Allocations so far by this program's own objects, including the player's.
[[nodiscard]] long allocations();

/// A sentence about the machine's current load.
[[nodiscard]] std::string load_note();

/// Numbers aligned to a cache line.
template <class T>
class AlignedArray {
 public:
  explicit AlignedArray(std::size_t size)
      : m_data(static_cast<T*>(::operator new(size * sizeof(T), kLine))), m_size(size) {
    std::uninitialized_value_construct_n(m_data.get(), size);
  }
  [[nodiscard]] T* data() const { return m_data.get(); }
  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] T& operator[](std::size_t i) const { return m_data.get()[i]; }

 private:
  static constexpr std::align_val_t kLine{64};
  struct Release {
    void operator()(T* data) const { ::operator delete(data, kLine); }
  };
  std::unique_ptr<T, Release> m_data;
  std::size_t m_size;
};

}  // namespace supple::bench
