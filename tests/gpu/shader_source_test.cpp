// SPDX-License-Identifier: Apache-2.0
#include "supple/gpu/shader_source.hpp"

#include "source_directory.hpp"
#include "supple/core/files.hpp"
#include "supple/gpu/context.hpp"
#include "supple/gpu/objects.hpp"

#include <gtest/gtest.h>

namespace supple::gpu {
namespace {

TEST(ShaderChunk, IsTheFile) {
  for (const char* file : {"modal_texture.glsl", "modal_attributes.glsl", "warping.glsl",
                           "surface.glsl", "skinning.glsl", "modal_crowd.comp"}) {
    const auto bytes = read_file(supple::testing::source_directory() / "runtime/shaders" / file);
    ASSERT_TRUE(bytes.ok()) << bytes.error().describe();
    const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const std::string name(file, std::string(file).rfind('.'));
    EXPECT_EQ(shader_chunk(name), text);
  }
}

TEST(ShaderSource, OrdersVersionDefinitionsAndParts) {
  const std::string whole =
      ShaderSource("mine", "310 es").define("A").define("B", 7).text("void main() {}\n").assemble();
  EXPECT_EQ(whole,
            "#version 310 es\n#define A 1\n#define B 7\n"
            "precision highp float;\nprecision highp int;\n#line 1 1\nvoid main() {}\n\n");
}

TEST(ShaderSource, TranslatesPlacesOfEveryDriver) {
  const ShaderSource source = ShaderSource("mine").chunk("surface").text("void main() {}\n");
  EXPECT_EQ(source.readable("1:14(7): error: `x' undeclared\n2:3(1): warning: y"),
            "surface:14: error: `x' undeclared\nmine:3: warning: y");
  EXPECT_EQ(source.readable("2(14) : error C1503: undefined variable \"x\"\n"),
            "mine:14 : error C1503: undefined variable \"x\"");
  EXPECT_EQ(source.readable("ERROR: 1:14: 'x' : undeclared identifier\n"),
            "surface:14: 'x' : undeclared identifier");
}

TEST(Program, ErrorsNameChunkAndLine) {
  const auto context = Context::create();
  ASSERT_TRUE(context.ok()) << context.error().describe();
  const auto program = Program::link(
      context->gl(), ShaderSource("broken").chunk("surface").text("void main() {\n  nothing;\n}\n"),
      ShaderSource("fragment").text("void main() {}\n"));
  ASSERT_FALSE(program.ok());
  EXPECT_NE(program.error().message().find("compile the shader 'broken'"), std::string::npos);
  EXPECT_NE(program.error().message().find("broken:2"), std::string::npos)
      << program.error().message();
}

}  // namespace
}  // namespace supple::gpu
