// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/blas_kernels.hpp"

#include "supple/core/log.hpp"
#include "supple/core/parallel.hpp"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <mutex>
#include <string_view>
#include <vector>

#include <sys/mman.h>

// Weak symbols: only OpenBLAS builds with run-time kernel selection export them.
extern "C" {
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
// Of every OpenBLAS, but of no other BLAS.
[[gnu::weak]] void* blas_memory_alloc(int position);
[[gnu::weak]] void blas_memory_free(void* buffer);
}

namespace supple::reduction {
namespace {

/// Kernels that use the widest instructions of this CPU, by OpenBLAS's name.
std::string_view best_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
    return "SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return {};
}

/// Whether `current` was chosen for a CPU without the instructions of `best`.
bool weaker(std::string_view current, std::string_view best) {
  constexpr std::array<std::string_view, 3> kAvx512{"SkylakeX", "Cooperlake", "SapphireRapids"};
  constexpr std::array<std::string_view, 3> kAvx2{"Haswell", "Zen", "Excavator"};
  const auto contains = [&](const auto& names) {
    for (const std::string_view name : names) {
      if (name == current) return true;
    }
    return false;
  };
  if (best.empty() || contains(kAvx512)) return false;
  // An AVX2 choice is kept on AVX-512 CPUs too: on those that halve the clock it is no slower.
  return !contains(kAvx2);
}

std::string choose_kernels() {
  openblas_set_num_threads(1);
  std::string current = openblas_get_corename();
  const std::string_view best = best_kernels();
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr || !weaker(current, best)) return current;
  if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) {
    log::warn(
        "OpenBLAS uses its '{}' kernels on a CPU that could run '{}'; set OPENBLAS_CORETYPE={}",
        current, best, best);
    return current;
  }
  ::setenv("OPENBLAS_CORETYPE", std::string(best).c_str(), 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ::unsetenv("OPENBLAS_CORETYPE");
  log::debug("OpenBLAS kernels: '{}' instead of '{}'", openblas_get_corename(), current);
  return openblas_get_corename();
}

/// Whether a buffer of OpenBLAS, 128 MB of addresses on x86-64, can be had at this moment.
bool has_room_for_buffer() {
  constexpr std::size_t kRoom = std::size_t{136} << 20;
  void* room = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return false;
  ::munmap(room, kRoom);
  return true;
}

}  // namespace

const std::string& prepare_blas() {
  static const std::string kernels = choose_kernels();
  return kernels;
}

Result<void> reserve_blas_memory() {
  prepare_blas();
  if (blas_memory_alloc == nullptr || blas_memory_free == nullptr) return {};
  constexpr int kMostBuffers = 64;  // OpenBLAS has a fixed number; this many in all builds
  static std::mutex mutex;
  static int reserved = 0;
  const std::lock_guard lock(mutex);
  const int wanted = std::min(thread_count(), kMostBuffers);
  if (wanted <= reserved) return {};
  std::vector<void*> buffers;
  while (static_cast<int>(buffers.size()) < wanted && has_room_for_buffer()) {
    buffers.push_back(blas_memory_alloc(0));
  }
  for (void* buffer : buffers) blas_memory_free(buffer);  // for the next call that needs one
  reserved = static_cast<int>(buffers.size());
  if (reserved == wanted) return {};
  return bad_input(
      fmt::format("not enough memory for {} threads, of which each takes 128 MB of addresses; use "
                  "fewer threads or raise the limit of the system (ulimit -v)",
                  wanted));
}

}  // namespace supple::reduction
