// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/light.hpp"

#include "bake/light/colours.hpp"
#include "bake/light/lit_surface.hpp"
#include "bake/light/model.hpp"
#include "bake/light/shape_points.hpp"
#include "bake/warnings.hpp"

#include "supple/bake/baked_file.hpp"
#include "supple/bake/mesh_fit.hpp"
#include "supple/bake/output_names.hpp"
#include "supple/core/files.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"
#include "supple/core/resources.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/supple_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace supple::bake {
namespace {

using detail::ChosenShapes;
using detail::LitSurface;

class LightBake {
 public:
  LightBake(LightSettings settings, const LightRequest& request, OutputSet& output)
      : m_request(request), m_output(output) {
    m_report.settings = std::move(settings);
  }

  Result<LightReport> run() {
    SUPPLE_TRY(const io::GltfAsset asset, io::read_gltf(std::filesystem::path(m_request.file)));
    const std::string name = supple_path(m_request.file);
    SUPPLE_TRY(const Bytes bytes, read_file(name));
    SUPPLE_TRY(BakedFile file, BakedFile::open(bytes, name));
    SUPPLE_TRY_VOID(file.check_pair(asset.bake_id));
    SUPPLE_TRY(const FittedMesh fitted,
               fit_to_mesh(file, asset).during(fmt::format("lighting '{}'", m_request.file)));
    if (!fitted.note.empty()) warn(m_report.warnings, fitted.note);
    SUPPLE_TRY(const detail::BakeLight light, detail::make_bake_light(settings()));
    SUPPLE_TRY(const LitSurface surface,
               LitSurface::create(asset, fitted.source.parts, file.objects(), settings()));
    keep(surface.warnings());
    m_report.vertices = surface.at_rest().vertex_count();
    m_report.surroundings = surface.surroundings().vertex_count();
    m_report.sides = surface.sides();
    lap("read");
    SUPPLE_TRY(const detail::ShapePoints points,
               detail::find_shape_points(asset, fitted.source, file, surface, settings()));
    keep(points.warnings);
    SUPPLE_TRY(const ChosenShapes shapes,
               detail::choose_shapes(points.q, surface.mode_sizes(), settings().shapes));
    m_report.points = static_cast<std::size_t>(points.q.cols());
    m_report.shapes = static_cast<std::size_t>(shapes.q.cols());
    lap("shapes");
    SUPPLE_TRY_VOID(trace_all(surface, shapes));
    SUPPLE_TRY(const soft::Light model,
               detail::make_light_model(surface.objects(), shapes, m_transfers, m_held_out,
                                        settings(), m_report));
    m_report.dimensions = model.inputs.size();
    m_report.rank = model.rank();
    lap("appearance");
    return write(asset, file, surface, model, light);
  }

 private:
  [[nodiscard]] const LightSettings& settings() const { return m_report.settings; }
  void lap(const char* stage) { m_report.seconds.emplace_back(stage, m_watch.lap()); }
  void keep(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) warn(m_report.warnings, warning);
  }

  Result<void> trace_all(const LitSurface& surface, const ChosenShapes& shapes) {
    light::TransferSettings wanted;
    wanted.order = settings().transfer.order;
    wanted.directions = settings().transfer.directions;
    wanted.bounces = settings().transfer.bounces;
    const Eigen::Index count = shapes.q.cols() + shapes.held_out.cols();
    Progress progress("light of shapes", static_cast<double>(count));
    double seconds = 0;
    for (Eigen::Index i = 0; i < count; ++i) {
      SUPPLE_TRY_VOID(check_interrupt());
      const bool kept = i < shapes.q.cols();
      const auto q = kept ? shapes.q.col(i) : shapes.held_out.col(i - shapes.q.cols());
      SUPPLE_TRY(const light::TracedShape traced,
                 light::trace(surface.at(q), surface.surroundings(), wanted));
      SUPPLE_TRY(light::TransferField field, traced.transfer());
      m_report.rays += traced.cost().rays;
      seconds += traced.cost().trace_seconds;
      m_report.bounces = std::max(m_report.bounces, field.bounces);
      (kept ? m_transfers : m_held_out).push_back(detail::flat_transfer(field, m_report.sides));
      if (i == 0) m_rest = std::move(field);
      progress.advance();
    }
    if (seconds > 0) m_report.rays_per_second = static_cast<double>(m_report.rays) / seconds;
    m_report.noise = m_rest.relative_noise;
    lap("transfer");
    return {};
  }

  Result<LightReport> write(const io::GltfAsset& asset, const BakedFile& file,
                            const LitSurface& surface, const soft::Light& model,
                            const detail::BakeLight& light) {
    SUPPLE_TRY(const io::LitBytes supple, io::with_light(file.bytes(), model));
    m_report.transfer_error = supple.transfer_error;
    m_report.bytes = supple.bytes.size();
    m_report.light_bytes = supple.bytes.size() - std::min(supple.bytes.size(), file.bytes().size());
    m_report.exposure = light.exposure;
    SUPPLE_TRY(const BakedFile lit, BakedFile::open(supple.bytes, supple_path(m_request.output)));
    SUPPLE_TRY(const io::GltfAsset coloured,
               detail::colour_gltf(asset, surface, m_rest, light.coefficients));
    SUPPLE_TRY(const Bytes glb, io::write_baked_gltf(coloured, lit.id()));
    SUPPLE_TRY_VOID(m_output.stage(m_request.output, glb));
    SUPPLE_TRY_VOID(m_output.stage(supple_path(m_request.output), supple.bytes));
    SUPPLE_TRY_VOID(check_interrupt());
    lap("write");
    return std::move(m_report);
  }

  const LightRequest& m_request;
  OutputSet& m_output;
  LightReport m_report;
  Stopwatch m_watch;
  std::vector<std::vector<float>> m_transfers, m_held_out;
  light::TransferField m_rest;
};

}  // namespace

Result<LightSettings> read_light_settings(const LightRequest& request) {
  LightSettings settings;
  if (!request.config.empty()) {
    SUPPLE_TRY(const Bytes bytes, read_file(request.config, kMostTextBytes));
    SUPPLE_TRY(settings, parse_light_settings(as_text(bytes), request.config));
    if (!settings.sky.map.empty()) {
      settings.sky.map =
          (std::filesystem::path(request.config).parent_path() / settings.sky.map).string();
    }
  }
  if (!request.map.empty()) settings.sky.map = request.map;
  return settings;
}

Result<LightReport> bake_light(const LightRequest& request, OutputSet& output) {
  SUPPLE_TRY_VOID(check_glb_name(request.output));
  SUPPLE_TRY(LightSettings settings, read_light_settings(request));
  SUPPLE_TRY_VOID(keep_apart({request.config, settings.sky.map},
                             {request.output, supple_path(request.output)}));
  if (!light::can_trace()) {
    return Error(ErrorCode::Usage,
                 "this build traces no rays; install libembree-dev and build it again");
  }
  return LightBake(std::move(settings), request, output).run();
}

}  // namespace supple::bake
