// SPDX-License-Identifier: Apache-2.0
#include "samples/simulations.hpp"

#include "supple/core/suggest.hpp"
#include "supple/core/units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace supple::samples {
namespace {

using geometry::Vec3;

std::string vector_text(const Vec3& v) {
  return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x(), v.y(), v.z());
}

std::string floor_text(double size, double friction) {
  return fmt::format(
      "[[obstacle]]\nname = \"floor\"\nshape = \"box\"\nsize = [{0:g}, 0.02, {0:g}]\n"
      "position = [0, -0.01, 0]\ncells = 8\nfriction = {1:g}\ncolour = [0.32, 0.34, 0.36]\n",
      size, friction);
}

std::string cloth_on_sphere(SampleSize size) {
  const bool small = size == SampleSize::Small;
  return fmt::format(
             "# A cloth falls on a ball, slides and folds.\nseconds = {}\n\n"
             "[wind]\ndensity = 1.2\n\n"
             "[[cloth]]\nname = \"cloth\"\nsize = [0.7, 0, 0.7]\ncells = {}\n"
             "position = [0.03, 0.36, 0.02]\nrotation = [0, 12, 0]\nmaterial = \"fabric\"\n"
             "thickness = 0.002\nfriction = 0.25\ndamping = 0.002\ncolour = [0.55, 0.06, 0.08]\n\n"
             "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nsize = [0.3, 0.3, 0.3]\n"
             "cells = {}\nposition = [0, 0.17, 0]\nfriction = 0.25\ncolour = [0.8, 0.75, 0.6]\n\n",
             small ? 1.2 : 2.5, small ? 20 : 48, small ? 12 : 28) +
         floor_text(1.2, 0.5);
}

/// One of the cubes: number from the floor up.
std::string cube_text(int number, int cells, const Vec3& position, double turn,
                      const Vec3& colour) {
  return fmt::format(
      "[[solid]]\nname = \"cube {}\"\nsize = [0.2, 0.2, 0.2]\ncells = {}\nposition = {}\n"
      "rotation = [0, {:g}, 0]\n"
      "material = {{youngs_modulus = 6e4, poisson_ratio = 0.4, density = 1000}}\n"
      "friction = 0.5\ndamping = 0.004\ncolour = {}\n\n",
      number, cells, vector_text(position), turn, vector_text(colour));
}

std::string cubes(SampleSize size) {
  const bool small = size == SampleSize::Small;
  const int count = small ? 3 : 5;
  std::string text =
      fmt::format("# Soft cubes fall on each other, squash and come to rest.\nseconds = {}\n\n",
                  small ? 1.2 : 2.5);
  const Vec3 warm(0.75, 0.22, 0.08);
  const Vec3 cool(0.08, 0.32, 0.55);
  for (int i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / (count - 1);
    const Vec3 place(0.012 * std::sin(2.1 * i), 0.11 + 0.215 * i, 0.012 * std::cos(2.7 * i));
    text += cube_text(i + 1, small ? 3 : 6, place, 17.0 * i, (1 - t) * warm + t * cool);
  }
  return text + floor_text(0.9, 0.6);
}

std::string ribbon(SampleSize size) {
  const bool small = size == SampleSize::Small;
  const double seconds = small ? 1.5 : 4;
  return fmt::format(
      "# A ribbon is twisted from one end until it coils up on itself.\nseconds = {0}\n\n"
      "[wind]\ndensity = 1.2\n\n"
      "[[cloth]]\nname = \"ribbon\"\nsize = [0.5, 0, 0.06]\ncells = {1}\n"
      "material = {{name = \"satin\", youngs_modulus = 1e6, poisson_ratio = 0.3, density = 500, "
      "thickness = 0.0004, bending = 0.3}}\n"
      "thickness = 0.001\nfriction = 0.2\ndamping = 0.003\ncolour = [0.12, 0.2, 0.6]\n\n"
      "[[pin]]\nbody = \"ribbon\"\nwhere = [\"x<-0.2499\"]\n"
      "[[pin.motion]]\nturn = {{axis = [1, 0, 0], speed = {2:g}}}\n"
      "[[pin.motion]]\ndrift = {{velocity = [0.03, 0, 0]}}\n\n"
      "[[pin]]\nbody = \"ribbon\"\nwhere = [\"x>0.2499\"]\n"
      "[[pin.motion]]\nturn = {{axis = [1, 0, 0], speed = {3:g}}}\n"
      "[[pin.motion]]\ndrift = {{velocity = [-0.03, 0, 0]}}\n",
      seconds, small ? 50 : 100, 180.0, -180.0);
}

/// A playing card: 63 x 88 mm, `lean` in degrees from the floor, about its middle.
std::string card_text(const std::string& name, const Vec3& middle, double lean, int cells,
                      const Vec3& colour) {
  return fmt::format(
      "[[cloth]]\nname = \"{}\"\nsize = [0.088, 0, 0.063]\ncells = {}\nposition = {}\n"
      "rotation = [0, 0, {:g}]\n"
      "material = {{name = \"card\", youngs_modulus = 5e8, poisson_ratio = 0.3, density = 750, "
      "thickness = 0.0004}}\n"
      "thickness = 0.0006\nfriction = 0.7\ndamping = 0.0005\ncolour = {}\n\n",
      name, cells, vector_text(middle), lean, vector_text(colour));
}

/// Two cards that lean against each other, their feet `foot` above y = 0.
std::string tent_text(const std::string& name, double x, double foot, int cells) {
  constexpr double kLean = 70;
  constexpr double kGap = 0.0008;  // between the upper edges, more than the thickness
  const double half_width = 0.044 * std::cos(kLean * kDegree);
  const double middle = foot + 0.044 * std::sin(kLean * kDegree);
  const Vec3 red(0.6, 0.06, 0.06);
  const Vec3 black(0.06, 0.06, 0.09);
  return card_text(name + " left", {x - half_width - 0.5 * kGap, middle, 0}, kLean, cells, red) +
         card_text(name + " right", {x + half_width + 0.5 * kGap, middle, 0}, 180 - kLean, cells,
                   black);
}

std::string cards(SampleSize size) {
  const bool small = size == SampleSize::Small;
  const int cells = small ? 4 : 8;
  const double foot = 0.0005;
  const double floor_height = 0.088 * std::sin(70 * kDegree) + foot;  // upper edges of a storey
  const Vec3 paper(0.8, 0.78, 0.7);
  std::string text = fmt::format(
      "# A house of cards stands, then one card of it is flicked.\nseconds = {}\n\n"
      "[wind]\ndensity = 1.2\n\n"
      "[contact]\nwidth = 0.0004\n\n",
      small ? 1.0 : 2.0);
  text += tent_text("left tent", -0.034, foot, cells);
  text += tent_text("right tent", 0.034, foot, cells);
  text += card_text("storey", {0, floor_height + 0.0009, 0}, 0, cells, paper);
  if (!small) text += tent_text("upper tent", 0, floor_height + 0.0018, cells);
  text += fmt::format(
      "[[impulse]]\ntime = {:g}\nbody = \"left tent left\"\nvelocity = [1.5, 0.2, 0]\n\n",
      small ? 0.5 : 1.0);
  return text + floor_text(0.32, 0.7);
}

/// A glass on the table, upright.
std::string glass_text(int number, const Vec3& foot, int cells) {
  return fmt::format(
      "[[solid]]\nname = \"glass {}\"\nshape = \"cylinder\"\nsize = [0.07, 0.1, 0.07]\n"
      "cells = {}\nposition = {}\n"
      "material = {{youngs_modulus = 2e6, poisson_ratio = 0.35, density = 1500}}\n"
      "friction = 0.12\ncolour = [0.25, 0.5, 0.55]\n\n",
      number, cells, vector_text(foot + Vec3(0, 0.05, 0)));
}

std::string table_cloth(SampleSize size) {
  const bool small = size == SampleSize::Small;
  const int cells = small ? 4 : 6;
  return fmt::format(
             "# A cloth is pulled from under three glasses, which stay.\nseconds = {}\n\n"
             "[wind]\ndensity = 1.2\n\n"
             "[[cloth]]\nname = \"cloth\"\nsize = [0.66, 0, 0.42]\ncells = {}\n"
             "position = [0.07, 0.403, 0]\nmaterial = \"fabric\"\nthickness = 0.002\n"
             "friction = 0.12\ndamping = 0.002\ncolour = [0.75, 0.73, 0.68]\n\n"
             "[[pin]]\nbody = \"cloth\"\nwhere = [\"x>0.3999\"]\n"
             "[[pin.motion]]\nkeys = [{{time = 0}}, {{time = 0.3}}, "
             "{{time = 0.55, position = [0.5, -0.05, 0]}}, "
             "{{time = 0.85, position = [1.2, -0.1, 0]}}]\n\n"
             "[[obstacle]]\nname = \"table\"\nshape = \"box\"\nsize = [0.64, 0.04, 0.46]\n"
             "position = [0, 0.38, 0]\ncells = 16\nfriction = 0.12\ncolour = [0.3, 0.17, 0.08]\n\n"
             "[[obstacle]]\nname = \"foot\"\nshape = \"box\"\nsize = [0.16, 0.358, 0.3]\n"
             "position = [-0.08, 0.179, 0]\ncells = 4\ncolour = [0.3, 0.17, 0.08]\n\n",
             small ? 1.0 : 2.0, small ? 30 : 60) +
         glass_text(1, {-0.12, 0.406, 0.08}, cells) + glass_text(2, {-0.02, 0.406, -0.09}, cells) +
         glass_text(3, {0.1, 0.406, 0.06}, cells);
}

struct SimulationEntry {
  SimulationSample sample;
  std::string (*make)(SampleSize size);
};

const std::vector<SimulationEntry>& simulation_entries() {
  static const std::vector<SimulationEntry> entries{
      {{"cloth-on-sphere", "a cloth falls on a ball, slides and folds"}, cloth_on_sphere},
      {{"cubes", "soft cubes fall on each other"}, cubes},
      {{"ribbon", "a ribbon is twisted until it coils"}, ribbon},
      {{"cards", "a house of cards, one of which is flicked"}, cards},
      {{"table-cloth", "a cloth is pulled from under three glasses"}, table_cloth},
  };
  return entries;
}

}  // namespace

const std::vector<SimulationSample>& simulation_samples() {
  static const std::vector<SimulationSample> samples = [] {
    std::vector<SimulationSample> result;
    for (const SimulationEntry& entry : simulation_entries()) result.push_back(entry.sample);
    return result;
  }();
  return samples;
}

Result<bake::SimulationModel> simulation_model(std::string_view name, SampleSize size) {
  std::vector<std::string> names;
  for (const SimulationEntry& entry : simulation_entries()) {
    if (entry.sample.name == name)
      return bake::SimulationModel{entry.sample.name, entry.make(size), {}};
    names.push_back(entry.sample.name);
  }
  return Error(ErrorCode::Usage, fmt::format("unknown sample '{}'{}; available: {}", name,
                                             did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace supple::samples
