// SPDX-License-Identifier: Apache-2.0
// malloc and free for a module that asks for a few large blocks: files, players, surfaces. The
// library's own, quick for many small ones, would be a twentieth of the module.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" unsigned char __heap_base;  // NOLINT: the linker's name for the end of data and stack

namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t kPage = 65536;

/// A free block, in a list by address; in use only the size counts.
struct alignas(kAlignment) Block {
  std::size_t size;  ///< bytes, with this head
  Block* next;

  [[nodiscard]] std::uintptr_t end() const { return reinterpret_cast<std::uintptr_t>(this) + size; }
};

Block g_first{0, nullptr};  // never used: so that every block has one before it
std::uintptr_t g_end = 0;   // of the memory that was ever in the list

void join_with_next(Block& block) {
  Block* next = block.next;
  if (next == nullptr || block.end() != reinterpret_cast<std::uintptr_t>(next)) return;
  block.size += next->size;
  block.next = next->next;
}

void put_back(Block& block) {
  Block* before = &g_first;
  while (before->next != nullptr && before->next < &block) before = before->next;
  block.next = before->next;
  before->next = &block;
  join_with_next(block);
  join_with_next(*before);
}

/// False when there is no memory.
bool grow(std::size_t size) {
  if (g_end == 0) {
    g_end = (reinterpret_cast<std::uintptr_t>(&__heap_base) + kAlignment - 1) & -kAlignment;
  }
  const std::uintptr_t have = __builtin_wasm_memory_size(0) * kPage;
  if (size > have - g_end) {
    const std::size_t pages = (size - (have - g_end) + kPage - 1) / kPage;
    if (__builtin_wasm_memory_grow(0, pages) == SIZE_MAX) return false;
  }
  auto* block = reinterpret_cast<Block*>(g_end);
  g_end = __builtin_wasm_memory_size(0) * kPage;
  block->size = g_end - reinterpret_cast<std::uintptr_t>(block);
  put_back(*block);
  return true;
}

/// The first that is large enough; what is over stays in the list.
Block* take(std::size_t size) {
  for (Block* before = &g_first; before->next != nullptr; before = before->next) {
    Block* block = before->next;
    if (block->size < size) continue;
    if (block->size - size < 2 * sizeof(Block)) {
      before->next = block->next;
      return block;
    }
    block->size -= size;
    block = reinterpret_cast<Block*>(block->end());
    block->size = size;
    return block;
  }
  return nullptr;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  if (size > SIZE_MAX / 2) return nullptr;
  const std::size_t whole = (size + sizeof(Block) + kAlignment - 1) & -kAlignment;
  Block* block = take(whole);
  if (block == nullptr && grow(whole)) block = take(whole);
  return block == nullptr ? nullptr : block + 1;
}

void free(void* memory) {
  if (memory != nullptr) put_back(static_cast<Block*>(memory)[-1]);
}

}  // extern "C"
