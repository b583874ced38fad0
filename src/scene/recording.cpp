// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/recording.hpp"

#include "supple/core/hash.hpp"

#include <array>
#include <cstring>

namespace supple::scene {
namespace {

constexpr std::array<char, 8> kChainMagic{'S', 'U', 'P', 'C', 'H', 'A', 'N', '2'};

/// One list of fields for both directions: an archive either writes each number or fills it.
class ChainWriter {
 public:
  template <class T>
  void number(T& value) {
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), raw, raw + sizeof(T));
  }
  template <class T>
  void numbers(std::vector<T>& values) {
    std::uint64_t count = values.size();
    number(count);
    const auto* raw = reinterpret_cast<const std::byte*>(values.data());
    bytes.insert(bytes.end(), raw, raw + count * sizeof(T));
  }
  std::uint64_t count(std::size_t size) {
    std::uint64_t value = size;
    number(value);
    return value;
  }
  bool good = true;
  Bytes bytes;
};

class ChainReader {
 public:
  explicit ChainReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}
  template <class T>
  void number(T& value) {
    take(&value, sizeof(T));
  }
  template <class T>
  void numbers(std::vector<T>& values) {
    std::uint64_t count = 0;
    number(count);
    if (count > m_bytes.size() / sizeof(T)) good = false;
    values.resize(good ? count : 0);
    take(values.data(), values.size() * sizeof(T));
  }
  /// Each record takes at least a byte: more of them than bytes are left means damage.
  std::uint64_t count(std::size_t /*size*/) {
    std::uint64_t value = 0;
    number(value);
    if (value > m_bytes.size()) good = false;
    return good ? value : 0;
  }
  [[nodiscard]] bool at_end() const { return m_bytes.empty(); }
  bool good = true;

 private:
  void take(void* to, std::size_t size) {
    if (size > m_bytes.size()) good = false;
    if (!good || size == 0) return;
    std::memcpy(to, m_bytes.data(), size);
    m_bytes = m_bytes.subspan(size);
  }
  std::span<const std::byte> m_bytes;
};

template <class Archive>
void visit_place(Archive& archive, Place& place) {
  archive.number(place.response);
  archive.number(place.frame);
}

template <class Archive>
void visit_chain(Archive& archive, Chain& chain) {
  visit_place(archive, chain.origin);
  chain.responses.resize(archive.count(chain.responses.size()));
  for (Response& response : chain.responses) {
    archive.number(response.entry);
    archive.number(response.strength);
    visit_place(archive, response.origin);
    archive.number(response.frames);
    archive.number(response.rests);
    archive.number(response.whole);
    archive.number(response.group);
  }
  archive.number(chain.vertices);
  archive.numbers(chain.positions);
  chain.branch_places.resize(archive.count(chain.branch_places.size()));
  for (Place& place : chain.branch_places) visit_place(archive, place);
  chain.branch_states.resize(archive.count(chain.branch_states.size()));
  for (Bytes& state : chain.branch_states) archive.numbers(state);
  archive.number(chain.failures);
}

Hash checksum_of(std::span<const std::byte> bytes) {
  return Hasher().add(bytes).finish();
}

bool sizes_fit(const Chain& chain) {
  std::size_t frames = 0;
  for (const Response& response : chain.responses) frames += response.frames + 1;
  return chain.positions.size() == 3 * chain.vertices * frames &&
         chain.branch_places.size() == chain.branch_states.size();
}

}  // namespace

Bytes save_chain(const Chain& chain) {
  ChainWriter writer;
  Chain copy = chain;
  visit_chain(writer, copy);
  Hash checksum = checksum_of(writer.bytes);
  ChainWriter file;
  std::array<char, 8> magic = kChainMagic;
  file.number(magic);
  file.number(checksum.words);
  file.bytes.insert(file.bytes.end(), writer.bytes.begin(), writer.bytes.end());
  return std::move(file.bytes);
}

Result<Chain> load_chain(std::span<const std::byte> bytes) {
  constexpr std::size_t kHead = sizeof kChainMagic + sizeof(Hash::words);
  ChainReader reader(bytes);
  std::array<char, 8> magic{};
  Hash checksum;
  reader.number(magic);
  reader.number(checksum.words);
  if (!reader.good || magic != kChainMagic || checksum_of(bytes.subspan(kHead)) != checksum) {
    return bad_input(
        "the recorded chain is damaged or of another version; remove it to sample it again");
  }
  Chain chain;
  visit_chain(reader, chain);
  if (!reader.good || !reader.at_end() || !sizes_fit(chain)) {
    return bad_input("the recorded chain is damaged; remove it to sample it again");
  }
  return chain;
}

}  // namespace supple::scene
