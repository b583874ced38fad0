// SPDX-License-Identifier: Apache-2.0
#include "supple/format/checksum.hpp"

#include <bit>
#include <cstring>

namespace supple::format {

namespace {

template <typename Word>
Word load(const unsigned char* bytes) {
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

void Xxh64::round(const unsigned char* stripe) {
  for (int lane = 0; lane < 4; ++lane) {
    m_lanes[lane] += load<std::uint64_t>(stripe + 8 * lane) * kPrime2;
    m_lanes[lane] = std::rotl(m_lanes[lane], 31) * kPrime1;
  }
}

void Xxh64::add(const void* bytes, std::size_t size) {
  if (size == 0) {
    return;
  }
  const auto* next = static_cast<const unsigned char*>(bytes);
  m_total += size;
  if (m_pending_size > 0) {
    const std::size_t take = size < 32 - m_pending_size ? size : 32 - m_pending_size;
    std::memcpy(m_pending + m_pending_size, next, take);
    m_pending_size += take;
    next += take;
    size -= take;
    if (m_pending_size < 32) {
      return;
    }
    round(m_pending);
    m_pending_size = 0;
  }
  for (; size >= 32; size -= 32, next += 32) {
    round(next);
  }
  std::memcpy(m_pending, next, size);
  m_pending_size = size;
}

std::uint64_t Xxh64::value() const {
  std::uint64_t hash = kPrime5;
  if (m_total >= 32) {
    hash = std::rotl(m_lanes[0], 1) + std::rotl(m_lanes[1], 7) + std::rotl(m_lanes[2], 12) +
           std::rotl(m_lanes[3], 18);
    for (const std::uint64_t lane : m_lanes) {
      hash = (hash ^ std::rotl(lane * kPrime2, 31) * kPrime1) * kPrime1 + kPrime4;
    }
  }
  hash += m_total;
  const unsigned char* next = m_pending;
  std::size_t left = m_pending_size;
  for (; left >= 8; left -= 8, next += 8) {
    hash ^= std::rotl(load<std::uint64_t>(next) * kPrime2, 31) * kPrime1;
    hash = std::rotl(hash, 27) * kPrime1 + kPrime4;
  }
  if (left >= 4) {
    hash ^= load<std::uint32_t>(next) * kPrime1;
    hash = std::rotl(hash, 23) * kPrime2 + kPrime3;
    next += 4;
    left -= 4;
  }
  for (; left > 0; --left, ++next) {
    hash ^= *next * kPrime5;
    hash = std::rotl(hash, 11) * kPrime1;
  }
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}

}  // namespace supple::format
