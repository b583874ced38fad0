// SPDX-License-Identifier: Apache-2.0
#include "samples/scenes.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

namespace supple::samples {
namespace {

/// Cloth on a door that turns at three angular velocities [JF03 section 3.4], seen from the door.
/// When the door begins to turn the cloth stays behind: an impulse against the turn.
std::string door(SampleSize size) {
  const bool small = size == SampleSize::Small;
  constexpr double kSpeed = 120;  // degrees/s
  std::string text = fmt::format(
      "# A towel hangs on a door that swings to and fro; the scene is seen from the door.\n"
      "rate = 60\nhalf_life = 0.08\n\n"
      "[wind]\ndensity = 1.2\n\n"
      "[sampling]\nstates = {}\nshortest = 0.2\nlongest = 0.75\nsettle = 2.5\nchain = 5\n\n"
      "[shapes]\ntolerance = {}\n\n"
      "[[cloth]]\nname = \"towel\"\nsize = [0.4, 0, 0.6]\ncells = {}\nposition = [0.45, 1.0, "
      "0.03]\n"
      "rotation = [90, 0, 0]\nmaterial = \"fabric\"\nthickness = 0.004\nfriction = 0.3\n"
      "damping = 0.01\ncolour = [0.7, 0.25, 0.12]\n\n"
      "[[pin]]\nbody = \"towel\"\nwhere = [\"y>1.299\"]\n\n"
      "[[obstacle]]\nname = \"door\"\nshape = \"box\"\nsize = [0.9, 2, 0.04]\n"
      "position = [0.45, 1, 0]\ncells = 6\nfriction = 0.3\ncolour = [0.8, 0.78, 0.72]\n\n",
      small ? 400 : 8000, small ? 0.05 : 0.015, small ? 12 : 36);
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
  return text;
}

/// A rubber toy on a dashboard: five jolts of the car [JF03 section 3.4].
std::string toy(SampleSize size) {
  const bool small = size == SampleSize::Small;
  std::string text = fmt::format(
      "# A soft toy stands on the dashboard of a car, which jolts it.\n"
      "rate = 60\n\n"
      "[sampling]\nstates = {}\nshortest = 0.25\nlongest = 1.2\nsettle = 2\nchain = 5\n\n"
      "[shapes]\ntolerance = {}\n\n"
      "[[solid]]\nname = \"toy\"\nshape = \"cylinder\"\nsize = [0.05, 0.16, 0.05]\ncells = {}\n"
      "position = [0, 0.0815, 0]\n"
      "material = {{youngs_modulus = 6e4, poisson_ratio = 0.42, density = 1000}}\n"
      "damping = 0.006\ncolour = [0.15, 0.5, 0.12]\n\n"
      "[[pin]]\nbody = \"toy\"\nwhere = [\"y<0.0025\"]\n\n"
      "[[obstacle]]\nname = \"dashboard\"\nsize = [0.4, 0.02, 0.25]\nposition = [0, -0.01, 0]\n"
      "colour = [0.1, 0.1, 0.11]\n\n",
      small ? 400 : 20000, small ? 0.03 : 0.005, small ? 8 : 24);
  struct Jolt {
    const char *name, *key, *velocity;
  };
  for (const Jolt& jolt : {Jolt{"left", "a", "[-0.5, 0, 0]"}, Jolt{"right", "d", "[0.5, 0, 0]"},
                           Jolt{"brake", "w", "[0, 0, 0.5]"}, Jolt{"go", "s", "[0, 0, -0.5]"},
                           Jolt{"bump", "b", "[0, 0.4, 0]"}}) {
    text +=
        fmt::format("[[entry]]\nname = \"{}\"\nkey = \"{}\"\n[entry.impulse]\nvelocity = {}\n\n",
                    jolt.name, jolt.key, jolt.velocity);
  }
  return text;
}

struct SceneEntry {
  SimulationSample sample;
  std::string (*make)(SampleSize size);
};

const std::vector<SceneEntry>& all_scenes() {
  static const std::vector<SceneEntry> entries{
      {{"door", "a towel on a door that swings at three speeds"}, door},
      {{"toy", "a soft toy on the dashboard of a car"}, toy},
  };
  return entries;
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
      return bake::SimulationModel{entry.sample.name, entry.make(size)};
    }
    names.push_back(entry.sample.name);
  }
  return Error(ErrorCode::Usage, fmt::format("unknown sample '{}'{}; available: {}", name,
                                             did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace supple::samples
