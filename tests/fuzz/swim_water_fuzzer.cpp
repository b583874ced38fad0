// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/swim_settings.hpp"

#include "fuzz/harness.hpp"

#include "supple/core/files.hpp"

#include <cmath>

/// Water that is read can be swum in, and flows at finite speed where a swim begins.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  static const swim::Body body = swim::build_body({}).value();
  const auto text = as_text(fuzz::bytes_of(data, size));
  const auto water = bake::parse_swim_water(text, "fuzz.toml", "no-such-folder");
  if (!water.ok()) return 0;
  SUPPLE_CHECK(swim::Water::create(body, *water).ok());
  if (!water->flow) return 0;
  SUPPLE_CHECK(water->flow->velocity(Eigen::Vector3d::Zero(), 0).allFinite());
  // Elsewhere anything may come out, but something does.
  (void)water->flow->velocity({1e300, -1e300, std::nan("")}, 1e300);
  return 0;
}
