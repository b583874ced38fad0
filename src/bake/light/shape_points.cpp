// SPDX-License-Identifier: Apache-2.0
#include "bake/light/shape_points.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/bake/record.hpp"
#include "supple/core/random.hpp"
#include "supple/reduction/k_means.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace supple::bake::detail {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Eigen::Index kMostPoints = 20'000;
constexpr double kClipRate = 30;  // frames per second: neighbours are nearly the same shape
constexpr std::size_t kRandomShapes = 400;
constexpr double kLeastShare = 1e-3;  // of the motion, that makes a coefficient an input

Eigen::Index count_different(const MatrixXd& points) {
  std::set<std::vector<double>> different;
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    different.emplace(points.col(i).begin(), points.col(i).end());
  }
  return static_cast<Eigen::Index>(different.size());
}

/// Every n-th column, so that there are no more than kMostPoints.
MatrixXd thinned(const MatrixXd& points) {
  const Eigen::Index step = (points.cols() + kMostPoints - 1) / kMostPoints;
  if (step <= 1) return points;
  MatrixXd some(points.rows(), (points.cols() + step - 1) / step);
  for (Eigen::Index i = 0; i < some.cols(); ++i) some.col(i) = points.col(i * step);
  return some;
}

void append(MatrixXd& points, const MatrixXd& more) {
  points.conservativeResize(Eigen::NoChange, points.cols() + more.cols());
  points.rightCols(more.cols()) = more;
}

/// The states of all portraits, each with the other objects at rest.
MatrixXd scene_states(const std::vector<soft::Object>& objects, Eigen::Index modes) {
  MatrixXd points(modes, 0);
  Eigen::Index first = 0;
  for (const soft::Object& object : objects) {
    const auto count = static_cast<Eigen::Index>(object.modes.size());
    if (object.scene) {
      MatrixXd states = MatrixXd::Zero(modes, object.scene->q.cols());
      states.middleRows(first, count) = object.scene->q;
      append(points, states);
    }
    first += count;
  }
  return points;
}

/// Random shapes of objects that nothing moves: as far as their limit, or a part of their size.
MatrixXd random_shapes(const LitSurface& surface, const supple_asset* asset, Eigen::Index modes,
                       double share) {
  Random random(1);
  MatrixXd points = MatrixXd::Zero(modes, static_cast<Eigen::Index>(kRandomShapes));
  Eigen::Index first = 0;
  supple_asset_info info{};
  (void)supple_asset_describe(asset, &info);
  for (std::size_t o = 0; o < surface.objects().size(); ++o) {
    const soft::Object& object = surface.objects()[o];
    const auto count = static_cast<Eigen::Index>(object.modes.size());
    const double reach =
        object.limit > 0 ? object.limit : share * surface.size_of(o) * info.metres_per_unit;
    for (Eigen::Index s = 0; s < points.cols(); ++s) {
      VectorXd metres(count);  // of the largest displacement of each mode
      for (Eigen::Index k = 0; k < count; ++k) {
        metres[k] = random.uniform(-1, 1) / static_cast<double>(k + 1);
      }
      metres *= reach * random.uniform() / std::max(metres.norm(), 1e-300);
      for (Eigen::Index k = 0; k < count; ++k) {
        supple_mode_info mode{};
        (void)supple_asset_mode(asset, static_cast<std::uint32_t>(first + k), &mode);
        points(first + k, s) =
            mode.largest_displacement > 0 ? metres[k] / mode.largest_displacement : 0;
      }
    }
    first += count;
  }
  return points;
}

}  // namespace

Result<ShapePoints> find_shape_points(const io::GltfAsset& asset, const GltfCharacter& source,
                                      const BakedFile& file, const LitSurface& surface,
                                      const LightSettings& settings) {
  ShapePoints found;
  Eigen::Index modes = 0;
  for (const soft::Object& object : surface.objects()) {
    modes += static_cast<Eigen::Index>(object.modes.size());
  }
  found.q = MatrixXd::Zero(modes, 1);
  if (has_scene(file.asset())) {
    append(found.q, thinned(scene_states(surface.objects(), modes)));
  } else {
    RecordSettings record;
    record.rate = kClipRate;
    SUPPLE_TRY(const std::vector<BakedClip> clips, record_motions({}, asset, source, file, record));
    MatrixXd frames(modes, 0);
    for (const BakedClip& clip : clips) append(frames, clip.tracks.values.transpose());
    append(found.q, thinned(frames));
  }
  if (found.q.isZero(0) && modes > 0) {
    found.warnings.push_back(fmt::format(
        "no clip moves anything: shapes are random, up to the soft limit of each object or {:g} of "
        "its size (shapes.share)",
        settings.shapes.share));
    append(found.q, random_shapes(surface, file.asset(), modes, settings.shapes.share));
  }
  return found;
}

VectorXd ChosenShapes::place(const VectorXd& shape) const {
  VectorXd place(static_cast<Eigen::Index>(inputs.size()));
  for (Eigen::Index i = 0; i < place.size(); ++i) {
    const Eigen::Index input = inputs[static_cast<std::size_t>(i)];
    place[i] = scales[input] * shape[input];
  }
  return place;
}

Result<ChosenShapes> choose_shapes(const MatrixXd& points, const VectorXd& sizes,
                                   const LightShapes& settings) {
  ChosenShapes chosen;
  chosen.q = points.leftCols(1);
  chosen.held_out.resize(points.rows(), 0);
  chosen.scales = sizes;
  const MatrixXd moved = sizes.asDiagonal() * points;
  const VectorXd spread = moved.rowwise().norm() / std::sqrt(static_cast<double>(points.cols()));
  const double whole = spread.norm();
  if (!(whole > 0)) return chosen;
  chosen.scales /= whole;
  for (Eigen::Index k = 0; k < points.rows(); ++k) {
    if (spread[k] >= kLeastShare * whole) chosen.inputs.push_back(k);
  }
  MatrixXd places(static_cast<Eigen::Index>(chosen.inputs.size()), points.cols());
  for (Eigen::Index i = 0; i < points.cols(); ++i) places.col(i) = chosen.place(points.col(i));
  const std::size_t wanted = settings.count - 1 + settings.held_out;
  reduction::KMeansSettings k_means;
  k_means.clusters = std::min(static_cast<Eigen::Index>(wanted), count_different(places));
  if (k_means.clusters == 0) return chosen;
  SUPPLE_TRY(const reduction::Clusters clusters, reduction::k_means(places, k_means));
  std::vector<Eigen::Index> others;
  for (const Eigen::Index i : clusters.representatives) {
    if (places.col(i) != places.col(0)) others.push_back(i);
  }
  // The held-out shapes are spread over the list, which has no order.
  const std::size_t held_out =
      others.size() > 2 * settings.held_out ? settings.held_out : std::size_t{0};
  for (std::size_t i = 0; i < others.size(); ++i) {
    const bool out =
        held_out > 0 && (i + 1) * held_out / others.size() > i * held_out / others.size();
    append(out ? chosen.held_out : chosen.q, points.col(others[i]));
  }
  return chosen;
}

}  // namespace supple::bake::detail
