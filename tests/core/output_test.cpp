// SPDX-License-Identifier: Apache-2.0
#include "supple/core/output.hpp"

#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace supple {
namespace {

TEST(OutputPaths, WhatIsReadIsNotWritten) {
  const supple::testing::TemporaryDirectory folder;
  const std::string input = folder.path("hero.glb");
  ASSERT_TRUE(write_file(input, std::string_view("x")).ok());
  EXPECT_TRUE(keep_apart({input, ""}, {folder.path("soft.glb"), ""}).ok());
  const auto same = keep_apart({input}, {folder.path("soft.glb"), input});
  ASSERT_FALSE(same.ok());
  EXPECT_EQ(same.error().code(), ErrorCode::Usage);
  // Another way to say the same, and a link to it.
  EXPECT_FALSE(keep_apart({input}, {folder.path("./a/../hero.glb")}).ok());
  std::filesystem::create_symlink(input, folder.path("link.glb"));
  EXPECT_FALSE(keep_apart({input}, {folder.path("link.glb")}).ok());
}

TEST(OutputPaths, NothingIsWrittenTwice) {
  const supple::testing::TemporaryDirectory folder;
  EXPECT_FALSE(keep_apart({}, {folder.path("a.glb"), folder.path("a.glb")}).ok());
  EXPECT_TRUE(keep_apart({}, {folder.path("a.glb"), folder.path("b.glb")}).ok());
  EXPECT_TRUE(keep_apart({}, {"/dev/null", "/dev/null"}).ok());
  const std::string name = folder.path(std::string(300, 'n'));  // longer than file systems allow
  EXPECT_TRUE(keep_apart({}, {name + ".glb", name + ".supple"}).ok());
  EXPECT_FALSE(keep_apart({}, {name + ".glb", name + ".glb"}).ok());
  std::filesystem::create_symlink("d.glb", folder.path("c.glb"));
  std::filesystem::create_symlink("c.glb", folder.path("d.glb"));
  EXPECT_TRUE(keep_apart({}, {folder.path("c.glb"), folder.path("d.glb")}).ok());
}

}  // namespace
}  // namespace supple
