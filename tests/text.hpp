// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace supple::testing {

/// Whether a message says something.
[[nodiscard]] inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Replaces the first occurrence; a test that replaces nothing would test nothing, so that fails.
[[nodiscard]] inline std::string replaced(std::string text, std::string_view what,
                                          std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << "the text lacks " << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

}  // namespace supple::testing
