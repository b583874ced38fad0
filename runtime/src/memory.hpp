// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple.h"

#include <cstddef>
#include <cstdint>

namespace supple::player {

/// Lays several arrays out in one block: once to measure it, once more to hand out the places.
class Arena {
 public:
  Arena() = default;
  explicit Arena(void* block) : m_block(static_cast<unsigned char*>(block)) {}

  template <class T>
  T* take(std::size_t count) {
    return static_cast<T*>(take_bytes(count, sizeof(T)));
  }

  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] bool overflow() const { return m_overflow; }

 private:
  void* take_bytes(std::size_t count, std::size_t size);

  unsigned char* m_block = nullptr;
  std::size_t m_size = 0;
  bool m_overflow = false;
};

/// Where an asset's memory and that of its players comes from. Nulls: malloc and free.
struct Allocator {
  supple_allocate allocate = nullptr;
  supple_release release = nullptr;
  void* context = nullptr;
};

/// Zeroed, at a multiple of 64; null, with a detail, when there is no memory.
void* allocate(const Allocator& allocator, std::size_t size);
/// The same for what an arena has measured.
void* allocate(const Allocator& allocator, const Arena& measured);
/// Contract: the block is the allocator's own, or null.
void release(const Allocator& allocator, void* block);

}  // namespace supple::player
