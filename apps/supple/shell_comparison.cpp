// SPDX-License-Identifier: Apache-2.0
#include "shell_comparison.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/fem/shell_motion.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace supple::app {
namespace {

using Eigen::VectorXd;

/// Phi^T R(q)^T F.
VectorXd modal_force(const shell::ShellObject& object, const VectorXd& q, const VectorXd& load) {
  const VectorXd turns = object.turns * q;
  VectorXd turned(load.size());
  for (Eigen::Index i = 0; i < load.size(); i += 3) {
    turned.segment<3>(i) = shell::rotation(turns.segment<3>(i)).transpose() * load.segment<3>(i);
  }
  return object.displacements.transpose() * turned;
}

VectorXd stiffness(const shell::ShellObject& object) {
  VectorXd lambda(static_cast<Eigen::Index>(object.modes.size()));
  for (Eigen::Index k = 0; k < lambda.size(); ++k) {
    const double omega = object.modes[static_cast<std::size_t>(k)].omega;
    lambda[k] = omega * omega;
  }
  return lambda;
}

/// The largest turn of a node, radians.
double largest_turn(const shell::ShellObject& object, const VectorXd& q) {
  const VectorXd turns = object.turns * q;
  double largest = 0;
  for (Eigen::Index i = 0; i < turns.size(); i += 3) {
    largest = std::max(largest, turns.segment<3>(i).norm());
  }
  return largest;
}

/// One shell from load to load.
class Comparer {
 public:
  Comparer(const fem::DiscreteShell& shell, const shell::ShellObject& object)
      : m_shell(shell), m_object(object), m_rest_area(shell.area(shell.rest())) {}

  [[nodiscard]] Result<ComparedLoad> compare(double gravity, const Eigen::Vector3d& direction) {
    ComparedLoad at;
    at.gravity = gravity;
    if (gravity == 0) {  // nothing to solve, and no displacement to be relative to
      at.x.values.fill(m_shell.rest());
      return at;
    }
    const VectorXd load = fem::weight(m_shell, gravity * direction);
    SUPPLE_TRY(const VectorXd straight, modal_equilibrium(m_object, load, false));
    SUPPLE_TRY(m_q, modal_equilibrium(m_object, load, true, m_q));
    SUPPLE_TRY(const fem::Equilibrium exact, fem::find_equilibrium(m_shell, load, {}, m_x));
    m_x = exact.x;
    at.residual = exact.residual;
    at.x[ShellMethod::Linear] = shell::linear_shape(m_shell, m_object, straight);
    at.x[ShellMethod::Warped] = shell::warped_shape(m_shell, m_object, m_q);
    at.x[ShellMethod::RotationStrain] = shell::rotation_strain_shape(m_shell, m_object, m_q);
    at.x[ShellMethod::Nonlinear] = m_x;
    const double size = std::max((m_x - m_shell.rest()).norm(), 1e-300);
    for (const ShellMethod method : kShellMethods) {
      at.error[method] = (at.x[method] - m_x).norm() / size;
      at.area[method] = m_shell.area(at.x[method]) / m_rest_area - 1;
    }
    at.turn = largest_turn(m_object, m_q);
    return at;
  }

 private:
  const fem::DiscreteShell& m_shell;
  const shell::ShellObject& m_object;
  double m_rest_area;
  VectorXd m_q;  ///< where the last load ended, warped
  VectorXd m_x;  ///< and nonlinear
};

}  // namespace

Result<VectorXd> modal_equilibrium(const shell::ShellObject& object, const VectorXd& load,
                                   bool warped, const VectorXd& start) {
  constexpr int kMostSteps = 60;
  constexpr double kTolerance = 1e-11;  // of the modal load
  const VectorXd lambda = stiffness(object);
  const VectorXd straight = object.displacements.transpose() * load;
  if (!warped) return VectorXd(straight.cwiseQuotient(lambda));
  VectorXd q = start.size() == 0 ? VectorXd(VectorXd::Zero(lambda.size())) : start;
  const auto residual = [&](const VectorXd& at) -> VectorXd {
    return lambda.cwiseProduct(at) - modal_force(object, at, load);
  };
  // Modes differ in stiffness by orders of magnitude: compare in energy.
  const VectorXd scale = lambda.cwiseSqrt().cwiseInverse();
  const double whole = std::max(straight.cwiseProduct(scale).norm(), 1e-300);
  VectorXd r = residual(q);
  for (int step = 0; step < kMostSteps; ++step) {
    const double size = r.cwiseProduct(scale).norm();
    if (size <= kTolerance * whole) return q;
    Eigen::MatrixXd jacobian(q.size(), q.size());
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      const double h = 1e-6 * whole * scale[k];
      VectorXd ahead = q;
      VectorXd behind = q;
      ahead[k] += h;
      behind[k] -= h;
      jacobian.col(k) = (residual(ahead) - residual(behind)) / (2 * h);
    }
    const VectorXd move = jacobian.fullPivLu().solve(r);
    double part = 1;
    while (part > 1e-4 && residual(q - part * move).cwiseProduct(scale).norm() > size) part *= 0.5;
    q -= part * move;
    r = residual(q);
  }
  if (r.cwiseProduct(scale).norm() < 1e-6 * whole) return q;
  return Error(ErrorCode::NotConverged,
               fmt::format("shell '{}': no modal equilibrium under this load; the residual stays "
                           "at {:.2g} of it",
                           object.name, r.cwiseProduct(scale).norm() / whole));
}

std::vector<double> ramp(double most, int steps) {
  std::vector<double> loads;
  loads.reserve(static_cast<std::size_t>(steps) + 1);
  for (int k = 0; k <= steps; ++k) loads.push_back(most * k / steps);
  return loads;
}

std::vector<double> viewer_loads() {
  return ramp(40, 20);
}

Result<ShellComparison> compare_shell(const fem::DiscreteShell& shell,
                                      const shell::ShellObject& object,
                                      const std::vector<double>& gravities,
                                      const Eigen::Vector3d& direction,
                                      const std::function<void()>& done) {
  if (!object.strain) {
    return bad_input(
        fmt::format("shell '{}' has no rotation-strain solve to compare with; set rotation_strain "
                    "= true in its settings",
                    object.name));
  }
  ShellComparison result;
  result.direction = direction;
  result.loads.reserve(gravities.size());
  Comparer comparer(shell, object);
  for (const double gravity : gravities) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(ComparedLoad at, comparer.compare(gravity, direction));
    result.loads.push_back(std::move(at));
    if (done) done();
  }
  return result;
}

Eigen::Vector3d down_in_frame(const bake::SceneShell& shell) {
  return -(shell.rest_rotation.conjugate() * Eigen::Vector3d::UnitY());
}

std::string comparison_json(const ShellComparison& comparison, const bake::SceneShell& shell) {
  using Json = nlohmann::ordered_json;
  const ByMethod<const char*> names{{"linear", "warped", "rotationStrain", "nonlinear"}};
  // Micrometres and millionths: half the file, and no eye sees the difference.
  const auto rounded = [](double value) { return std::round(value * 1e6) / 1e6; };
  const Eigen::Matrix3d bind_from_frame = shell.frame_from_bind.leftCols<3>().inverse();
  const Eigen::Vector3d origin = shell.frame_from_bind.col(3);
  const Eigen::Vector3d direction = shell.rest_rotation * comparison.direction;
  Json json;
  json["direction"] = {rounded(direction.x()), rounded(direction.y()), rounded(direction.z())};
  json["vertexCount"] = shell.node_of_vertex.size();
  for (const char* list : {"loads", "nonlinear"}) json[list] = Json::array();
  for (const ComparedLoad& load : comparison.loads) {
    json["loads"].push_back(load.gravity);
    const VectorXd& x = load.x[ShellMethod::Nonlinear];
    Json shape = Json::array();
    for (const geometry::Index node : shell.node_of_vertex) {
      const Eigen::Vector3d p = bind_from_frame * (x.segment<3>(3 * Eigen::Index{node}) - origin);
      for (const double coordinate : p) shape.push_back(rounded(coordinate));
    }
    json["nonlinear"].push_back(std::move(shape));
    for (const ShellMethod method : kShellMethods) {
      json["area"][names[method]].push_back(rounded(load.area[method]));
      if (method == ShellMethod::Nonlinear) continue;
      json["error"][names[method]].push_back(rounded(load.error[method]));
    }
  }
  return json.dump() + "\n";
}

std::string comparison_csv(const ShellComparison& comparison) {
  std::string text =
      "gravity_m_s2,largest_turn_rad,error_linear,error_warped,error_rotation_strain,"
      "area_linear,area_warped,area_rotation_strain,area_nonlinear,residual_nonlinear\n";
  for (const ComparedLoad& load : comparison.loads) {
    text += fmt::format("{:.6g},{:.5g}", load.gravity, load.turn);
    for (const ShellMethod method : kShellMethods) {
      if (method != ShellMethod::Nonlinear) text += fmt::format(",{:.5g}", load.error[method]);
    }
    for (const ShellMethod method : kShellMethods) {
      text += fmt::format(",{:.5g}", load.area[method]);
    }
    text += fmt::format(",{:.2g}\n", load.residual);
  }
  return text;
}

}  // namespace supple::app
