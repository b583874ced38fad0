// SPDX-License-Identifier: Apache-2.0
#include "samples/scenes.hpp"

#include "samples/dinosaur.hpp"
#include "samples/plant.hpp"

#include "supple/bake/scene_truth.hpp"
#include "supple/core/files.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>
#include <utility>

namespace supple::samples {
namespace {

using bake::ModelSurface;

struct SceneModel {
  std::string toml;
  bake::ModelSurfaces surfaces = {};
};

/// Answers to each entry until the scene rests take about half of them, branches the rest.
constexpr int kFewStates = 3000;
/// A small sample need not wait for the last millimetres.
constexpr const char* kSoonAtRest = "stillness = 0.0003\n";

/// Cloth on a door that turns at three angular velocities [JF03 section 3.4], seen from the door.
/// When the door begins to turn the cloth stays behind: an impulse against the turn.
SceneModel door(SampleSize size) {
  const bool small = size == SampleSize::Small;
  constexpr double kSpeed = 120;  // degrees/s
  std::string text = fmt::format(
      "# A towel hangs on a door that swings to and fro; the scene is seen from the door.\n"
      "rate = 60\nhalf_life = 0.08\n\n"
      "[wind]\ndensity = 1.2\n\n"
      "[sampling]\nstates = {}\nshortest = 0.2\nlongest = 0.75\nsettle = 2.5\nchain = 5\n{}\n"
      "[shapes]\ntolerance = {}\n\n"
      "[[cloth]]\nname = \"towel\"\nsize = [0.4, 0, 0.6]\ncells = {}\nposition = [0.45, 1.0, "
      "0.03]\n"
      "rotation = [90, 0, 0]\nmaterial = \"fabric\"\nthickness = 0.004\nfriction = 0.3\n"
      "damping = 0.01\ncolour = [0.7, 0.25, 0.12]\n\n"
      "[[pin]]\nbody = \"towel\"\nwhere = [\"y>1.299\"]\n\n"
      "[[obstacle]]\nname = \"door\"\nshape = \"box\"\nsize = [0.9, 2, 0.04]\n"
      "position = [0.45, 1, 0]\ncells = 6\nfriction = 0.3\ncolour = [0.8, 0.78, 0.72]\n\n",
      small ? kFewStates : 8000, small ? kSoonAtRest : "", small ? 0.02 : 0.015, small ? 12 : 36);
  const auto entry = [&](const char* name, const char* key, double before, double after,
                         const char* followers) {
    // w x r of the frame's turn is taken away from what moves in it.
    text += fmt::format("[[entry]]\nname = \"{}\"\nkey = \"{}\"\n{}", name, key, followers);
    text += fmt::format("[entry.impulse]\nspin = [0, {:g}, 0]\n", before - after);
    if (after != 0) text += fmt::format("[entry.forcing]\nturning = [0, {:g}, 0]\n", after);
    text += "\n";
  };
  entry("open", "o", 0, kSpeed, "followed_by = [\"stop opening\"]\n");
  entry("stop opening", "i", kSpeed, 0, "from_rest = false\nfollowed_by = [\"open\", \"close\"]\n");
  entry("close", "c", 0, -kSpeed, "followed_by = [\"stop closing\"]\n");
  entry("stop closing", "u", -kSpeed, 0,
        "from_rest = false\nfollowed_by = [\"open\", \"close\"]\n");
  return {text};
}

struct Jolt {
  const char *name, *key, *velocity;
};

/// Entries that change the velocity of everything that is not held.
std::string jolts(std::initializer_list<Jolt> list) {
  std::string text;
  for (const Jolt& jolt : list) {
    text +=
        fmt::format("[[entry]]\nname = \"{}\"\nkey = \"{}\"\n[entry.impulse]\nvelocity = {}\n\n",
                    jolt.name, jolt.key, jolt.velocity);
  }
  return text;
}

/// A rubber dinosaur on a dashboard: five jolts of the car [JF03 section 6].
SceneModel rubber_dinosaur(SampleSize size) {
  const bool small = size == SampleSize::Small;
  SceneModel model;
  // Edges that give [JF03 table 1]'s 24,690 vertices.
  ModelSurface& skin = model.surfaces["dinosaur"];
  skin.mesh = dinosaur_surface(small ? 0.030 : 0.00864);
  for (const geometry::Vec3& p : skin.mesh.positions) skin.colours.push_back(dinosaur_colour(p));
  model.toml =
      fmt::format(
          "# A rubber dinosaur stands on the dashboard of a car, which jolts it.\n"
          "rate = 60\n\n"
          "[sampling]\nstates = {}\nshortest = 0.25\nlongest = 1.2\nsettle = 2\nchain = 5\n{}\n"
          "[shapes]\ntolerance = {}\n\n"
          "[[solid]]\nname = \"dinosaur\"\nmesh = \"dinosaur\"\nscale = 0.15\nelements = {}\n"
          "position = [0, 0.001, 0]\n"
          "material = {{youngs_modulus = 2.5e5, poisson_ratio = 0.45, density = 1100}}\n"
          "damping = 0.004\n\n"
          "[[pin]]\nbody = \"dinosaur\"\nwhere = [\"y<{}\"]\n\n"
          "[[obstacle]]\nname = \"dashboard\"\nsize = [0.36, 0.02, 0.2]\nposition = [0, -0.01, 0]\n"
          "cells = 6\ncolour = [0.06, 0.06, 0.065]\n\n",
          small ? kFewStates : 20000, small ? kSoonAtRest : "", small ? 0.03 : 0.005,
          small ? 700 : 6500, small ? 0.012 : 0.005) +
      jolts({{"left", "a", "[-0.5, 0, 0]"},
             {"right", "d", "[0.5, 0, 0]"},
             {"brake", "w", "[0, 0, 0.4]"},
             {"go", "s", "[0, 0, -0.4]"},
             {"bump", "b", "[0, 0.5, 0]"}});
  return model;
}

/// Leaves that touch, in a pot that is pushed [JF03 section 6].
SceneModel potted_plant(SampleSize size) {
  const bool small = size == SampleSize::Small;
  SceneModel model;
  PlantLeaves leaves = small ? plant_leaves(2, 3, 12, 4) : plant_leaves(5, 7, 40, 6);
  model.surfaces["leaves"] = {std::move(leaves.mesh), std::move(leaves.colours)};
  model.toml =
      fmt::format(
          "# The leaves of a plant sway and brush against each other when its pot is pushed.\n"
          "rate = 60\n\n"
          "[wind]\ndensity = 1.2\n\n"
          "[sampling]\nstates = {}\nshortest = 0.25\nlongest = 1.5\nsettle = 3\nchain = 5\n{}\n"
          "[shapes]\ntolerance = {}\n\n"
          "[[cloth]]\nname = \"leaves\"\nmesh = \"leaves\"\nposition = [0, 0.012, 0]\n"
          "material = {{name = \"leaf\", youngs_modulus = 4e7, poisson_ratio = 0.3, density = 700, "
          "thickness = 0.0008}}\n"
          "thickness = 0.001\nfriction = 0.25\ndamping = 0.006\n\n"
          "[[pin]]\nbody = \"leaves\"\nwhere = [\"y<{}\"]\n\n"
          "[[obstacle]]\nname = \"soil\"\nshape = \"cylinder\"\nsize = [0.15, 0.02, 0.15]\n"
          "position = [0, -0.008, 0]\ncells = 6\ncolour = [0.05, 0.035, 0.025]\n\n"
          "[[obstacle]]\nname = \"pot\"\nshape = \"cylinder\"\nsize = [0.18, 0.12, 0.18]\n"
          "position = [0, -0.085, 0]\ncells = 8\ncolour = [0.42, 0.14, 0.06]\n\n",
          small ? kFewStates : 6000, small ? kSoonAtRest : "", small ? 0.05 : 0.02,
          small ? 0.045 : 0.03) +
      jolts({{"left", "a", "[-0.9, 0, 0]"},
             {"right", "d", "[0.9, 0, 0]"},
             {"away", "w", "[0, 0, -0.9]"},
             {"near", "s", "[0, 0, 0.9]"}});
  return model;
}

struct SceneEntry {
  SimulationSample sample;
  SceneModel (*make)(SampleSize size);
};

const std::vector<SceneEntry>& all_scenes() {
  static const std::vector<SceneEntry> entries{
      {{"dinosaur", "a rubber dinosaur on the dashboard of a car"}, rubber_dinosaur},
      {{"plant", "a plant whose leaves touch, in a pot that is pushed"}, potted_plant},
      {{"door", "a towel on a door that swings at three speeds"}, door},
  };
  return entries;
}

/// All that a simulation of it depends on, as text: not how it is sampled and reduced.
std::string simulation_text(bake::SceneSettings settings) {
  settings.sampling = {};
  settings.shapes = {};
  settings.loops = {};
  settings.parts = {};
  settings.groups.clear();
  for (bake::SceneEntrySettings& entry : settings.entries) entry.parts.clear();
  settings.half_life = bake::SceneSettings{}.half_life;
  return bake::print_scene_settings(settings);
}

}  // namespace

const std::vector<SimulationSample>& scene_samples() {
  static const std::vector<SimulationSample> samples = [] {
    std::vector<SimulationSample> result;
    for (const SceneEntry& entry : all_scenes()) result.push_back(entry.sample);
    return result;
  }();
  return samples;
}

Result<bake::SimulationModel> scene_model(std::string_view name, SampleSize size) {
  std::vector<std::string> names;
  for (const SceneEntry& entry : all_scenes()) {
    if (entry.sample.name == name) {
      SceneModel model = entry.make(size);
      return bake::SimulationModel{entry.sample.name, std::move(model.toml),
                                   std::move(model.surfaces)};
    }
    names.push_back(entry.sample.name);
  }
  return Error(ErrorCode::Usage, fmt::format("unknown sample '{}'{}; available: {}", name,
                                             did_you_mean(name, names), fmt::join(names, ", ")));
}

Result<bake::SceneInput> simulated_scene(const bake::BakedFile& file, std::string directory) {
  SUPPLE_TRY(bake::SceneInput input, bake::kept_scene(file, std::move(directory)));
  const std::string wanted = simulation_text(input.settings);
  for (const SceneEntry& entry : all_scenes()) {
    if (entry.sample.name != input.title) continue;
    for (const SampleSize size : {SampleSize::Small, SampleSize::Full}) {
      SceneModel model = entry.make(size);
      SUPPLE_TRY(bake::SceneSettings ours,
                 bake::parse_scene_settings(model.toml, entry.sample.name));
      if (simulation_text(std::move(ours)) == wanted) input.surfaces = std::move(model.surfaces);
    }
  }
  return input;
}

Result<bake::SceneInput> simulated_scene_of(const std::string& file) {
  SUPPLE_TRY(const Bytes bytes, read_file(file));
  SUPPLE_TRY(const bake::BakedFile baked, bake::BakedFile::open(bytes, file));
  return simulated_scene(baked, std::filesystem::path(file).parent_path().string());
}

}  // namespace supple::samples
