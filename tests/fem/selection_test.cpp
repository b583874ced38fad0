// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/selection.hpp"

#include <gtest/gtest.h>

namespace supple::fem {
namespace {

using geometry::Index;
using geometry::Vec3;

/// The 27 nodes of a 2 x 2 x 2 grid of unit cells, x fastest. Selections look at nodes alone.
SolidModel grid() {
  SolidModel model;
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 3; ++x) model.mesh.nodes.emplace_back(x, y, z);
    }
  }
  model.mesh.node_sets["ROOT"] = {5, 1, 5};
  model.mesh.node_sets["odd:name"] = {2};
  return model;
}

std::vector<Index> selected(std::string_view text) {
  auto selection = parse_selection(text);
  EXPECT_TRUE(selection.ok()) << text;
  if (!selection.ok()) return {};
  auto nodes = select_nodes(grid().mesh, *selection);
  EXPECT_TRUE(nodes.ok()) << text;
  return nodes.ok() ? *nodes : std::vector<Index>{};
}

TEST(Selection, PlaneTakesNodesOnIt) {
  EXPECT_EQ(selected("plane:x=0"), (std::vector<Index>{0, 3, 6, 9, 12, 15, 18, 21, 24}));
  EXPECT_EQ(selected("plane:z=2").size(), 9U);
}

TEST(Selection, PlaneToleranceWidensIt) {
  EXPECT_EQ(selected("plane:y=0.4,0.5").size(), 9U);
  EXPECT_EQ(selected("plane:y=0.5,0.5").size(), 18U);
}

TEST(Selection, SidesOfAPlaneAreStrict) {
  EXPECT_EQ(selected("x<1").size(), 9U);
  EXPECT_EQ(selected("plane:x<1").size(), 9U);
  EXPECT_EQ(selected("y>0").size(), 18U);
}

TEST(Selection, BoxTakesItsBordersAndAnyOppositeCorners) {
  EXPECT_EQ(selected("box:0,0,0,1,1,1").size(), 8U);
  EXPECT_EQ(selected("box:1,1,1,0,0,0").size(), 8U);
}

TEST(Selection, SphereTakesItsBorder) {
  EXPECT_EQ(selected("sphere:1,1,1,1").size(), 7U);  // the centre and its six neighbours
  EXPECT_EQ(selected("sphere:1,1,1,1.5").size(), 19U);
}

TEST(Selection, SetIsSortedWithoutRepeatsAndForgivesCase) {
  EXPECT_EQ(selected("set:ROOT"), (std::vector<Index>{1, 5}));
  EXPECT_EQ(selected("set:root"), (std::vector<Index>{1, 5}));
  EXPECT_EQ(selected("set:odd:name"), (std::vector<Index>{2}));
}

TEST(Selection, SuffixChoosesComponents) {
  EXPECT_EQ(parse_selection("plane:x=0")->components, kFixAll);
  EXPECT_EQ(parse_selection("plane:x=0:xy")->components, kFixX | kFixY);
  EXPECT_EQ(parse_selection("x<0.1:z")->components, kFixZ);
  EXPECT_EQ(parse_selection("set:ROOT:y")->components, kFixY);
}

TEST(Selection, MalformedTextIsAUsageErrorThatShowsTheForms) {
  for (const char* text : {"", "x", "x=", "plane:", "plane:w=0", "x<1,2", "x=0,-1", "x=nan",
                           "box:1,2,3", "sphere:0,0,0,0", "sphere:0,0,0,1,2", "set:", "disc:1",
                           "plane:x=0:xx", "plane:x=0:", "x<1e999", "plane:x=0:w"}) {
    const auto selection = parse_selection(text);
    ASSERT_FALSE(selection.ok()) << text;
    EXPECT_EQ(selection.error().code(), ErrorCode::Usage) << text;
    EXPECT_NE(selection.error().message().find("sphere:x,y,z,r"), std::string::npos);
  }
}

TEST(Selection, EmptyChoiceTellsBoundingBoxAndSets) {
  const auto nodes = select_nodes(grid().mesh, *parse_selection("plane:x=7"));
  ASSERT_FALSE(nodes.ok());
  EXPECT_EQ(nodes.error().code(), ErrorCode::BadInput);
  EXPECT_NE(nodes.error().message().find("(0, 0, 0) to (2, 2, 2)"), std::string::npos);
  EXPECT_NE(nodes.error().message().find("ROOT"), std::string::npos);
}

TEST(Selection, SetWithAMissingNodeIsRefused) {
  SolidModel model = grid();
  model.mesh.node_sets["BAD"] = {3, 27};
  EXPECT_FALSE(select_nodes(model.mesh, *parse_selection("set:BAD")).ok());
}

TEST(Selection, FixAddsToWhatIsFixed) {
  SolidModel model = grid();
  ASSERT_TRUE(fix(model, *parse_selection("plane:x=0:x")).ok());
  const auto count = fix(model, *parse_selection("plane:y=0:y"));
  ASSERT_TRUE(count.ok());
  EXPECT_EQ(*count, 9U);
  EXPECT_EQ(model.fixed[0], kFixX | kFixY);  // on both planes
  EXPECT_EQ(model.fixed[3], kFixX);
  EXPECT_EQ(model.fixed[1], kFixY);
  EXPECT_EQ(model.fixed[13], 0);
}

}  // namespace
}  // namespace supple::fem
