// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scene/springs.hpp"

#include "supple/bake/scene.hpp"

#include <memory>
#include <string>
#include <utility>

namespace supple::bake::testing {

/// Beads on springs in zigzag, so that triangles have room between them.
class Ribbon final : public scene::Simulator {
 public:
  Result<void> reset() override { return springs.reset(); }
  [[nodiscard]] Bytes state() const override { return springs.state(); }
  Result<void> set_state(std::span<const std::byte> state) override {
    return springs.set_state(state);
  }
  Result<void> step(const scene::Action& action) override { return springs.step(action); }
  [[nodiscard]] std::vector<geometry::Vec3> positions() const override {
    std::vector<geometry::Vec3> all = springs.positions();
    for (std::size_t i = 1; i < all.size(); i += 2) all[i].z() += 0.1;
    return all;
  }
  [[nodiscard]] std::size_t intersections() const override { return springs.intersections(); }

  scene::Springs springs;
};

inline geometry::TriMesh ribbon_mesh() {
  return {Ribbon().positions(), {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}}};
}

inline SceneEntrySettings plain_entry(std::string name) {
  SceneEntrySettings entry;
  entry.key = name.substr(0, 1);
  entry.name = std::move(name);
  return entry;
}

inline ForeignScene ribbon_scene() {
  ForeignScene scene;
  scene.title = "ribbon";
  scene.settings.entries = {plain_entry("right"), plain_entry("up"), plain_entry("wind")};
  scene.settings.entries[0].strengths = {0.5, 1};
  scene.settings.sampling.states = 1500;
  scene.settings.sampling.chain = 3;
  scene.settings.shapes.tolerance = 0.01;
  scene.rest = ribbon_mesh();
  scene.make = [] { return Result<std::unique_ptr<scene::Simulator>>(std::make_unique<Ribbon>()); };
  scene.identity = "ribbon 1";
  return scene;
}

}  // namespace supple::bake::testing
