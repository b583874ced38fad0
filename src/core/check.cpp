// SPDX-License-Identifier: Apache-2.0
#include "supple/core/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace supple::detail {

void check_failed(const char* file, int line, const char* expression, const std::string& values) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s%s\n", file, line, expression,
               values.empty() ? "" : ": ", values.c_str());
  std::abort();
}

}  // namespace supple::detail
