// SPDX-License-Identifier: Apache-2.0
#include "bake/light/model.hpp"

#include "supple/light/appearance.hpp"

#include <cmath>

namespace supple::bake::detail {
namespace {

void flatten(const light::TransferVectors& vectors, std::vector<float>& flat) {
  for (std::size_t v = 0; v < vectors.vertex_count(); ++v) {
    for (int i = 0; i < vectors.coefficients(); ++i) {
      for (int colour = 0; colour < 3; ++colour) flat.push_back(vectors.at(v, colour, i));
    }
  }
}

/// A vertex turns with the first object that moves it, and with the first of all where none does:
/// what a whole character does its first bone does too.
std::vector<std::uint32_t> light_frames(const std::vector<soft::Object>& objects,
                                        std::size_t vertices) {
  std::vector<std::uint32_t> frames(vertices, objects.empty() ? soft::kNoFrame : 0);
  for (std::size_t o = objects.size(); o-- > 0;) {
    for (const std::uint32_t v : objects[o].vertices) frames[v] = static_cast<std::uint32_t>(o);
  }
  return frames;
}

Eigen::MatrixXf as_basis(const float* numbers, Eigen::Index rows, std::size_t size) {
  return Eigen::Map<const Eigen::MatrixXf>(numbers, rows, static_cast<Eigen::Index>(size) / rows);
}

/// Of the shapes held out, root mean square.
void measure(const light::AppearanceModel& model, const ChosenShapes& shapes,
             const std::vector<std::vector<float>>& held_out, LightReport& report) {
  double interpolated = 0;
  double projected = 0;
  for (std::size_t i = 0; i < held_out.size(); ++i) {
    const Eigen::VectorXd place = shapes.place(shapes.held_out.col(static_cast<Eigen::Index>(i)));
    const light::HeldOutError error = light::held_out_error(model, place, held_out[i]);
    interpolated += error.interpolated * error.interpolated;
    projected += error.projected * error.projected;
  }
  if (held_out.empty()) return;
  const auto count = static_cast<double>(held_out.size());
  report.held_out_error = std::sqrt(interpolated / count);
  report.held_out_projected = std::sqrt(projected / count);
}

}  // namespace

std::vector<float> flat_transfer(const light::TransferField& field, int sides) {
  std::vector<float> flat;
  flat.reserve(field.front.values().size() * static_cast<std::size_t>(sides));
  flatten(field.front, flat);
  if (sides == 2) flatten(field.back, flat);
  return flat;
}

Result<soft::Light> make_light_model(const std::vector<soft::Object>& objects,
                                     const ChosenShapes& shapes,
                                     const std::vector<std::vector<float>>& transfers,
                                     const std::vector<std::vector<float>>& held_out,
                                     const LightSettings& settings, LightReport& report) {
  soft::Light light;
  light.order = settings.transfer.order;
  light.sides = report.sides;
  light.frames = light_frames(objects, report.vertices);
  const Eigen::Index rows = Eigen::Index{3} * light.order * light.order;
  if (transfers.size() < 2) {
    light.bases.push_back(as_basis(transfers[0].data(), rows, transfers[0].size()));
    report.error_by_rank = {0};
    return light;
  }
  Eigen::MatrixXd places(static_cast<Eigen::Index>(shapes.inputs.size()), shapes.q.cols());
  for (Eigen::Index i = 0; i < places.cols(); ++i) places.col(i) = shapes.place(shapes.q.col(i));
  light::AppearanceSettings wanted;
  wanted.rank = settings.appearance.rank;
  wanted.max_rank = settings.appearance.max_rank;
  wanted.tolerance = settings.appearance.tolerance;
  SUPPLE_TRY(const light::AppearanceModel model,
             light::build_appearance(places, transfers, wanted));
  light.bases.push_back(as_basis(model.mean.data(), rows, transfers[0].size()));
  for (Eigen::Index k = 0; k < model.rank(); ++k) {
    light.bases.push_back(as_basis(model.basis.col(k).data(), rows, transfers[0].size()));
  }
  if (model.rank() > 0) {
    for (const Eigen::Index input : shapes.inputs) {
      light.inputs.push_back({static_cast<std::uint32_t>(input), shapes.scales[input]});
    }
    light.width = model.interpolation.sigma;
    light.centres = model.interpolation.centres;
    light.weights = model.interpolation.weights;
  }
  measure(model, shapes, held_out, report);
  report.error_by_rank.assign(model.error_by_rank.begin(), model.error_by_rank.end());
  report.relative_error = light.relative_error = model.relative_error();
  light.held_out_error = report.held_out_error;
  return light;
}

}  // namespace supple::bake::detail
