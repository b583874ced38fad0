// SPDX-License-Identifier: Apache-2.0
#include "supple/io/deck.hpp"

#include "fuzz/harness.hpp"

#include "supple/core/files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto deck = supple::io::read_deck(supple::fuzz::bytes_of(data, size), "fuzz.inp");
  if (!deck.ok()) return 0;
  supple::fuzz::check_sound(deck->mesh);
  SUPPLE_CHECK_OP(deck->fixed.size(), ==, deck->mesh.nodes.size());
  // What was read can be written, and is then read as the same mesh.
  const auto text = supple::io::write_deck(*deck);
  SUPPLE_CHECK(text.ok());
  const auto copy = supple::io::read_deck(supple::as_bytes(*text), "copy.inp");
  SUPPLE_CHECK(copy.ok());
  SUPPLE_CHECK(copy->mesh.connectivity == deck->mesh.connectivity);
  SUPPLE_CHECK(copy->mesh.regions == deck->mesh.regions);
  SUPPLE_CHECK(copy->fixed == deck->fixed);
  return 0;
}
