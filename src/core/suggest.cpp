// SPDX-License-Identifier: Apache-2.0
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment: rows of the usual table, plus the second-to-last row for swaps.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                         last[j - 1] + static_cast<std::size_t>(a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord =
      64;  // longer words are not typos, and the table is quadratic
  if (word.size() > kLongestWord) return "";
  const std::string* nearest = nullptr;
  std::size_t best = std::max<std::size_t>(1, word.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  return nearest == nullptr ? "" : fmt::format(": did you mean '{}'?", *nearest);
}

}  // namespace supple
