// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/binary.hpp"
#include "io/text_cursor.hpp"

#include "supple/core/result.hpp"

#include <bit>
#include <string>
#include <string_view>
#include <vector>

namespace supple::io::detail {

/// Bytes out of raw or base64 text, in order. Base64 may be padded in the middle: VTK encodes the
/// header of a compressed array and its data separately, other writers together.
class VtuStream {
 public:
  VtuStream(std::string_view text, bool base64) : m_text(text), m_base64(base64) {}

  /// An upper bound on the bytes that `read` can still return.
  [[nodiscard]] std::size_t available() const;
  /// False if fewer than `count` bytes are left or a character is not base64.
  [[nodiscard]] bool read(std::size_t count, Bytes& out);

 private:
  [[nodiscard]] bool next_group();

  std::string_view m_text;
  bool m_base64;
  std::array<std::byte, 3> m_group{};
  std::size_t m_group_at = 0;
  std::size_t m_group_size = 0;
};

/// Properties of all arrays, from the <VTKFile> element.
struct VtuLayout {
  std::endian order = std::endian::little;
  bool wide_headers = false;  ///< UInt64 instead of UInt32
  bool compressed = false;
};

/// The contents of a binary array: length header, then plain bytes or zlib blocks.
[[nodiscard]] Result<Bytes> read_vtu_array(VtuStream stream, const VtuLayout& layout);

}  // namespace supple::io::detail
