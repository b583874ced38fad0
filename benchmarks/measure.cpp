// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/measure.hpp"

#include "supple/core/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include <unistd.h>

namespace {
std::atomic<long> g_allocations{0};
}

// The linker redirects the allocations of all objects in the program here, under reserved names.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __real_malloc(std::size_t);
void* __real_calloc(std::size_t, std::size_t);
void* __real_realloc(void*, std::size_t);
void* __real__Znwm(std::size_t);

void* __wrap_malloc(std::size_t size) {
  ++g_allocations;
  return __real_malloc(size);
}
void* __wrap_calloc(std::size_t count, std::size_t size) {
  ++g_allocations;
  return __real_calloc(count, size);
}
void* __wrap_realloc(void* block, std::size_t size) {
  ++g_allocations;
  return __real_realloc(block, size);
}
void* __wrap__Znwm(std::size_t size) {
  ++g_allocations;
  return __real__Znwm(size);
}
}
// NOLINTEND(bugprone-reserved-identifier)

namespace supple::bench {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> interleaved_medians(const std::vector<Job>& jobs, int rounds) {
  std::vector<std::vector<double>> seconds(jobs.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      jobs[i].call();  // finds its data again
      const Stopwatch watch;
      for (int call = 0; call < jobs[i].repeats; ++call) jobs[i].call();
      seconds[i].push_back(watch.seconds() / jobs[i].repeats);
    }
  }
  std::vector<double> medians;
  for (const std::vector<double>& samples : seconds) medians.push_back(median(samples));
  return medians;
}

long allocations() {
  return g_allocations;
}

std::string load_note() {
  double load[1] = {0};
  if (::getloadavg(load, 1) != 1) return "The load of the machine is unknown.";
  return fmt::format("Machine load during the run: {:.1f} on {} processors.", load[0],
                     ::sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace supple::bench
