// SPDX-License-Identifier: Apache-2.0
#include "supple/gpu/context.hpp"

#include "supple/gpu/objects.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>

namespace supple::gpu {
namespace {

TEST(Context, ComesWithNamesAndFunctions) {
  const auto context = Context::create();
  ASSERT_TRUE(context.ok()) << context.error().describe();
  EXPECT_FALSE(context->names().renderer.empty());
  EXPECT_NE(context->names().version.find("OpenGL ES 3"), std::string::npos);
  EXPECT_NE(context->gl().DrawArraysInstanced, nullptr);
  EXPECT_TRUE(!context->has_compute() || context->gl().DispatchCompute != nullptr);
  EXPECT_TRUE(check_gl(context->gl(), "nothing").ok());
}

TEST(Context, SoftwareIsSoftware) {
  const auto context = Context::create({"software"});
  ASSERT_TRUE(context.ok()) << context.error().describe();
  EXPECT_TRUE(context->is_software()) << context->names().renderer;
}

TEST(Context, UnknownDeviceSaysWhatToAskFor) {
  const auto context = Context::create({"99"});
  ASSERT_FALSE(context.ok());
  const std::string message = context.error().describe();
  EXPECT_NE(message.find("'99'"), std::string::npos) << message;
  EXPECT_NE(message.find("EGL has no such device"), std::string::npos) << message;
  EXPECT_NE(message.find("SUPPLE_GPU"), std::string::npos) << message;
}

TEST(Context, UnknownWordIsRefused) {
  const auto context = Context::create({"fastest"});
  ASSERT_FALSE(context.ok());
  EXPECT_EQ(context.error().code(), ErrorCode::BadInput);
  EXPECT_NE(context.error().message().find("kind of GPU 'fastest'"), std::string::npos);
}

/// In a process of its own: libEGL looks for drivers once.
[[noreturn]] void create_without_drivers() {
  setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere.json", 1);
  const auto context = Context::create();
  std::fputs(context.ok() ? "there was one" : context.error().describe().c_str(), stderr);
  std::_Exit(0);
}

TEST(ContextDeathTest, WithoutADriverSaysWhatWasTriedAndWhatToInstall) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(create_without_drivers(), ::testing::ExitedWithCode(0),
              "no OpenGL ES 3 context. Tried:\n.*default display: (.|\n)*apt install .*mesa");
}

/// Mesa can be asked to be an older OpenGL ES.
[[noreturn]] void create_without_compute() {
  setenv("MESA_GLES_VERSION_OVERRIDE", "3.0", 1);
  const auto context = Context::create({"software"});
  if (context.ok()) {
    std::fprintf(stderr, "%s, compute %d", context->names().version.c_str(),
                 static_cast<int>(context->has_compute()));
  }
  std::_Exit(0);
}

TEST(ContextDeathTest, WithoutComputeItSaysSo) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(create_without_compute(), ::testing::ExitedWithCode(0),
              "OpenGL ES 3\\.0 .*, compute 0");
}

TEST(Context, LivesOnWhenAnotherEnds) {
  auto first = Context::create();
  ASSERT_TRUE(first.ok()) << first.error().describe();
  auto second = Context::create();
  ASSERT_TRUE(second.ok()) << second.error().describe();
  { const Context ends = *std::move(first); }
  ASSERT_TRUE(second->make_current().ok());
  const Buffer buffer = make_empty_buffer(second->gl(), GL_ARRAY_BUFFER, 64);
  EXPECT_NE(buffer.id(), 0U);
  EXPECT_TRUE(check_gl(second->gl(), "a buffer").ok());
}

TEST(Context, IsCurrentOnOneThreadAlone) {
  const auto context = Context::create();
  ASSERT_TRUE(context.ok()) << context.error().describe();
  std::optional<Result<void>> elsewhere;
  std::thread([&] { elsewhere = context->make_current(); }).join();
  ASSERT_FALSE(elsewhere->ok());
  EXPECT_NE(elsewhere->error().message().find("is it current on another"), std::string::npos);
}

TEST(Context, ErrorsOfOpenGlHaveNames) {
  const auto context = Context::create();
  ASSERT_TRUE(context.ok()) << context.error().describe();
  context->gl().Enable(GL_TRIANGLES);
  const auto checked = check_gl(context->gl(), "enabling triangles");
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().message(),
            "GL_INVALID_ENUM at enabling triangles: the driver lacks a feature");
  EXPECT_TRUE(check_gl(context->gl(), "afterwards").ok());
}

}  // namespace
}  // namespace supple::gpu
