// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/reduction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace supple::scene {
namespace {

reduction::StreamingSvdSettings svd_settings(const ShapeSettings& settings) {
  reduction::StreamingSvdSettings svd;
  svd.max_rank = settings.rank > 0 ? settings.rank : settings.max_rank;
  svd.block = 2 * svd.max_rank;
  return svd;
}

/// Calls f(recorded) for every frame.
template <class F>
void each_frame(const Chain& chain, const F& f) {
  const std::size_t size = 3 * chain.vertices;
  for (std::size_t at = 0; at < chain.positions.size(); at += size) {
    f(std::span<const float>(chain.positions).subspan(at, size));
  }
}

Eigen::VectorXd errors_by_rank(const reduction::TruncatedSvd& svd) {
  Eigen::VectorXd errors(svd.values.size() + 1);
  double left = svd.discarded;
  for (Eigen::Index r = svd.values.size(); r >= 0; --r) {
    errors(r) = svd.energy > 0 ? std::sqrt(left / svd.energy) : 0;
    if (r > 0) left += svd.values(r - 1) * svd.values(r - 1);
  }
  return errors;
}

}  // namespace

Draw draw_as_recorded() {
  return [](std::span<const float> recorded, Eigen::VectorXd& drawn) {
    drawn = Eigen::Map<const Eigen::VectorXf>(recorded.data(),
                                              static_cast<Eigen::Index>(recorded.size()))
                .cast<double>();
  };
}

Result<void> ShapeSettings::validate() const {
  if (max_rank < 1 || rank < 0) return bad_input("a scene needs at least one shape");
  if (!(tolerance > 0 && tolerance < 1)) {
    return bad_input(fmt::format("a tolerance of {} is not between 0 and 1", tolerance));
  }
  return {};
}

ShapeReducer::ShapeReducer(Eigen::VectorXd rest, Draw draw, const ShapeSettings& settings)
    : m_rest(std::move(rest)),
      m_draw(std::move(draw)),
      m_settings(settings),
      m_svd(m_rest.size(), svd_settings(settings)) {}

Result<void> ShapeReducer::add(const Chain& chain) {
  Result<void> result;
  Eigen::VectorXd drawn;
  each_frame(chain, [&](std::span<const float> recorded) {
    if (!result.ok()) return;
    m_draw(recorded, drawn);
    result = m_svd.add(drawn - m_rest);
  });
  return result;
}

Result<Shapes> ShapeReducer::finish() {
  const reduction::TruncatedSvd svd = m_svd.finish();
  if (!(svd.energy > 0)) return bad_input("nothing moves in the scene: check its palette");
  const Eigen::VectorXd errors = errors_by_rank(svd);
  Eigen::Index rank = m_settings.rank;
  if (rank == 0) {
    while (rank < svd.values.size() && errors(rank) > m_settings.tolerance) ++rank;
    if (errors(rank) > m_settings.tolerance) {
      return bad_input(fmt::format(
          "{} shapes leave {:.3g} of the motion, more than the tolerance of {:.3g}; allow more "
          "shapes (max_rank) or a larger tolerance",
          rank, errors(rank), m_settings.tolerance));
    }
  } else if (rank > svd.values.size()) {
    return bad_input(fmt::format("the scene moves in {} independent shapes only, not {}",
                                 svd.values.size(), rank));
  }
  return shapes(svd, rank);
}

Result<Shapes> ShapeReducer::strongest() {
  const reduction::TruncatedSvd svd = m_svd.finish();
  if (!(svd.energy > 0)) return bad_input("nothing moves in the scene: check its palette");
  return shapes(svd, svd.values.size());
}

Shapes ShapeReducer::shapes(const reduction::TruncatedSvd& svd, Eigen::Index rank) const {
  return {m_rest, svd.basis.leftCols(rank), svd.values.head(rank), errors_by_rank(svd)};
}

Eigen::MatrixXd project_all(const std::vector<Chain>& chains, const Shapes& shapes,
                            const Draw& draw) {
  Eigen::MatrixXd all(shapes.basis.cols(), 0);
  for (const Chain& chain : chains) {
    const Eigen::MatrixXd part = project(chain, shapes, draw);
    all.conservativeResize(Eigen::NoChange, all.cols() + part.cols());
    all.rightCols(part.cols()) = part;
  }
  return all;
}

Eigen::MatrixXd project(const Chain& chain, const Shapes& shapes, const Draw& draw) {
  const std::size_t frames = chain.positions.size() / (3 * chain.vertices);
  Eigen::MatrixXd q(shapes.basis.cols(), static_cast<Eigen::Index>(frames));
  Eigen::VectorXd drawn;
  Eigen::Index column = 0;
  each_frame(chain, [&](std::span<const float> recorded) {
    draw(recorded, drawn);
    q.col(column++) = shapes.basis.transpose() * (drawn - shapes.rest);
  });
  return q;
}

}  // namespace supple::scene
