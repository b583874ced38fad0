// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/light_settings.hpp"

#include "fuzz/harness.hpp"

#include "supple/core/files.hpp"

/// Settings that are read are valid, and are written as they were read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  const auto read = bake::parse_light_settings(as_text(fuzz::bytes_of(data, size)), "fuzz.toml");
  if (!read.ok()) return 0;
  SUPPLE_CHECK(read->validate().ok());
  const std::string text = bake::print_light_settings(*read);
  const auto again = bake::parse_light_settings(text, "printed");
  SUPPLE_CHECK(again.ok());
  SUPPLE_CHECK(bake::print_light_settings(*again) == text);
  return 0;
}
