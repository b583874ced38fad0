// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/contact/barrier.hpp"
#include "supple/contact/candidates.hpp"
#include "supple/fem/energy.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace supple::simulator {

using geometry::Index;

/// What contact needs to know of surfaces.
struct ContactSurface {
  contact::ContactMesh mesh;
  Eigen::VectorXd rest;  ///< m, all vertices: lengths of edges
  /// Per vertex of the scene.
  std::vector<double> offset;     ///< m, kept from everything else: half a sheet's thickness
  std::vector<double> stiffness;  ///< N/m; infinite if the vertex does not give way
  std::vector<double> friction;
};

enum class PairKind : std::uint8_t { PointTriangle, EdgeEdge };

/// Two primitives that may touch, by the scene's vertices.
struct ContactPair {
  PairKind kind = PairKind::PointTriangle;
  std::array<Index, 2> primitives{};  ///< vertex and triangle, or two edges, of the mesh
  std::array<Index, 4> vertices{};    ///< p; a b c, or a b; c d
  double thickness = 0;               ///< m, the sum of both offsets
  double stiffness = 0;               ///< N/m
};

/// The barrier between surfaces [LFSJ20 eq. 5]: sum of stiffness fade(x) b(d(x) - thickness) over
/// all pairs of a vertex and a triangle, and of two edges, that are closer than the barrier's width
/// and their thickness together.
///
/// The stiffness of a pair is that of its softer primitive and depends on nothing that moves: the
/// sum is one potential for the whole simulation, so that contact gives back no more than it took.
///
/// Call `begin` before a step is solved: it finds the candidates. They serve for as long as
/// vertices stay near their expected paths; longest_share looks for new ones when a step leaves
/// them.
class ContactEnergy final : public fem::Energy {
 public:
  ContactEnergy(const ContactSurface& surface, contact::Barrier barrier);

  /// Starts anew at x, from where vertices are expected to move to x + step.
  void begin(const Eigen::VectorXd& x, const Eigen::VectorXd& step);

  [[nodiscard]] fem::EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override { return 10 * m_listed.size(); }
  void list_couplings(std::vector<fem::Coupling>& list) const override;
  [[nodiscard]] std::uint64_t revision() const override { return m_revision; }
  void write_hessian(const Eigen::VectorXd& x, fem::Curvature curvature,
                     std::span<double> blocks) const override;
  /// Lists the pairs near contact; the list changes only if one of them is missing.
  void follow(const Eigen::VectorXd& x) override;
  /// By continuous collision detection over all candidates.
  [[nodiscard]] double longest_share(const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& step) override;

  /// A pair in contact.
  struct Contact {
    ContactPair pair;
    contact::Closest closest;
    double gap = 0;    ///< m
    double force = 0;  ///< N, that presses the two apart
  };
  /// Pairs within the width at the last state followed, vertices and triangles first, ascending.
  [[nodiscard]] std::vector<Contact> contacts(const Eigen::VectorXd& x) const;
  /// The pair in contact with the smallest gap at x; the gap is infinite if nothing is.
  struct Nearest {
    double gap = std::numeric_limits<double>::infinity();
    ContactPair pair;
  };
  [[nodiscard]] Nearest nearest(const Eigen::VectorXd& x) const;

  /// Pairs whose second derivatives are listed, ascending: all that act and some that may soon.
  [[nodiscard]] const std::vector<ContactPair>& listed() const { return m_listed; }
  [[nodiscard]] const contact::Barrier& barrier() const { return m_barrier; }
  [[nodiscard]] const ContactSurface& surface() const { return m_surface; }
  /// s, spent on finding candidates so far.
  [[nodiscard]] double candidate_seconds() const { return m_candidate_seconds; }

 private:
  void find_candidates(const Eigen::VectorXd& from, const Eigen::VectorXd& to);
  [[nodiscard]] bool covers(const Eigen::VectorXd& x) const;
  /// Adds thickness and stiffness.
  [[nodiscard]] ContactPair complete(ContactPair pair) const;
  [[nodiscard]] std::vector<ContactPair> near_pairs(const Eigen::VectorXd& x, double width) const;

  const ContactSurface& m_surface;
  contact::Barrier m_barrier;
  contact::BroadPhase m_broad_phase;
  std::vector<ContactPair> m_candidates;
  std::vector<ContactPair> m_listed;
  /// Near this path, the candidates are complete.
  Eigen::VectorXd m_from, m_path;
  double m_margin = 0;  ///< m, per component
  std::uint64_t m_revision = 0;
  double m_reach;      ///< m, the largest distance at which a pair acts
  double m_mean_edge;  ///< m
  double m_candidate_seconds = 0;
};

}  // namespace supple::simulator
