// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fem/shell_meshes.hpp"
#include "supple/core/random.hpp"
#include "supple/shell/modal_equilibrium.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace supple::shell {

/// A shell and what was baked from it.
struct Baked {
  fem::DiscreteShell shell;
  ShellObject object;
};

inline ObjectSettings settings(int modes) {
  ObjectSettings result;
  result.name = "test";
  result.modes = modes;
  return result;
}

inline fem::ShellMaterial sheet_material() {
  return {"sheet", 100, 100, 0.01, 1};
}

inline Baked bake(fem::ShellModel model, const ObjectSettings& how) {
  fem::DiscreteShell shell = fem::make_shell(std::move(model));
  auto object = bake_shell(shell, how);
  EXPECT_TRUE(object.ok()) << object.error().describe();
  return {std::move(shell), *std::move(object)};
}

/// 25 by 5 nodes, a metre long and a fifth wide; the first two columns are clamped, so that the
/// end is horizontal too.
inline fem::ShellModel cantilever() {
  fem::ShellModel model = fem::shell_model(fem::strip_mesh(1, 0.2, 24, 4), sheet_material());
  fem::clamp_up_to(model, 1.01 / 24);
  return model;
}

/// In a cube of 2 around the origin.
inline geometry::Vec3 any_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

}  // namespace supple::shell
