// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/box_tree.hpp"

#include "supple/core/check.hpp"

#include <algorithm>
#include <numeric>

namespace supple::geometry {
namespace {

constexpr Index kLeafItems = 4;

std::vector<Vec3> centres_of(const std::vector<Box>& boxes) {
  std::vector<Vec3> centres;
  centres.reserve(boxes.size());
  for (const Box& box : boxes) centres.push_back(box.centre());
  return centres;
}

}  // namespace

BoxTree::BoxTree(const std::vector<Box>& boxes, const std::vector<Vec3>& centres) {
  SUPPLE_CHECK_OP(boxes.size(), ==, centres.size());
  if (boxes.empty()) return;
  m_order.resize(boxes.size());
  std::iota(m_order.begin(), m_order.end(), 0);
  m_nodes.reserve(boxes.size());
  build(centres, 0, static_cast<Index>(boxes.size()));
  refit(boxes);
}

BoxTree::BoxTree(const std::vector<Box>& boxes) : BoxTree(boxes, centres_of(boxes)) {}

void BoxTree::refit(const std::vector<Box>& boxes) {
  SUPPLE_CHECK_OP(boxes.size(), ==, m_order.size());
  m_boxes.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    m_boxes[i] = boxes[static_cast<std::size_t>(m_order[i])];
  }
  // From the bottom up: children follow their parents.
  for (std::size_t n = m_nodes.size(); n-- > 0;) {
    Node& node = m_nodes[n];
    Box box;
    if (node.leaf()) {
      for (Index i = node.first; i < node.first + node.count; ++i) {
        const Box& item = m_boxes[static_cast<std::size_t>(i)];
        box = Box{box.low.cwiseMin(item.low), box.high.cwiseMax(item.high)};
      }
    } else {
      const Node& left = m_nodes[n + 1];
      const Node& right = m_nodes[static_cast<std::size_t>(node.right)];
      box = Box{left.low.cwiseMin(right.low), left.high.cwiseMax(right.high)};
    }
    node.low = box.low;
    node.high = box.high;
  }
}

/// Halves, so that the depth stays logarithmic for every input; equal centres are ordered by
/// number, so that the result is unique.
Index BoxTree::build(const std::vector<Vec3>& centres, Index first, Index count) {
  const auto self = static_cast<Index>(m_nodes.size());
  m_nodes.emplace_back();
  m_nodes.back().first = first;
  m_nodes.back().count = count;
  if (count <= kLeafItems) return self;

  Box box;
  for (Index i = first; i < first + count; ++i) {
    box.add(centres[static_cast<std::size_t>(m_order[static_cast<std::size_t>(i)])]);
  }
  int axis = 0;
  box.size().maxCoeff(&axis);
  const auto begin = m_order.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count, [&](Index a, Index b) {
    const double x = centres[static_cast<std::size_t>(a)][axis];
    const double y = centres[static_cast<std::size_t>(b)][axis];
    return x < y || (x == y && a < b);
  });
  build(centres, first, count / 2);
  const Index right = build(centres, first + count / 2, count - count / 2);
  m_nodes[static_cast<std::size_t>(self)].right = right;
  return self;
}

}  // namespace supple::geometry
