// SPDX-License-Identifier: Apache-2.0
#include "supple/core/unfinished.hpp"

#include "supple/core/output.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>

namespace supple {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// In a process of its own: no commit is possible afterwards.
class UnfinishedDeathTest : public ::testing::Test {
 protected:
  supple::testing::TemporaryDirectory m_dir;

  [[noreturn]] void give_up_amid_work() const {
    m_dir.write("kept", "x");
    m_dir.write("half", "x");
    m_dir.write("complete", "x");
    for (const char* folder : {"folder/deep", "shared/deep", "empty/deep"}) {
      fs::create_directories(m_dir / folder);
    }
    m_dir.write("folder/deep/file", "x");
    m_dir.write("shared/deep/file", "x");
    Unfinished moved(m_dir / "half");
    const Unfinished half = std::move(moved);
    { const Unfinished complete(m_dir / "complete"); }
    const Unfinished folder(m_dir / "folder");
    const auto keep = Unfinished::Contents::Keep;
    const Unfinished shared(m_dir / "shared", keep);
    const Unfinished shared_deep(m_dir / "shared/deep", keep);
    const Unfinished empty(m_dir / "empty", keep);
    const Unfinished empty_deep(m_dir / "empty/deep", keep);
    OutputSet output;
    const bool staged = output.make_directory(m_dir / "new/out").ok() &&
                        output.stage(m_dir / "new/out/file", "x").ok();
    remove_unfinished();
    std::_Exit(staged ? 7 : 1);
  }
};

TEST_F(UnfinishedDeathTest, AProcessThatGivesUpLeavesCompleteThingsOnly) {
  EXPECT_EXIT(give_up_amid_work(), ::testing::ExitedWithCode(7), "");
  EXPECT_EQ(m_dir.list(), (Names{"complete", "kept", "shared"}));
  EXPECT_EQ(m_dir.read("shared/deep/file"), "x");
}

}  // namespace
}  // namespace supple
