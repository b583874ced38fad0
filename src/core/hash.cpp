// SPDX-License-Identifier: Apache-2.0
#include "supple/core/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace supple {
namespace {

XXH3_state_t* state_of(void* state) {
  return static_cast<XXH3_state_t*>(state);
}

}  // namespace

std::string Hash::hex() const {
  return fmt::format("{:016x}{:016x}", words[1], words[0]);
}

Hasher::Hasher() : m_state(XXH3_createState()) {
  XXH3_128bits_reset(state_of(m_state));
}
Hasher::~Hasher() {
  XXH3_freeState(state_of(m_state));
}

Hasher& Hasher::add(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_of(m_state), bytes.data(), bytes.size());
  return *this;
}

Hasher& Hasher::add(std::string_view text) {
  add(text.size());
  return add(std::as_bytes(std::span<const char>(text)));
}

Hash Hasher::finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_of(m_state));
  return {{hash.low64, hash.high64}};
}

}  // namespace supple
