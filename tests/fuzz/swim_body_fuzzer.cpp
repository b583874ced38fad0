// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_settings.hpp"

#include "fuzz/harness.hpp"

#include "supple/core/files.hpp"

#include <cmath>

/// A body that is read can be built, and is written as it was read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  const auto read = bake::parse_swim_body(as_text(fuzz::bytes_of(data, size)), "fuzz.toml");
  if (!read.ok()) return 0;
  const std::string text = bake::print_swim_body(*read);
  const auto again = bake::parse_swim_body(text, "printed");
  SUPPLE_CHECK(again.ok());
  SUPPLE_CHECK(bake::print_swim_body(*again) == text);
  if (!read->mesh.empty()) return 0;
  const swim::Body body = swim::build_body(*read).value();
  SUPPLE_CHECK(std::isfinite(body.mass()) && body.mass() > 0);
  return 0;
}
