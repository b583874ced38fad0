// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/blas_kernels.hpp"

#include "supple/core/log.hpp"

#include <cblas.h>

#include <array>
#include <cstdlib>
#include <string_view>

// Weak symbols: only OpenBLAS builds with run-time kernel selection export them.
extern "C" {
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
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

}  // namespace

const std::string& prepare_blas() {
  static const std::string kernels = choose_kernels();
  return kernels;
}

}  // namespace supple::reduction
