// SPDX-License-Identifier: Apache-2.0
#include "supple/io/snapshots.hpp"

#include "temporary_directory.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

namespace supple::io {
namespace {

using geometry::Vec3;

/// A file that is removed at the end.
class SnapshotFile {
 public:
  explicit SnapshotFile(const Bytes& bytes)
      : m_path(std::filesystem::temp_directory_path() /
               ("supple_snapshots_" + std::to_string(::getpid()) + ".h5")) {
    EXPECT_TRUE(write_file(m_path, bytes).ok());
  }
  ~SnapshotFile() { std::filesystem::remove(m_path); }
  SnapshotFile(const SnapshotFile&) = delete;
  SnapshotFile& operator=(const SnapshotFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

std::vector<Vec3> snapshot(std::size_t vertices, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> frame;
  for (std::size_t i = 0; i < vertices; ++i) {
    frame.emplace_back(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  }
  return frame;
}

constexpr std::size_t kFrames = 5;

Bytes write_two_bodies() {
  auto writer = SnapshotWriter::create({{"cube/1", 4, {{0, 1, 2}, {1, 2, 3}}}, {"cloth", 9, {}}},
                                       kFrames, 60);
  EXPECT_TRUE(writer.ok());
  for (std::size_t f = 0; f < kFrames; ++f) {
    EXPECT_TRUE(writer->add(0, snapshot(4, f)).ok());
    EXPECT_TRUE(writer->add(1, snapshot(9, 100 + f)).ok());
  }
  auto bytes = std::move(*writer).finish();
  EXPECT_TRUE(bytes.ok());
  return *bytes;
}

TEST(Snapshots, ReadBackToTheBit) {
  const SnapshotFile file(write_two_bodies());
  const auto names = snapshot_bodies(file.path());
  ASSERT_TRUE(names.ok());
  EXPECT_EQ(*names, (std::vector<std::string>{"cloth", "cube_1"}));
  const auto cloth = SnapshotReader::open(file.path(), "cloth");
  const auto cube = SnapshotReader::open(file.path(), "cube_1");
  ASSERT_TRUE(cloth.ok() && cube.ok());
  EXPECT_EQ(cloth->frames(), kFrames);
  EXPECT_EQ(cloth->vertices(), 9U);
  EXPECT_EQ(cloth->rate(), 60);
  EXPECT_TRUE(cloth->triangles().empty());
  EXPECT_EQ(cube->triangles(), (std::vector<geometry::Triangle>{{0, 1, 2}, {1, 2, 3}}));
  for (const std::size_t f : {4U, 0U, 2U}) {
    EXPECT_EQ(*cloth->frame(f), snapshot(9, 100 + f));
    EXPECT_EQ(*cube->frame(f), snapshot(4, f));
  }
}

TEST(Snapshots, SameContentGivesTheSameBytes) {
  EXPECT_EQ(write_two_bodies(), write_two_bodies());
}

TEST(Snapshots, NameTheBodiesWhenAskedForAnUnknownOne) {
  const SnapshotFile file(write_two_bodies());
  const auto unknown = SnapshotReader::open(file.path(), "cloht");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message().find("cube_1"), std::string::npos);
  const auto unnamed = SnapshotReader::open(file.path());
  ASSERT_FALSE(unnamed.ok());
  EXPECT_NE(unnamed.error().message().find("cloth"), std::string::npos);
}

TEST(Snapshots, RefuseNamesThatAreTakenOrEmpty) {
  EXPECT_FALSE(SnapshotWriter::create({{"a/b", 1, {}}, {"a_b", 1, {}}}, 1, 60).ok());
  EXPECT_FALSE(SnapshotWriter::create({{"", 1, {}}}, 1, 60).ok());
  EXPECT_FALSE(SnapshotWriter::create({{".", 1, {}}}, 1, 60).ok());
}

TEST(Snapshots, RefuseOtherAndTruncatedFiles) {
  EXPECT_EQ(SnapshotReader::open("no/such.h5").error().code(), ErrorCode::Io);
  const Bytes good = write_two_bodies();
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, good.size() / 2}) {
    const SnapshotFile file(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
    const auto reader = SnapshotReader::open(file.path(), "cloth");
    ASSERT_FALSE(reader.ok()) << size;
    EXPECT_EQ(reader.error().code(), ErrorCode::BadInput);
    EXPECT_EQ(reader.error().message().find("empty") != std::string::npos, size == 0);
  }
}

TEST(Snapshots, DoNotWaitForPipes) {
  const supple::testing::TemporaryDirectory directory;
  const std::string pipe = directory.path("pipe.h5");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero"), directory.path("")}) {
    const auto reader = SnapshotReader::open(path);
    ASSERT_FALSE(reader.ok()) << path;
    EXPECT_EQ(reader.error().code(), ErrorCode::Io) << path;
    EXPECT_FALSE(snapshot_bodies(path).ok()) << path;
  }
}

/// A file of nine vertices in which every size, as HDF5 stores it, says so many frames.
Bytes file_that_claims(std::uint64_t frames) {
  auto writer = SnapshotWriter::create({{"cloth", 9, {}}}, kFrames, 60);
  EXPECT_TRUE(writer.ok());
  for (std::size_t f = 0; f < kFrames; ++f) EXPECT_TRUE(writer->add(0, snapshot(9, f)).ok());
  Bytes bytes = *std::move(*writer).finish();
  const std::array<std::uint64_t, 3> size{kFrames, 9, 3};
  const std::span<const std::byte> pattern = std::as_bytes(std::span(size));
  std::size_t places = 0;
  for (std::size_t i = 0; i + pattern.size() <= bytes.size(); ++i) {
    if (!std::equal(pattern.begin(), pattern.end(), bytes.begin() + i)) continue;
    std::memcpy(bytes.data() + i, &frames, sizeof frames);
    ++places;
  }
  EXPECT_GT(places, 0U);
  return bytes;
}

/// Frames that were never written are zeros, as many as a small file claims.
TEST(Snapshots, RefuseMoreFramesThanAreStored) {
  const SnapshotFile good(file_that_claims(kFrames));
  ASSERT_TRUE(SnapshotReader::open(good.path()).ok());
  for (const std::uint64_t frames :
       {std::uint64_t{1'000'000}, std::uint64_t{1} << 40U, std::uint64_t{1} << 50U}) {
    const SnapshotFile file(file_that_claims(frames));
    const auto reader = SnapshotReader::open(file.path());
    ASSERT_FALSE(reader.ok()) << frames;
    EXPECT_EQ(reader.error().code(), ErrorCode::BadInput);
    EXPECT_NE(reader.error().message().find("too small"), std::string::npos)
        << reader.error().describe();
  }
}

TEST(Snapshots, RefuseNumbersThatAreNotFinite) {
  auto writer = SnapshotWriter::create({{"a", 2, {}}}, 1, 30);
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(
      writer->add(0, {Vec3::Zero(), Vec3(0, std::numeric_limits<double>::infinity(), 0)}).ok());
  const SnapshotFile file(*std::move(*writer).finish());
  const auto reader = SnapshotReader::open(file.path());
  ASSERT_TRUE(reader.ok());
  EXPECT_FALSE(reader->frame(0).ok());
}

TEST(Snapshots, ServeSeveralThreads) {
  const SnapshotFile file(write_two_bodies());
  std::vector<std::thread> threads;
  std::vector<char> right(4, 0);
  for (std::size_t t = 0; t < right.size(); ++t) {
    threads.emplace_back([&, t] {
      const auto reader = SnapshotReader::open(file.path(), "cloth");
      right[t] = static_cast<char>(reader.ok() && *reader->frame(t) == snapshot(9, 100 + t));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const char good : right) EXPECT_NE(good, 0);
}

}  // namespace
}  // namespace supple::io
