// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace supple::testing {

/// An empty directory that goes away with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  [[nodiscard]] std::string path(std::string_view name) const { return (m_path / name).string(); }
  [[nodiscard]] std::vector<std::string> list() const;
  /// Writes a file and returns its path.
  std::string write(std::string_view name, std::string_view content) const;
  [[nodiscard]] std::string read(std::string_view name) const;

 private:
  std::filesystem::path m_path;
};

struct Outcome {
  int status = -1;  ///< exit status; 128 + signal if killed
  std::string out;
  std::string err;
};

using Arguments = std::vector<std::string>;

/// Runs a program to its end.
[[nodiscard]] Outcome run_program(const Arguments& command);
/// The binary under test.
[[nodiscard]] Outcome supple(const Arguments& arguments);
/// The same, with SIGINT sent once `seconds` have passed.
[[nodiscard]] Outcome supple_interrupted_after(double seconds, const Arguments& arguments);
/// The same in a shell line in which "$@" is the command: to set limits or redirect.
[[nodiscard]] Outcome supple_in_shell(const std::string& line, const Arguments& arguments);

}  // namespace supple::testing
