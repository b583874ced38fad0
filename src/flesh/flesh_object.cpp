// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/flesh_object.hpp"

#include "flesh/region.hpp"
#include "supple/core/log.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/units.hpp"
#include "supple/flesh/inertia.hpp"
#include "supple/flesh/normal_map.hpp"
#include "supple/flesh/tissue.hpp"
#include "supple/geometry/interpolation.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace supple::flesh {
namespace {

using geometry::Index;
using geometry::Vec3;

/// Remaining amplitude after the time of SettlesIn.
constexpr double kSettled = 0.01;

/// Beyond this, more damping slows the return to rest instead of speeding it up.
constexpr double kNearlyCritical = 0.9;

/// This many times the requested modes are computed, to choose those that matter most.
constexpr int kCandidates = 3;

/// Skin motion fades out over this much weight above the border, so that there is no step to the
/// still skin beyond it.
constexpr double kFade = 0.1;

double damping_ratio(const Damping& damping, double omega, double lowest) {
  struct Visitor {
    double omega, lowest;
    double operator()(const DampingRatio& d) const { return d.xi; }
    double operator()(const RayleighDamping& d) const {
      return 0.5 * (d.alpha / omega + d.beta * omega);  // [JP02 eq. 10]
    }
    double operator()(const SettlesIn& d) const {
      return std::min(-std::log(kSettled) / (lowest * d.seconds), kNearlyCritical);
    }
  };
  return std::visit(Visitor{omega, lowest}, damping);
}

/// The share of each mode in the static response to bone motion: participation^2 / omega^2 of the
/// compliance. Rotations count by the acceleration they cause at the object's far end.
Eigen::VectorXd response_shares(const fem::SolidModes& modes, const geometry::TetMesh& mesh) {
  double reach2 = 0;
  for (const Vec3& node : mesh.nodes) reach2 = std::max(reach2, node.squaredNorm());
  Eigen::Matrix<double, 6, 1> scale;
  scale << Vec3::Ones(), Vec3::Constant(1 / reach2);
  const Eigen::VectorXd held = modes.participation.cwiseAbs2() * scale;
  return held.cwiseQuotient(modes.omega_squared) / scale.dot(modes.compliance);
}

class ObjectBaker {
 public:
  ObjectBaker(const character::Character& character, const ObjectSettings& settings)
      : m_character(character), m_settings(settings) {}

  Result<FleshObject> run() {
    SUPPLE_TRY(m_tissue, build_tissue(m_character, m_settings));
    lap("volume");
    SUPPLE_TRY_VOID(solve());
    const InertialTransfer inertia =
        inertial_transfer(m_tissue.model, m_modes.shapes, m_settings.coriolis);
    lap("inertia");
    describe(inertia);
    carry_to_skin();
    settle_on_stiffness();
    lap("skin");
    return std::move(m_object);
  }

 private:
  /// The modes that respond most to bone motion, strongest first: the lowest are not always among
  /// them (a limb twists easily about its bone, but bone motion hardly excites that twist).
  Result<void> solve() {
    const bool by_share = m_settings.capture > 0;
    const auto most = static_cast<int>(std::min<std::size_t>(free_unknowns(), 1'000'000));
    if (most < 1) {
      return bad_input(
          "everything in the region is fixed; use a thinner core, a lower border or more elements");
    }
    fem::ModalSettings modal;
    modal.compliance = true;
    modal.allow_pieces = true;
    modal.count = std::min(most, by_share ? 12 : kCandidates * m_settings.modes);
    for (;;) {
      SUPPLE_TRY(m_modes, solved(modal));
      lap("modes");
      const Eigen::VectorXd shares = response_shares(m_modes, m_tissue.model.mesh);
      std::vector<Eigen::Index> order(static_cast<std::size_t>(shares.size()));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](Eigen::Index a, Eigen::Index b) { return shares(a) > shares(b); });
      const std::size_t wanted =
          by_share ? enough(shares, order) : static_cast<std::size_t>(m_settings.modes);
      const int limit = std::min(most, kCandidates * m_settings.max_modes);
      if (wanted <= order.size() || modal.count >= limit) {
        order.resize(std::min(
            {order.size(), wanted,
             static_cast<std::size_t>(by_share ? m_settings.max_modes : m_settings.modes)}));
        keep(order, shares);
        if (by_share && m_shares.sum() < m_settings.capture) report_shortfall();
        return {};
      }
      modal.count = std::min(2 * modal.count, limit);
    }
  }

  /// What failed in terms of matrices, and what to change in terms of settings.
  [[nodiscard]] Result<fem::SolidModes> solved(const fem::ModalSettings& modal) const {
    auto modes = fem::solve_modes(m_tissue.model, modal);
    if (modes.ok() || modes.error().code() != ErrorCode::NotConverged) return modes;
    return Error(
        ErrorCode::NotConverged,
        fmt::format("{}. Another number of 'elements' gives another mesh; 'layers' of more "
                    "similar stiffness, a Poisson's ratio below 0.49 and fewer 'modes' "
                    "are easier",
                    modes.error().message()));
  }

  /// How many of the strongest modes capture the requested share; one more than available if all
  /// are not enough.
  [[nodiscard]] std::size_t enough(const Eigen::VectorXd& shares,
                                   const std::vector<Eigen::Index>& order) const {
    double sum = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      sum += shares(order[k]);
      if (sum >= m_settings.capture) return k + 1;
    }
    return order.size() + 1;
  }

  void report_shortfall() const {
    log::warn(
        "{}: {} modes capture {:.2f} % of the response, not {:.2f} %; raise max_modes to capture "
        "more",
        m_settings.name, m_shares.size(), 100 * m_shares.sum(), 100 * m_settings.capture);
  }

  [[nodiscard]] std::size_t free_unknowns() const {
    const auto& fixed = m_tissue.model.fixed;
    return 3 * static_cast<std::size_t>(std::count(fixed.begin(), fixed.end(), 0));
  }

  void keep(const std::vector<Eigen::Index>& order, const Eigen::VectorXd& shares) {
    m_lowest = std::sqrt(m_modes.omega_squared(0));
    m_shares = shares(order);
    m_modes.omega_squared = m_modes.omega_squared(order).eval();
    m_modes.shapes = m_modes.shapes(Eigen::all, order).eval();
  }

  void describe(const InertialTransfer& inertia) {
    const auto& fixed = m_tissue.model.fixed;
    m_object.name = m_settings.name;
    m_object.driver = m_tissue.region.driver;
    m_object.bone = m_character.bones[m_object.driver].name;
    m_object.joint = static_cast<std::uint32_t>(m_object.driver);
    m_object.frame_from_bind = m_tissue.frame.from_bind;
    m_object.rest_rotation = m_tissue.frame.rest_rotation;
    m_object.limit = m_settings.limit > 0 ? m_settings.limit : kUsualLimit * m_tissue.thickness;
    m_object.mass = inertia.mass;
    m_object.coriolis = inertia.coriolis;
    m_object.elements = m_tissue.model.mesh.element_count();
    m_object.nodes = m_tissue.model.mesh.nodes.size();
    m_object.fixed_nodes =
        fixed.size() - static_cast<std::size_t>(std::count(fixed.begin(), fixed.end(), 0));
    m_object.thickness = m_tissue.thickness;
    for (Eigen::Index k = 0; k < m_modes.omega_squared.size(); ++k) {
      soft::Mode mode;
      mode.omega = std::sqrt(m_modes.omega_squared(k));
      mode.share = m_shares(k);
      for (int c = 0; c < 6; ++c) {
        mode.transfer[c] = inertia.transfer(k, c);
        mode.centrifugal[c] = inertia.centrifugal(k, c);
      }
      m_object.modes.push_back(std::move(mode));
    }
  }

  /// Shapes on the skin, in bind space, and their effect on normals. Coincident vertices get
  /// identical bits, so no crack can open between them.
  void carry_to_skin() {
    const std::vector<double>& weights = m_tissue.region.weights;
    const std::vector<Index> place = meeting_vertices(m_character);
    std::vector<Index> row_of_place(m_character.positions.size(), -1);
    std::vector<Vec3> points;
    for (std::size_t v = 0; v < weights.size(); ++v) {
      if (weights[v] <= m_settings.border) continue;
      if (row_of_place[place[v]] < 0) {
        row_of_place[place[v]] = static_cast<Index>(points.size());
        points.push_back(m_tissue.frame(m_character.positions[v]));
      }
      m_object.vertices.push_back(static_cast<std::uint32_t>(v));
    }
    const geometry::Interpolation at = geometry::interpolate_at(m_tissue.model.mesh, points);
    const Eigen::MatrixXd on_skin = at.apply(m_modes.shapes, 3);
    const geometry::Mat3 to_bind = m_tissue.frame.from_bind.leftCols<3>().inverse();
    std::optional<NormalMap> normal_map;
    if (!m_character.normals.empty()) {
      normal_map.emplace(m_character.positions, m_character.normals, m_character.triangles);
    }
    std::vector<Vec3> everywhere(m_character.positions.size(), Vec3::Zero());
    for (std::size_t k = 0; k < m_object.modes.size(); ++k) {
      for (const std::uint32_t v : m_object.vertices) {
        const double fade = smooth_step((weights[v] - m_settings.border) / kFade);
        const Vec3 u = on_skin.block<3, 1>(3 * Eigen::Index{row_of_place[place[v]]},
                                           static_cast<Eigen::Index>(k));
        everywhere[v] = fade * (to_bind * u);
      }
      add_mode_on_skin(m_object.modes[k], everywhere, normal_map);
    }
  }

  /// K scales with the moduli and the shapes stay the same: only the frequencies change.
  void settle_on_stiffness() {
    for (std::size_t i = 0; i < m_object.vertices.size(); ++i) {
      geometry::Mat3 response = geometry::Mat3::Zero();  // displacement per direction of 1 g
      for (const soft::Mode& mode : m_object.modes) {
        const Vec3 u = m_tissue.frame.from_bind.leftCols<3>() * mode.displacements[i];
        const Vec3 force(mode.transfer[3], mode.transfer[4], mode.transfer[5]);
        response += kGravity / (mode.omega * mode.omega) * u * force.transpose();
      }
      m_object.sag = std::max(m_object.sag, response.operatorNorm());
    }
    if (m_settings.sag > 0) {
      m_object.stiffening = std::max(1.0, m_object.sag / (m_settings.sag * m_object.thickness));
    }
    m_object.sag /= m_object.stiffening;
    for (soft::Mode& mode : m_object.modes) {
      mode.omega *= std::sqrt(m_object.stiffening);
      mode.damping =
          damping_ratio(m_settings.damping, mode.omega, m_lowest * std::sqrt(m_object.stiffening));
    }
  }

  void add_mode_on_skin(soft::Mode& mode, const std::vector<Vec3>& everywhere,
                        const std::optional<NormalMap>& normal_map) {
    std::vector<Vec3> normals;
    if (normal_map) normals = normal_map->corrections(everywhere);
    for (const std::uint32_t v : m_object.vertices) {
      mode.displacements.push_back(everywhere[v]);
      if (normal_map) mode.normals.push_back(normals[v]);
    }
  }

  void lap(const char* stage) { m_object.seconds.emplace_back(stage, m_watch.lap()); }

  const character::Character& m_character;
  const ObjectSettings& m_settings;
  Tissue m_tissue;
  fem::SolidModes m_modes;
  Eigen::VectorXd m_shares;
  double m_lowest = 0;  // rad/s
  FleshObject m_object;
  Stopwatch m_watch;
};

}  // namespace

Result<FleshObject> bake_object(const character::Character& character,
                                const ObjectSettings& settings) {
  SUPPLE_TRY_VOID(character.validate());
  auto object = ObjectBaker(character, settings).run();
  if (!object.ok()) {
    return std::move(object).error().during(fmt::format("flesh '{}'", settings.name));
  }
  return object;
}

}  // namespace supple::flesh
