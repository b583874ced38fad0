// SPDX-License-Identifier: Apache-2.0
#include "supple/core/resources.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace supple {

double peak_memory_bytes() {
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<double>(usage.ru_maxrss) * 1024;  // Linux counts in kilobytes
}

double physical_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page_size > 0 ? static_cast<double>(pages) * static_cast<double>(page_size)
                                    : 0;
}

}  // namespace supple
