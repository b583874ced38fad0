// SPDX-License-Identifier: Apache-2.0
#include "supple/io/surface.hpp"

#include "io/bad_input.hpp"
#include "io/samples.hpp"

namespace supple::io {
namespace {

using geometry::TriMesh;

TEST(Obj, ReadsEveryIndexFormContinuationsAndCrlf) {
  const TriMesh mesh = good(read_obj(as_bytes(samples::obj()), kFileName));
  EXPECT_EQ(mesh.positions.size(), 5U);
  ASSERT_EQ(mesh.triangles.size(), 3U);
  EXPECT_EQ(mesh.triangles[2], (geometry::Triangle{0, 1, 4}));
  EXPECT_EQ(mesh.positions[4], geometry::Vec3(0.5, 0.5, 1));
}

TEST(Obj, KeepsGroupsAndColours) {
  const auto surface =
      read_marked_obj(as_bytes("v 0 0 0 1 0.5 0\nv 1 0 0\nv 0 1 0 1\nv 1 1 0 0 0 1\n"
                               "g left side\nf 1 2 3\ng\nf 2 4 3\ng side\nf 3 2 4\n"),
                      kFileName);
  ASSERT_TRUE(surface.ok()) << surface.error().describe();
  ASSERT_EQ(surface->colours.size(), 4U);
  EXPECT_EQ(surface->colours[0], geometry::Vec3(1, 0.5, 0));
  EXPECT_EQ(surface->colours[2], geometry::Vec3::Zero()) << "one number is a weight";
  EXPECT_EQ(surface->colours[3], geometry::Vec3(0, 0, 1));
  EXPECT_EQ(surface->groups.size(), 2U);
  EXPECT_EQ(surface->groups.at("left"), (std::vector<geometry::Index>{0, 1, 2}));
  EXPECT_EQ(surface->groups.at("side"), (std::vector<geometry::Index>{0, 1, 2, 3}));
  const auto plain = read_marked_obj(as_bytes("v 0 0 0\nv 1 0 0 1\nv 0 1 0\nf 1 2 3\n"), kFileName);
  ASSERT_TRUE(plain.ok());
  EXPECT_TRUE(plain->colours.empty());
}

TEST(Ply, KeepsColours) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
      "property float y\nproperty float z\n";
  const std::string tail = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  for (const auto& [type, whole] : {std::pair{"uchar", "255"}, std::pair{"float", "1"}}) {
    std::string text = head;
    for (const char* channel : {"red", "green", "blue"}) {
      text += std::string("property ") + type + " " + channel + "\n";
    }
    text += tail + "0 0 0 " + whole + " 0 0\n1 0 0 0 0 0\n0 1 0 0 0 " + whole + "\n3 0 1 2\n";
    const auto surface = read_marked_ply(as_bytes(text), kFileName);
    ASSERT_TRUE(surface.ok()) << surface.error().describe();
    ASSERT_EQ(surface->colours.size(), 3U);
    EXPECT_EQ(surface->colours[0], geometry::Vec3(1, 0, 0));
    EXPECT_EQ(surface->colours[2], geometry::Vec3(0, 0, 1));
  }
}

TEST(Obj, TriangulatesConcavePolygonsInside) {
  // An arrow head: a fan from its first corner would cover the notch. Area by the shoelace rule.
  const TriMesh mesh = good(
      read_obj(as_bytes("v 1 0 0\nv 4 3 0\nv 1 1 0\nv -2 3 0\nf 1 2 3 4\nf 2 3 4 1\nf 3 4 1 2\n"),
               kFileName));
  const double shoelace = 3.0;
  EXPECT_NEAR(geometry::area(mesh), 3 * shoelace, 1e-14);
}

TEST(Obj, RefusesBadFilesWithTheirPlace) {
  expect_error(read_obj, "v 0 0 0\nv 1 0 nan\n", "not finite", 2);
  expect_error(read_obj, "v 0 0 0\nv 1 0 inf\n", "not finite", 2);
  expect_error(read_obj, "v 0 0 1e999\n", "not finite", 1);
  expect_error(read_obj, "v 0 0\n", "expected a coordinate", 1);
  expect_error(read_obj, "v 0 0 0\nf 1 1\n", "at least 3", 2);
  expect_error(read_obj, "v 0 0 0\nf 1 1 0\n", "out of range", 2);
  expect_error(read_obj, "v 0 0 0\nf 1 1 -2\n", "out of range", 2);
  expect_error(read_obj, "v 0 0 0\n\nf 1 1 2\n", "out of range", 3);
  expect_error(read_obj, "v 0 0 0\nf 1 1 x\n", "vertex index", 2);
  expect_error(read_obj, "v 0 0 0\n", "no faces");
  expect_error(read_obj, "", "no faces");
}

TEST(Obj, SurvivesDamage) {
  expect_survives_truncation(read_obj, samples::obj());
  expect_survives_mutation(read_obj, samples::obj(), 1);
}

TEST(Ply, ReadsAsciiWithForeignElementsAndProperties) {
  const TriMesh mesh = good(read_ply(as_bytes(samples::ply_ascii()), kFileName));
  EXPECT_EQ(mesh.positions.size(), 4U);
  EXPECT_EQ(mesh.triangles.size(), 3U);
  EXPECT_EQ(mesh.positions[2], geometry::Vec3(1, 1, 0));
}

TEST(Ply, ReadsBinaryOfBothByteOrders) {
  for (const std::endian order : {std::endian::little, std::endian::big}) {
    const TriMesh mesh = good(read_ply(as_bytes(samples::ply_binary(order)), kFileName));
    EXPECT_EQ(mesh.triangles.size(), 2U);
    ASSERT_EQ(mesh.positions.size(), 4U);
    EXPECT_EQ(mesh.positions[2], geometry::Vec3(1, 1, 0.25));
    EXPECT_DOUBLE_EQ(geometry::area(mesh), 1.0);
  }
}

TEST(Ply, WritesWhatItReads) {
  TriMesh mesh;
  mesh.positions = {{0.1, 0, 0}, {1.0 / 3, 0, 0}, {0, 1e-300, 0}, {0, 0, -7e250}};
  mesh.triangles = {{0, 1, 2}, {0, 3, 1}};
  const TriMesh copy = good(read_ply(write_ply(mesh), kFileName));
  EXPECT_EQ(copy.positions, mesh.positions);
  EXPECT_EQ(copy.triangles, mesh.triangles);
}

TEST(Ply, RefusesBadFiles) {
  const std::string text = samples::ply_ascii();
  expect_error(read_ply, "plx\n", "not a PLY file");
  expect_error(read_ply, replaced(text, "ascii 1.0", "morse 1.0"), "unknown PLY format", 2);
  expect_error(read_ply, replaced(text, "7 4 0 1 2 3", "7 4 0 1 2 4"), "names vertex 4");
  expect_error(read_ply, replaced(text, "7 4 0 1 2 3", "7 4 0 1 2 -1"), "names vertex -1", 24);
  expect_error(read_ply, replaced(text, "9 1 1 0 255", "9 1 nan 0 255"), "not finite", 21);
  expect_error(read_ply, replaced(text, "property float z", "property float w"), "x, y or z");
  expect_error(read_ply, replaced(text, "element face 2", "element face 0"), "");
}

TEST(Ply, DoesNotBelieveHugeCounts) {
  const std::string text = samples::ply_ascii();
  for (const char* count : {"element vertex 1000000000000000000", "element vertex 2147483647"}) {
    expect_error(read_ply, replaced(text, "element vertex 4", count), "ends before");
  }
  expect_error(read_ply, replaced(text, "7 4 0 1 2 3", "7 1000000000000000000 0 1"),
               "fit in the file");
  // An element without properties takes no bytes; its count must not become a loop.
  const std::string endless =
      replaced(text, "element edge 0\nproperty int a", "element edge 1000000000000000000");
  EXPECT_TRUE(read_ply(as_bytes(endless), kFileName).ok());
}

TEST(Ply, SurvivesDamage) {
  std::uint64_t seed = 10;
  for (const std::string& sample : {samples::ply_ascii(), samples::ply_binary(std::endian::little),
                                    samples::ply_binary(std::endian::big)}) {
    expect_survives_truncation(read_ply, sample);
    expect_survives_mutation(read_ply, sample, seed++);
  }
}

TEST(Stl, JoinsEqualVerticesInBothEncodings) {
  for (const std::string& sample :
       {samples::stl_ascii(), samples::stl_binary("a header"),
        samples::stl_binary("solid facet normal vertex: a binary file that lies")}) {
    const TriMesh mesh = good(read_stl(as_bytes(sample), kFileName));
    EXPECT_EQ(mesh.positions.size(), 4U);
    EXPECT_EQ(mesh.triangles.size(), 2U);
    EXPECT_DOUBLE_EQ(geometry::area(mesh), 1.0);
  }
}

TEST(Stl, AcceptsTrailingBytesAfterABinaryBody) {
  EXPECT_EQ(
      good(read_stl(as_bytes(samples::stl_binary("x") + "trailing"), kFileName)).triangles.size(),
      2U);
}

TEST(Stl, RefusesBadFiles) {
  const std::string text = samples::stl_ascii();
  expect_error(read_stl, replaced(text, "vertex 1 0 0", "vertex 1 0 nan"), "not finite", 5);
  expect_error(read_stl, replaced(text, "endloop", "vertex 1 1 1"), "'ENDLOOP'", 7);
  expect_error(read_stl, replaced(text, "endsolid two triangles", ""), "endsolid");
  expect_error(read_stl, "solid nothing\nendsolid\n", "no triangles");
  expect_error(read_stl, "", "");
  std::string binary = samples::stl_binary("x");
  binary[83] = '\x7f';
  expect_error(read_stl, binary, "announces");
  expect_error(read_stl, samples::stl_binary("x").substr(0, 120), "announces 2 triangles");
}

TEST(Stl, SurvivesDamage) {
  std::uint64_t seed = 20;
  for (const std::string& sample : {samples::stl_ascii(), samples::stl_binary("solid x")}) {
    expect_survives_truncation(read_stl, sample);
    expect_survives_mutation(read_stl, sample, seed++);
  }
}

}  // namespace
}  // namespace supple::io
