// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_models.hpp"

#include "supple/core/random.hpp"
#include "text.hpp"

#include <gtest/gtest.h>

namespace supple::testing {
namespace {

struct Format {
  std::string extension;
  std::string sample;  ///< a good file
  double keep;         ///< cut here: within the part that cannot be missed
};

std::vector<Format> formats() {
  return {{"inp", box_deck().str(), 0.6}, {"msh", cube_msh(), 0.8}, {"vtk", cube_vtk(), 0.6},
          {"vtu", cube_vtu(), 0.6},       {"ply", cube_ply(), 0.8}, {"stl", cube_stl(), 0.7},
          {"gltf", cube_gltf(), 0.9},     {"obj", cube_obj(), 0.3}};
}

void expect_refused(const std::string& name, const std::string& content,
                    const std::string& words = "error: ") {
  const TemporaryDirectory directory;
  const std::string path = directory.write(name, content);
  Arguments arguments{"modes", path, "-o", directory.path("out"), "-n", "2"};
  if (!name.ends_with("inp")) arguments.insert(arguments.end(), {"--material", "fat"});
  const Outcome outcome = supple(arguments);
  EXPECT_EQ(outcome.status, 3) << name << ": " << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(words), std::string::npos) << name << ": " << outcome.err;
  EXPECT_NE(outcome.err.find(name), std::string::npos) << "names the file: " << outcome.err;
  EXPECT_EQ(directory.list(), std::vector<std::string>{name});
}

TEST(BadFile, TruncatedFilesOfEveryFormat) {
  for (const Format& format : formats()) {
    const auto size =
        static_cast<std::size_t>(format.keep * static_cast<double>(format.sample.size()));
    expect_refused("cut." + format.extension, format.sample.substr(0, size));
  }
}

TEST(BadFile, RandomBytesInEveryFormat) {
  std::vector<std::string> extensions{"glb"};
  for (const Format& format : formats()) extensions.push_back(format.extension);
  for (std::size_t i = 0; i < extensions.size(); ++i) {
    Random random(7, i);
    std::string noise(4096, '\0');
    for (char& byte : noise) byte = static_cast<char>(random.next() & 0xffU);
    expect_refused("noise." + extensions[i], noise);
  }
}

TEST(BadFile, EmptyFilesOfEveryFormat) {
  expect_refused("empty.glb", "", "is empty");
  for (const Format& format : formats()) {
    expect_refused("empty." + format.extension, "", "is empty");
  }
}

TEST(BadFile, NumbersThatAreNoneInEveryTextFormat) {
  for (const Format& format : formats()) {
    if (format.extension == "gltf") continue;  // its numbers are binary
    expect_refused("nan." + format.extension,
                   format.extension == "inp"
                       ? replaced(format.sample, "\n3, 0.1, 0, 0", "\n3, nan, 0, 0")
                       : replaced(format.sample, "0.1 0 0", "nan 0 0"));
  }
}

TEST(BadFile, IndicesOutOfRangeInEveryTextFormat) {
  expect_refused("index.obj", replaced(cube_obj(), "f 1 3 2", "f 1 3 200"));
  expect_refused("index.ply", replaced(cube_ply(), "3 0 2 1", "3 0 2 100"));
  expect_refused("index.vtk", replaced(cube_vtk(), "4 0 1 3 7", "4 0 1 3 8"));
  expect_refused("index.vtu", replaced(cube_vtu(), "0 1 3 7", "0 1 3 -7"));
  expect_refused("index.msh", replaced(cube_msh(), "1 4 2 7 1 1 2 4 8", "1 4 2 7 1 1 2 4 88"));
  expect_refused("index.gltf", replaced(cube_gltf(), "AAIBAAEDAQIDAgAD", "AAIBAAEDAQIDAgD/"));
}

}  // namespace
}  // namespace supple::testing
