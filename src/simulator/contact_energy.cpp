// SPDX-License-Identifier: Apache-2.0
#include "supple/simulator/contact_energy.hpp"

#include "simulator/pair_energy.hpp"
#include "supple/contact/ccd.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

namespace supple::simulator {
namespace {

using contact::Stencil;
using Eigen::VectorXd;
using geometry::Vec3;

constexpr std::size_t kPairGrain = 256;
/// Pairs up to this multiple of the barrier's width are listed, so that small motions change
/// neither the list nor the graph of the Hessian.
constexpr double kListedWidth = 1.5;
/// Candidates are complete while vertices leave their expected paths by no more than this multiple
/// of the barrier's width, or this share of the longest path, but no more than this share of an
/// edge: beyond it all neighbours of a vertex become candidates.
constexpr double kMarginWidth = 1;
constexpr double kMarginShare = 0.25;
constexpr double kMarginEdges = 0.25;
/// A vertex moves no further than this many mean edges at once: candidates of longer paths would be
/// too many, and such steps are seldom good.
constexpr double kEdgesPerMove = 10;

/// The largest move of a vertex.
double longest_move_of(const VectorXd& step) {
  return step.size() == 0
             ? 0.0
             : std::sqrt(step.reshaped(3, step.size() / 3).colwise().squaredNorm().maxCoeff());
}

/// Whether the boxes of two primitives come within `reach` while their vertices move.
bool boxes_meet(int first, const Stencil& from, const Stencil& to, double reach) {
  const Stencil low = from.cwiseMin(to);
  const Stencil high = from.cwiseMax(to);
  const int rest = 4 - first;
  const Vec3 low_a = low.leftCols(first).rowwise().minCoeff();
  const Vec3 high_a = high.leftCols(first).rowwise().maxCoeff();
  const Vec3 low_b = low.rightCols(rest).rowwise().minCoeff();
  const Vec3 high_b = high.rightCols(rest).rowwise().maxCoeff();
  return ((low_a - high_b).array() <= reach).all() && ((low_b - high_a).array() <= reach).all();
}

double mean_edge(const ContactSurface& surface) {
  double sum = 0;
  for (const contact::Edge& edge : surface.mesh.edges) {
    sum += (surface.rest.segment<3>(3 * Eigen::Index{edge[0]}) -
            surface.rest.segment<3>(3 * Eigen::Index{edge[1]}))
               .norm();
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, surface.mesh.edges.size()));
}

/// The sum of the offsets of two primitives, at most.
double largest_thickness(const ContactSurface& surface) {
  double offset = 0;
  for (const double value : surface.offset) offset = std::max(offset, value);
  return 2 * offset;
}

bool comes_before(const ContactPair& a, const ContactPair& b) {
  return a.kind != b.kind ? a.kind < b.kind : a.primitives < b.primitives;
}

}  // namespace

ContactEnergy::ContactEnergy(const ContactSurface& surface, contact::Barrier barrier)
    : m_surface(surface),
      m_barrier(barrier),
      m_broad_phase(surface.mesh),
      m_reach(largest_thickness(surface) + kListedWidth * barrier.width),
      m_mean_edge(mean_edge(surface)) {}

ContactPair ContactEnergy::complete(ContactPair pair) const {
  // All vertices of a primitive have the same offset; one that does not give way is infinitely
  // stiff, so that the others count.
  const auto first = static_cast<std::size_t>(pair.vertices[0]);
  const auto last = static_cast<std::size_t>(pair.vertices[3]);
  pair.thickness = m_surface.offset[first] + m_surface.offset[last];
  pair.stiffness = std::numeric_limits<double>::infinity();
  for (const Index vertex : pair.vertices) {
    pair.stiffness =
        std::min(pair.stiffness, m_surface.stiffness[static_cast<std::size_t>(vertex)]);
  }
  return pair;
}

void ContactEnergy::find_candidates(const VectorXd& from, const VectorXd& to) {
  const auto begin = std::chrono::steady_clock::now();
  m_from = from;
  m_path = to - from;
  m_margin = std::max(kMarginWidth * m_barrier.width,
                      std::min(kMarginShare * longest_move_of(m_path), kMarginEdges * m_mean_edge));
  const contact::Candidates found = m_broad_phase.find(from, to, m_reach + 2 * m_margin);
  m_candidates.clear();
  m_candidates.reserve(found.point_triangle.size() + found.edge_edge.size());
  for (const auto& pair : found.point_triangle) {
    const geometry::Triangle& t = m_surface.mesh.triangles[static_cast<std::size_t>(pair[1])];
    m_candidates.push_back(
        complete({PairKind::PointTriangle, pair, {pair[0], t[0], t[1], t[2]}, 0, 0}));
  }
  for (const auto& pair : found.edge_edge) {
    const contact::Edge& a = m_surface.mesh.edges[static_cast<std::size_t>(pair[0])];
    const contact::Edge& b = m_surface.mesh.edges[static_cast<std::size_t>(pair[1])];
    m_candidates.push_back(complete({PairKind::EdgeEdge, pair, {a[0], a[1], b[0], b[1]}, 0, 0}));
  }
  m_candidate_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Two states within the margin of the path, each at its own time, have all states between them
// within the margin of the path at the times between theirs.
bool ContactEnergy::covers(const VectorXd& x) const {
  if (x.size() != m_from.size()) return false;
  const double squared = m_path.squaredNorm();
  const double time = squared > 0 ? std::clamp(m_path.dot(x - m_from) / squared, 0.0, 1.0) : 0.0;
  return ((x - m_from - time * m_path).array().abs() <= m_margin).all();
}

void ContactEnergy::begin(const VectorXd& x, const VectorXd& step) {
  const double longest = longest_move_of(step);
  const double allowed = kEdgesPerMove * m_mean_edge;
  find_candidates(x, x + std::min(1.0, allowed / std::max(longest, allowed)) * step);
  m_listed = near_pairs(x, kListedWidth * m_barrier.width);
  ++m_revision;
}

std::vector<ContactPair> ContactEnergy::near_pairs(const VectorXd& x, double width) const {
  std::vector<std::vector<ContactPair>> parts((m_candidates.size() + kPairGrain - 1) / kPairGrain);
  parallel_chunks(m_candidates.size(), kPairGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ContactPair& pair = m_candidates[i];
      const Stencil stencil = gather(pair.vertices, x);
      const double reach = pair.thickness + width;
      if (!boxes_meet(first_primitive_size(pair.kind), stencil, stencil, reach)) continue;
      if (closest_of(pair.kind, stencil).distance < reach)
        parts[begin / kPairGrain].push_back(pair);
    }
  });
  std::vector<ContactPair> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

void ContactEnergy::follow(const VectorXd& x) {
  if (!covers(x)) find_candidates(x, x);
  const std::vector<ContactPair> active = near_pairs(x, m_barrier.width);
  if (std::includes(m_listed.begin(), m_listed.end(), active.begin(), active.end(), comes_before)) {
    return;
  }
  std::vector<ContactPair> near = near_pairs(x, kListedWidth * m_barrier.width);
  std::vector<ContactPair> both;
  std::set_union(m_listed.begin(), m_listed.end(), near.begin(), near.end(),
                 std::back_inserter(both), comes_before);
  m_listed = std::move(both);
  ++m_revision;
}

fem::EnergyValue ContactEnergy::value(const VectorXd& x) const {
  const double joules = parallel_reduce(
      m_candidates.size(), kPairGrain, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const ContactPair& pair = m_candidates[i];
          const Stencil stencil = gather(pair.vertices, x);
          const double reach = pair.thickness + m_barrier.width;
          if (!boxes_meet(first_primitive_size(pair.kind), stencil, stencil, reach)) continue;
          const PairEnergy energy(pair, m_barrier, m_surface.rest, stencil);
          if (energy.acts()) sum += energy.value();
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
  return {joules, joules};  // no term is negative
}

void ContactEnergy::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  std::vector<contact::Gradient> parts(m_listed.size(), contact::Gradient::Zero());
  parallel_for(m_listed.size(), kPairGrain, [&](std::size_t i) {
    const Stencil stencil = gather(m_listed[i].vertices, x);
    const PairEnergy energy(m_listed[i], m_barrier, m_surface.rest, stencil);
    if (energy.acts()) parts[i] = energy.gradient();
  });
  for (std::size_t i = 0; i < parts.size(); ++i) scatter(m_listed[i].vertices, parts[i], gradient);
}

void ContactEnergy::list_couplings(std::vector<fem::Coupling>& list) const {
  for (const ContactPair& pair : m_listed) list_stencil(pair.vertices, list);
}

void ContactEnergy::write_hessian(const VectorXd& x, fem::Curvature curvature,
                                  std::span<double> blocks) const {
  parallel_for(m_listed.size(), kPairGrain / 8, [&](std::size_t i) {
    const std::span<double> out = blocks.subspan(90 * i, 90);
    const Stencil stencil = gather(m_listed[i].vertices, x);
    const PairEnergy energy(m_listed[i], m_barrier, m_surface.rest, stencil);
    if (energy.acts()) {
      write_stencil(energy.hessian(curvature), out);
    } else {
      std::ranges::fill(out, 0.0);
    }
  });
}

double ContactEnergy::longest_share(const VectorXd& x, const VectorXd& step) {
  const double longest = longest_move_of(step);
  if (longest == 0) return 1;
  const double allowed = std::min(1.0, kEdgesPerMove * m_mean_edge / longest);
  const VectorXd to = x + allowed * step;
  if (!covers(x) || !covers(to)) find_candidates(x, to);
  const double safe = parallel_reduce(
      m_candidates.size(), kPairGrain, 1.0,
      [&](std::size_t begin, std::size_t end) {
        // Each pair looks only as far as those before it allow.
        double least = 1;
        for (std::size_t i = begin; i < end; ++i) {
          const ContactPair& pair = m_candidates[i];
          contact::Motion motion{gather(pair.vertices, x), gather(pair.vertices, to)};
          if (least < 1) motion.to = motion.from + least * (motion.to - motion.from);
          if (!boxes_meet(first_primitive_size(pair.kind), motion.from, motion.to,
                          pair.thickness)) {
            continue;
          }
          const contact::SafeShare share =
              pair.kind == PairKind::PointTriangle
                  ? contact::safe_share_point_triangle(motion, pair.thickness)
                  : contact::safe_share_edges(motion, pair.thickness);
          least *= share.share;
        }
        return least;
      },
      [](double a, double b) { return std::min(a, b); });
  return allowed * safe;
}

std::vector<ContactEnergy::Contact> ContactEnergy::contacts(const VectorXd& x) const {
  std::vector<Contact> result;
  for (const ContactPair& pair : m_listed) {
    const Stencil stencil = gather(pair.vertices, x);
    const PairEnergy energy(pair, m_barrier, m_surface.rest, stencil);
    if (energy.acts()) result.push_back({pair, energy.closest(), energy.gap(), energy.force()});
  }
  return result;
}

ContactEnergy::Nearest ContactEnergy::nearest(const VectorXd& x) const {
  return parallel_reduce(
      m_candidates.size(), kPairGrain, Nearest{},
      [&](std::size_t begin, std::size_t end) {
        Nearest least;
        for (std::size_t i = begin; i < end; ++i) {
          const ContactPair& pair = m_candidates[i];
          const Stencil stencil = gather(pair.vertices, x);
          const double reach = pair.thickness + m_barrier.width;
          if (!boxes_meet(first_primitive_size(pair.kind), stencil, stencil, reach)) continue;
          const double gap = closest_of(pair.kind, stencil).distance - pair.thickness;
          if (gap < std::min(least.gap, m_barrier.width)) least = {gap, pair};
        }
        return least;
      },
      [](Nearest a, Nearest b) { return b.gap < a.gap ? b : a; });
}

}  // namespace supple::simulator
