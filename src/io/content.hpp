// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <filesystem>

namespace supple::io {

/// The bytes of a file that must contain something. An upload or an export that failed leaves an
/// empty file, and then no grammar explains it.
[[nodiscard]] inline Result<Bytes> read_content(const std::filesystem::path& path) {
  SUPPLE_TRY(Bytes bytes, read_file(path));
  if (bytes.empty())
    return bad_input("the file is empty; export or copy it again").at(path.string());
  return bytes;
}

}  // namespace supple::io
