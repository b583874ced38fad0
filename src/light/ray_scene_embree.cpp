// SPDX-License-Identifier: Apache-2.0
#include "light/ray_scene.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace supple::light {
namespace {

/// One device for the process, with one instruction set on all machines that have it: results then
/// do not depend on the processor. It lives until the process ends.
RTCDevice ray_device() {
  static const RTCDevice kDevice = [] {
    const RTCDevice device = rtcNewDevice("isa=avx2");
    return device != nullptr ? device : rtcNewDevice(nullptr);
  }();
  return kDevice;
}

template <class T>
void fill(RTCGeometry geometry, RTCBufferType type, RTCFormat format, const std::vector<T>& items) {
  static_assert(sizeof(T) == 12);
  auto* to =
      static_cast<T*>(rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), items.size()));
  if (to != nullptr) std::copy(items.begin(), items.end(), to);
}

}  // namespace

struct RayScene::Impl {
  RTCScene scene = nullptr;
  Impl() : scene(rtcNewScene(ray_device())) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { rtcReleaseScene(scene); }
};

RayScene::RayScene(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RayScene::RayScene(RayScene&&) noexcept = default;
RayScene& RayScene::operator=(RayScene&&) noexcept = default;
RayScene::~RayScene() = default;

Result<RayScene> RayScene::make(const std::vector<Eigen::Vector3f>& positions,
                                const std::vector<geometry::Triangle>& triangles) {
  const RTCDevice device = ray_device();
  if (device == nullptr) return io_error("Embree does not start on this machine");
  RayScene result(std::make_unique<Impl>());
  const RTCScene scene = result.m_impl->scene;
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  if (!triangles.empty()) {
    const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    fill(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, positions);
    fill(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
  }
  // The order of triangles in the hierarchy decides between hits at the same distance.
  with_one_thread([&] { rtcCommitScene(scene); });
  const RTCError error = rtcGetDeviceError(device);
  if (error != RTC_ERROR_NONE) {
    return io_error(fmt::format("Embree cannot build a hierarchy of {} triangles (error {})",
                                triangles.size(), static_cast<int>(error)));
  }
  return result;
}

void RayScene::trace(RayPacket& packet) const {
  constexpr std::size_t kWidth = RayPacket::kWidth;
  static_assert(kWidth == 8);
  alignas(32) RTCRayHit8 rays{};
  alignas(32) std::array<int, kWidth> active{};
  for (std::size_t k = 0; k < kWidth; ++k) {
    active[k] = k < packet.count ? -1 : 0;
    rays.ray.org_x[k] = packet.origin[0][k];
    rays.ray.org_y[k] = packet.origin[1][k];
    rays.ray.org_z[k] = packet.origin[2][k];
    rays.ray.dir_x[k] = packet.direction[0][k];
    rays.ray.dir_y[k] = packet.direction[1][k];
    rays.ray.dir_z[k] = packet.direction[2][k];
    rays.ray.tnear[k] = packet.nearest[k];
    rays.ray.tfar[k] = std::numeric_limits<float>::infinity();
    rays.ray.time[k] = 0;
    rays.ray.mask[k] = RayPacket::kNone;
    rays.ray.flags[k] = 0;
    rays.hit.primID[k] = RTC_INVALID_GEOMETRY_ID;
    rays.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
    rays.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
  }
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  rtcIntersect8(active.data(), m_impl->scene, &context, &rays);
  for (std::size_t k = 0; k < packet.count; ++k) {
    packet.triangle[k] = rays.hit.primID[k];
    packet.distance[k] = rays.ray.tfar[k];
    packet.u[k] = rays.hit.u[k];
    packet.v[k] = rays.hit.v[k];
    // Embree's normal is (p1 - p0) x (p2 - p0): outwards.
    packet.back[k] = rays.hit.Ng_x[k] * packet.direction[0][k] +
                         rays.hit.Ng_y[k] * packet.direction[1][k] +
                         rays.hit.Ng_z[k] * packet.direction[2][k] >
                     0;
  }
}

bool RayScene::available() {
  return true;
}

}  // namespace supple::light
