// SPDX-License-Identifier: Apache-2.0
#include "gallery/swim_live.hpp"

#include "fuzz/harness.hpp"

#include "supple/core/files.hpp"

#include <cmath>

/// What a page asks of the live swimmer is refused with a reason, or within bounds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  static const gallery::LiveStrokes strokes = gallery::LiveStrokes::load("").value();
  const auto change = gallery::parse_swim_change(as_text(fuzz::bytes_of(data, size)), strokes, 0);
  if (!change.ok()) {
    SUPPLE_CHECK(!change.error().message().empty());
    return 0;
  }
  if (change->stroke) SUPPLE_CHECK_OP(*change->stroke, <, strokes.list.size());
  if (change->target) SUPPLE_CHECK(change->target->allFinite());
  if (change->hold) {
    for (const int key : *change->hold) SUPPLE_CHECK(std::abs(key) <= 1);
  }
  return 0;
}
