// SPDX-License-Identifier: Apache-2.0
#include "light/hits.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>
#include <atomic>

namespace supple::light {
namespace {

/// What became of a ray before it is stored.
enum class Fate : std::uint8_t { None, Open, Dark, Lit };

/// Traces one group of points into all directions of a batch. Rays of a packet are parallel and
/// start at neighbours.
class GroupTracer {
 public:
  GroupTracer(const LitScene& scene, const RayScene& rays, const DirectionSet& set)
      : m_scene(scene), m_rays(rays), m_set(set) {}

  /// Of points first .. first + count - 1.
  std::size_t trace(std::size_t first, std::size_t count) {
    m_first = first;
    m_fates.assign(count * m_set.count(), Fate::None);
    m_hits.resize(count * m_set.count());
    std::size_t rays = 0;
    for (std::size_t d = 0; d < m_set.count(); ++d) {
      const Eigen::Vector3f& direction = m_set.directions[d];
      for (std::size_t p = 0; p < count; ++p) {
        if (!(m_scene.points[first + p].normal.dot(direction) > 0)) continue;
        add(p, d);
        ++rays;
      }
    }
    flush();
    return rays;
  }

  [[nodiscard]] Fate fate(std::size_t p, std::size_t d) const {
    return m_fates[p * m_set.count() + d];
  }
  [[nodiscard]] const Hit& hit(std::size_t p, std::size_t d) const {
    return m_hits[p * m_set.count() + d];
  }

 private:
  void add(std::size_t p, std::size_t d) {
    const std::size_t lane = m_packet.count++;
    const LitPoint& point = m_scene.points[m_first + p];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<Eigen::Index>(axis);
      m_packet.origin[axis][lane] = point.origin(i);
      m_packet.direction[axis][lane] = m_set.directions[d](i);
    }
    m_packet.nearest[lane] = 0;
    m_ray[lane] = p * m_set.count() + d;
    m_point[lane] = m_first + p;
    if (m_packet.count == RayPacket::kWidth) flush();
  }

  void flush() {
    if (m_packet.count == 0) return;
    m_rays.trace(m_packet);
    for (std::size_t lane = 0; lane < m_packet.count; ++lane) {
      const LitPoint& point = m_scene.points[m_point[lane]];
      if (is_own_back(m_packet, lane, point)) {
        const RayPacket again = past_own_ring(lane, point);
        store(again, 0, m_ray[lane]);
      } else {
        store(m_packet, lane, m_ray[lane]);
      }
    }
    m_packet.count = 0;
  }

  /// Around a sharp or crumpled vertex an origin above it can lie below one of its own triangles,
  /// whose other side the ray then meets at once.
  [[nodiscard]] bool is_own_back(const RayPacket& packet, std::size_t lane,
                                 const LitPoint& point) const {
    const std::uint32_t triangle = packet.triangle[lane];
    if (triangle == RayPacket::kNone || !(packet.distance[lane] < point.reach)) return false;
    if (packet.back[lane] == point.back) return false;
    const auto& corners = m_scene.triangles[triangle];
    return std::any_of(corners.begin(), corners.end(), [&](geometry::Index v) {
      return m_scene.ring[static_cast<std::size_t>(v)] == point.ring;
    });
  }

  [[nodiscard]] RayPacket past_own_ring(std::size_t lane, const LitPoint& point) const {
    constexpr int kMostTriangles = 16;  // of a ring that one ray can cross, and more
    constexpr float kPast = 1 + 1e-5F;
    RayPacket one;
    one.count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      one.origin[axis][0] = m_packet.origin[axis][lane];
      one.direction[axis][0] = m_packet.direction[axis][lane];
    }
    one.distance[0] = m_packet.distance[lane];
    for (int i = 0; i < kMostTriangles; ++i) {
      one.nearest[0] = kPast * one.distance[0] + 1e-5F * point.reach;
      m_rays.trace(one);
      if (!is_own_back(one, 0, point)) break;
    }
    return one;
  }

  void store(const RayPacket& packet, std::size_t lane, std::size_t ray) {
    const std::uint32_t triangle = packet.triangle[lane];
    if (triangle == RayPacket::kNone) {
      m_fates[ray] = Fate::Open;
      return;
    }
    const auto corner = static_cast<std::size_t>(m_scene.triangles[triangle][0]);
    if (m_scene.at[packet.back[lane] ? 1 : 0][corner] == kNoPoint) {
      m_fates[ray] = Fate::Dark;
      return;
    }
    m_fates[ray] = Fate::Lit;
    // Rounded down, so that the third weight is not negative.
    const auto sixteen_bits = [](float x) {
      return static_cast<std::uint16_t>(std::clamp(x * 65536.0F, 0.0F, 65535.0F));
    };
    m_hits[ray] = {triangle | (packet.back[lane] ? Hit::kBack : 0), sixteen_bits(packet.u[lane]),
                   sixteen_bits(packet.v[lane])};
  }

  const LitScene& m_scene;
  const RayScene& m_rays;
  const DirectionSet& m_set;
  std::size_t m_first = 0;
  RayPacket m_packet;
  std::array<std::size_t, RayPacket::kWidth> m_ray{};
  std::array<std::size_t, RayPacket::kWidth> m_point{};
  std::vector<Fate> m_fates;
  std::vector<Hit> m_hits;
};

void add_scaled(float factor, const float* from, float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

/// Sums and hits of one group of points, from its fates.
void store_group(const LitScene& scene, const GroupTracer& tracer, std::size_t first,
                 std::size_t count, bool keep_hits, TracedBatch& batch) {
  const auto n = static_cast<std::size_t>(batch.set.coefficients);
  std::vector<Hit>& hits = batch.hits[first / kPointsAtOnce];
  for (std::size_t p = 0; p < count; ++p) {
    const Eigen::Vector3f& normal = scene.points[first + p].normal;
    float* const all = &batch.all[(first + p) * n];
    float* const open = &batch.open[(first + p) * n];
    for (std::size_t d = 0; d < batch.set.count(); ++d) {
      const Fate fate = tracer.fate(p, d);
      if (fate == Fate::None) continue;
      const float weight = normal.dot(batch.set.directions[d]);
      const float* const y = &batch.set.harmonics[d * n];
      add_scaled(weight, y, all, n);
      if (fate == Fate::Open) add_scaled(weight, y, open, n);
      if (fate != Fate::Lit || !keep_hits) continue;
      batch.mask[(first + p) * batch.words + d / 64] |= std::uint64_t{1} << (d % 64);
      hits.push_back(tracer.hit(p, d));
    }
  }
  hits.shrink_to_fit();
}

}  // namespace

std::size_t TracedBatch::hit_count() const {
  std::size_t count = 0;
  for (const auto& group : hits) count += group.size();
  return count;
}

std::size_t TracedBatch::bytes() const {
  return sizeof(Hit) * hit_count() + sizeof(std::uint64_t) * mask.size() +
         sizeof(float) * (all.size() + open.size());
}

Result<TracedBatch> trace_batch(const LitScene& scene, const RayScene& rays, DirectionSet set,
                                bool keep_hits) {
  TracedBatch batch;
  const std::size_t points = scene.points.size();
  const auto n = static_cast<std::size_t>(set.coefficients);
  batch.words = (set.count() + 63) / 64;
  batch.set = std::move(set);
  batch.all.assign(points * n, 0);
  batch.open.assign(points * n, 0);
  batch.mask.assign(points * batch.words, 0);
  batch.hits.resize((points + kPointsAtOnce - 1) / kPointsAtOnce);
  std::atomic<std::size_t> count{0};
  parallel_chunks(points, kPointsAtOnce, [&](std::size_t begin, std::size_t end) {
    if (interrupted()) return;
    GroupTracer tracer(scene, rays, batch.set);
    count += tracer.trace(begin, end - begin);
    store_group(scene, tracer, begin, end - begin, keep_hits, batch);
  });
  SUPPLE_TRY_VOID(check_interrupt());
  batch.rays = count;
  return batch;
}

}  // namespace supple::light
