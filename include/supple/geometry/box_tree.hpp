// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <array>
#include <vector>

namespace supple::geometry {

/// Whether two boxes have a point in common.
[[nodiscard]] inline bool touch(const Vec3& low_a, const Vec3& high_a, const Vec3& low_b,
                                const Vec3& high_b) {
  return (low_a.array() <= high_b.array()).all() && (low_b.array() <= high_a.array()).all();
}

/// A binary hierarchy over items with boxes. Its shape depends only on the items, so results do not
/// depend on threads. Items may move: `refit` keeps the shape and grows or shrinks the boxes.
class BoxTree {
 public:
  /// Nodes in depth-first order: the left child follows its parent.
  struct Node {
    Vec3 low = Vec3::Zero();
    Vec3 high = Vec3::Zero();
    Index first = 0;  ///< place in order() of the first item below
    Index count = 0;  ///< items below
    Index right = 0;  ///< the right child; 0 for leaves
    [[nodiscard]] bool leaf() const { return right == 0; }
  };
  /// Enough for any traversal: the tree is balanced, so its depth stays below 32.
  static constexpr std::size_t kMaxStack = 64;

  BoxTree() = default;
  /// Halves by the median of `centres`, one per box, along the longest side.
  BoxTree(const std::vector<Box>& boxes, const std::vector<Vec3>& centres);
  explicit BoxTree(const std::vector<Box>& boxes);

  /// New boxes for the same items.
  void refit(const std::vector<Box>& boxes);

  [[nodiscard]] const std::vector<Node>& nodes() const { return m_nodes; }
  /// Items in the order of the leaves.
  [[nodiscard]] const std::vector<Index>& order() const { return m_order; }

  /// Calls visit(item) for every item whose box touches this one, in no particular order.
  template <class Visit>
  void for_each_touching(const Box& box, const Visit& visit) const {
    if (m_nodes.empty()) return;
    std::array<Index, kMaxStack> stack;
    std::size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Index index = stack[--top];
      const Node& node = m_nodes[static_cast<std::size_t>(index)];
      if (!touch(node.low, node.high, box.low, box.high)) continue;
      if (!node.leaf()) {
        stack[top++] = node.right;
        stack[top++] = index + 1;
        continue;
      }
      for (Index i = node.first; i < node.first + node.count; ++i) {
        const Box& item = m_boxes[static_cast<std::size_t>(i)];
        if (touch(item.low, item.high, box.low, box.high)) {
          visit(m_order[static_cast<std::size_t>(i)]);
        }
      }
    }
  }

 private:
  Index build(const std::vector<Vec3>& centres, Index first, Index count);

  std::vector<Node> m_nodes;
  std::vector<Index> m_order;
  std::vector<Box> m_boxes;  ///< in the order of the leaves
};

}  // namespace supple::geometry
