// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/random.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/fem/shell_modes.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace supple::fem {

/// A strip along +x in the plane z = 0, nx by ny cells whose diagonals alternate, so that no
/// direction along it is preferred.
inline geometry::TriMesh strip_mesh(double length, double width, int nx, int ny) {
  geometry::TriMesh mesh;
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) {
      mesh.positions.emplace_back(length * i / nx, width * (static_cast<double>(j) / ny - 0.5), 0);
    }
  }
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i;
      const int b = a + 1;
      const int c = a + nx + 1;
      const int d = c + 1;
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({a, d, c});
      } else {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({b, d, c});
      }
    }
  }
  return mesh;
}

/// Equilateral triangles: rows of `nx` edges of this length, every other one shifted by half.
inline geometry::TriMesh equilateral_mesh(double edge, int nx, int ny) {
  geometry::TriMesh mesh;
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) {
      mesh.positions.emplace_back(edge * (i + 0.5 * (j % 2)), edge * std::sqrt(0.75) * j, 0);
    }
  }
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i;
      const int b = a + 1;
      const int c = a + nx + 1;
      const int d = c + 1;
      if (j % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({b, d, c});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({a, d, c});
      }
    }
  }
  return mesh;
}

/// A strip with a roof's cross-section.
inline geometry::TriMesh v_mesh(double length, double width, int nx, int ny) {
  geometry::TriMesh mesh = strip_mesh(length, width, nx, ny);
  for (auto& p : mesh.positions) p.z() = 0.5 * std::abs(p.y());
  return mesh;
}

inline geometry::TriMesh bumpy_mesh(double length, double width, int nx, int ny) {
  geometry::TriMesh mesh = strip_mesh(length, width, nx, ny);
  Random random(3);
  for (auto& p : mesh.positions) {
    for (int c = 0; c < 3; ++c) p(c) += 0.2 * length / nx * random.uniform(-1, 1);
  }
  return mesh;
}

/// A sheet without anything special.
inline const ShellMaterial kPlain{"paper", 10, 10, 1e-3, 0.3};

inline ShellModel shell_model(geometry::TriMesh mesh, ShellMaterial material) {
  ShellModel model;
  model.mesh = std::move(mesh);
  model.materials = {std::move(material)};
  return model;
}

/// Fixes every node whose x is at most this.
inline void clamp_up_to(ShellModel& model, double x) {
  model.fixed.resize(model.mesh.positions.size(), 0);
  for (std::size_t i = 0; i < model.fixed.size(); ++i) {
    if (model.mesh.positions[i].x() <= x) model.fixed[i] = kFixAll;
  }
}

inline DiscreteShell make_shell(ShellModel model) {
  auto shell = DiscreteShell::create(std::move(model));
  EXPECT_TRUE(shell.ok()) << shell.error().describe();
  return *std::move(shell);
}

inline ShellModes solve_modes(const DiscreteShell& shell, int count, double tolerance = 1e-6) {
  auto modes = solve_shell_modes(shell, count, tolerance);
  EXPECT_TRUE(modes.ok()) << modes.error().describe();
  return *std::move(modes);
}

}  // namespace supple::fem
