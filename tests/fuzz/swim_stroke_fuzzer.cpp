// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_stroke.hpp"

#include "fuzz/harness.hpp"

#include "supple/core/files.hpp"

/// A stroke that is read fits its body and goes round.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  const auto text = as_text(fuzz::bytes_of(data, size));
  const auto stroke = bake::parse_swim_stroke(text, "fuzz.toml");
  if (!stroke.ok()) return 0;
  swim::BodySettings settings;
  settings.hinges = stroke->graph.hinges;
  SUPPLE_CHECK(stroke->graph.validate(swim::build_body(settings).value()).ok());
  SUPPLE_CHECK(!stroke->graph.cycle().empty());
  return 0;
}
