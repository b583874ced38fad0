// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/box_tree.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace supple::geometry {
namespace {

Box random_box(Random& random, double size) {
  Box box;
  const Vec3 corner(random.uniform(), random.uniform(), random.uniform());
  box.add(corner);
  box.add(corner + size * Vec3(random.uniform(), random.uniform(), random.uniform()));
  return box;
}

std::vector<Box> random_boxes(Random& random, std::size_t count, double size) {
  std::vector<Box> boxes;
  boxes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) boxes.push_back(random_box(random, size));
  return boxes;
}

std::vector<Index> touching(const BoxTree& tree, const Box& query) {
  std::vector<Index> found;
  tree.for_each_touching(query, [&](Index item) { found.push_back(item); });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Index> touching_by_search(const std::vector<Box>& boxes, const Box& query) {
  std::vector<Index> found;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (touch(boxes[i].low, boxes[i].high, query.low, query.high)) {
      found.push_back(static_cast<Index>(i));
    }
  }
  return found;
}

TEST(BoxTree, FindsWhatAPlainSearchFindsBeforeAndAfterARefit) {
  Random random(7);
  for (const std::size_t count : {0, 1, 4, 5, 37, 1000}) {
    for (const double size : {0.0, 0.02, 0.5}) {
      std::vector<Box> boxes = random_boxes(random, count, size);
      BoxTree tree(boxes);
      for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 50; ++i) {
          const Box query = random_box(random, 0.2);
          EXPECT_EQ(touching(tree, query), touching_by_search(boxes, query));
        }
        // Items go anywhere else; the shape of the tree stays.
        boxes = random_boxes(random, count, size);
        tree.refit(boxes);
      }
    }
  }
}

TEST(BoxTree, BoxesThatMeetInAPointTouch) {
  Box a;
  a.add(Vec3(0, 0, 0));
  a.add(Vec3(1, 1, 1));
  Box b;
  b.add(Vec3(1, 1, 1));
  b.add(Vec3(2, 2, 2));
  EXPECT_EQ(touching(BoxTree({a}), b), std::vector<Index>{0});
}

}  // namespace
}  // namespace supple::geometry
