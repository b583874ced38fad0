// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/raw_rays.hpp"

#include "supple/core/parallel.hpp"

#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace supple::bench {
namespace {

using Vec3f = Eigen::Vector3f;

constexpr unsigned kEveryObject = std::numeric_limits<unsigned>::max();
constexpr float kEndless = std::numeric_limits<float>::infinity();
constexpr std::size_t kVerticesAtOnce = 64;

struct RawScene {
  RTCDevice device = rtcNewDevice("isa=avx2");
  RTCScene scene = rtcNewScene(device);
  std::vector<Vec3f> origins;
  std::vector<Vec3f> normals;
  std::vector<Vec3f> directions;

  RawScene() = default;
  RawScene(const RawScene&) = delete;
  RawScene& operator=(const RawScene&) = delete;
  ~RawScene() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
};

/// Neighbours in the list are neighbours on the sphere: strips of z, in turn from left and right.
std::vector<Vec3f> spread_directions(std::size_t count) {
  const auto strips = static_cast<std::size_t>(std::sqrt(static_cast<double>(count) / 2));
  const std::size_t around = count / strips;
  std::vector<Vec3f> directions;
  for (std::size_t i = 0; i < strips * around; ++i) {
    const std::size_t strip = i / around;
    const std::size_t step = strip % 2 == 0 ? i % around : around - 1 - i % around;
    const double z = 1 - 2 * (static_cast<double>(strip) + 0.5) / static_cast<double>(strips);
    const double phi =
        2 * std::numbers::pi * (static_cast<double>(step) + 0.37) / static_cast<double>(around);
    const double r = std::sqrt(1 - z * z);
    directions.emplace_back(Eigen::Vector3d(r * std::cos(phi), r * std::sin(phi), z).cast<float>());
  }
  return directions;
}

void fill(RawScene& raw, const geometry::TriMesh& mesh, std::size_t directions) {
  rtcSetSceneFlags(raw.scene, RTC_SCENE_FLAG_ROBUST);
  const RTCGeometry geometry = rtcNewGeometry(raw.device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* points = static_cast<Vec3f*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                             RTC_FORMAT_FLOAT3, sizeof(Vec3f),
                                                             mesh.positions.size()));
  auto* triangles = static_cast<geometry::Triangle*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                              sizeof(geometry::Triangle), mesh.triangles.size()));
  std::copy(mesh.triangles.begin(), mesh.triangles.end(), triangles);
  const std::vector<geometry::Vec3> normals = geometry::vertex_normals(mesh);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    points[v] = mesh.positions[v].cast<float>();
    raw.normals.emplace_back(normals[v].cast<float>());
    raw.origins.emplace_back((mesh.positions[v] + 1e-5 * normals[v]).cast<float>());
  }
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(raw.scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(raw.scene);
  raw.directions = spread_directions(directions);
}

RTCIntersectContext context_of(RTCIntersectContextFlags flags) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = flags;
  return context;
}

/// All rays of vertices begin .. end - 1, one by one; returns their number.
std::size_t trace_single(const RawScene& raw, std::size_t begin, std::size_t end) {
  RTCIntersectContext context = context_of(RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT);
  std::size_t count = 0;
  for (std::size_t v = begin; v < end; ++v) {
    for (const Vec3f& d : raw.directions) {
      if (!(raw.normals[v].dot(d) > 0)) continue;
      RTCRayHit ray{};
      ray.ray.org_x = raw.origins[v].x();
      ray.ray.org_y = raw.origins[v].y();
      ray.ray.org_z = raw.origins[v].z();
      ray.ray.dir_x = d.x();
      ray.ray.dir_y = d.y();
      ray.ray.dir_z = d.z();
      ray.ray.tfar = kEndless;
      ray.ray.mask = kEveryObject;
      ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(raw.scene, &context, &ray);
      ++count;
    }
  }
  return count;
}

/// The same in packets of eight rays that are parallel and start at neighbours.
std::size_t trace_packets(const RawScene& raw, std::size_t begin, std::size_t end) {
  RTCIntersectContext context = context_of(RTC_INTERSECT_CONTEXT_FLAG_COHERENT);
  alignas(32) RTCRayHit8 rays{};
  alignas(32) std::array<int, 8> active{};
  std::size_t lanes = 0;
  std::size_t count = 0;
  const auto flush = [&] {
    for (std::size_t k = 0; k < 8; ++k) active[k] = k < lanes ? -1 : 0;
    rtcIntersect8(active.data(), raw.scene, &context, &rays);
    count += lanes;
    lanes = 0;
  };
  for (const Vec3f& d : raw.directions) {
    for (std::size_t v = begin; v < end; ++v) {
      if (!(raw.normals[v].dot(d) > 0)) continue;
      rays.ray.org_x[lanes] = raw.origins[v].x();
      rays.ray.org_y[lanes] = raw.origins[v].y();
      rays.ray.org_z[lanes] = raw.origins[v].z();
      rays.ray.dir_x[lanes] = d.x();
      rays.ray.dir_y[lanes] = d.y();
      rays.ray.dir_z[lanes] = d.z();
      rays.ray.tfar[lanes] = kEndless;
      rays.ray.mask[lanes] = kEveryObject;
      rays.hit.geomID[lanes] = RTC_INVALID_GEOMETRY_ID;
      if (++lanes == 8) flush();
    }
  }
  if (lanes > 0) flush();
  return count;
}

template <class Trace>
double rate(const RawScene& raw, const Trace& trace) {
  const auto start = std::chrono::steady_clock::now();
  const std::size_t rays = parallel_reduce(
      raw.origins.size(), kVerticesAtOnce, std::size_t{0},
      [&](std::size_t begin, std::size_t end) { return trace(raw, begin, end); },
      [](std::size_t a, std::size_t b) { return a + b; });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return static_cast<double>(rays) / seconds.count();
}

}  // namespace

Result<RawRays> raw_rays(const geometry::TriMesh& mesh, std::size_t directions) {
  RawScene raw;
  fill(raw, mesh, directions);
  if (rtcGetDeviceError(raw.device) != RTC_ERROR_NONE) return io_error("Embree does not start");
  return RawRays{rate(raw, trace_single), rate(raw, trace_packets)};
}

}  // namespace supple::bench
