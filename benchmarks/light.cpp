// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/benchmarks.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/raw_rays.hpp"
#include "supple/core/hash.hpp"
#include "supple/core/parallel.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/light/appearance.hpp"
#include "supple/light/transfer.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numbers>
#include <span>
#include <string>

namespace supple::bench {
namespace {

// 26,400 vertices and 50 shapes; the dinosaur of [JF03 table 1] has 26,361 and 50.
constexpr int kLitSegments = 160;
constexpr int kLitSides = 165;
constexpr int kLitShapes = 50;

double since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A ring with bumps that shade each other.
geometry::TriMesh bumpy_ring(double phase) {
  geometry::TriMesh mesh = geometry::torus_surface(1, 0.4, kLitSegments, kLitSides);
  for (geometry::Vec3& p : mesh.positions) {
    const double around = std::atan2(p.z(), p.x());
    const geometry::Vec3 middle(std::cos(around), 0, std::sin(around));
    const geometry::Vec3 out = p - middle;
    const double tube = std::atan2(p.y(), out.dot(middle));
    p = middle + out * (1 + 0.25 * std::sin(9 * around + phase) * std::cos(5 * tube) +
                        0.15 * std::sin(23 * around - phase));
  }
  return mesh;
}

light::Surface lit_ring(double phase) {
  light::Surface surface;
  surface.mesh = bumpy_ring(phase);
  surface.albedo = {Eigen::Vector3f(0.7F, 0.5F, 0.3F)};
  return surface;
}

std::string hash_of(std::span<const float> values) {
  Hasher hasher;
  hasher.add(std::as_bytes(values));
  return hasher.finish().hex().substr(0, 16);
}

Result<std::string> transfer_rows() {
  constexpr double kMinutesTarget = 10;
  constexpr double kPartTarget = 0.6;
  light::TransferSettings settings;
  settings.directions = 2048;  // 1,024 above each vertex
  settings.bounces = 3;
  settings.converged = 0;
  const light::Surface surface = lit_ring(0);
  const auto begin = std::chrono::steady_clock::now();
  SUPPLE_TRY(const light::TracedShape traced, light::trace(surface, {}, settings));
  SUPPLE_TRY(const light::TransferField field, traced.transfer());
  const double seconds = since(begin);
  const light::TraceCost& cost = traced.cost();
  const double rays = static_cast<double>(cost.rays);
  SUPPLE_TRY(const RawRays raw, raw_rays(surface.mesh, settings.directions));
  const double raw_rate = std::max(raw.single, raw.packets);
  const double part = rays / cost.trace_seconds / raw_rate;
  const double whole = rays / seconds / raw_rate;
  const double minutes = kLitShapes * seconds / 60;
  const auto verdict = [](bool reached) { return reached ? "yes" : "**no**"; };
  std::string text = fmt::format(
      "| transfer of {} vertices, {:.0f} rays each, order {}, {} bounces, {} threads | {:.1f} s, "
      "of "
      "which tracing {:.1f} s; {} shapes would take {:.1f} min | {:.0f} min | {} | noise {:.2g} of "
      "the transfer, hash `{}` |\n",
      surface.vertex_count(), rays / static_cast<double>(surface.vertex_count()), settings.order,
      field.bounces, thread_count(), seconds, cost.trace_seconds, kLitShapes, minutes,
      kMinutesTarget, verdict(minutes <= kMinutesTarget), field.relative_noise,
      hash_of(field.front.values()));
  text += fmt::format(
      "| rays with their sums and hits | {:.2f} million/s, {:.0f} % of Embree alone | {:.0f} % | "
      "{} "
      "| Embree alone: {:.2f} by single rays, {:.2f} by packets of eight, from the same places; "
      "with the bounces {:.0f} % |\n",
      rays / cost.trace_seconds * 1e-6, 100 * part, 100 * kPartTarget, verdict(part >= kPartTarget),
      raw.single * 1e-6, raw.packets * 1e-6, 100 * whole);
  text += fmt::format("| hits that are kept | {:.0f} MB for {:.0f} % of the rays | – | – | |\n",
                      1e-6 * static_cast<double>(cost.bytes),
                      100 * static_cast<double>(cost.hits) / rays);
  return text;
}

/// The model of as many shapes, of fewer rays: its time depends on neither.
Result<std::string> appearance_row() {
  light::TransferSettings settings;
  settings.directions = 64;
  settings.bounces = 1;
  Eigen::MatrixXd shapes(2, kLitShapes);
  std::vector<std::vector<float>> transfers;
  for (int k = 0; k < kLitShapes; ++k) {
    const double phase = 2 * std::numbers::pi * k / kLitShapes;
    shapes.col(k) = Eigen::Vector2d(std::cos(phase), std::sin(phase));
    SUPPLE_TRY(const light::TransferField field,
               light::compute_transfer(lit_ring(phase), {}, settings));
    transfers.emplace_back(field.front.values().begin(), field.front.values().end());
  }
  const auto begin = std::chrono::steady_clock::now();
  light::AppearanceSettings model_settings;
  model_settings.rank = 12;
  SUPPLE_TRY(const light::AppearanceModel model,
             light::build_appearance(shapes, transfers, model_settings));
  return fmt::format(
      "| appearance model of {} shapes of {} values, rank {} | {:.1f} s | – | – | leaves {:.2g}, "
      "variation {:.2g} |\n",
      kLitShapes, transfers.front().size(), model.rank(), since(begin), model.relative_error(),
      model.variation);
}

}  // namespace

Result<std::string> lighting() {
  if (!light::can_trace()) return std::string("## Light\n\nThis build has no Embree.\n");
  std::string text = fmt::format(
      "## Light\n\nThe size of the dinosaur of [JF03 table 1], whose light took 74 hours. One "
      "shape "
      "is measured; shapes are independent and alike, so 50 take 50 times as long. {}\n\n"
      "| what | measured | target | reached | |\n| --- | --- | --- | --- | --- |\n",
      load_note());
  SUPPLE_TRY(const std::string transfer, transfer_rows());
  SUPPLE_TRY(const std::string appearance, appearance_row());
  return text + transfer + appearance;
}

}  // namespace supple::bench
