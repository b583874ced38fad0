// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace supple {

/// Number of insertions, deletions, substitutions and swaps of neighbours that turn one word into
/// the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// ": did you mean 'modes'?" if a candidate is similar, otherwise nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       const std::vector<std::string>& candidates);

}  // namespace supple
