// SPDX-License-Identifier: Apache-2.0
#include "io/meshes/label_map.hpp"

#include <algorithm>

namespace supple::io::detail {

using geometry::Index;

LabelMap::LabelMap(std::span<const std::int64_t> labels) {
  if (labels.empty()) return;
  const auto [lowest, highest] = std::minmax_element(labels.begin(), labels.end());
  m_lowest = *lowest;
  // Unsigned: the difference of two labels may not fit a signed number.
  const auto range = static_cast<std::uint64_t>(*highest) - static_cast<std::uint64_t>(*lowest);
  if (range < 4 * labels.size() + 1024) {
    build_table(labels, range + 1);
  } else {
    build_list(labels);
  }
}

void LabelMap::build_table(std::span<const std::int64_t> labels, std::uint64_t size) {
  m_table.assign(size, -1);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Index& entry = m_table[static_cast<std::size_t>(labels[i] - m_lowest)];
    if (entry >= 0 && !m_duplicate) m_duplicate = {entry, static_cast<Index>(i)};
    entry = static_cast<Index>(i);
  }
}

void LabelMap::build_list(std::span<const std::int64_t> labels) {
  m_list.reserve(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    m_list.emplace_back(labels[i], static_cast<Index>(i));
  }
  std::sort(m_list.begin(), m_list.end());
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  const auto twice = std::adjacent_find(m_list.begin(), m_list.end(), same);
  if (twice != m_list.end()) m_duplicate = {twice->second, (twice + 1)->second};
}

Index LabelMap::find(std::int64_t label) const {
  if (!m_table.empty()) {
    const auto at = static_cast<std::uint64_t>(label) - static_cast<std::uint64_t>(m_lowest);
    return at < m_table.size() ? m_table[at] : -1;
  }
  const auto found =
      std::lower_bound(m_list.begin(), m_list.end(), label,
                       [](const auto& entry, std::int64_t wanted) { return entry.first < wanted; });
  return found != m_list.end() && found->first == label ? found->second : -1;
}

}  // namespace supple::io::detail
