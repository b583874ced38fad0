// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace supple::io::detail {

/// Positions of a file's own numbers ("labels", "tags"), which may be sparse and huge: a table if
/// they are nearly dense, otherwise a sorted list, so memory is proportional to their number.
class LabelMap {
 public:
  explicit LabelMap(std::span<const std::int64_t> labels);

  /// Position of the label, -1 if it does not occur.
  [[nodiscard]] geometry::Index find(std::int64_t label) const;
  /// Positions of a label that occurs twice.
  [[nodiscard]] const std::optional<std::pair<geometry::Index, geometry::Index>>& duplicate()
      const {
    return m_duplicate;
  }

 private:
  void build_table(std::span<const std::int64_t> labels, std::uint64_t size);
  void build_list(std::span<const std::int64_t> labels);

  std::int64_t m_lowest = 0;
  std::vector<geometry::Index> m_table;
  std::vector<std::pair<std::int64_t, geometry::Index>> m_list;
  std::optional<std::pair<geometry::Index, geometry::Index>> m_duplicate;
};

}  // namespace supple::io::detail
