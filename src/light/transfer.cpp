// SPDX-License-Identifier: Apache-2.0
#include "supple/light/transfer.hpp"

#include "light/gather.hpp"
#include "light/hits.hpp"
#include "light/lit_scene.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/light/harmonics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace supple::light {

struct TracedShape::Impl {
  TransferSettings settings;
  LitScene scene;
  RayScene rays;
  std::vector<TracedBatch> batches;
  std::vector<PointMaterial> materials;  ///< of the surfaces as they were given
  TraceCost cost;

  /// Directions begin .. end - 1, in an even number of batches.
  Result<void> trace_directions(std::size_t begin, std::size_t end);
};

namespace {

using Colours = std::vector<Eigen::Vector3f>;

const Eigen::Vector3f& colour_at(const Colours& colours, std::size_t v) {
  return colours.size() == 1 ? colours.front() : colours[v];
}

/// Sets one member of all points from the colours of both meshes; empty colours leave it alone.
void set_colours(const LitScene& scene, const Colours& surface, const Colours& surroundings,
                 Eigen::Vector3f PointMaterial::*member, std::vector<PointMaterial>& materials) {
  materials.resize(scene.points.size());
  for (std::size_t p = 0; p < scene.points.size(); ++p) {
    const std::size_t v = scene.points[p].vertex;
    const bool around = v >= scene.surface_vertices;
    const Colours& colours = around ? surroundings : surface;
    if (colours.empty()) continue;
    materials[p].*member = colour_at(colours, around ? v - scene.surface_vertices : v);
  }
}

double squares(const std::vector<float>& values, const std::vector<float>* minus = nullptr) {
  return parallel_reduce(
      values.size(), 65536, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const double x = double{values[i]} - (minus != nullptr ? double{(*minus)[i]} : 0);
          sum += x * x;
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
}

double relative_change(const std::vector<float>& now, const std::vector<float>& before) {
  const double size = squares(now);
  return size > 0 ? std::sqrt(squares(now, &before) / size) : 0;
}

/// All bounces, one after the other: T_k+1 = albedo (direct + gathered T_k).
Result<TransferField> solve(const LitScene& scene, const std::vector<TracedBatch>& batches,
                            const std::vector<PointMaterial>& materials,
                            const TransferSettings& settings, PointTransfer& transfer) {
  TransferField field;
  SUPPLE_TRY(transfer, gather(scene, batches, materials, {}));
  while (field.bounces < settings.bounces) {
    SUPPLE_TRY(PointTransfer next, gather(scene, batches, materials, transfer.values));
    ++field.bounces;
    field.last_bounce = relative_change(next.values, transfer.values);
    transfer = std::move(next);
    if (field.last_bounce <= settings.converged) break;
  }
  for (const TracedBatch& batch : batches) field.directions += batch.set.count();
  return field;
}

/// The points of one side of vertices first .. first + count - 1, in the order of these.
TransferVectors side_of(const LitScene& scene, const PointTransfer& transfer, int side,
                        std::size_t first, std::size_t count, int coefficients) {
  TransferVectors vectors(count, coefficients);
  const std::size_t values = 3 * static_cast<std::size_t>(coefficients);
  for (std::size_t v = 0; v < count; ++v) {
    const std::size_t p = scene.at[static_cast<std::size_t>(side)][first + v];
    std::copy_n(&transfer.values[p * values], values, &vectors.values()[v * values]);
  }
  return vectors;
}

void add_noise(const LitScene& scene, const PointTransfer& transfer, TransferField& field) {
  double noise = 0;
  field.noise.resize(scene.surface_vertices);
  for (std::size_t v = 0; v < scene.surface_vertices; ++v) {
    field.noise[v] = transfer.error[scene.at[0][v]];
    noise += double{field.noise[v]} * double{field.noise[v]};
  }
  double size = 0;
  for (const float value : field.front.values()) size += double{value} * double{value} / 3;
  field.relative_noise = size > 0 ? std::sqrt(noise / size) : 0;
}

Result<TransferField> make_field(const LitScene& scene, const std::vector<TracedBatch>& batches,
                                 const std::vector<PointMaterial>& materials,
                                 const TransferSettings& settings) {
  PointTransfer transfer;
  if (scene.points.empty()) return TransferField{};
  SUPPLE_TRY(TransferField field, solve(scene, batches, materials, settings, transfer));
  const int n = coefficient_count(settings.order);
  const std::size_t own = scene.surface_vertices;
  const std::size_t others = scene.positions.size() - own;
  field.front = side_of(scene, transfer, 0, 0, own, n);
  field.surroundings_front = side_of(scene, transfer, 0, own, others, n);
  if (scene.two_sided[0]) field.back = side_of(scene, transfer, 1, 0, own, n);
  if (scene.two_sided[1]) field.surroundings_back = side_of(scene, transfer, 1, own, others, n);
  add_noise(scene, transfer, field);
  return field;
}

Result<void> check_albedo(const Colours& colours, std::size_t vertices, const char* whose) {
  if (colours.size() != 1 && colours.size() != vertices) {
    return bad_input(fmt::format("{} colours for the {} vertices of {}; give one, or one for each",
                                 colours.size(), vertices, whose));
  }
  const bool fits = std::all_of(colours.begin(), colours.end(), [](const Eigen::Vector3f& c) {
    return c.allFinite() && c.minCoeff() >= 0 && c.maxCoeff() <= 1;
  });
  if (fits) return {};
  return bad_input(fmt::format("the albedo of {} must be from 0 to 1", whose));
}

}  // namespace

Result<void> TracedShape::Impl::trace_directions(std::size_t begin, std::size_t end) {
  const std::size_t size = std::min(kBatchDirections, (end - begin) / 2);
  const auto start = std::chrono::steady_clock::now();
  Progress progress("tracing", static_cast<double>(end - begin));
  for (std::size_t at = begin; at < end; at += size) {
    SUPPLE_TRY(
        TracedBatch batch,
        trace_batch(scene, rays, make_directions(at, at + size, settings.order, settings.seed),
                    settings.bounces > 0));
    cost.rays += batch.rays;
    cost.hits += batch.hit_count();
    cost.bytes += batch.bytes();
    batches.push_back(std::move(batch));
    progress.advance(static_cast<double>(size));
  }
  const auto stop = std::chrono::steady_clock::now();
  cost.trace_seconds += std::chrono::duration<double>(stop - start).count();
  return {};
}

TracedShape::TracedShape(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
TracedShape::TracedShape(TracedShape&&) noexcept = default;
TracedShape& TracedShape::operator=(TracedShape&&) noexcept = default;
TracedShape::~TracedShape() = default;

Result<TracedShape> trace(const Surface& surface, const Surface& surroundings,
                          const TransferSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY_VOID(surface.validate());
  SUPPLE_TRY_VOID(surroundings.validate().during("checking the surroundings"));
  LitScene scene = make_lit_scene(surface, surroundings, settings.offset);
  SUPPLE_TRY(RayScene rays, RayScene::make(scene.positions, scene.triangles));
  auto shape = std::make_unique<TracedShape::Impl>(
      TracedShape::Impl{settings, std::move(scene), std::move(rays), {}, {}, {}});
  set_colours(shape->scene, surface.albedo, surroundings.albedo, &PointMaterial::albedo,
              shape->materials);
  set_colours(shape->scene, surface.transmission, surroundings.transmission,
              &PointMaterial::transmission, shape->materials);
  std::size_t traced = 0;
  for (std::size_t count = settings.directions;; count *= 2) {
    SUPPLE_TRY_VOID(shape->trace_directions(traced, count));
    traced = count;
    if (!(settings.noise > 0) || 2 * count > settings.most_directions) break;
    SUPPLE_TRY(const TransferField field,
               make_field(shape->scene, shape->batches, shape->materials, settings));
    if (field.relative_noise <= settings.noise) break;
  }
  return TracedShape(std::move(shape));
}

Result<TransferField> TracedShape::transfer() const {
  return make_field(m_impl->scene, m_impl->batches, m_impl->materials, m_impl->settings);
}

Result<TransferField> TracedShape::transfer(const Colours& albedo,
                                            const Colours& surroundings_albedo) const {
  const LitScene& scene = m_impl->scene;
  const std::size_t own = scene.surface_vertices;
  SUPPLE_TRY_VOID(check_albedo(albedo, own, "the surface"));
  SUPPLE_TRY_VOID(
      check_albedo(surroundings_albedo, scene.positions.size() - own, "the surroundings"));
  std::vector<PointMaterial> materials = m_impl->materials;
  set_colours(scene, albedo, surroundings_albedo, &PointMaterial::albedo, materials);
  return make_field(scene, m_impl->batches, materials, m_impl->settings);
}

const TraceCost& TracedShape::cost() const {
  return m_impl->cost;
}

Result<TransferField> compute_transfer(const Surface& surface, const Surface& surroundings,
                                       const TransferSettings& settings) {
  SUPPLE_TRY(const TracedShape shape, trace(surface, surroundings, settings));
  return shape.transfer();
}

bool can_trace() {
  return RayScene::available();
}

}  // namespace supple::light
