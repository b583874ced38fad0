// SPDX-License-Identifier: Apache-2.0
#include "samples/scenes.hpp"
#include "samples/simulations.hpp"

#include "supple/bake/scene.hpp"
#include "supple/bake/simulate.hpp"
#include "supple/simulator/world.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace supple::samples {
namespace {

// Selections of pins, gaps between leaves and cells that are wide enough for the thickness: all of
// these depend on meshes that are made anew at each size.
TEST(SceneSamples, StandWithoutOverlapsAndHangStill) {
  for (const SimulationSample& sample : scene_samples()) {
    for (const SampleSize size : {SampleSize::Small, SampleSize::Full}) {
      SCOPED_TRACE(std::string(sample.name) + (size == SampleSize::Small ? ", small" : ""));
      bake::SceneRequest request;
      auto model = scene_model(sample.name, size);
      ASSERT_TRUE(model.ok()) << model.error().describe();
      request.model = *std::move(model);
      auto input = bake::read_scene_input(request);
      ASSERT_TRUE(input.ok()) << input.error().describe();
      auto description = bake::describe_simulation(
          {input->title, input->directory, input->settings.simulation, input->surfaces});
      ASSERT_TRUE(description.ok()) << description.error().describe();
      auto world = simulator::World::create(*std::move(description));
      ASSERT_TRUE(world.ok()) << world.error().describe();
      if (size == SampleSize::Full) continue;
      const auto step = world->step();
      ASSERT_TRUE(step.ok()) << step.error().describe();
      EXPECT_EQ(world->count_intersections(), 0U);
    }
  }
}

}  // namespace
}  // namespace supple::samples
