// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/normal_shapes.hpp"

#include <Eigen/Cholesky>

#include <span>

namespace supple::bake::detail {

NormalShapes::NormalShapes(const DrawnScene& drawn, Eigen::Index rank)
    : m_drawn(drawn),
      m_rest(drawn.normals(drawn.rest())),
      m_changes(Eigen::MatrixXd::Zero(drawn.rest().size(), rank)),
      m_squares(Eigen::MatrixXd::Zero(rank, rank)) {}

void NormalShapes::add(const scene::Chain& chain, const Eigen::MatrixXd& q) {
  constexpr Eigen::Index kEvery = 4;  // frames: neighbours say nearly the same
  Eigen::VectorXd drawn;
  const std::size_t size = 3 * chain.vertices;
  for (Eigen::Index f = 0; f < q.cols(); f += kEvery) {
    m_drawn.draw(std::span(chain.positions).subspan(static_cast<std::size_t>(f) * size, size),
                 drawn);
    m_changes += (m_drawn.normals(drawn) - m_rest) * q.col(f).transpose();
    m_squares += q.col(f) * q.col(f).transpose();
  }
}

void NormalShapes::put_into(soft::Object& object) const {
  const double tiny = 1e-12 * m_squares.trace();
  const Eigen::MatrixXd shapes =
      (m_squares + tiny * Eigen::MatrixXd::Identity(m_squares.rows(), m_squares.cols()))
          .ldlt()
          .solve(m_changes.transpose())
          .transpose();
  for (std::size_t k = 0; k < object.modes.size(); ++k) {
    for (Eigen::Index i = 0; i < shapes.rows(); i += 3) {
      object.modes[k].normals.emplace_back(shapes.col(static_cast<Eigen::Index>(k)).segment<3>(i));
    }
  }
}

}  // namespace supple::bake::detail
