// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>

namespace supple::detail {

[[noreturn]] void check_failed(const char* file, int line, const char* expression,
                               const std::string& values);

template <class A, class B>
std::string both_values(const A& a, const B& b) {
  std::ostringstream text;
  text << a << " against " << b;
  return text.str();
}

}  // namespace supple::detail

/// Checks a contract within our own code, never a property of the input: a failure is a bug and
/// aborts.
#define SUPPLE_CHECK(condition) \
  (static_cast<bool>(condition) \
       ? static_cast<void>(0)   \
       : ::supple::detail::check_failed(__FILE__, __LINE__, #condition, std::string()))

/// Like SUPPLE_CHECK(a op b), but prints both values.
#define SUPPLE_CHECK_OP(a, op, b)                                                     \
  (((a)op(b)) ? static_cast<void>(0)                                                  \
              : ::supple::detail::check_failed(__FILE__, __LINE__, #a " " #op " " #b, \
                                               ::supple::detail::both_values((a), (b))))
