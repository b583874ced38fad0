// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <cstdlib>
#include <cstring>

namespace supple::player {

namespace {
constexpr std::size_t kAlignment = 64;
}

void* allocate(std::size_t size) {
  if (size > SIZE_MAX - 2 * kAlignment) return nullptr;
  void* raw = std::malloc(size + 2 * kAlignment);
  if (raw == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(raw) + kAlignment;
  auto* block = static_cast<unsigned char*>(raw) + kAlignment + (kAlignment - address % kAlignment);
  // Where to release from stands right before the block.
  std::memcpy(block - sizeof raw, &raw, sizeof raw);
  std::memset(block, 0, size);
  return block;
}

void release(void* block) {
  if (block == nullptr) return;
  void* raw = nullptr;
  std::memcpy(&raw, static_cast<unsigned char*>(block) - sizeof raw, sizeof raw);
  std::free(raw);
}

}  // namespace supple::player
