// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reduction/blas.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <vector>

namespace supple::reduction {

/// Eliminates the first `columns` unknowns of a dense symmetric front of order `height`: panel
/// (height x columns, column-major, leading dimension height) becomes [L11; L21], and L21 L21^T is
/// subtracted from update (order height - columns, lower triangle). Returns 0, or the number (from
/// 1) of the column whose pivot is not positive.
template <class Scalar>
int eliminate_front(int height, int columns, Scalar* panel, Scalar* update) {
  const int below = height - columns;
  if (const int bad = blas::potrf(columns, panel, height); bad != 0) return bad;
  if (below == 0) return 0;
  blas::trsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, below, columns, panel, height,
             panel + columns, height);
  blas::syrk_subtract(below, columns, panel + columns, height, update, below);
  return 0;
}

/// The same on all threads, tile by tile. Tiles depend only on the sizes, and each is computed by
/// the same calls in the same order on any thread.
template <class Scalar>
int eliminate_front_in_parallel(int height, int columns, Scalar* panel, Scalar* update) {
  constexpr int kPanel = 128;  // columns eliminated at a time
  constexpr int kTile = 192;   // edge of an updated tile
  const auto at = [&](int row, int column) {
    return panel + static_cast<std::size_t>(column) * height + row;
  };
  struct Tile {
    int row, rows, column, columns;
  };
  std::vector<Tile> tiles;
  const auto lower_tiles = [&](int begin_row, int end_row, int begin_column, int end_column) {
    tiles.clear();
    for (int c = begin_column; c < end_column; c += kTile) {
      const int width = std::min(kTile, end_column - c);
      for (int r = std::max(c, begin_row); r < end_row; r += kTile) {
        tiles.push_back({r, std::min(kTile, end_row - r), c, width});
      }
    }
  };

  for (int p = 0; p < columns; p += kPanel) {
    const int width = std::min(kPanel, columns - p);
    const int next = p + width;
    if (const int bad = blas::potrf(width, at(p, p), height); bad != 0) return p + bad;
    const std::size_t strips = static_cast<std::size_t>((height - next + kTile - 1) / kTile);
    parallel_for(strips, 1, [&](std::size_t strip) {
      const int row = next + static_cast<int>(strip) * kTile;
      blas::trsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, std::min(kTile, height - row),
                 width, at(p, p), height, at(row, p), height);
    });
    lower_tiles(next, height, next, columns);
    parallel_for(tiles.size(), 1, [&](std::size_t t) {
      const Tile& tile = tiles[t];
      blas::gemm(CblasColMajor, CblasNoTrans, CblasTrans, tile.rows, tile.columns, width,
                 Scalar(-1), at(tile.row, p), height, at(tile.column, p), height, Scalar(1),
                 at(tile.row, tile.column), height);
    });
  }
  const int below = height - columns;
  lower_tiles(0, below, 0, below);
  parallel_for(tiles.size(), 1, [&](std::size_t t) {
    const Tile& tile = tiles[t];
    blas::gemm(CblasColMajor, CblasNoTrans, CblasTrans, tile.rows, tile.columns, columns,
               Scalar(-1), at(columns + tile.row, 0), height, at(columns + tile.column, 0), height,
               Scalar(1), update + static_cast<std::size_t>(tile.column) * below + tile.row, below);
  });
  return 0;
}

}  // namespace supple::reduction
