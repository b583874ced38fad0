// SPDX-License-Identifier: Apache-2.0
#include "io/meshes/vtk_grid.hpp"

#include "io/text_cursor.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace supple::io::detail {
namespace {

using geometry::Index;
using geometry::TetOrder;

constexpr std::int64_t kTetra = 10;
constexpr std::int64_t kQuadraticTetra = 24;
constexpr auto kMaxVtkIndex = static_cast<std::size_t>(std::numeric_limits<Index>::max());

Result<void> check_sizes(const VtkGrid& grid, std::string_view name) {
  const auto fail = [&](std::string message) { return bad_input(std::move(message)).at(name); };
  if (grid.types.size() != grid.ends.size()) {
    return fail(fmt::format("{} cells, but {} cell types", grid.ends.size(), grid.types.size()));
  }
  if (!grid.regions.empty() && grid.regions.size() != grid.types.size()) {
    return fail(
        fmt::format("{} cells, but {} region numbers", grid.types.size(), grid.regions.size()));
  }
  if (grid.points.size() / 3 > kMaxVtkIndex || grid.types.size() > kMaxVtkIndex) {
    return fail("more than 2^31 - 1 points or cells");
  }
  std::int64_t before = 0;
  for (std::size_t cell = 0; cell < grid.ends.size(); ++cell) {
    const std::int64_t end = grid.ends[cell];
    if (end < before || static_cast<std::size_t>(end) > grid.connectivity.size()) {
      return fail(fmt::format("the points of cell {} (counted from 0) end at {}, outside 0..{}",
                              cell, end, grid.connectivity.size()));
    }
    before = end;
  }
  return {};
}

Result<std::vector<geometry::Vec3>> points_of(const VtkGrid& grid, std::string_view name) {
  std::vector<geometry::Vec3> points(grid.points.size() / 3);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = {grid.points[3 * i], grid.points[3 * i + 1], grid.points[3 * i + 2]};
    if (!points[i].allFinite()) {
      return bad_input(
                 fmt::format("point {} (counted from 0) has a coordinate that is not finite", i))
          .at(name);
    }
  }
  return points;
}

/// The common order of all tetrahedra.
Result<TetOrder> order_of(const VtkGrid& grid, std::string_view name) {
  const auto linear = std::count(grid.types.begin(), grid.types.end(), kTetra);
  const auto quadratic = std::count(grid.types.begin(), grid.types.end(), kQuadraticTetra);
  if (linear != 0 && quadratic != 0) {
    return bad_input(fmt::format("the grid mixes {} tetrahedra of 4 and {} of 10 nodes; use one "
                                 "order",
                                 linear, quadratic))
        .at(name);
  }
  if (linear == 0 && quadratic == 0) {
    return bad_input(fmt::format("none of the {} cells is a tetrahedron (cell type 10 or 24)",
                                 grid.types.size()))
        .at(name);
  }
  const std::size_t others = grid.types.size() - static_cast<std::size_t>(linear + quadratic);
  if (others != 0) {
    log::warn("{}: skipped {} cells that are not 4- or 10-node tetrahedra", name, others);
  }
  return linear != 0 ? TetOrder::Linear : TetOrder::Quadratic;
}

void name_regions(const std::vector<std::int64_t>& numbers, geometry::TetMesh& mesh) {
  std::vector<std::int64_t> distinct = numbers;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const std::int64_t number : distinct) mesh.region_names.push_back(fmt::to_string(number));
  mesh.regions.reserve(numbers.size());
  for (const std::int64_t number : numbers) {
    const auto found = std::lower_bound(distinct.begin(), distinct.end(), number);
    mesh.regions.push_back(static_cast<Index>(found - distinct.begin()));
  }
}

}  // namespace

bool is_region_name(std::string_view name) {
  const std::string upper = to_upper(name);
  return upper == "REGION" || upper == "MATERIAL";
}

Result<geometry::TetMesh> tet_mesh_of(const VtkGrid& grid, std::string_view name) {
  SUPPLE_TRY_VOID(check_sizes(grid, name));
  geometry::TetMesh mesh;
  SUPPLE_TRY(mesh.order, order_of(grid, name));
  SUPPLE_TRY(mesh.nodes, points_of(grid, name));
  const std::int64_t wanted = mesh.order == TetOrder::Linear ? kTetra : kQuadraticTetra;
  std::vector<std::int64_t> numbers;
  std::int64_t begin = 0;
  for (std::size_t cell = 0; cell < grid.types.size(); ++cell) {
    const std::int64_t end = grid.ends[cell];
    if (grid.types[cell] == wanted) {
      if (end - begin != mesh.nodes_per_element()) {
        return bad_input(fmt::format("cell {} (counted from 0) is a tetrahedron with {} points",
                                     cell, end - begin))
            .at(name);
      }
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t point = grid.connectivity[static_cast<std::size_t>(k)];
        if (point < 0 || static_cast<std::size_t>(point) >= mesh.nodes.size()) {
          return bad_input(
                     fmt::format("cell {} (counted from 0) names point {}, but there are {} points",
                                 cell, point, mesh.nodes.size()))
              .at(name);
        }
        mesh.connectivity.push_back(static_cast<Index>(point));
      }
      if (!grid.regions.empty()) numbers.push_back(grid.regions[cell]);
    }
    begin = end;
  }
  if (!numbers.empty()) name_regions(numbers, mesh);
  return mesh;
}

}  // namespace supple::io::detail
