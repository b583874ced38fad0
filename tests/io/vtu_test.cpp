// SPDX-License-Identifier: Apache-2.0
#include "supple/io/volume.hpp"

#include "io/bad_input.hpp"
#include "io/vtu_samples.hpp"

namespace supple::io {
namespace {

using geometry::Index;
using geometry::TetMesh;

std::string text_of(const Bytes& bytes) {
  return std::string(as_text(bytes));
}

TEST(Vtu, ReadsAscii) {
  const TetMesh mesh = good(read_vtu(as_bytes(samples::vtu_ascii()), kFileName));
  EXPECT_DOUBLE_EQ(geometry::volume(mesh), samples::kVolume);
  EXPECT_EQ(mesh.region_names, (std::vector<std::string>{"7", "8"}));
}

TEST(Vtu, ReadsEveryBinaryDialect) {
  for (const samples::VtuDialect& dialect : samples::vtu_dialects()) {
    const TetMesh mesh = good(read_vtu(as_bytes(samples::VtuSample(dialect).write()), kFileName));
    EXPECT_DOUBLE_EQ(geometry::volume(mesh), samples::kVolume);
    EXPECT_EQ(mesh.regions, (std::vector<Index>{0, 1}));
  }
}

TEST(Vtu, JoinsPieces) {
  std::string text = samples::vtu_ascii();
  const std::size_t begin = text.find("<Piece");
  const std::size_t end = text.find("</Piece>") + 8;
  text.insert(begin, text.substr(begin, end - begin));
  const TetMesh mesh = good(read_vtu(as_bytes(text), kFileName));
  EXPECT_EQ(mesh.nodes.size(), 10U);
  EXPECT_DOUBLE_EQ(geometry::volume(mesh), 2 * samples::kVolume);
  EXPECT_EQ(mesh.element(3)[3], 9);
}

TEST(Vtu, WritesWhatItReads) {
  TetMesh mesh = samples::quadratic_tet();
  mesh.connectivity.insert(mesh.connectivity.end(), mesh.connectivity.begin(),
                           mesh.connectivity.begin() + 10);
  mesh.regions = {1, 0};
  mesh.region_names = {"a", "b"};
  const std::vector<double> displacement(30, 0.25);
  const std::vector<double> temperature(10, 1.0);
  const std::vector<NodalField> fields{{"u <1> & \"2\"", 3, displacement}, {"T", 1, temperature}};
  for (const auto encoding : {VtuEncoding::AppendedRaw, VtuEncoding::InlineBase64}) {
    const auto bytes = write_vtu(mesh, fields, encoding);
    ASSERT_TRUE(bytes.ok());
    EXPECT_NE(text_of(*bytes).find("u &lt;1&gt; &amp; &quot;2&quot;"), std::string::npos);
    const TetMesh copy = good(read_vtu(*bytes, kFileName));
    EXPECT_EQ(copy.order, mesh.order);
    EXPECT_EQ(copy.nodes, mesh.nodes);
    EXPECT_EQ(copy.connectivity, mesh.connectivity);
    EXPECT_EQ(copy.regions, mesh.regions);
  }
}

TEST(Vtu, WritesSeveralBlocksTheSameForAnyInput) {
  // Past the block size of 1 MiB: 100,000 nodes of 24 bytes.
  TetMesh mesh;
  for (int i = 0; i < 100'000; ++i) mesh.nodes.emplace_back(i % 7, i % 11, i * 1e-3);
  mesh.connectivity = {0, 1, 2, 99'999};
  const auto bytes = write_vtu(mesh);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(good(read_vtu(*bytes, kFileName)).nodes, mesh.nodes);
}

TEST(Vtu, RefusesFieldsThatDoNotFit) {
  const TetMesh mesh = samples::quadratic_tet();
  const std::vector<double> values(10);
  const std::vector<NodalField> wrong_size{{"u", 3, values}};
  const std::vector<NodalField> wrong_width{{"u", 2, values}};
  EXPECT_FALSE(write_vtu(mesh, wrong_size).ok());
  EXPECT_FALSE(write_vtu(mesh, wrong_width).ok());
}

TEST(Vtu, RefusesBadFiles) {
  const std::string text = samples::vtu_ascii();
  expect_error(read_vtu, "<html></html>", "not a VTK XML file");
  expect_error(read_vtu, "", "not a VTK XML file");
  expect_error(read_vtu, replaced(text, "type=\"UnstructuredGrid\"", "type=\"PolyData\""),
               "PolyData", 3);
  expect_error(read_vtu, replaced(text, "0 0 1 1 1 1", "0 0 1 1 nan 1"), "point 4");
  expect_error(read_vtu, replaced(text, "1 2 3 4</DataArray>", "1 2 3 5</DataArray>"), "point 5");
  expect_error(read_vtu, replaced(text, "1 2 3 4</DataArray>", "1 2 3 x</DataArray>"), "'x'");
  expect_error(read_vtu, replaced(text, ">4 8<", ">4 9<"), "offset 9");
  expect_error(read_vtu, replaced(text, ">10 10<", ">12 12<"), "none of the 2 cells");
  expect_error(read_vtu, replaced(text, "Points='5'", "Points='1000000000000000000'"), "numbers");
  expect_error(read_vtu, replaced(text, "Name=\"types\"", "Name=\"kinds\""), "types");
  expect_error(read_vtu, replaced(text, "byte_order", "compressor=\"vtkLZ4DataCompressor\" b"),
               "LZ4");
}

TEST(Vtu, DoesNotBelieveHugeArrays) {
  // A length header of 2^62 bytes, and a compressed block that claims to unpack to as much.
  samples::VtuDialect dialect{false, true, false, true, std::endian::little};
  std::string plain = samples::VtuSample(dialect).write();
  const std::size_t data = plain.find("binary\">\n", plain.find("Name=\"Points\"")) + 9;
  samples::Blob huge(std::endian::little);
  huge.put(std::uint64_t{1} << 62U).put(0.0);
  plain.replace(data, 24, samples::base64(huge.bytes()));
  expect_error(read_vtu, plain, "does not fit");
  dialect.compressed = true;
  std::string packed = samples::VtuSample(dialect).write();
  const std::size_t block = packed.find("binary\">\n", packed.find("Name=\"Points\"")) + 9;
  samples::Blob bomb(std::endian::little);
  bomb.put(std::uint64_t{4}).put(std::uint64_t{1} << 62U).put(std::uint64_t{1} << 62U);
  packed.replace(block, 32, samples::base64(bomb.bytes()));
  expect_error(read_vtu, packed, "claims to unpack");
}

TEST(Vtu, SurvivesDamage) {
  std::uint64_t seed = 50;
  const auto sample = [](bool appended, bool base64, bool compressed) {
    return samples::VtuSample({appended, base64, compressed, true, std::endian::little}).write();
  };
  for (const std::string& text : {samples::vtu_ascii(), sample(false, true, true),
                                  sample(true, false, true), sample(true, false, false)}) {
    expect_survives_truncation(read_vtu, text);
    expect_survives_mutation(read_vtu, text, seed++);
  }
}

}  // namespace
}  // namespace supple::io
