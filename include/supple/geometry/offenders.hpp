// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace supple::geometry {

/// Offenders for a message: the first ten and the total number.
class Offenders {
 public:
  void add(const std::string& what);
  [[nodiscard]] bool any() const { return m_count > 0; }
  [[nodiscard]] std::size_t count() const { return m_count; }
  /// "1, 2, ... and 4 more".
  [[nodiscard]] std::string list() const;
  /// "14 triangles: 1, 2, ... and 4 more".
  [[nodiscard]] std::string describe(const char* one, const char* many) const;

 private:
  std::string m_list;
  std::size_t m_count = 0;
};

}  // namespace supple::geometry
