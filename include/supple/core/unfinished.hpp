// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace supple {

/// A file or folder that is of no use until this process has completed it: `remove_unfinished`
/// removes it while this object exists. The object itself leaves it alone.
class Unfinished {
 public:
  enum class Contents { Remove, Keep };  ///< a folder whose contents are kept goes if it is empty

  Unfinished() = default;
  explicit Unfinished(std::filesystem::path path, Contents contents = Contents::Remove);
  ~Unfinished();
  Unfinished(Unfinished&& other) noexcept;
  Unfinished& operator=(Unfinished&& other) noexcept;
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;  ///< empty: none
};

/// For a process that ends at once. Waits for a commit in progress, allows no other one, and
/// removes what is unfinished.
void remove_unfinished();

}  // namespace supple
