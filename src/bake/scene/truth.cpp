// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/scene_truth.hpp"

#include "bake/scene/drawn_scene.hpp"
#include "bake/scene/world_simulator.hpp"
#include "bake/simulate/scene.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"

#include <fmt/format.h>

#include <utility>

namespace supple::bake {
namespace {

Result<void> check_actions(const SceneInput& input, const std::vector<SceneAction>& actions) {
  if (actions.empty() || actions.front().frame != 0) {
    return bad_input("nothing acts on the scene at frame 0; give an action there");
  }
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].entry >= input.settings.entries.size()) {
      return bad_input(fmt::format("action {} is entry {} of a palette of {}", i + 1,
                                   actions[i].entry + 1, input.settings.entries.size()));
    }
    if (i > 0 && actions[i].frame <= actions[i - 1].frame) {
      return bad_input(fmt::format("action {} does not come after action {}", i + 1, i));
    }
  }
  return {};
}

}  // namespace

Result<Eigen::MatrixXf> simulate_scene(const SceneInput& input,
                                       const std::vector<SceneAction>& actions, std::size_t frames,
                                       const ShowFrame& show) {
  SUPPLE_TRY_VOID(check_actions(input, actions));
  const SimulateInput simulated{input.title, input.directory, input.settings.simulation,
                                input.surfaces};
  SUPPLE_TRY(const detail::BuiltScene built, detail::build_scene(simulated));
  SUPPLE_TRY(simulator::World world, simulator::World::create(built.description));
  SUPPLE_TRY_VOID(detail::settle(world, input.settings));
  std::vector<std::vector<geometry::Vec3>> rest;
  for (std::size_t b = 0; b < world.bodies().size(); ++b) rest.push_back(world.positions(b));
  const detail::DrawnScene drawn(world.bodies(), built.drawn, rest);
  detail::WorldSimulator simulator(std::move(world), input.settings, {});

  Eigen::MatrixXf motion(drawn.rest().size(), static_cast<Eigen::Index>(frames + 1));
  motion.col(0) = drawn.rest().cast<float>();
  if (show) show(0, motion.col(0));
  Eigen::VectorXd points;
  Progress progress("simulating", static_cast<double>(frames));
  std::size_t next = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    SUPPLE_TRY_VOID(check_interrupt());
    const bool strikes = next < actions.size() && actions[next].frame == f;
    if (strikes) ++next;
    const SceneAction& now = actions[next - 1];
    SUPPLE_TRY_VOID(simulator.step({now.entry, now.strength, strikes})
                        .during(fmt::format("simulating frame {}", f + 1)));
    std::vector<float> recorded;
    for (const geometry::Vec3& p : simulator.positions()) {
      for (int k = 0; k < 3; ++k) recorded.push_back(static_cast<float>(p[k]));
    }
    drawn.draw(recorded, points);
    motion.col(static_cast<Eigen::Index>(f + 1)) = points.cast<float>();
    if (show) show(f + 1, motion.col(static_cast<Eigen::Index>(f + 1)));
    progress.advance();
  }
  return motion;
}

}  // namespace supple::bake
