// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/flow.hpp"

#include "fuzz/harness.hpp"

#include "supple/core/files.hpp"

#include <cmath>

/// A grid that is read is whole, and has a velocity at any place and time.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple;
  auto grid = swim::parse_flow_grid(as_text(fuzz::bytes_of(data, size)), "fuzz.txt");
  if (!grid.ok()) return 0;
  SUPPLE_CHECK(grid->validate().ok());
  const Eigen::Vector3d first = grid->velocities.front();
  const Eigen::Vector3d origin = grid->origin;
  const auto flow = swim::flow_from_grid(*std::move(grid));
  SUPPLE_CHECK(flow.ok());
  SUPPLE_CHECK((*flow)->velocity(origin, 0) == first);
  for (const double far : {0.7, -1e300, 1e300, std::nan("")}) {
    (void)(*flow)->velocity({far, -far, far}, far);
  }
  return 0;
}
