// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/body.hpp"

#include <algorithm>

namespace supple::swim {

std::optional<std::size_t> Body::find_segment(std::string_view name) const {
  const auto found = std::ranges::find(segments, name, &Segment::name);
  if (found == segments.end()) return std::nullopt;
  return static_cast<std::size_t>(found - segments.begin());
}

std::optional<std::size_t> Body::find_joint(std::string_view name) const {
  const auto found = std::ranges::find(joints, name, &Joint::name);
  if (found == joints.end()) return std::nullopt;
  return static_cast<std::size_t>(found - joints.begin());
}

double Body::mass() const {
  double sum = 0;
  for (const Segment& segment : segments) sum += segment.mass;
  return sum;
}

double Body::width() const {
  const auto across = [&](std::string_view name) {
    const auto found = find_segment(name);
    return found ? segments[*found].size.z() : 0;
  };
  return across("torso") + across("right_upper_arm") + across("left_upper_arm");
}

}  // namespace supple::swim
