// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    const std::size_t begin = (m_size + kAlignment - 1) / kAlignment * kAlignment;
    if (begin < m_size || count > (SIZE_MAX - begin) / sizeof(T)) {
      m_overflow = true;
      return nullptr;
    }
    m_size = begin + count * sizeof(T);
    return m_block == nullptr ? nullptr : reinterpret_cast<T*>(m_block + begin);
  }

  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] bool overflow() const { return m_overflow; }

 private:
  static constexpr std::size_t kAlignment = 64;
  unsigned char* m_block = nullptr;
  std::size_t m_size = 0;
  bool m_overflow = false;
};

/// Zeroed, at a multiple of 64; null when there is no memory.
void* allocate(std::size_t size);
void release(void* block);

}  // namespace supple::player
