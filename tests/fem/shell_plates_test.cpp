// SPDX-License-Identifier: Apache-2.0
// How far a sheet of discrete shells is from a plate: the table of docs/shells.md, "Materials".
#include "fem/shell_meshes.hpp"
#include "supple/fem/shell_modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <vector>

namespace supple::fem {
namespace {

using std::numbers::pi;

const Material kAluminium{"aluminium", 70e9, 0.3, 2700};
constexpr double kThickness = 1e-3;

/// omega = lambda / length^2 sqrt(D / (rho t)).
double plate_omega(double lambda, double length) {
  const double nu = kAluminium.poisson_ratio;
  const double stiffness =
      kAluminium.youngs_modulus * std::pow(kThickness, 3) / (12 * (1 - nu * nu));
  return lambda / (length * length) * std::sqrt(stiffness / (kAluminium.density * kThickness));
}

ShellModel sheet(const geometry::TriMesh& mesh) {
  return shell_model(mesh, shell_material(kAluminium, kThickness, edge_scale(mesh)));
}

/// All diagonals in one direction.
geometry::TriMesh one_way_mesh(double length, double width, int nx, int ny) {
  geometry::TriMesh mesh = strip_mesh(length, width, nx, ny);
  mesh.triangles.clear();
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i;
      mesh.triangles.push_back({a, a + 1, a + nx + 2});
      mesh.triangles.push_back({a, a + nx + 2, a + nx + 1});
    }
  }
  return mesh;
}

/// Equilateral but for the ends of every other row, where halves of them fill a rectangle.
geometry::TriMesh trimmed_mesh(double length, double width, int nx, int ny) {
  geometry::TriMesh mesh;
  std::vector<geometry::Index> first;
  for (int j = 0; j <= ny; ++j) {
    first.push_back(static_cast<geometry::Index>(mesh.positions.size()));
    const double y = width * (static_cast<double>(j) / ny - 0.5);
    for (int i = 0; i <= nx + j % 2; ++i) {
      const double x = std::clamp(i - 0.5 * (j % 2), 0.0, static_cast<double>(nx));
      mesh.positions.emplace_back(length * x / nx, y, 0);
    }
  }
  for (int j = 0; j < ny; ++j) {
    const bool shifted = j % 2 == 1;  // the lower row
    const geometry::Index even = first[j + (shifted ? 1 : 0)];
    const geometry::Index odd = first[j + (shifted ? 0 : 1)];
    const auto add = [&](geometry::Index a, geometry::Index b, geometry::Index c) {
      if (shifted) std::swap(b, c);
      mesh.triangles.push_back({a, b, c});
    };
    for (int i = 0; i <= nx; ++i) add(even + i, odd + i + 1, odd + i);
    for (int i = 0; i < nx; ++i) add(even + i, even + i + 1, odd + i + 1);
  }
  return mesh;
}

using Rectangle = std::function<geometry::TriMesh(double length, double width, int nx, int ny)>;

/// Of the lowest mode whose corners at the far end go opposite ways, or the same way.
double end_omega(const ShellModel& model, const ShellModes& modes, bool twists) {
  const auto end = [&](double side) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < model.mesh.positions.size(); ++i) {
      const auto reach = [&](std::size_t n) {
        return model.mesh.positions[n].x() + side * model.mesh.positions[n].y();
      };
      if (reach(i) > reach(best)) best = i;
    }
    return static_cast<Eigen::Index>(3 * best + 2);
  };
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    const double product = modes.shapes(end(1), k) * modes.shapes(end(-1), k);
    if ((product < 0) == twists) return std::sqrt(modes.omega_squared(k));
  }
  ADD_FAILURE() << "no such mode";
  return 0;
}

struct Ratios {
  double bending = 0, twisting = 0, free_square = 0;
};

/// Our frequencies over those of plates. Barton (1951), clamped along a short side, five times as
/// long as wide: 3.45 and, twisting, 34.73. Leissa (1973), the free square: 13.49.
Ratios measure(const Rectangle& mesh, int across, double stretch) {
  constexpr double kLength = 0.5;
  constexpr double kWidth = 0.1;
  const int along = static_cast<int>(5 * across / stretch);
  ShellModel strip = sheet(mesh(kLength, kWidth, along, across));
  clamp_up_to(strip, 1.01 * kLength / along);
  const ShellModes held = solve_modes(make_shell(strip), 6);
  const ShellModel square =
      sheet(mesh(kLength, kLength, static_cast<int>(2 * across / stretch), 2 * across));
  Ratios ratios;
  // The first row is held, and half of the next one turns with it.
  const double length = kLength - 0.5 * kLength / along;
  ratios.bending = end_omega(strip, held, false) / plate_omega(3.45, length);
  ratios.twisting = end_omega(strip, held, true) / (plate_omega(34.73, kLength) * kLength / length);
  ratios.free_square =
      std::sqrt(solve_modes(make_shell(square), 1).omega_squared(0)) / plate_omega(13.49, kLength);
  return ratios;
}

/// A pipe with open ends, of equilateral triangles.
geometry::TriMesh pipe_mesh(double radius, int around, int along) {
  geometry::TriMesh mesh;
  const double edge = 2 * pi * radius / around;
  for (int j = 0; j <= along; ++j) {
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * pi * (i + 0.5 * (j % 2)) / around;
      mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle),
                                  std::sqrt(0.75) * edge * j);
    }
  }
  for (int j = 0; j < along; ++j) {
    for (int i = 0; i < around; ++i) {
      const int next = (i + 1) % around;
      const int low = j * around;
      const int high = low + around;
      if (j % 2 == 0) {
        mesh.triangles.push_back({low + i, low + next, high + i});
        mesh.triangles.push_back({low + next, high + next, high + i});
      } else {
        mesh.triangles.push_back({low + i, low + next, high + next});
        mesh.triangles.push_back({low + i, high + next, high + i});
      }
    }
  }
  return mesh;
}

TEST(ShellPlates, BendAsPlatesAndTwistStiffer) {
  // On equilateral triangles Poisson's ratio in bending is -1/3 whatever the material's is, and a
  // narrow strip twists as sqrt((1 + 1/3) / (1 - 0.3)) = 1.38 of the plate. Other meshes have
  // directions of their own as well.
  struct Row {
    const char* name;
    Rectangle mesh;
    double stretch;  ///< ratio of length to width of the cells
    double least_twist, most_twist;
  };
  const std::vector<Row> rows{{"equilateral", trimmed_mesh, std::sqrt(4.0 / 3), 1.25, 1.42},
                              {"right, alternating", strip_mesh, 1, 1.4, 1.7},
                              {"right, one way", one_way_mesh, 1, 1.6, 2.0},
                              {"right, four times as long as wide", strip_mesh, 4, 3, 4}};
  std::printf("frequencies over those of plates: bending, twisting, free square\n");
  for (const Row& row : rows) {
    for (const int across : {8, 16}) {
      const Ratios ratios = measure(row.mesh, across, row.stretch);
      std::printf("%s, %d across: %.2f %.2f %.2f\n", row.name, across, ratios.bending,
                  ratios.twisting, ratios.free_square);
      SCOPED_TRACE(row.name);
      EXPECT_NEAR(ratios.bending, 1, 0.1);
      EXPECT_GT(ratios.twisting, row.least_twist);
      EXPECT_LT(ratios.twisting, row.most_twist);
      EXPECT_GT(ratios.free_square, 1.15);
      EXPECT_LT(ratios.free_square, 1.45);
    }
  }
}

TEST(ShellPlates, PipesOvaliseAsRingsDo) {
  // Rayleigh's inextensional mode of two waves, which does not vary along the pipe.
  constexpr double kRadius = 0.1;
  const double ring = plate_omega(2 * 3 / std::sqrt(5.0), kRadius);
  for (const int around : {24, 48}) {
    const double ours = std::sqrt(
        solve_modes(make_shell(sheet(pipe_mesh(kRadius, around, around / 3))), 1).omega_squared(0));
    std::printf("pipe, %d around: %.3f\n", around, ours / ring);
    EXPECT_NEAR(ours, ring, 0.02 * ring);
  }
}

}  // namespace
}  // namespace supple::fem
