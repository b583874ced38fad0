// SPDX-License-Identifier: Apache-2.0
#include "supple/core/output.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace supple {
namespace {

namespace fs = std::filesystem;

/// A separate directory per test, removed afterwards.
class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "supple_files_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    m_dir = name;
  }
  void TearDown() override { fs::remove_all(m_dir); }

  [[nodiscard]] std::string content(const fs::path& name) const {
    const Result<Bytes> bytes = read_file(m_dir / name);
    return bytes.ok() ? std::string(as_text(*bytes)) : "<" + bytes.error().message() + ">";
  }
  /// Everything below the directory, sorted: shows leftovers of any name.
  [[nodiscard]] std::vector<std::string> listing() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(m_dir)) {
      names.push_back(fs::relative(entry.path(), m_dir).string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  using Names = std::vector<std::string>;
  fs::path m_dir;
};
using FilesDeathTest = Files;

TEST_F(Files, ReadBackWhatWasWritten) {
  std::string text = "a\0b\n";
  for (const std::size_t size : {0U, 1U, 4095U, 4096U, 4097U, 1000000U}) {
    text.resize(size, 'q');
    ASSERT_TRUE(write_file(m_dir / "f", text).ok());
    EXPECT_TRUE(content("f") == text) << size;
  }
  EXPECT_EQ(listing(), Names{"f"});
}

TEST_F(Files, NewFilesHaveTheUsualPermissions) {
  const mode_t mask = ::umask(022);
  ASSERT_TRUE(write_file(m_dir / "f", "x").ok());
  ::umask(mask);
  struct stat info {};
  ASSERT_EQ(::stat((m_dir / "f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0644U);
}

TEST_F(Files, ReplacedFilesKeepTheirPermissions) {
  for (const mode_t mode : {0600U, 0640U, 0755U}) {
    ASSERT_TRUE(write_file(m_dir / "f", "secret").ok());
    ASSERT_EQ(::chmod((m_dir / "f").c_str(), mode), 0);
    ASSERT_TRUE(write_file(m_dir / "f", "new").ok());
    struct stat info {};
    ASSERT_EQ(::stat((m_dir / "f").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777U, mode);
    EXPECT_EQ(content("f"), "new");
  }
}

TEST_F(Files, ReadsDoNotWaitForPipes) {
  ASSERT_EQ(::mkfifo((m_dir / "pipe").c_str(), 0600), 0);
  const Result<Bytes> pipe = read_file(m_dir / "pipe");  // without a writer: for ever
  ASSERT_FALSE(pipe.ok());
  EXPECT_NE(pipe.error().message().find("pipe"), std::string::npos);
  EXPECT_FALSE(read_file("/dev/null").ok());
  ASSERT_TRUE(write_file(m_dir / "f", "text").ok());
  EXPECT_TRUE(check_plain_file(m_dir / "f").ok());
  for (const std::filesystem::path& path :
       {m_dir / "pipe", std::filesystem::path("/dev/null"), m_dir / "absent", m_dir / ""}) {
    const Result<void> refused = check_plain_file(path);
    ASSERT_FALSE(refused.ok()) << path;
    EXPECT_EQ(refused.error().message(), read_file(path).error().message());
  }
  const Result<Bytes> plain = read_file(m_dir / "f");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(as_text(*plain), "text");
}

TEST_F(Files, ReadNamesWhatIsMissing) {
  const Result<Bytes> missing = read_file(m_dir / "absent.glb");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), ErrorCode::Io);
  EXPECT_NE(missing.error().message().find("absent.glb"), std::string::npos);
}

TEST_F(Files, ReadRejectsDirectories) {
  const Result<Bytes> directory = read_file(m_dir);
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.error().code(), ErrorCode::Io);
  EXPECT_NE(directory.error().message().find("is a directory"), std::string::npos);
}

TEST_F(Files, ReadStopsAtItsLimit) {
  ASSERT_TRUE(write_file(m_dir / "f", "12345").ok());
  EXPECT_TRUE(read_file(m_dir / "f", 5).ok());
  ASSERT_FALSE(read_file(m_dir / "f", 4).ok());
  EXPECT_EQ(read_file(m_dir / "f", 4).error().code(), ErrorCode::BadInput);
  EXPECT_FALSE(read_file("/dev/zero", 1 << 20).ok()) << "an endless file";
}

TEST_F(Files, ReadRejectsASparseGiantWithoutAllocatingIt) {
  ASSERT_TRUE(write_file(m_dir / "f", "x").ok());
  fs::resize_file(m_dir / "f", std::uintmax_t{1} << 40);
  ASSERT_FALSE(read_file(m_dir / "f").ok());
  ASSERT_FALSE(read_file(m_dir / "f", std::size_t{1} << 41).ok()) << "more than the memory";
}

TEST_F(Files, WriteIntoAMissingDirectoryNamesIt) {
  const Result<void> result = write_file(m_dir / "no" / "f", "x");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::Io);
  EXPECT_NE(result.error().message().find("there is no directory"), std::string::npos);
  EXPECT_EQ(listing(), Names{});
}

TEST_F(Files, WriteThroughAFileFails) {
  ASSERT_TRUE(write_file(m_dir / "f", "old").ok());
  EXPECT_FALSE(write_file(m_dir / "f" / "g", "x").ok());
  EXPECT_EQ(content("f"), "old");
  EXPECT_EQ(listing(), Names{"f"});
}

TEST_F(Files, WriteOverADirectoryFailsAndLeavesNothing) {
  fs::create_directory(m_dir / "d");
  ASSERT_FALSE(write_file(m_dir / "d", "x").ok());
  EXPECT_EQ(listing(), Names{"d"});
}

/// Ends with 0 if writing 1 MB failed with an error where files may not exceed 64 KB: what a full
/// disk looks like, without one.
[[noreturn]] void write_beyond_the_file_size_limit(const fs::path& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{64 << 10, 64 << 10};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) std::_Exit(2);
  const Result<void> result = write_file(path, std::string(1 << 20, 'x'));
  std::_Exit(!result.ok() && result.error().code() == ErrorCode::Io ? 0 : 1);
}

TEST_F(FilesDeathTest, ADiskThatFillsUpKeepsTheOldFile) {
  ASSERT_TRUE(write_file(m_dir / "f", "old").ok());
  EXPECT_EXIT(write_beyond_the_file_size_limit(m_dir / "f"), ::testing::ExitedWithCode(0), "");
  EXPECT_EQ(content("f"), "old");
  EXPECT_EQ(listing(), Names{"f"});
}

TEST_F(Files, AFullDeviceIsAnErrorAndStaysADevice) {
  const Result<void> result = write_file("/dev/full", "x");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::Io);
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_TRUE(write_file("/dev/null", "x").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, LinksAreFollowed) {
  ASSERT_TRUE(write_file(m_dir / "target", "old").ok());
  fs::create_symlink("target", m_dir / "link");
  ASSERT_TRUE(write_file(m_dir / "link", "new").ok());
  EXPECT_TRUE(fs::is_symlink(m_dir / "link"));
  EXPECT_EQ(content("target"), "new");
}

TEST_F(Files, LinksToFilesThatAreNotThereAreFollowed) {
  fs::create_directory(m_dir / "folder");
  fs::create_symlink("folder/target", m_dir / "second");
  fs::create_symlink("second", m_dir / "first");
  ASSERT_TRUE(write_file(m_dir / "first", "new").ok());
  EXPECT_TRUE(fs::is_symlink(m_dir / "first"));
  EXPECT_EQ(content("folder/target"), "new");
}

TEST_F(Files, LinksInACircleAreErrors) {
  fs::create_symlink("b", m_dir / "a");
  fs::create_symlink("a", m_dir / "b");
  const Result<void> written = write_file(m_dir / "a", "x");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code(), ErrorCode::Io);
  const Result<Bytes> read = read_file(m_dir / "a");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::Io);
  EXPECT_FALSE(write_file(m_dir / std::string(5000, 'n'), "x").ok());
}

/// A child writes one file whose temporary name it has chosen, and dies before it renames it.
void write_and_die(const fs::path& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    // The name is chosen before the limit on file sizes kills the process.
    const rlimit limit{64 << 10, 64 << 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::setrlimit(RLIMIT_CORE, std::array<rlimit, 1>{}.data());
    std::signal(SIGXFSZ, SIG_DFL);
    const Result<void> killed = write_file(path, std::string(1 << 20, 'x'));
    std::_Exit(killed.ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST_F(Files, TheNextCommitRemovesWhatAKilledProcessLeft) {
  ASSERT_TRUE(write_file(m_dir / "f", "old").ok());
  write_and_die(m_dir / "f");
  write_and_die(m_dir / "f");
  write_and_die(m_dir / "other");
  EXPECT_EQ(content("f"), "old");
  EXPECT_EQ(listing().size(), 3U) << "the second attempt removed the leftovers of the first";
  ASSERT_TRUE(write_file(m_dir / "f", "new").ok());
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(listing().size(), 2U) << "what belongs to another file stays";
  ASSERT_TRUE(write_file(m_dir / "other", "new").ok());
  EXPECT_EQ(listing(), (Names{"f", "other"}));
}

/// Files of a sequence are written under names of their own, not under the one that was checked.
TEST_F(Files, ACheckRemovesWhatAKilledProcessLeft) {
  write_and_die(m_dir / "sequence.ply");
  ASSERT_EQ(listing().size(), 1U);
  ASSERT_TRUE(check_writable({(m_dir / "sequence.ply").string()}).ok());
  EXPECT_EQ(listing(), Names{});
}

TEST_F(Files, FoldersOfKilledProcessesAreRemovedAndTheirOldOnesComeBack) {
  for (const bool moved_away : {false, true}) {
    const fs::path site = m_dir / "site";
    fs::create_directory(site);
    std::ofstream(site / "old") << "x";
    const pid_t child = ::fork();
    if (child == 0) {  // dies half-way through replacing the folder
      const fs::path next = temporary_name(site);
      fs::create_directories(next / "deep");
      std::ofstream(next / "deep" / "new") << "x";
      if (moved_away) fs::rename(site, backup_name(site));
      std::_Exit(0);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_GT(listing().size(), 2U);
    sweep_leftovers(site);
    EXPECT_EQ(listing(), (Names{"site", "site/old"}));
    fs::remove_all(site);
  }
}

TEST_F(Files, ACommitLeavesTheTemporariesOfOthersAlone) {
  const Names others{"f.part-00000000-1-0", "f.part-" + std::to_string(::getpid()) + "-0",
                     "f.particular", "f.part-", "g.part-00000000-1-0"};
  for (const std::string& name : others) std::ofstream(m_dir / name) << "x";
  ASSERT_TRUE(write_file(m_dir / "f", "new").ok());
  EXPECT_EQ(listing().size(), others.size() + 1);
}

TEST_F(Files, LongNamesAreWritten) {
  const std::string name(255, 'n');
  ASSERT_TRUE(write_file(m_dir / name, "x").ok());
  EXPECT_EQ(listing(), Names{name});
}

TEST_F(Files, OutputSetShowsNothingBeforeItsCommit) {
  OutputSet output;
  ASSERT_TRUE(output.stage(m_dir / "a", "1").ok());
  ASSERT_TRUE(output.stage(m_dir / "b", "2").ok());
  EXPECT_FALSE(fs::exists(m_dir / "a"));
  ASSERT_TRUE(output.commit().ok());
  EXPECT_EQ(content("a") + content("b"), "12");
  EXPECT_EQ(listing(), (Names{"a", "b"}));
}

TEST_F(Files, OutputSetWithoutACommitLeavesNothing) {
  ASSERT_TRUE(write_file(m_dir / "a", "old").ok());
  {
    OutputSet output;
    ASSERT_TRUE(output.stage(m_dir / "a", "new").ok());
    ASSERT_TRUE(output.stage(m_dir / "b", "new").ok());
  }
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(listing(), Names{"a"});
}

TEST_F(Files, OutputSetRollsBackWhenARenameFails) {
  ASSERT_TRUE(write_file(m_dir / "a", "old").ok());
  OutputSet output;
  ASSERT_TRUE(output.stage(m_dir / "a", "new").ok());
  ASSERT_TRUE(output.stage(m_dir / "b", "new").ok());
  ASSERT_TRUE(output.stage(m_dir / "a", "newer").ok());
  ASSERT_TRUE(output.stage(m_dir / "c", "new").ok());
  fs::create_directory(m_dir / "c");
  ASSERT_FALSE(output.commit().ok());
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(listing(), (Names{"a", "c"}));
}

TEST_F(Files, OutputSetRollsBackWhenAFolderIsGone) {
  fs::create_directory(m_dir / "gone");
  ASSERT_TRUE(write_file(m_dir / "a", "old").ok());
  OutputSet output;
  ASSERT_TRUE(output.stage(m_dir / "a", "new").ok());
  ASSERT_TRUE(output.stage(m_dir / "b", "new").ok());
  ASSERT_TRUE(output.stage(m_dir / "a", "newer").ok());
  ASSERT_TRUE(output.stage(m_dir / "gone" / "c", "new").ok());
  fs::remove_all(m_dir / "gone");
  ASSERT_FALSE(output.commit().ok());
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(listing(), Names{"a"});
}

TEST_F(Files, OutputSetRollsBackWhenADeviceFails) {
  ASSERT_TRUE(write_file(m_dir / "a", "old").ok());
  OutputSet output;
  ASSERT_TRUE(output.stage("/dev/full", "new").ok());
  ASSERT_TRUE(output.stage(m_dir / "a", "new").ok());
  ASSERT_TRUE(output.stage(m_dir / "b", "new").ok());
  ASSERT_FALSE(output.commit().ok());
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(listing(), Names{"a"});
}

TEST_F(Files, ACommitThatFailedLeavesTheSetEmpty) {
  OutputSet output;
  ASSERT_TRUE(output.stage("/dev/full", "new").ok());
  ASSERT_FALSE(output.commit().ok());
  ASSERT_TRUE(output.stage(m_dir / "a", "1").ok());
  EXPECT_TRUE(output.commit().ok());
  EXPECT_EQ(listing(), Names{"a"});
}

}  // namespace
}  // namespace supple
