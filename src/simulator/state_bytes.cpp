// SPDX-License-Identifier: Apache-2.0
#include "simulator/state_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace supple::simulator {
namespace {

using Eigen::VectorXd;

static_assert(std::endian::native == std::endian::little, "states are written as they lie");

constexpr std::uint64_t kStateMagic = 0x31444c524f575053;  // "SPWORLD1"
constexpr std::size_t kChecksumSize = 16;

class StateWriter {
 public:
  template <class T>
  void number(T value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    m_bytes.insert(m_bytes.end(), first, first + sizeof(T));
  }
  void numbers(std::span<const double> values) {
    number(static_cast<std::uint64_t>(values.size()));
    const auto bytes = std::as_bytes(values);
    m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
  }
  void numbers(const VectorXd& values) {
    numbers(std::span(values.data(), static_cast<std::size_t>(values.size())));
  }
  [[nodiscard]] std::vector<std::byte> finish() {
    const Hash hash = Hasher().add(m_bytes).finish();
    for (const std::uint64_t word : hash.words) number(word);
    return std::move(m_bytes);
  }

 private:
  std::vector<std::byte> m_bytes;
};

/// Reads until something is missing, and zeros from then on.
class StateReader {
 public:
  explicit StateReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  template <class T>
  T number() {
    T value{};
    read(&value, sizeof(T));
    return value;
  }
  std::vector<double> numbers() {
    const auto count = number<std::uint64_t>();
    if (count > m_bytes.size() / sizeof(double)) m_failed = true;
    std::vector<double> values(m_failed ? 0 : static_cast<std::size_t>(count));
    read(values.data(), values.size() * sizeof(double));
    return values;
  }
  VectorXd vector() {
    const std::vector<double> values = numbers();
    return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
  }
  [[nodiscard]] bool is_complete() const { return !m_failed && m_bytes.empty(); }

 private:
  void read(void* to, std::size_t size) {
    if (size > m_bytes.size()) m_failed = true;
    if (m_failed || size == 0) return;
    std::memcpy(to, m_bytes.data(), size);
    m_bytes = m_bytes.subspan(size);
  }

  std::span<const std::byte> m_bytes;
  bool m_failed = false;
};

}  // namespace

std::vector<std::byte> to_bytes(const State& state) {
  StateWriter writer;
  writer.number(kStateMagic);
  writer.number(state.step);
  writer.number(state.motion.time);
  writer.number(state.impulses_done);
  writer.numbers(state.clocks);
  writer.numbers(state.motion.x);
  writer.numbers(state.motion.v);
  writer.numbers(state.motion.x_before);
  writer.numbers(state.motion.v_before);
  return writer.finish();
}

Result<State> from_bytes(std::span<const std::byte> bytes) {
  const auto damaged = [] {
    return bad_input("the state is damaged or was not written by this version; start anew");
  };
  if (bytes.size() < kChecksumSize) return damaged();
  const auto content = bytes.first(bytes.size() - kChecksumSize);
  const std::vector<std::byte> copy(content.begin(), content.end());
  const Hash expected = Hasher().add(copy).finish();
  if (std::memcmp(expected.words.data(), bytes.data() + content.size(), kChecksumSize) != 0) {
    return damaged();
  }
  StateReader reader(content);
  if (reader.number<std::uint64_t>() != kStateMagic) return damaged();
  State state;
  state.step = reader.number<std::int64_t>();
  state.motion.time = reader.number<double>();
  state.impulses_done = reader.number<std::uint64_t>();
  state.clocks = reader.numbers();
  state.motion.x = reader.vector();
  state.motion.v = reader.vector();
  state.motion.x_before = reader.vector();
  state.motion.v_before = reader.vector();
  if (!reader.is_complete()) return damaged();
  return state;
}

}  // namespace supple::simulator
