// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/symbolic_factor.hpp"

#include <amd.h>
#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace supple::reduction {
namespace {

using Int = std::int32_t;
constexpr Int kNone = -1;

/// Below this many nodes both orderings are cheap, so try both and keep the better.
constexpr Int kTryBothBelow = 4'000;

/// Off-diagonal adjacency in METIS's own integers.
Result<std::vector<Int>> nested_dissection(const NodeGraph& graph) {
  const Int n = graph.node_count();
  static_assert(sizeof(idx_t) == sizeof(Int));
  std::vector<idx_t> start(static_cast<std::size_t>(n) + 1, 0);
  std::vector<idx_t> neighbours;
  if (graph.column.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max())) {
    return bad_input("the matrix is too large for METIS; use the iterative method");
  }
  neighbours.reserve(graph.column.size());
  for (Int i = 0; i < n; ++i) {
    for (auto k = graph.row_start[i]; k < graph.row_start[i + 1]; ++k) {
      if (graph.column[k] != i) neighbours.push_back(graph.column[k]);
    }
    start[i + 1] = static_cast<idx_t>(neighbours.size());
  }
  std::vector<Int> order(n);
  std::vector<Int> position(n);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  idx_t count = n;
  if (neighbours.empty()) {  // METIS divides by the number of edges
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  const int status = METIS_NodeND(&count, start.data(), neighbours.data(), nullptr, options,
                                  order.data(), position.data());
  if (status != METIS_OK) return not_converged(fmt::format("METIS failed with status {}", status));
  return order;
}

Result<std::vector<Int>> minimum_degree(const NodeGraph& graph) {
  const Int n = graph.node_count();
  if (graph.column.size() > static_cast<std::size_t>(std::numeric_limits<Int>::max())) {
    return bad_input("the matrix is too large for AMD; use the iterative method");
  }
  const std::vector<Int> start(graph.row_start.begin(), graph.row_start.end());
  std::vector<Int> order(n);
  const int status =
      amd_order(n, start.data(), graph.column.data(), order.data(), nullptr, nullptr);
  if (status < 0) return not_converged(fmt::format("AMD failed with status {}", status));
  return order;
}

/// The elimination tree and the column counts of the factor in a given order, both per node.
struct Tree {
  std::vector<Int> order;     ///< postordered refinement of the input order
  std::vector<Int> position;  ///< its inverse
  std::vector<Int> parent;
  std::vector<Int> count;  ///< entries of each column, diagonal included
};

/// Elimination tree by path compression [Liu90, algorithm 4.2].
std::vector<Int> elimination_tree(const NodeGraph& graph, const std::vector<Int>& order,
                                  const std::vector<Int>& position) {
  const Int n = graph.node_count();
  std::vector<Int> parent(n, kNone);
  std::vector<Int> ancestor(n, kNone);
  for (Int i = 0; i < n; ++i) {
    const Int node = order[i];
    for (auto k = graph.row_start[node]; k < graph.row_start[node + 1]; ++k) {
      Int j = position[graph.column[k]];
      while (j != kNone && j < i) {
        const Int next = ancestor[j];
        ancestor[j] = i;
        if (next == kNone) parent[j] = i;
        j = next;
      }
    }
  }
  return parent;
}

/// Children before parents, each subtree contiguous; without recursion, since chains are deep.
std::vector<Int> postorder(const std::vector<Int>& parent) {
  const Int n = static_cast<Int>(parent.size());
  std::vector<Int> head(n, kNone);
  std::vector<Int> next(n, kNone);
  std::vector<Int> stack;
  for (Int i = n - 1; i >= 0; --i) {
    if (parent[i] == kNone) continue;
    next[i] = head[parent[i]];
    head[parent[i]] = i;
  }
  std::vector<Int> post;
  post.reserve(n);
  for (Int root = 0; root < n; ++root) {
    if (parent[root] != kNone) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const Int i = stack.back();
      if (head[i] != kNone) {
        stack.push_back(head[i]);
        head[i] = next[head[i]];
      } else {
        post.push_back(i);
        stack.pop_back();
      }
    }
  }
  return post;
}

/// Walks the row subtrees: entry (i, j) of the factor exists where j lies on a path from a
/// neighbour k < i of i up to i [Liu90, section 5]. Time is the number of entries.
std::vector<Int> column_counts(const NodeGraph& graph, const Tree& tree) {
  const Int n = graph.node_count();
  std::vector<Int> count(n, 1);
  std::vector<Int> mark(n, kNone);
  for (Int i = 0; i < n; ++i) {
    mark[i] = i;
    const Int node = tree.order[i];
    for (auto k = graph.row_start[node]; k < graph.row_start[node + 1]; ++k) {
      for (Int j = tree.position[graph.column[k]]; j < i && mark[j] != i; j = tree.parent[j]) {
        mark[j] = i;
        ++count[j];
      }
    }
  }
  return count;
}

std::vector<Int> inverse(const std::vector<Int>& order) {
  std::vector<Int> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<Int>(i);
  return position;
}

Tree build_tree(const NodeGraph& graph, const std::vector<Int>& order) {
  Tree tree;
  const std::vector<Int> parent = elimination_tree(graph, order, inverse(order));
  const std::vector<Int> post = postorder(parent);
  const std::vector<Int> rank = inverse(post);
  tree.order.resize(order.size());
  tree.parent.resize(order.size());
  for (std::size_t i = 0; i < post.size(); ++i) {
    tree.order[i] = order[post[i]];
    tree.parent[i] = parent[post[i]] == kNone ? kNone : rank[parent[post[i]]];
  }
  tree.position = inverse(tree.order);
  tree.count = column_counts(graph, tree);
  return tree;
}

double flops_of(const Tree& tree) {
  double flops = 0;
  for (const Int count : tree.count) flops += 27.0 * count * count;
  return flops;
}

/// First columns of the supernodes: columns with the same structure, then small neighbours merged
/// if that stores few zeros ("relaxed" supernodes): larger dense blocks run faster.
std::vector<Int> supernode_borders(const Tree& tree) {
  const Int n = static_cast<Int>(tree.parent.size());
  struct Group {
    Int first, columns, height;  // height: rows of the first column
    double zeros;
  };
  std::vector<Group> groups;
  for (Int j = 0; j < n; ++j) {
    const bool same = j > 0 && tree.parent[j - 1] == j && tree.count[j - 1] == tree.count[j] + 1;
    if (same) {
      ++groups.back().columns;
    } else {
      groups.push_back({j, 1, tree.count[j], 0});
    }
  }
  // From the right, so that a group can absorb its last child, then that child's last child, ...
  std::vector<Group> merged;
  for (auto child = groups.rbegin(); child != groups.rend(); ++child) {
    if (!merged.empty()) {
      Group& parent = merged.back();
      const Int up = tree.parent[child->first + child->columns - 1];
      const bool adjacent = up >= parent.first && up < parent.first + parent.columns;
      const double columns = child->columns + parent.columns;
      const double height = child->columns + parent.height;
      const double zeros =
          child->zeros + parent.zeros + double{height - child->height} * child->columns;
      const double size = columns * height - 0.5 * columns * (columns - 1);
      const double fraction = zeros / size;
      const bool worthwhile = columns <= 2 || (columns <= 8 && fraction < 0.6) ||
                              (columns <= 24 && fraction < 0.15) || fraction < 0.04;
      if (adjacent && worthwhile) {
        parent = {child->first, static_cast<Int>(columns), static_cast<Int>(height), zeros};
        continue;
      }
    }
    merged.push_back(*child);
  }
  std::vector<Int> borders;
  for (auto group = merged.rbegin(); group != merged.rend(); ++group)
    borders.push_back(group->first);
  borders.push_back(n);
  return borders;
}

/// Rows of each supernode: its own entries and its children's rows, without its columns.
void fill_rows(const NodeGraph& graph, const Tree& tree, SymbolicFactor& factor) {
  std::vector<Int> mark(tree.order.size(), kNone);
  for (Int s = 0; s < static_cast<Int>(factor.supernodes.size()); ++s) {
    auto& node = factor.supernodes[s];
    const auto add = [&](Int row) {
      if (row < node.last || mark[row] == s) return;
      mark[row] = s;
      node.rows.push_back(row);
    };
    for (Int j = node.first; j < node.last; ++j) {
      const Int original = tree.order[j];
      for (auto k = graph.row_start[original]; k < graph.row_start[original + 1]; ++k) {
        add(tree.position[graph.column[k]]);
      }
    }
    for (const Int child : factor.children[s]) {
      for (const Int row : factor.supernodes[child].rows) add(row);
    }
    std::sort(node.rows.begin(), node.rows.end());
    if (node.rows.empty()) continue;
    // The parent contains the first row below; find it by bisection over the supernodes.
    const auto above = std::upper_bound(
        factor.supernodes.begin(), factor.supernodes.end(), node.rows.front(),
        [](Int row, const SymbolicFactor::Supernode& other) { return row < other.first; });
    node.parent = static_cast<Int>(above - factor.supernodes.begin()) - 1;
    factor.children[node.parent].push_back(s);
  }
}

/// The position of each row of a child in its parent's front.
void fill_targets(SymbolicFactor& factor) {
  for (auto& node : factor.supernodes) {
    if (node.parent == kNone) continue;
    const auto& parent = factor.supernodes[node.parent];
    node.target.reserve(node.rows.size());
    auto position = parent.rows.begin();
    for (const Int row : node.rows) {
      if (row < parent.last) {
        node.target.push_back(row - parent.first);
      } else {
        position = std::lower_bound(position, parent.rows.end(), row);
        node.target.push_back(parent.columns() + static_cast<Int>(position - parent.rows.begin()));
      }
    }
  }
}

}  // namespace

Result<SymbolicFactor> analyse(const NodeGraph& graph, Ordering ordering) {
  SymbolicFactor factor;
  Tree tree;
  if (ordering != Ordering::MinimumDegree) {
    SUPPLE_TRY(const std::vector<Int> order, nested_dissection(graph));
    tree = build_tree(graph, order);
    factor.ordering = Ordering::NestedDissection;
  }
  if (ordering == Ordering::MinimumDegree ||
      (ordering == Ordering::Best && graph.node_count() < kTryBothBelow)) {
    SUPPLE_TRY(const std::vector<Int> order, minimum_degree(graph));
    Tree other = build_tree(graph, order);
    if (tree.order.empty() || flops_of(other) < flops_of(tree)) {
      tree = std::move(other);
      factor.ordering = Ordering::MinimumDegree;
    }
  }

  const std::vector<Int> borders = supernode_borders(tree);
  factor.supernodes.resize(borders.size() - 1);
  factor.children.resize(borders.size() - 1);
  for (std::size_t s = 0; s + 1 < borders.size(); ++s) {
    factor.supernodes[s].first = borders[s];
    factor.supernodes[s].last = borders[s + 1];
  }
  fill_rows(graph, tree, factor);
  fill_targets(factor);
  factor.order = std::move(tree.order);
  for (const auto& node : factor.supernodes) {
    const double columns = 3.0 * node.columns();
    const double height = columns + 3.0 * static_cast<double>(node.rows.size());
    factor.entries += columns * height;
    // Sum of h^2 for the heights h of the columns.
    const double below = height - columns;
    factor.flops +=
        (height * (height + 1) * (2 * height + 1) - below * (below + 1) * (2 * below + 1)) / 6;
  }
  return factor;
}

}  // namespace supple::reduction
