// SPDX-License-Identifier: Apache-2.0
#include "supple/io/formats.hpp"

#include "io/bad_input.hpp"
#include "io/samples.hpp"
#include "source_directory.hpp"
#include "temporary_directory.hpp"

#include <filesystem>

namespace supple::io {
namespace {

namespace fs = std::filesystem;

TEST(Formats, UnknownExtensionsListTheKnownOnes) {
  const auto surface = read_surface("thing.xyz");
  ASSERT_FALSE(surface.ok());
  EXPECT_NE(surface.error().message().find(".obj, .ply, .stl, .glb, .gltf"), std::string::npos);
  const auto volume = read_volume("thing");
  ASSERT_FALSE(volume.ok());
  EXPECT_NE(volume.error().message().find(".msh, .vtk, .vtu, .inp"), std::string::npos);
}

TEST(Formats, SurfacesAskedForAVolumeSaySo) {
  const auto volume = read_volume("hero.OBJ");
  ASSERT_FALSE(volume.ok());
  EXPECT_NE(volume.error().message().find("contains a surface"), std::string::npos);
}

TEST(Formats, MissingFilesAreErrors) {
  EXPECT_EQ(read_surface("/nonexistent/x.obj").error().code(), ErrorCode::Io);
  EXPECT_EQ(read_volume("/nonexistent/x.inp").error().code(), ErrorCode::Io);
}

TEST(Formats, ChoosesByExtensionInAnyCase) {
  const supple::testing::TemporaryDirectory folder;
  ASSERT_TRUE(write_file(folder / "a.OBJ", samples::obj()).ok());
  ASSERT_TRUE(write_file(folder / "a.Ply", samples::ply_ascii()).ok());
  ASSERT_TRUE(write_file(folder / "a.stl", samples::stl_ascii()).ok());
  for (const char* name : {"a.OBJ", "a.Ply", "a.stl"}) {
    EXPECT_TRUE(read_surface(folder / name).ok()) << name;
  }
  ASSERT_TRUE(write_file(folder / "a.msh", samples::msh4_ascii()).ok());
  ASSERT_TRUE(write_file(folder / "a.vtk", samples::vtk_ascii()).ok());
  ASSERT_TRUE(write_file(folder / "a.VTU", samples::vtu_ascii()).ok());
  ASSERT_TRUE(write_file(folder / "a.inp", samples::deck()).ok());
  for (const char* name : {"a.msh", "a.vtk", "a.VTU", "a.inp"}) {
    EXPECT_TRUE(read_volume(folder / name).ok()) << name;
  }
}

TEST(Formats, ReadsTheCharacterOfTheAssets) {
  const fs::path path = supple::testing::assets() / "makehuman/base.obj";
  if (!fs::exists(path)) GTEST_SKIP() << "makehuman/base.obj is absent: a real OBJ not tested";
  const auto mesh = read_surface(path);
  ASSERT_TRUE(mesh.ok()) << mesh.error().describe();
  EXPECT_TRUE(mesh->validate().ok());
  EXPECT_GT(mesh->triangles.size(), 10'000U);
}

}  // namespace
}  // namespace supple::io
