// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace supple::geometry {

/// Disjoint sets with path halving; the root of a set is its smallest member, so that results do
/// not depend on the order of joins.
class UnionFind {
 public:
  explicit UnionFind(std::size_t count) : m_parent(count) {
    std::iota(m_parent.begin(), m_parent.end(), 0);
  }

  [[nodiscard]] Index find(Index i) {
    while (m_parent[i] != i) {
      m_parent[i] = m_parent[m_parent[i]];
      i = m_parent[i];
    }
    return i;
  }

  void join(Index a, Index b) {
    a = find(a);
    b = find(b);
    if (a > b) std::swap(a, b);
    m_parent[b] = a;
  }

 private:
  std::vector<Index> m_parent;
};

/// Component of each of `count` cells over `nodes` nodes; `first_node(cell)` is any node of the
/// cell once `sets` has joined the nodes of every cell. Numbered by first appearance.
template <class FirstNode>
std::vector<Index> number_components(UnionFind& sets, std::size_t nodes, std::size_t count,
                                     FirstNode&& first_node) {
  std::vector<Index> number_of_root(nodes, -1);
  std::vector<Index> component(count);
  Index next = 0;
  for (std::size_t cell = 0; cell < count; ++cell) {
    Index& number = number_of_root[sets.find(first_node(cell))];
    if (number < 0) number = next++;
    component[cell] = number;
  }
  return component;
}

}  // namespace supple::geometry
