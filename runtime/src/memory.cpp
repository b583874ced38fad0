// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include "detail.hpp"

#include <cstdlib>
#include <cstring>

namespace supple::player {
namespace {

constexpr std::size_t kBlockAlignment = 64;

void* out_of_memory(std::size_t size) {
  Detail("no memory for ") << size << " bytes";
  return nullptr;
}

}  // namespace

void* Arena::take_bytes(std::size_t count, std::size_t size) {
  const std::size_t begin = (m_size + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
  if (begin < m_size || count > (SIZE_MAX - begin) / size) {
    m_overflow = true;
    return nullptr;
  }
  m_size = begin + count * size;
  return m_block == nullptr ? nullptr : m_block + begin;
}

void* allocate(const Allocator& allocator, std::size_t size) {
  if (size > SIZE_MAX - 2 * kBlockAlignment) return out_of_memory(size);
  const std::size_t whole = size + 2 * kBlockAlignment;
  void* raw = allocator.allocate == nullptr ? std::malloc(whole)
                                            : allocator.allocate(allocator.context, whole);
  if (raw == nullptr) return out_of_memory(whole);
  const auto address = reinterpret_cast<std::uintptr_t>(raw) + kBlockAlignment;
  auto* block = static_cast<unsigned char*>(raw) + kBlockAlignment +
                (kBlockAlignment - address % kBlockAlignment);
  // Where to release from stands right before the block.
  std::memcpy(block - sizeof raw, &raw, sizeof raw);
  std::memset(block, 0, size);
  return block;
}

void* allocate(const Allocator& allocator, const Arena& measured) {
  return measured.overflow() ? out_of_memory(SIZE_MAX) : allocate(allocator, measured.size());
}

void release(const Allocator& allocator, void* block) {
  if (block == nullptr) return;
  void* raw = nullptr;
  std::memcpy(&raw, static_cast<unsigned char*>(block) - sizeof raw, sizeof raw);
  if (allocator.release == nullptr) {
    std::free(raw);
  } else {
    allocator.release(allocator.context, raw);
  }
}

}  // namespace supple::player
