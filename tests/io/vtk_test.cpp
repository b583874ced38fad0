// SPDX-License-Identifier: Apache-2.0
#include "supple/io/volume.hpp"

#include "io/bad_input.hpp"
#include "io/samples.hpp"

namespace supple::io {
namespace {

using geometry::Index;
using geometry::TetMesh;

TEST(Vtk, ReadsAsciiAndLeavesOtherCellsOut) {
  const TetMesh mesh = good(read_vtk(as_bytes(samples::vtk_ascii()), kFileName));
  EXPECT_EQ(mesh.element_count(), 2U);
  EXPECT_DOUBLE_EQ(geometry::volume(mesh), samples::kVolume);
  EXPECT_EQ(mesh.region_names, (std::vector<std::string>{"2", "4"}));
  EXPECT_EQ(mesh.regions, (std::vector<Index>{1, 0}));
}

TEST(Vtk, ReadsBinaryBigEndian) {
  const TetMesh mesh = good(read_vtk(as_bytes(samples::vtk_binary()), kFileName));
  EXPECT_DOUBLE_EQ(geometry::volume(mesh), samples::kVolume);
  EXPECT_EQ(mesh.region_names, (std::vector<std::string>{"1", "3"}));
}

TEST(Vtk, ReadsTheCellsOfVersion5) {
  const TetMesh mesh = good(read_vtk(as_bytes(samples::vtk5_binary()), kFileName));
  EXPECT_DOUBLE_EQ(geometry::volume(mesh), samples::kVolume);
  EXPECT_TRUE(mesh.regions.empty());
}

TEST(Vtk, RefusesBadFiles) {
  const std::string text = samples::vtk_ascii();
  expect_error(read_vtk, "x", "not a legacy VTK file");
  expect_error(read_vtk, replaced(text, "UNSTRUCTURED_GRID", "POLYDATA"), "UNSTRUCTURED_GRID", 4);
  expect_error(read_vtk, replaced(text, "1 1 1\nCELLS", "1 nan 1\nCELLS"), "point 4");
  expect_error(read_vtk, replaced(text, "4 1 2 3 4", "4 1 2 3 5"), "names point 5");
  expect_error(read_vtk, replaced(text, "4 1 2 3 4", "4 1 2 3 -4"), "names point -4");
  expect_error(read_vtk, replaced(text, "10\n5\n10", "5\n5\n5"), "none of the 3 cells");
  expect_error(read_vtk, replaced(text, "10\n5\n10", "10\n5\n24"), "mixes");
  expect_error(read_vtk, replaced(text, "POINTS 5", "POINTS 1000000000000000000"), "too short");
  expect_error(read_vtk, replaced(text, "CELLS 3 14", "CELLS 3 1000000000000000000"), "too short");
  expect_error(read_vtk, replaced(text, "CELLS 3", "CELLS 1000000000000000000"), "does not fit");
  expect_error(read_vtk, replaced(samples::vtk_binary(), "POINTS 5", "POINTS 6148914691236517206"),
               "too short");
}

TEST(Vtk, SurvivesDamage) {
  std::uint64_t seed = 40;
  for (const std::string& sample :
       {samples::vtk_ascii(), samples::vtk_binary(), samples::vtk5_binary()}) {
    expect_survives_truncation(read_vtk, sample);
    expect_survives_mutation(read_vtk, sample, seed++);
  }
}

}  // namespace
}  // namespace supple::io
