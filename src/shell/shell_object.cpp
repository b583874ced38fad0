// SPDX-License-Identifier: Apache-2.0
#include "supple/shell/shell_object.hpp"

#include "shell/follow.hpp"
#include "shell/force_points.hpp"
#include "shell/inertia.hpp"
#include "shell/levers.hpp"
#include "shell/medium.hpp"
#include "shell/node_rotations.hpp"
#include "shell/strain_factor.hpp"
#include "supple/core/console.hpp"
#include "supple/core/resources.hpp"
#include "supple/core/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace supple::shell {
namespace {

using geometry::Index;

/// Metres. Peirce's bending length (D / weight per area)^(1/3) of thin silk, about the smallest
/// value for cloth.
constexpr double kSilk = 0.015;

/// Bending stiffness of a sheet as limp as silk of its weight: D = 6 k_B as in fem::shell_material.
double least_bending(double area_density) {
  return area_density * kGravity * kSilk * kSilk * kSilk / 6;
}

double damping_ratio(const Damping& damping, double omega) {
  if (const auto* rayleigh = std::get_if<RayleighDamping>(&damping)) {
    return 0.5 * (rayleigh->mass / omega + rayleigh->stiffness * omega);
  }
  return std::get<DampingRatio>(damping).ratio;
}

class ShellBaker {
 public:
  ShellBaker(const fem::DiscreteShell& shell, const ObjectSettings& settings, double weight)
      : m_shell(shell), m_settings(settings), m_weight(std::abs(weight)) {}

  Result<ShellObject> run() {
    m_object.name = m_settings.name;
    m_object.modelled_under_gravity = m_settings.modelled_under_gravity;
    m_object.limit = m_settings.limit;
    m_object.mass = m_shell.masses().sum();
    m_object.size = geometry::bounding_box(m_shell.model().mesh.positions).diagonal();
    SUPPLE_TRY_VOID(check_pieces());
    SUPPLE_TRY_VOID(solve_modes());
    m_object.turns = node_turns(m_shell.model().mesh, m_object.displacements);
    fill_modes();
    lap("turns and inertia");
    m_object.follow_turn = follow_turn(m_shell, m_object, m_tethers);
    if (m_settings.sag > 0) settle_on_stiffness();
    const Sag sag = sag_under_gravity(m_object, 0);
    m_object.sag = m_weight * sag.length;
    m_object.sag_turn = m_weight * sag.turn;
    warn_about_sag();
    lap("range");
    SUPPLE_TRY_VOID(find_levers());
    ForcePoints points = choose_points(m_shell, m_object, m_settings.points);
    m_object.points = std::move(points.points);
    m_object.point_error = points.error;
    warn_about_points();
    lap("force points");
    return std::move(m_object);
  }

 private:
  /// Either all pieces are held or none: a loose one would stay behind or drift beside the others.
  Result<void> check_pieces() {
    const fem::ShellModel& model = m_shell.model();
    const std::vector<Index> piece = geometry::components(model.mesh);
    std::vector<char> held;
    std::vector<Index> first_node;
    std::vector<char> counted(model.mesh.positions.size(), 0);
    for (std::size_t t = 0; t < piece.size(); ++t) {
      if (static_cast<std::size_t>(piece[t]) >= held.size()) {
        held.push_back(0);
        first_node.push_back(model.mesh.triangles[t][0]);
      }
      for (const Index node : model.mesh.triangles[t]) {
        if (model.fixed.empty() || model.fixed[node] == 0) continue;
        held[piece[t]] = 1;
        m_object.fixed_nodes += counted[node] == 0 ? 1 : 0;
        counted[node] = 1;
      }
    }
    m_pieces = held.size();
    const auto loose = static_cast<std::size_t>(std::count(held.begin(), held.end(), 0));
    if (loose == 0 || loose == held.size()) return {};
    const Index node = first_node[std::find(held.begin(), held.end(), 0) - held.begin()];
    const geometry::Vec3& x = model.mesh.positions[node];
    return bad_input(
        fmt::format("{} of its {} separate pieces have no fixed vertex, but the others do (for "
                    "example the piece with a vertex at ({:.6g}, {:.6g}, {:.6g})); fix a vertex of "
                    "every piece, join the pieces, or make them separate shells",
                    loose, held.size(), x.x(), x.y(), x.z()));
  }

  Result<void> solve_modes() {
    constexpr double kFrequencyTolerance = 1e-6;  // of the residuals
    SUPPLE_TRY(fem::ShellModes modes,
               fem::solve_shell_modes(m_shell, m_settings.modes, kFrequencyTolerance,
                                      m_settings.fewer_modes));
    m_object.seconds = modes.seconds;
    m_object.mechanisms = modes.mechanisms;
    m_tethers = m_settings.tether > 0 ? modes.rigid.cols() : 0;
    const Eigen::Index elastic = modes.shapes.cols();
    m_object.displacements.resize(m_shell.rest().size(), m_tethers + elastic);
    m_object.displacements << modes.rigid.leftCols(m_tethers), modes.shapes;
    m_omega.resize(m_tethers + elastic);
    m_omega.head(m_tethers).setConstant(2 * std::numbers::pi * m_settings.tether);
    m_omega.tail(elastic) = modes.omega_squared.cwiseMax(0).cwiseSqrt();
    warn_about_freedom(modes);
    static_cast<void>(m_watch.lap());
    return {};
  }

  void fill_modes() {
    Inertia inertia = shell::inertia(m_shell, m_object.displacements);
    // Its modes are orthogonal to all rigid motions. Without this exact zero, rounding errors would
    // make a soft shell move absurdly far.
    if (m_object.fixed_nodes == 0) {
      inertia.transfer.bottomRows(m_omega.size() - m_tethers).setZero();
    }
    m_object.modes.resize(static_cast<std::size_t>(m_omega.size()));
    Eigen::VectorXd held(m_omega.size());  // of the compliance
    double moved = 0;                      // of the mass, along all axes
    for (Eigen::Index k = 0; k < m_omega.size(); ++k) {
      soft::Vibration& mode = m_object.modes[k];
      mode.omega = m_omega(k);
      mode.damping = damping_ratio(m_settings.damping, mode.omega);
      for (Eigen::Index c = 0; c < 6; ++c) {
        mode.transfer[c] = inertia.transfer(k, c);
        mode.centrifugal[c] = inertia.centrifugal(k, c);
      }
      const double mass = inertia.transfer.row(k).tail<3>().squaredNorm();
      held(k) = mass / (mode.omega * mode.omega);
      moved += mass;
    }
    // Higher modes carry the remaining mass at higher frequencies: the sum below is at least the
    // whole response, so that no share is overstated.
    const double beyond = std::max(0.0, moving_mass() - moved) / m_omega.cwiseAbs2().maxCoeff();
    for (Eigen::Index k = 0; k < m_omega.size(); ++k) {
      m_object.modes[k].share = held(k) / (held.sum() + beyond);
    }
  }

  /// K scales with the moduli and the shapes stay the same: only the frequencies change, except
  /// those of a tether.
  void settle_on_stiffness() {
    const double turn = m_weight * sag_under_gravity(m_object, m_tethers).turn;
    m_object.stiffening = std::max(1.0, turn / (m_settings.sag * m_object.follow_turn));
    m_omega.tail(m_omega.size() - m_tethers) *= std::sqrt(m_object.stiffening);
    fill_modes();
  }

  /// Mass over all free unknowns: three times the mass of a free shell.
  [[nodiscard]] double moving_mass() const {
    const auto& fixed = m_shell.model().fixed;
    double sum = 3 * m_object.mass;
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      sum -= m_shell.masses()(static_cast<Eigen::Index>(i)) * std::popcount(fixed[i]);
    }
    return sum;
  }

  /// The levers need the reconstruction's factor too, whether it is kept or not.
  Result<void> find_levers() {
    SUPPLE_TRY(m_object.strain, factorise_strain(m_shell));
    m_object.levers = node_levers(m_shell, *m_object.strain, m_object.displacements);
    match_levers(m_object, m_object.levers);
    if (!m_settings.rotation_strain) m_object.strain.reset();
    lap("rotation-strain factor");
    return {};
  }

  void warn(std::string text) { m_object.warnings.push_back(std::move(text)); }

  void warn_about_freedom(const fem::ShellModes& modes) {
    if (modes.mechanisms > 0) {
      bool bends = true;
      bool stretches = true;
      for (const fem::ShellMaterial& material : m_shell.model().materials) {
        bends = bends && material.bending_stiffness > 0;
        stretches = stretches && material.length_stiffness > 0;
      }
      const char* reason = !bends       ? "it lacks bending stiffness in places"
                           : !stretches ? "it lacks stretching (length) stiffness in places"
                                        : "some parts hang on single vertices";
      warn(fmt::format(
          "{} motions of the shell meet no resistance because {}; they are excluded, so the shell "
          "moves as if it were rigid there; add that stiffness to include them",
          modes.mechanisms, reason));
    }
    if (modes.rigid.cols() > 0 && m_object.fixed_nodes > 0) warn_about_swing(modes.rigid.cols());
    if (m_pieces > 1) {
      warn(
          fmt::format("it consists of {} separate pieces, which share its modes; separate shells "
                      "would need fewer modes each",
                      m_pieces));
    }
  }

  /// One row of fixed vertices is a hinge, where most users want a clamp.
  void warn_about_swing(Eigen::Index motions) {
    const auto& fixed = m_shell.model().fixed;
    const bool whole = std::all_of(fixed.begin(), fixed.end(), [](std::uint8_t bits) {
      return bits == 0 || bits == fem::kFixAll;
    });
    std::string freedom = "its fixed vertices leave it free to move as a whole";
    if (whole && m_pieces == 1 && motions == 1) {
      freedom = "its fixed vertices lie on one line, about which it can swing as on a hinge";
    } else if (whole && m_pieces == 1 && m_object.fixed_nodes == 1) {
      freedom = "its one fixed vertex lets it turn about that vertex in all directions";
    }
    warn(fmt::format(
        "{}. {}. To clamp it there, write clamp = [..] instead of fix = [..], which also fixes the "
        "neighbours, or fix a second row of vertices{}",
        freedom,
        m_tethers > 0
            ? "The tether pulls it back"
            : "That motion is not among its modes: the shell does not move that way and only bends",
        m_tethers > 0 ? "" : "; to let it swing, set tether to a frequency in Hz"));
  }

  void warn_about_sag() {
    constexpr double kRounded = 1 + 1e-9;  // `sag` = 1 reaches exactly this limit
    if (m_settings.modelled_under_gravity) return;
    const double turn = m_weight * sag_under_gravity(m_object, m_tethers).turn;
    if (turn <= kRounded * m_object.follow_turn) return;
    warn(
        fmt::format("its own weight turns it by {} by the linear modes, and beyond {} warping "
                    "changes the area by more than 5 %; stiffen it (sag = 1 does so as far as "
                    "needed), or declare it modelled under gravity (gravity = \"modelled\")",
                    format_turn(turn), format_turn(m_object.follow_turn)));
  }

  void warn_about_points() {
    constexpr double kNoticed = 0.05;
    const std::size_t nodes = m_shell.model().mesh.positions.size();
    const std::size_t count = m_object.points.size();
    if (m_object.point_error <= kNoticed || count >= nodes) return;
    warn(fmt::format(
        "wind, water, gravity on its bent shape and force fields act on it at {} points, with an "
        "error of {:.0f} %; set points = {} for more, or use fewer modes",
        count, 100 * m_object.point_error, std::min(nodes, 2 * count)));
  }

  void lap(const char* stage) { m_object.seconds.emplace_back(stage, m_watch.lap()); }

  const fem::DiscreteShell& m_shell;
  const ObjectSettings& m_settings;
  double m_weight;  // of gravity, in any direction
  ShellObject m_object;
  std::size_t m_pieces = 0;
  Eigen::Index m_tethers = 0;  // rigid motions held by springs: the first modes
  Eigen::VectorXd m_omega;     // rad/s
  Stopwatch m_watch;
};

/// The shell with bending stiffness added where it had none, and a description of the assumption.
struct Stiffened {
  fem::ShellModel model;
  std::string warning;  ///< empty: it already has bending stiffness everywhere
};

Stiffened stiffen(const fem::ShellModel& model) {
  Stiffened result{model, {}};
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (fem::ShellMaterial& material : result.model.materials) {
    if (material.bending_stiffness > 0) continue;
    material.bending_stiffness = least_bending(material.area_density);
    least = std::min(least, material.bending_stiffness);
    most = std::max(most, material.bending_stiffness);
  }
  if (most == 0) return result;
  result.warning = fmt::format(
      "without bending stiffness hundreds of its motions meet no resistance, so it has no shape to "
      "vibrate about; {} N m is assumed where it is zero, as for thin silk of its weight. Set "
      "bending_stiffness in its material, or bending above 0, to choose another value",
      least < most ? fmt::format("{:.2g} to {:.2g}", least, most) : fmt::format("{:.2g}", most));
  return result;
}

Result<ShellObject> bake(const fem::DiscreteShell& shell, const ObjectSettings& settings,
                         double weight) {
  Stopwatch watch;
  auto object = ShellBaker(shell, settings, weight).run();
  if (object.ok() || object.error().code() != ErrorCode::NotConverged) return object;
  Stiffened stiffened = stiffen(shell.model());
  if (stiffened.warning.empty()) return object;
  const double lost = watch.lap();
  SUPPLE_TRY(const fem::DiscreteShell stiffer,
             fem::DiscreteShell::create(std::move(stiffened.model)));
  object = ShellBaker(stiffer, settings, weight).run();
  if (!object.ok()) return object;
  object->warnings.insert(object->warnings.begin(), std::move(stiffened.warning));
  object->seconds.emplace(object->seconds.begin(), "trying without bending", lost);
  return object;
}

/// The medium carried along adds mass to its modes; its weight is its own.
Result<ShellObject> bake_immersed(const fem::DiscreteShell& shell, const ObjectSettings& settings) {
  SUPPLE_TRY(const Immersed wet, immerse(shell, settings.medium));
  SUPPLE_TRY(ShellObject object, bake(wet.shell, settings, wet.weight));
  object.mass = shell.masses().sum();
  object.medium_density = settings.medium.density;
  object.weight = wet.weight;
  object.added_mass = added_mass(settings.medium, shell.model().mesh);
  return object;
}

}  // namespace

Result<ShellObject> bake_shell(const fem::DiscreteShell& shell, const ObjectSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  return (settings.medium.density > 0 ? bake_immersed(shell, settings) : bake(shell, settings, 1))
      .during(fmt::format("shell '{}'", settings.name));
}

}  // namespace supple::shell
