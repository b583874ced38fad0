// SPDX-License-Identifier: Apache-2.0
#include "supple/io/volume.hpp"

#include "io/bad_input.hpp"
#include "io/samples.hpp"

namespace supple::io {
namespace {

using geometry::Index;
using geometry::TetMesh;

TetMesh good_msh(const std::string& text) {
  return good(read_msh(as_bytes(text), kFileName));
}

TEST(Msh, ReadsVersion2WithGroups) {
  const TetMesh mesh = good_msh(samples::msh2_ascii());
  EXPECT_DOUBLE_EQ(geometry::volume(mesh), samples::kVolume);
  EXPECT_EQ(mesh.region_names, (std::vector<std::string>{"lower", "upper"}));
  EXPECT_EQ(mesh.regions, (std::vector<Index>{0, 1}));
  ASSERT_EQ(mesh.node_sets.size(), 1U);
  EXPECT_EQ(mesh.node_sets.at("the base"), (std::vector<Index>{0, 1, 2}));
}

TEST(Msh, ReadsBinaryVersion2OfBothByteOrders) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const TetMesh mesh = good_msh(samples::msh2_binary(order));
    EXPECT_DOUBLE_EQ(geometry::volume(mesh), samples::kVolume);
    EXPECT_EQ(mesh.region_names, (std::vector<std::string>{"physical volume 5"}));
    EXPECT_EQ(mesh.node_sets.at("physical surface 7"), (std::vector<Index>{0, 1, 2}));
  }
}

TEST(Msh, ReadsVersion4WithEntitiesAndParametricNodes) {
  const TetMesh mesh = good_msh(samples::msh4_ascii());
  EXPECT_DOUBLE_EQ(geometry::volume(mesh), samples::kVolume);
  EXPECT_EQ(mesh.region_names, (std::vector<std::string>{"body"}));
  EXPECT_EQ(mesh.node_sets.at("base"), (std::vector<Index>{0, 1, 2}));
}

TEST(Msh, ReordersTheMidsideNodesOfBinaryVersion4) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const TetMesh mesh = good_msh(samples::msh4_binary(order));
    ASSERT_EQ(mesh.order, geometry::TetOrder::Quadratic);
    ASSERT_EQ(mesh.element_count(), 1U);
    const auto nodes = mesh.element(0);
    const auto at = [&](std::size_t k) { return mesh.nodes[static_cast<std::size_t>(nodes[k])]; };
    for (std::size_t edge = 0; edge < 6; ++edge) {
      const auto [a, b] = geometry::kTetEdges[edge];
      EXPECT_EQ(at(4 + edge),
                0.5 * (at(static_cast<std::size_t>(a)) + at(static_cast<std::size_t>(b))));
    }
    EXPECT_EQ(mesh.region_names, (std::vector<std::string>{"body"}));
  }
}

TEST(Msh, RefusesBadFiles) {
  const std::string text = samples::msh2_ascii();
  expect_error(read_msh, "hello", "not a Gmsh file", 1);
  expect_error(read_msh, replaced(text, "2.2", "4.0"), "not supported", 2);
  expect_error(read_msh, replaced(text, "20 1 0 0", "20 1 inf 0"), "node 20", 16);
  expect_error(read_msh, replaced(text, "20 30 40 4000000000", "20 30 40 99"), "names node 99");
  expect_error(read_msh, replaced(text, "20 1 0 0", "10 1 0 0"), "node 10 is defined twice");
  expect_error(read_msh, replaced(text, "4 4 2 2 1 20", "4 11 2 2 1 20"), "");
  expect_error(read_msh, replaced(text, "3 4 2 1 1", "3 77 2 1 1"), "element type 77", 25);
  expect_error(read_msh, replaced(text, "$EndElements", ""), "does not end");
}

TEST(Msh, DoesNotBelieveHugeCounts) {
  for (const std::string& sample :
       {samples::msh2_ascii(), samples::msh2_binary(std::endian::little)}) {
    expect_error(read_msh, replaced(sample, "$Nodes\n5", "$Nodes\n1000000000000000000"),
                 "too short");
    expect_error(read_msh, replaced(sample, "$Elements\n", "$Elements\n99999999999"), "too short");
  }
  expect_error(read_msh,
               replaced(samples::msh4_ascii(), "2 1 1 3\n", "2 1 1 1000000000000000000\n"),
               "too short");
}

TEST(Msh, SurvivesDamage) {
  std::uint64_t seed = 30;
  for (const std::string& sample :
       {samples::msh2_ascii(), samples::msh2_binary(std::endian::little), samples::msh4_ascii(),
        samples::msh4_binary(std::endian::big)}) {
    expect_survives_truncation(read_msh, sample);
    expect_survives_mutation(read_msh, sample, seed++);
  }
}

}  // namespace
}  // namespace supple::io
