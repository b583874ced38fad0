// SPDX-License-Identifier: Apache-2.0
#include "supple/io/bvh.hpp"
#include "supple/io/transform_table.hpp"

#include "fuzz/harness.hpp"

/// Both readers of motion: what they return can be posed and is finite.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple::io;
  const auto bytes = supple::fuzz::bytes_of(data, size);
  if (const auto bvh = read_bvh(bytes, "fuzz.bvh"); bvh.ok()) {
    SUPPLE_CHECK(bvh->frame_count() > 0);
    for (const double time : {0.0, 0.3 * bvh->duration(), bvh->duration()}) {
      const auto pose = bvh_pose(*bvh, time);
      SUPPLE_CHECK_OP(pose.size(), ==, bvh->joints.size());
      for (const auto& joint : pose) SUPPLE_CHECK(joint.matrix().allFinite());
    }
  }
  if (const auto table = read_transform_table(bytes, "fuzz.csv"); table.ok()) {
    for (const auto& track : table->tracks) {
      SUPPLE_CHECK_OP(track.positions.size(), ==, table->times.size());
      SUPPLE_CHECK_OP(track.rotations.size(), ==, table->times.size());
    }
  }
  return 0;
}
