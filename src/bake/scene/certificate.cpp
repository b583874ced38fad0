// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/certificate.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace supple::bake::detail {
namespace {

using scene::Blend;

/// Transitions of the random play that pops and coverage come from.
constexpr std::size_t kPlayTriggers = 400;
/// Not the seed of the samples, whose sequences play would only repeat.
constexpr std::uint64_t kPlaySeed = 2003;

PopScore pops_of(const scene::PlayFigures& play) {
  PopScore score;
  for (const scene::Passage& passage : play.passages) {
    score.largest = std::max(score.largest, passage.jump);
    score.mean += passage.jump / static_cast<double>(play.passages.size());
  }
  return score;
}

Coverage coverage_of(const scene::PlayFigures& play) {
  Coverage coverage;
  coverage.off = play.off;
  if (coverage.off.empty()) return coverage;
  std::vector<double> sorted = coverage.off;
  std::sort(sorted.begin(), sorted.end());
  for (const double off : sorted) coverage.mean += off / static_cast<double>(sorted.size());
  coverage.most = sorted[(sorted.size() - 1) * 95 / 100];
  coverage.largest = sorted.back();
  return coverage;
}

void append_mesh(geometry::TriMesh& all, const geometry::TriMesh& piece) {
  const auto first = static_cast<geometry::Index>(all.positions.size());
  all.positions.insert(all.positions.end(), piece.positions.begin(), piece.positions.end());
  for (const geometry::Triangle& t : piece.triangles) {
    all.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
}

}  // namespace

CertificateMaker::CertificateMaker(const DrawnScene& drawn, const scene::Shapes& shapes,
                                   const CrossingTest& crossings)
    : m_drawn(drawn),
      m_shapes(shapes),
      m_crossings(crossings),
      m_squares(Eigen::MatrixXd::Zero(shapes.basis.cols(), shapes.basis.cols())),
      m_error(Eigen::VectorXd::Zero(shapes.rest.size() / 3)) {}

void CertificateMaker::add(const scene::Chain& chain, const Eigen::MatrixXd& q) {
  const auto size = static_cast<Eigen::Index>(3 * chain.vertices);
  const Eigen::Map<const Eigen::MatrixXf> frames(chain.positions.data(), size, q.cols());
  if (m_recorded_rest.size() == 0) {
    m_recorded_rest = frames.col(0).cast<double>();
    m_recorded = Eigen::MatrixXd::Zero(size, q.rows());
  }
  Eigen::VectorXd drawn;
  Eigen::VectorXd left(m_error.size());
  for (Eigen::Index f = 0; f < q.cols(); ++f) {
    m_drawn.draw(std::span(frames.col(f).data(), static_cast<std::size_t>(size)), drawn);
    drawn -= m_shapes.rest;
    m_motion += drawn.squaredNorm();
    drawn -= m_shapes.basis * q.col(f);
    left = drawn.reshaped(3, drawn.size() / 3).colwise().squaredNorm().transpose();
    m_error += left;
    m_largest = std::max(m_largest, left.maxCoeff());
    m_error_by_frame.push_back(static_cast<float>(std::sqrt(left.mean())));
  }
  m_recorded +=
      frames.cast<double>() * q.transpose() - m_recorded_rest * q.rowwise().sum().transpose();
  m_squares += q * q.transpose();
  if (!m_crossings) return;
  std::vector<std::size_t> pairs(static_cast<std::size_t>(q.cols()), 0);
  parallel_for(pairs.size(), 16, [&](std::size_t f) {
    pairs[f] = m_crossings(frames.col(static_cast<Eigen::Index>(f)).cast<double>()).size();
  });
  for (const std::size_t count : pairs) m_intersections += count;
}

RecordedShapes CertificateMaker::recorded() const {
  const double tiny = 1e-12 * m_squares.trace();
  const Eigen::Index rank = m_squares.rows();
  return {m_recorded_rest, (m_squares + tiny * Eigen::MatrixXd::Identity(rank, rank))
                               .ldlt()
                               .solve(m_recorded.transpose())
                               .transpose()};
}

void CertificateMaker::draw_pictures(const soft::SceneTraits& traits,
                                     SceneCertificate& certificate) const {
  for (const DrawnPiece& piece : m_drawn.pieces()) {
    append_mesh(piece.deforms ? certificate.deforming : certificate.still, piece.mesh);
  }
  TestedTransition& worst = certificate.transitions.worst;
  if (worst.q.size() > 0) {
    const Eigen::VectorXd points = m_shapes.rest + m_shapes.basis * worst.q;
    for (Eigen::Index i = 0; i < points.size(); i += 3) {
      worst.positions.emplace_back(points.segment<3>(i));
    }
  }
  for (const soft::PaletteEntry& entry : traits.palette) certificate.entries.push_back(entry.name);
  certificate.portrait = Eigen::MatrixXf::Zero(2, traits.q.cols());
  const Eigen::Index shown = std::min<Eigen::Index>(2, traits.q.rows());
  certificate.portrait.topRows(shown) = traits.q.topRows(shown).cast<float>();
  certificate.first_state = {0};
  for (const soft::SceneResponse& response : traits.responses) {
    certificate.first_state.push_back(certificate.first_state.back() + response.states);
    certificate.entry_of_response.push_back(response.entry);
  }
}

Result<SceneCertificate> CertificateMaker::finish(const soft::SceneTraits& traits,
                                                  const scene::SamplingSettings& sampling) const {
  SceneCertificate certificate;
  const auto frames = static_cast<double>(m_error_by_frame.size());
  const auto vertices = static_cast<double>(m_error.size());
  certificate.error_by_frame = m_error_by_frame;
  for (const double sum : m_error) {
    certificate.error_by_vertex.push_back(static_cast<float>(std::sqrt(sum / frames)));
  }
  certificate.largest_error = std::sqrt(m_largest);
  certificate.motion = std::sqrt(m_motion / (frames * vertices));
  constexpr std::size_t kTexelBytes = 12;  // three numbers of 16 bits, for position and normal
  certificate.texture_bytes = static_cast<std::size_t>(traits.q.cols()) *
                              static_cast<std::size_t>(m_error.size()) * kTexelBytes;
  scene::RandomPlay play;
  play.triggers = kPlayTriggers;
  play.shortest = sampling.shortest;
  play.longest = sampling.longest;
  play.seed = kPlaySeed;
  const scene::PlayFigures smooth = scene::play_at_random(traits, Blend::Smooth, play);
  certificate.play_triggers = kPlayTriggers;
  certificate.pops = pops_of(smooth);
  certificate.coverage = coverage_of(smooth);
  certificate.paper_pops = pops_of(scene::play_at_random(traits, Blend::Paper, play));
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY(certificate.transitions, test_transitions(traits, recorded(), m_crossings));
  certificate.intersections_samples = m_intersections;
  draw_pictures(traits, certificate);
  return certificate;
}

}  // namespace supple::bake::detail
