// SPDX-License-Identifier: Apache-2.0
#include "light/ray_scene.hpp"
#include "supple/core/check.hpp"

#include <utility>

namespace supple::light {

struct RayScene::Impl {};
RayScene::RayScene(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RayScene::RayScene(RayScene&&) noexcept = default;
RayScene& RayScene::operator=(RayScene&&) noexcept = default;
RayScene::~RayScene() = default;

Result<RayScene> RayScene::make(const std::vector<Eigen::Vector3f>&,
                                const std::vector<geometry::Triangle>&) {
  return bad_input(
      "this build of Supple cannot trace rays, because Embree 3 was not found; install "
      "libembree-dev, configure and build again");
}

void RayScene::trace(RayPacket&) const {
  SUPPLE_CHECK(available());
}

bool RayScene::available() {
  return false;
}

}  // namespace supple::light
