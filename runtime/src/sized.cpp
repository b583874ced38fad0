// SPDX-License-Identifier: Apache-2.0
#include "sized.hpp"

#include "detail.hpp"

#include <cstring>

namespace supple::player {
namespace {

/// No struct of any version is longer. A member that was never set is likely to be.
constexpr StructSize kLongestStruct = 4096;

bool read_size(const void* theirs, StructSize& size) {
  if (!given(theirs, "the struct")) return false;
  std::memcpy(&size, theirs, sizeof size);
  if (size >= sizeof size && size <= kLongestStruct) return true;
  Detail("struct_size is ") << size << "; set it to the size of the struct";
  return false;
}

std::size_t lesser(std::size_t a, std::size_t b) {
  return a < b ? a : b;
}

}  // namespace

supple_status give_bytes(const void* ours, std::size_t size, void* theirs) {
  StructSize their_size = 0;
  if (!read_size(theirs, their_size)) return SUPPLE_BAD_ARGUMENT;
  auto* to = static_cast<unsigned char*>(theirs);
  const auto* from = static_cast<const unsigned char*>(ours);
  const std::size_t known = lesser(size, their_size);
  std::memcpy(to + sizeof(StructSize), from + sizeof(StructSize), known - sizeof(StructSize));
  std::memset(to + known, 0, their_size - known);
  return SUPPLE_OK;
}

bool take_bytes(const void* theirs, void* ours, std::size_t size) {
  StructSize their_size = 0;
  if (!read_size(theirs, their_size)) return false;
  auto* to = static_cast<unsigned char*>(ours);
  const auto* from = static_cast<const unsigned char*>(theirs);
  const std::size_t known = lesser(size, their_size);
  std::memcpy(to + sizeof(StructSize), from + sizeof(StructSize), known - sizeof(StructSize));
  return true;
}

}  // namespace supple::player
