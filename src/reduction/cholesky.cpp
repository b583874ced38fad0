// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/cholesky.hpp"

#include "reduction/dense_front.hpp"
#include "reduction/panel_solve.hpp"
#include "supple/core/check.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/reduction/blas_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>

#include <sys/mman.h>

namespace supple::reduction {
namespace {

using Int = std::int32_t;

/// Fronts of at least this order are worth several threads.
constexpr int kParallelFront = 384;

double cost(const SymbolicFactor::Supernode& node) {
  const double columns = 3.0 * node.columns();
  const double height = columns + 3.0 * static_cast<double>(node.rows.size());
  return columns * height * height;
}

template <class Scalar>
std::unique_ptr<Scalar[]> zeros(std::size_t count) {
  return std::make_unique<Scalar[]>(count);
}

/// Zeroed memory for a whole factor, in huge pages if the system grants them: a factor is traversed
/// in long strides, and the page faults of its first use alone take a tenth of the factorisation
/// time. Null if there is not enough memory.
template <class Scalar>
std::shared_ptr<Scalar[]> factor_memory(std::size_t count) {
  const std::size_t bytes = std::max<std::size_t>(count, 1) * sizeof(Scalar);
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // only a hint; failure does no harm
  return {static_cast<Scalar*>(memory), [bytes](Scalar* data) { ::munmap(data, bytes); }};
}

}  // namespace

template <class Scalar>
Cholesky<Scalar>::Cholesky(std::shared_ptr<const SymbolicFactor> symbolic)
    : m_symbolic(std::move(symbolic)) {
  // Cut the tree: subtrees with at most 1/32 of the work run as one task each, in any order; the
  // rest runs from the bottom up with every thread inside each front.
  const auto& nodes = m_symbolic->supernodes;
  const Int count = static_cast<Int>(nodes.size());
  std::vector<double> work(nodes.size());
  m_first_descendant.resize(nodes.size());
  for (Int s = 0; s < count; ++s) {
    work[s] += cost(nodes[s]);
    m_first_descendant[s] = s;
    for (const Int child : m_symbolic->children[s]) {
      m_first_descendant[s] = std::min(m_first_descendant[s], m_first_descendant[child]);
    }
    if (nodes[s].parent >= 0) work[nodes[s].parent] += work[s];
  }
  double total = 0;
  for (Int s = 0; s < count; ++s) {
    if (nodes[s].parent < 0) total += work[s];
  }
  const auto small = [&](Int s) { return work[s] <= total / 32; };
  for (Int s = 0; s < count; ++s) {
    const Int parent = nodes[s].parent;
    if (!small(s)) {
      m_top.push_back(s);
    } else if (parent < 0 || !small(parent)) {
      m_subtree_roots.push_back(s);
    }
  }
  // Heavy ones first, so that the last task to finish is short.
  std::stable_sort(m_subtree_roots.begin(), m_subtree_roots.end(),
                   [&](Int a, Int b) { return work[a] > work[b]; });
  m_memory = factor_memory<Scalar>(static_cast<std::size_t>(m_symbolic->entries));
  std::size_t offset = 0;
  for (const SymbolicFactor::Supernode& node : nodes) {
    m_panels.push_back(m_memory.get() + offset);
    const auto columns = static_cast<std::size_t>(node.columns());
    offset += 9 * columns * (columns + node.rows.size());
  }
}

/// The state of one factorisation.
template <class Scalar>
struct Cholesky<Scalar>::Numeric {
  Cholesky& factor;
  const BlockMatrix& k;
  const NodeMatrix* m;
  double shift;
  std::vector<Int> position;                       // of each node in the elimination order
  std::vector<std::unique_ptr<Scalar[]>> updates;  // what each supernode sends to its parent
  std::atomic<Int> bad_column{std::numeric_limits<Int>::max()};
  Progress progress;

  Numeric(Cholesky& f, const BlockMatrix& stiffness, const NodeMatrix* mass, double s)
      : factor(f), k(stiffness), m(mass), shift(s), progress("factorising", f.m_symbolic->flops) {
    const auto& order = f.m_symbolic->order;
    position.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<Int>(i);
    updates.resize(f.m_symbolic->supernodes.size());
  }

  /// The entries of the matrix in the columns of supernode s, lower triangle.
  void scatter_matrix(Int s, Scalar* panel, std::size_t height) const {
    const auto& node = factor.m_symbolic->supernodes[s];
    const NodeGraph& graph = *k.graph;
    for (Int j = node.first; j < node.last; ++j) {
      const Int original = factor.m_symbolic->order[j];
      for (auto entry = graph.row_start[original]; entry < graph.row_start[original + 1]; ++entry) {
        const Int i = position[graph.column[entry]];
        if (i < j) continue;
        std::size_t row = static_cast<std::size_t>(i - node.first);
        if (i >= node.last) {
          row = static_cast<std::size_t>(node.columns()) +
                static_cast<std::size_t>(std::lower_bound(node.rows.begin(), node.rows.end(), i) -
                                         node.rows.begin());
        }
        // K is symmetric but a block is not: column j's own row contains its transpose.
        const double* block = k.blocks.data() + 9 * entry;
        const double diagonal = m == nullptr ? 0.0 : shift * m->values[entry];
        for (int c = 0; c < 3; ++c) {
          Scalar* out =
              panel + (3 * static_cast<std::size_t>(j - node.first) + c) * height + 3 * row;
          for (int r = 0; r < 3; ++r) {
            out[r] += static_cast<Scalar>(block[3 * c + r] + (r == c ? diagonal : 0.0));
          }
        }
      }
    }
  }

  /// Adds a child's update to the front of its parent ("extend-add").
  void add_child(Int child, Scalar* panel, std::size_t height, Scalar* update, std::size_t below,
                 bool parallel) {
    const auto& node = factor.m_symbolic->supernodes[child];
    const Int parent_columns = factor.m_symbolic->supernodes[node.parent].columns();
    const std::size_t count = node.target.size();
    const Scalar* source = updates[child].get();
    const auto add_columns = [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j) {
        const Int column = node.target[j];
        for (std::size_t c = 0; c < 3; ++c) {
          const Scalar* from = source + (3 * j + c) * 3 * count;
          const bool in_panel = column < parent_columns;
          Scalar* to = in_panel ? panel + (3 * std::size_t(column) + c) * height
                                : update + (3 * std::size_t(column - parent_columns) + c) * below;
          const std::size_t base = in_panel ? 0 : 3 * static_cast<std::size_t>(parent_columns);
          for (std::size_t i = j; i < count; ++i) {
            const std::size_t row = 3 * static_cast<std::size_t>(node.target[i]) - base;
            to[row] += from[3 * i];
            to[row + 1] += from[3 * i + 1];
            to[row + 2] += from[3 * i + 2];
          }
        }
      }
    };
    if (parallel) {
      parallel_chunks(count, 16, add_columns);
    } else {
      add_columns(0, count);
    }
    updates[child].reset();
  }

  void eliminate(Int s, bool top) {
    const auto& node = factor.m_symbolic->supernodes[s];
    const int columns = 3 * node.columns();
    const int below = 3 * static_cast<int>(node.rows.size());
    const int height = columns + below;
    const bool parallel = top && height >= kParallelFront;
    Scalar* panel = factor.m_panels[s];
    auto update = zeros<Scalar>(static_cast<std::size_t>(below) * below);
    scatter_matrix(s, panel, height);
    for (const Int child : factor.m_symbolic->children[s]) {
      add_child(child, panel, height, update.get(), below, parallel);
    }
    const int bad = parallel ? eliminate_front_in_parallel(height, columns, panel, update.get())
                             : eliminate_front(height, columns, panel, update.get());
    if (bad != 0) report_bad_pivot(3 * node.first + bad - 1);
    updates[s] = std::move(update);
  }

  void report_bad_pivot(Int column) {
    Int known = bad_column.load();
    while (column < known && !bad_column.compare_exchange_weak(known, column)) {
    }
  }

  [[nodiscard]] bool stopped() const {
    return bad_column.load() != std::numeric_limits<Int>::max() || interrupted();
  }

  Result<void> run() {
    parallel_for(factor.m_subtree_roots.size(), 1, [&](std::size_t task) {
      const Int root = factor.m_subtree_roots[task];
      double done = 0;
      for (Int s = factor.m_first_descendant[root]; s <= root && !stopped(); ++s) {
        eliminate(s, false);
        done += cost(factor.m_symbolic->supernodes[s]);
      }
      progress.advance(done);
    });
    for (const Int s : factor.m_top) {
      if (stopped()) break;
      eliminate(s, true);
      progress.advance(cost(factor.m_symbolic->supernodes[s]));
    }
    SUPPLE_TRY_VOID(check_interrupt());
    const Int bad = bad_column.load();
    if (bad != std::numeric_limits<Int>::max()) {
      return not_converged(fmt::format(
          "the matrix is not positive definite to working precision (pivot {} of {}); "
          "hold the body so that no part of it can move freely, and check the mesh for "
          "slivers and the materials for moduli that differ by many orders of magnitude",
          bad + 1, 3 * position.size()));
    }
    return {};
  }
};

template <class Scalar>
Result<std::unique_ptr<Cholesky<Scalar>>> Cholesky<Scalar>::factorise(
    std::shared_ptr<const SymbolicFactor> symbolic, const BlockMatrix& k, const NodeMatrix* m,
    double shift) {
  SUPPLE_CHECK(m != nullptr || shift == 0);
  SUPPLE_TRY_VOID(reserve_blas_memory());
  std::unique_ptr<Cholesky> factor(new Cholesky(std::move(symbolic)));
  if (factor->m_memory == nullptr) {
    return bad_input(fmt::format("not enough memory for a factor of {:.1f} GB",
                                 factor->m_symbolic->entries * sizeof(Scalar) * 1e-9));
  }
  Numeric numeric(*factor, k, shift == 0 ? nullptr : m, shift);
  SUPPLE_TRY_VOID(numeric.run());
  return factor;
}

/// One solve with several right-hand sides, row-major and in elimination order.
template <class Scalar>
struct Cholesky<Scalar>::Solver {
  const Cholesky& factor;
  int width;  // right-hand sides
  Scalar* x;
  std::vector<std::unique_ptr<Scalar[]>> updates;

  [[nodiscard]] const SymbolicFactor::Supernode& node(Int s) const {
    return factor.m_symbolic->supernodes[s];
  }

  /// L y = b, passing contributions of y to later rows up the tree.
  void forward(Int s, bool top) {
    const auto& self = node(s);
    const int columns = 3 * self.columns();
    const int below = 3 * static_cast<int>(self.rows.size());
    const int height = columns + below;
    Scalar* own = x + std::size_t{3} * self.first * width;
    auto update = zeros<Scalar>(static_cast<std::size_t>(below) * width);
    for (const Int child : factor.m_symbolic->children[s]) {
      const auto& target = node(child).target;
      const Scalar* from = updates[child].get();
      const std::size_t run = std::size_t{3} * width;
      for (std::size_t i = 0; i < target.size(); ++i) {
        Scalar* to = target[i] < self.columns() ? own + run * target[i]
                                                : update.get() + run * (target[i] - self.columns());
        for (std::size_t c = 0; c < run; ++c) to[c] += from[run * i + c];
      }
      updates[child].reset();
    }
    forward_panel(height, columns, factor.m_panels[s], width, own, update.get(),
                  top && height >= kParallelFront);
    updates[s] = std::move(update);
  }

  /// L^T x = y, reading known values from further up.
  void backward(Int s, bool top) {
    const auto& self = node(s);
    const int columns = 3 * self.columns();
    const int below = 3 * static_cast<int>(self.rows.size());
    const int height = columns + below;
    Scalar* own = x + std::size_t{3} * self.first * width;
    const std::size_t run = std::size_t{3} * width;
    auto known = std::make_unique_for_overwrite<Scalar[]>(run * self.rows.size());
    for (std::size_t i = 0; i < self.rows.size(); ++i) {
      std::memcpy(known.get() + run * i, x + run * self.rows[i], run * sizeof(Scalar));
    }
    backward_panel(height, columns, factor.m_panels[s], width, own, known.get(),
                   top && height >= kParallelFront);
  }

  void run() {
    updates.resize(factor.m_panels.size());
    parallel_for(factor.m_subtree_roots.size(), 1, [&](std::size_t task) {
      const Int root = factor.m_subtree_roots[task];
      for (Int s = factor.m_first_descendant[root]; s <= root; ++s) forward(s, false);
    });
    for (const Int s : factor.m_top) forward(s, true);
    for (auto s = factor.m_top.rbegin(); s != factor.m_top.rend(); ++s) backward(*s, true);
    parallel_for(factor.m_subtree_roots.size(), 1, [&](std::size_t task) {
      const Int root = factor.m_subtree_roots[task];
      for (Int s = root; s >= factor.m_first_descendant[root]; --s) backward(s, false);
    });
  }
};

template <class Scalar>
void Cholesky<Scalar>::apply(const MultiVector& x, MultiVector& y) const {
  const auto& order = m_symbolic->order;
  SUPPLE_CHECK_OP(x.rows(), ==, 3 * static_cast<Eigen::Index>(order.size()));
  using RowMajor = Eigen::Matrix<Scalar, 3, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Index width = x.cols();
  if (width == 0) {
    y.resize(x.rows(), 0);
    return;
  }
  // The kernels are fastest for multiples of eight; the padding stays zero.
  const Eigen::Index padded = (width + 7) / 8 * 8;
  const std::size_t run = 3 * static_cast<std::size_t>(padded);
  auto work = std::make_unique_for_overwrite<Scalar[]>(run * order.size());
  parallel_for(order.size(), 4096, [&](std::size_t i) {
    Eigen::Map<RowMajor> rows(work.get() + run * i, 3, padded);
    rows.leftCols(width) = x.middleRows<3>(3 * Eigen::Index{order[i]}).template cast<Scalar>();
    rows.rightCols(padded - width).setZero();
  });
  Solver{*this, static_cast<int>(padded), work.get(), {}}.run();
  y.resize(x.rows(), width);
  parallel_for(order.size(), 4096, [&](std::size_t i) {
    y.middleRows<3>(3 * Eigen::Index{order[i]}) =
        Eigen::Map<const RowMajor>(work.get() + run * i, 3, padded)
            .leftCols(width)
            .template cast<double>();
  });
}

template class Cholesky<float>;
template class Cholesky<double>;

}  // namespace supple::reduction
