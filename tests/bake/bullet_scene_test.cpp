// SPDX-License-Identifier: Apache-2.0
#include "scene_replay.hpp"

#include "benchmarks/bullet_deformable.hpp"
#include "ribbon.hpp"
#include "temporary_directory.hpp"

#include "supple/core/parallel.hpp"
#include "supple/geometry/shapes.hpp"

#include <cstring>

namespace supple::bake {
namespace {

/// A beam of rubber, held at one end, that hangs down a little.
fem::SolidModel rubber_beam() {
  fem::SolidModel model;
  geometry::Box box;
  box.add(geometry::Vec3(0, 0, 0));
  box.add(geometry::Vec3(0.3, 0.1, 0.1));
  model.mesh = geometry::box_mesh(box, 6, 2, 2);
  model.materials = {{"rubber", 3e5, 0.4, 1000}};
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (const auto node : model.mesh.node_sets.at("x_min")) model.fixed[node] = fem::kFixAll;
  return model;
}

/// Bullet's deformable world as a black box. Entries: 0 pushes the beam aside, 1 up, 2 lets a wind
/// blow until another one acts.
class BulletSimulator final : public scene::Simulator {
 public:
  explicit BulletSimulator(std::vector<float> rest)
      : m_body(bench::make_bullet_solid(rubber_beam())), m_rest(std::move(rest)) {
    if (m_rest.empty()) settle();
  }

  Result<void> reset() override {
    m_body->set_state(m_rest);
    return {};
  }
  [[nodiscard]] Bytes state() const override {
    const std::vector<float> numbers = m_body->state();
    const auto bytes = std::as_bytes(std::span(numbers));
    return {bytes.begin(), bytes.end()};
  }
  Result<void> set_state(std::span<const std::byte> state) override {
    std::vector<float> numbers(state.size() / sizeof(float));
    std::memcpy(numbers.data(), state.data(), state.size());
    m_body->set_state(numbers);
    return {};
  }
  Result<void> step(const scene::Action& action) override {
    geometry::Vec3 added = geometry::Vec3::Zero();
    if (action.strikes && action.entry == 0) added.y() = 0.6;
    if (action.strikes && action.entry == 1) added.z() = 0.6;
    if (action.entry == 2) added.y() = -0.05;
    m_body->change_velocity(kKept, action.strength * added);
    m_body->step();
    return {};
  }
  [[nodiscard]] std::vector<geometry::Vec3> positions() const override {
    return m_body->positions();
  }
  [[nodiscard]] std::size_t intersections() const override { return 0; }
  [[nodiscard]] const std::vector<float>& rest() const { return m_rest; }

 private:
  static constexpr double kKept = 0.95;  // of its velocity, by the air

  void settle() {
    constexpr int kFrames = 600;
    for (int i = 0; i < kFrames; ++i) {
      m_body->change_velocity(kKept, geometry::Vec3::Zero());
      m_body->step();
    }
    m_rest = m_body->state();
  }

  std::unique_ptr<bench::BulletBody> m_body;
  std::vector<float> m_rest;
};

ForeignScene bullet_scene() {
  const BulletSimulator first({});
  const std::vector<float> at_rest = first.rest();
  ForeignScene scene;
  scene.title = "beam";
  scene.settings.simulation.rate = 60;
  scene.settings.entries = {testing::plain_entry("side"), testing::plain_entry("up"),
                            testing::plain_entry("wind")};
  scene.settings.sampling.states = 1000;
  scene.settings.sampling.chain = 2;
  scene.settings.shapes.tolerance = 0.02;
  scene.rest.positions = first.positions();
  const geometry::BoundarySurface surface = geometry::boundary(rubber_beam().mesh);
  for (const geometry::Triangle& t : surface.mesh.triangles) {
    geometry::Triangle nodes{};
    for (std::size_t k = 0; k < 3; ++k) {
      nodes[k] = surface.node_of_vertex[static_cast<std::size_t>(t[k])];
    }
    scene.rest.triangles.push_back(nodes);
  }
  scene.make = [at_rest] {
    return Result<std::unique_ptr<scene::Simulator>>(std::make_unique<BulletSimulator>(at_rest));
  };
  scene.identity = "Bullet, rubber beam";
  return scene;
}

/// All that the pipeline asks of a simulator: the same state and actions, the same positions.
TEST(BulletScene, GoesOnFromAStateToTheSameBits) {
  const ForeignScene scene = bullet_scene();
  const auto one = *scene.make();
  const auto other = *scene.make();
  ASSERT_TRUE(one->reset().ok());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(one->step({1, 1, i == 0}).ok());
  const Bytes state = one->state();
  // Far from where it rests, or the rest of the test would say nothing.
  EXPECT_GT((one->positions().back() - scene.rest.positions.back()).norm(), 0.005);
  ASSERT_TRUE(other->set_state(state).ok());
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(one->step({0, 1, i == 0}).ok());
    ASSERT_TRUE(other->step({0, 1, i == 0}).ok());
    ASSERT_EQ(one->positions(), other->positions()) << i;
  }
  EXPECT_EQ(one->state(), other->state());
}

TEST(BulletScene, ReplaysWhatBulletDid) {
  const supple::testing::TemporaryDirectory directory;
  SceneReport report;
  const testing::ReplayReport replay =
      testing::bake_and_replay(bullet_scene(), directory.path(), report);
  EXPECT_EQ(report.failed_responses, 0U);
  EXPECT_LE(report.relative_error, 0.02);
  EXPECT_GT(replay.responses, 3U);
  EXPECT_GT(replay.frames, 300U);
  EXPECT_GT(replay.shapes, 0);
  EXPECT_LT(replay.played, replay.shapes + testing::kSixteenBitScene);
  EXPECT_TRUE(std::filesystem::exists(directory / "scene.glb"));
}

}  // namespace
}  // namespace supple::bake
