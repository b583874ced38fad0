// SPDX-License-Identifier: Apache-2.0
#include "io/meshes/vtu_data.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace supple::io::detail {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<std::int16_t, 256> kDecode = [] {
  std::array<std::int16_t, 256> table{};
  table.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    table[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int16_t>(i);
  }
  return table;
}();

// Deflate cannot shrink data by more than a factor of 1032 [zlib technical details]; a file that
// claims more is an attack on our memory.
constexpr std::size_t kMaxRatio = 1032;

Result<std::uint64_t> read_word(VtuStream& stream, const VtuLayout& layout) {
  Bytes word;
  if (!stream.read(layout.wide_headers ? 8 : 4, word)) {
    return bad_input("an array ends inside its header");
  }
  if (layout.wide_headers) return load<std::uint64_t>(word.data(), layout.order);
  return std::uint64_t{load<std::uint32_t>(word.data(), layout.order)};
}

Result<void> inflate_block(const Bytes& packed, std::size_t size, Bytes& out) {
  if (size > packed.size() * kMaxRatio + 64) {
    return bad_input(
        fmt::format("a block of {} bytes claims to unpack to {}", packed.size(), size));
  }
  const std::size_t start = out.size();
  out.resize(start + size);
  uLongf unpacked = size;
  const int status = ::uncompress(reinterpret_cast<Bytef*>(out.data() + start), &unpacked,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (status != Z_OK || unpacked != size) return bad_input("a compressed block is damaged");
  return {};
}

Result<Bytes> read_compressed(VtuStream stream, const VtuLayout& layout) {
  SUPPLE_TRY(const std::uint64_t blocks, read_word(stream, layout));
  SUPPLE_TRY(const std::uint64_t block_size, read_word(stream, layout));
  SUPPLE_TRY(const std::uint64_t last_size, read_word(stream, layout));
  if (blocks > stream.available() / (layout.wide_headers ? 8 : 4)) {
    return bad_input(fmt::format("an array with {} blocks does not fit in the file", blocks));
  }
  std::vector<std::uint64_t> packed_sizes(blocks);
  for (std::uint64_t& size : packed_sizes) {
    SUPPLE_TRY(size, read_word(stream, layout));
  }
  Bytes out;
  Bytes packed;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    packed.clear();
    if (!stream.read(packed_sizes[block], packed)) {
      return bad_input("an array ends inside a compressed block");
    }
    // The last block may be full, which VTK writes as a last size of 0.
    const bool partial = block + 1 == blocks && last_size != 0;
    SUPPLE_TRY_VOID(inflate_block(packed, partial ? last_size : block_size, out));
  }
  return out;
}

}  // namespace

std::size_t VtuStream::available() const {
  return m_base64 ? m_text.size() / 4 * 3 + 3 : m_text.size();
}

bool VtuStream::next_group() {
  std::uint32_t bits = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  std::size_t at = 0;
  for (; at < m_text.size() && digits + padding < 4; ++at) {
    const char c = m_text[at];
    if (c == '\n' || c == '\r' || c == ' ' || c == '\t') continue;
    const int value = kDecode[static_cast<unsigned char>(c)];
    if (c == '=') {
      ++padding;
    } else if (value < 0 || padding != 0) {
      return false;
    } else {
      bits |= static_cast<std::uint32_t>(value) << (18U - 6U * digits);
      ++digits;
    }
  }
  if (digits + padding != 4 || digits < 2) return false;
  m_text.remove_prefix(at);
  m_group_at = 0;
  m_group_size = digits - 1;
  for (std::size_t k = 0; k < 3; ++k) {
    m_group[k] = static_cast<std::byte>(bits >> (16U - 8U * k) & 255U);
  }
  return true;
}

bool VtuStream::read(std::size_t count, Bytes& out) {
  if (count > available()) return false;
  if (!m_base64) {
    const auto bytes = as_bytes(m_text.substr(0, count));
    out.insert(out.end(), bytes.begin(), bytes.end());
    m_text.remove_prefix(count);
    return true;
  }
  out.reserve(out.size() + count);
  while (count > 0) {
    if (m_group_at == m_group_size && !next_group()) return false;
    while (count > 0 && m_group_at < m_group_size) {
      out.push_back(m_group[m_group_at++]);
      --count;
    }
  }
  return true;
}

Result<Bytes> read_vtu_array(VtuStream stream, const VtuLayout& layout) {
  if (layout.compressed) return read_compressed(stream, layout);
  SUPPLE_TRY(const std::uint64_t size, read_word(stream, layout));
  Bytes out;
  if (!stream.read(size, out)) {
    return bad_input(fmt::format("an array of {} bytes does not fit in the file", size));
  }
  return out;
}

}  // namespace supple::io::detail
