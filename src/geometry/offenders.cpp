// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/offenders.hpp"

#include <fmt/format.h>

namespace supple::geometry {
namespace {

constexpr std::size_t kShown = 10;

}  // namespace

void Offenders::add(const std::string& what) {
  if (m_count < kShown) m_list += (m_count == 0 ? "" : ", ") + what;
  ++m_count;
}

std::string Offenders::list() const {
  if (m_count <= kShown) return m_list;
  return fmt::format("{} and {} more", m_list, m_count - kShown);
}

std::string Offenders::describe(const char* one, const char* many) const {
  return fmt::format("{} {}: {}", m_count, m_count == 1 ? one : many, list());
}

}  // namespace supple::geometry
