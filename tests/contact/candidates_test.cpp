// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/candidates.hpp"

#include "contact/stencils.hpp"
#include "supple/core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace supple::contact::testing {
namespace {

/// Crumpled sheets of n x n cells, one above the other: vertices of the first half of them are
/// free.
struct Sheets {
  ContactMesh mesh;
  Eigen::VectorXd from, to;
};

Sheets random_sheets(Random& random, int count, int n, double gap, double crumple) {
  std::vector<geometry::Triangle> triangles;
  std::vector<std::uint8_t> free;
  std::vector<double> from;
  std::vector<double> to;
  for (int sheet = 0; sheet < count; ++sheet) {
    const auto first = static_cast<Index>(free.size());
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        const Vec3 at = Vec3(i, gap * n * sheet, j) / n + crumple / n * random_vector(random);
        const Vec3 next = at + crumple / n * random_vector(random);
        from.insert(from.end(), at.data(), at.data() + 3);
        to.insert(to.end(), next.data(), next.data() + 3);
        free.push_back(sheet < (count + 1) / 2 ? 1 : 0);
        if (i == n || j == n) continue;
        const Index corner = first + i * (n + 1) + j;
        triangles.push_back({corner, corner + 1, corner + n + 1});
        triangles.push_back({corner + 1, corner + n + 2, corner + n + 1});
      }
    }
  }
  const auto as_vector = [](const std::vector<double>& list) {
    return Eigen::VectorXd(
        Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size())));
  };
  return {make_contact_mesh(std::move(triangles), std::move(free)), as_vector(from), as_vector(to)};
}

Vec3 vertex(const Eigen::VectorXd& x, Index v) {
  return x.segment<3>(3 * Eigen::Index{v});
}

/// The least distance of a pair over some moments of its motion.
template <class ClosestOf>
double least_distance(const Sheets& sheets, const std::array<Index, 4>& vertices,
                      const ClosestOf& closest) {
  double least = std::numeric_limits<double>::infinity();
  for (const double time : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    Stencil x;
    for (int i = 0; i < 4; ++i) {
      const Index v = vertices[static_cast<std::size_t>(i)];
      x.col(i) = (1 - time) * vertex(sheets.from, v) + time * vertex(sheets.to, v);
    }
    least = std::min(least, closest(x).distance);
  }
  return least;
}

bool distinct(std::array<Index, 4> v) {
  std::sort(v.begin(), v.end());
  return std::adjacent_find(v.begin(), v.end()) == v.end();
}

TEST(Candidates, ContainEveryPairThatComesCloseAndNoneThatCannotMove) {
  Random random(31);
  Sheets sheets = random_sheets(random, 3, 4, 0.2, 0.5);
  BroadPhase broad_phase(sheets.mesh);
  for (int round = 0; round < 3; ++round) {
    const double reach = 0.02;
    const Candidates found = broad_phase.find(sheets.from, sheets.to, reach);
    EXPECT_TRUE(std::is_sorted(found.point_triangle.begin(), found.point_triangle.end()));
    EXPECT_TRUE(std::is_sorted(found.edge_edge.begin(), found.edge_edge.end()));
    const auto movable = [&](const std::array<Index, 4>& v) {
      return std::any_of(v.begin(), v.end(), [&](Index i) {
        return sheets.mesh.free[static_cast<std::size_t>(i)] != 0;
      });
    };
    std::size_t close = 0;
    for (const Index p : sheets.mesh.vertices) {
      for (std::size_t t = 0; t < sheets.mesh.triangles.size(); ++t) {
        const geometry::Triangle& c = sheets.mesh.triangles[t];
        const std::array<Index, 4> v{p, c[0], c[1], c[2]};
        const std::array<Index, 2> pair{p, static_cast<Index>(t)};
        const bool listed =
            std::binary_search(found.point_triangle.begin(), found.point_triangle.end(), pair);
        if (!distinct(v) || !movable(v)) {
          EXPECT_FALSE(listed);
        } else if (least_distance(sheets, v, closest_point_triangle) <= reach) {
          EXPECT_TRUE(listed);
          ++close;
        }
      }
    }
    for (std::size_t i = 0; i < sheets.mesh.edges.size(); ++i) {
      for (std::size_t j = i + 1; j < sheets.mesh.edges.size(); ++j) {
        const Edge& a = sheets.mesh.edges[i];
        const Edge& b = sheets.mesh.edges[j];
        const std::array<Index, 4> v{a[0], a[1], b[0], b[1]};
        const std::array<Index, 2> pair{static_cast<Index>(i), static_cast<Index>(j)};
        const bool listed =
            std::binary_search(found.edge_edge.begin(), found.edge_edge.end(), pair);
        if (!distinct(v) || !movable(v)) {
          EXPECT_FALSE(listed);
        } else if (least_distance(sheets, v, closest_edges) <= reach) {
          EXPECT_TRUE(listed);
          ++close;
        }
      }
    }
    EXPECT_GT(close, 20U);
    // The sheets go on from where they are: the trees refit.
    sheets.from = sheets.to;
    for (double& number : sheets.to) number += random.uniform(-0.1, 0.1);
  }
}

TEST(Candidates, DoNotDependOnTheNumberOfThreads) {
  Random random(32);
  const Sheets sheets = random_sheets(random, 2, 20, 0.05, 0.6);
  set_thread_count(1);
  const Candidates one = BroadPhase(sheets.mesh).find(sheets.from, sheets.to, 0.05);
  set_thread_count(4);
  const Candidates four = BroadPhase(sheets.mesh).find(sheets.from, sheets.to, 0.05);
  set_thread_count(0);
  EXPECT_EQ(one.point_triangle, four.point_triangle);
  EXPECT_EQ(one.edge_edge, four.edge_edge);
  EXPECT_GT(one.edge_edge.size(), 1000U);
}

TEST(FindIntersections, CountsTheCrossingsOfSheetsThatPassThroughEachOther) {
  Random random(33);
  const Sheets apart = random_sheets(random, 2, 8, 0.5, 0.1);
  EXPECT_TRUE(find_intersections(apart.mesh, apart.from).empty());

  // A sheet through the middle of another, at right angles: each of its 9 lines of edges across
  // crosses once.
  Sheets crossed = random_sheets(random, 2, 8, 0.5, 0);
  Eigen::VectorXd x = crossed.from;
  const Eigen::Index half = x.size() / 2;
  for (Eigen::Index i = half; i < x.size(); i += 3) {
    const Vec3 at = x.segment<3>(i);
    x.segment<3>(i) = Vec3(0.519, at.x() - 0.513, at.z() + 0.007);
  }
  const auto pairs = find_intersections(crossed.mesh, x);
  const auto is_vertical = [&](const std::array<Index, 2>& pair) {
    return 3 * Eigen::Index{crossed.mesh.edges[static_cast<std::size_t>(pair[0])][0]} >= half;
  };
  EXPECT_FALSE(pairs.empty());
  EXPECT_TRUE(std::any_of(pairs.begin(), pairs.end(), is_vertical));
  EXPECT_FALSE(std::all_of(pairs.begin(), pairs.end(), is_vertical));
}

TEST(FindIntersections, LeavesOutWhatCannotGiveWay) {
  Random random(34);
  const Sheets moving = random_sheets(random, 2, 6, 0.01, 0.6);
  const auto pairs = find_intersections(moving.mesh, moving.from);
  const auto free = [&](const auto& primitive) {
    return std::any_of(primitive.begin(), primitive.end(), [&](Index vertex) {
      return moving.mesh.free[static_cast<std::size_t>(vertex)] != 0;
    });
  };
  EXPECT_FALSE(pairs.empty());
  for (const auto& [edge, triangle] : pairs) {
    EXPECT_TRUE(free(moving.mesh.edges[static_cast<std::size_t>(edge)]) ||
                free(moving.mesh.triangles[static_cast<std::size_t>(triangle)]));
  }
  // All of them, and those between fixed vertices, where every vertex is free.
  ContactMesh all = moving.mesh;
  std::fill(all.free.begin(), all.free.end(), std::uint8_t{1});
  const auto more = find_intersections(all, moving.from);
  EXPECT_GT(more.size(), pairs.size());
  EXPECT_TRUE(std::includes(more.begin(), more.end(), pairs.begin(), pairs.end()));
}

}  // namespace
}  // namespace supple::contact::testing
