// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/raw_rays.hpp"

namespace supple::bench {

Result<RawRays> raw_rays(const geometry::TriMesh& /*mesh*/, std::size_t /*directions*/) {
  return bad_input("this build has no Embree; install libembree-dev");
}

}  // namespace supple::bench
