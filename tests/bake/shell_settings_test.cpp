// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/shell_settings.hpp"

#include <gtest/gtest.h>

namespace supple::bake {
namespace {

const char* const kEverything = R"(unit = 0.01
[export]
rate = 30
tolerance = 0.01
targets = 5
signed = true
float32 = true

[[shell]]
name = "leaf"
mesh = "Blade"
bone = "Twig"
material = {area_stiffness = 100, length_stiffness = 2, bending_stiffness = 1e-5, area_density = 0.1}
fix = ["sphere:0,0,0,0.1", "vertices:1,2:xy", "colour:COLOR_0.g>0.25", "set:ROOT", "x<0.1"]
clamp = ["y<0.1", "vertex:3:z"]
modes = 12
damping = {mass = 0.5, stiffness = 0.001}
gravity = "modelled"
medium = {density = 998, chord = 0.2}
tether = 2
sag = 0.75
points = 40
rotation_strain = false
limit = 0.05
[[shell.region]]
surface_material = "vein"
where = ["y>0"]
stiffness = 6
thickness = 3
[[shell.handle]]
bone = "Hand"
vertex = 7
hold = "xy turn z"
stiffness = 50

[[shell]]
name = "sheet"
material = {youngs_modulus = 1e9, poisson_ratio = 0.3, density = 700, thickness = 1e-4, bending = 0.5}
[[shell.handle]]
bone = "Hand"
at = "nearest:1,2,3"
)";

std::string shell_error(const std::string& text) {
  const auto result = parse_shell_settings(text, "shell.toml");
  return result.ok() ? std::string("no error") : result.error().describe();
}

TEST(ShellSettings, ReadsEveryKey) {
  const auto read = parse_shell_settings(kEverything, "shell.toml");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(read->metres_per_unit, 0.01);
  EXPECT_EQ(read->output.targets, 5);
  EXPECT_TRUE(read->output.signed_weights);
  ASSERT_EQ(read->shells.size(), 2U);
  const ShellSettings& leaf = read->shells[0];
  EXPECT_EQ(std::get<fem::ShellMaterial>(leaf.material).length_stiffness, 2);
  EXPECT_EQ(leaf.fix.size(), 5U);
  EXPECT_EQ(leaf.clamp.size(), 2U);
  EXPECT_EQ(leaf.object.modes, 12);
  EXPECT_FALSE(leaf.object.fewer_modes);
  EXPECT_TRUE(read->shells[1].object.fewer_modes) << "no number was given";
  EXPECT_EQ(std::get<shell::RayleighDamping>(leaf.object.damping).stiffness, 0.001);
  EXPECT_TRUE(leaf.object.modelled_under_gravity);
  EXPECT_EQ(leaf.object.medium.density, 998);
  EXPECT_EQ(leaf.object.medium.chord, 0.2);
  EXPECT_EQ(leaf.regions.at(0).thickness, 3);
  EXPECT_EQ(leaf.handles.at(0).at, "vertex:7");
  EXPECT_EQ(std::get<SheetMaterial>(read->shells[1].material).bending, 0.5);
}

TEST(ShellSettings, PrintedSettingsReadBackTheSame) {
  const auto read = parse_shell_settings(kEverything, "shell.toml");
  ASSERT_TRUE(read.ok());
  const std::string text = print_shell_settings(*read);
  const auto again = parse_shell_settings(text, "printed");
  ASSERT_TRUE(again.ok()) << again.error().describe() << "\n" << text;
  EXPECT_EQ(print_shell_settings(*again), text);
  EXPECT_EQ(again->shells[0].handles.at(0).hold, "xy turn z");
  EXPECT_EQ(again->shells[0].clamp, read->shells[0].clamp);
  EXPECT_EQ(again->shells[0].object.points, 40U);
  EXPECT_EQ(again->shells[0].object.sag, 0.75);
  EXPECT_EQ(again->shells[0].object.modes, 12);
  EXPECT_TRUE(again->shells[1].object.fewer_modes);
  EXPECT_FALSE(again->shells[0].object.rotation_strain);
}

TEST(ShellSettings, NamesThePlaceOfWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"[[shell]]\nmodess = 3", "shell.toml:2:1: there is no key shell[1].modess: did you mean"},
      {"[[shell]]\nsag = -1", "shell.toml:2:7: shell 'shell': sag is -1"},
      {"[[shell]]\nmodes = \"three\"", "shell.toml:2:9: shell[1].modes is text"},
      {"[[shell]]\nmaterial = \"papr\"",
       "shell.toml:2:12: shell[1].material is \"papr\": did you mean 'paper'"},
      {"[[shell]]\nmaterial = {youngs_modulus = 1e9}", "has no poisson_ratio"},
      {"[[shell]]\nmaterial = {thickness = 1, area_density = 1}", "exclude each other"},
      {"[[shell]]\nfix = [\"ball:1,2\"]", "shell.toml:2:8: cannot read the selection 'ball:1,2'"},
      {"[[shell]]\nclamp = [\"ball:1\"]", "shell.toml:2:10: cannot read the selection 'ball:1'"},
      {"[[shell]]\nfix = [\"vertices:1,x\"]", "whole numbers separated by commas"},
      {"[[shell]]\nfix = [\"colour:COLOR_0.q\"]", "COLOR_0.r"},
      {"[[shell]]\ngravity = \"half\"", "it must be \"whole\""},
      {"[[shell]]\nmedium = \"oil\"",
       "shell.toml:2:10: shell[1].medium is \"oil\"; it must be \"none\", \"air\" or"},
      {"[[shell]]\nmedium = {chord = 1}", "has no density"},
      {"[[shell]]\nmedium = {density = -1}",
       "shell.toml:2:21: shell 'shell': medium.density is -1"},
      {"[[shell]]\ndamping = {ratio = 0.1, mass = 1}", "exclude each other"},
      {"[[shell]]\n[[shell.handle]]\nat = \"vertex:1\"", "has no bone"},
      {"[[shell]]\n[[shell.handle]]\nbone = \"B\"\nhold = \"sideways\"", "shell.toml:4:8"},
      {"[[shell]]\n[[shell.region]]\nstiffness = 2", "a region needs surface_material or where"},
      {"[[shell]]\n[[shell]]", "the name 'shell' is used twice"},
      {"[export]\ntolerance = 2", "shell.toml:2:13: export.tolerance is 2"},
      {"unit = -1", "shell.toml:1:8: unit is -1"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_NE(shell_error(text).find(expected), std::string::npos)
        << text << "\ngives: " << shell_error(text);
  }
}

TEST(ShellSettings, HoldNamesComponents) {
  const auto bits = [](const char* text) { return parse_hold(text).ok() ? *parse_hold(text) : 0; };
  EXPECT_EQ(bits("position"), 7U);
  EXPECT_EQ(bits("orientation"), 56U);
  EXPECT_EQ(bits("both"), 63U);
  EXPECT_EQ(bits("x"), 1U);
  EXPECT_EQ(bits("yz"), 6U);
  EXPECT_EQ(bits("turn z"), 32U);
  EXPECT_EQ(bits("xz turn y"), 21U);
  for (const char* wrong : {"", "turn", "w", "turn turn x", "x,y"}) EXPECT_EQ(bits(wrong), 0U);
}

TEST(ShellSettings, PresetsAreSheetsThatCanBend) {
  for (const ShellPreset& preset : shell_presets()) {
    EXPECT_TRUE(validate(preset.matter).ok()) << preset.name;
    const fem::ShellMaterial material = shell_material(preset.matter, 0.01);
    EXPECT_GT(material.bending_stiffness, 0) << preset.name;
    // From tissue of 20 g/m^2 to thick plate.
    EXPECT_GT(material.area_density, 0.02) << preset.name;
    EXPECT_LT(material.area_density, 10) << preset.name;
  }
}

}  // namespace
}  // namespace supple::bake
