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

Result<ShellComparison> compare_shell(const fem::DiscreteShell& shell,
                                      const shell::ShellObject& object,
                                      const std::vector<double>& gravities,
                                      const std::function<void()>& done) {
  ShellComparison result;
  const double rest_area = shell.area(shell.rest());
  VectorXd q;
  VectorXd x;
  for (const double gravity : gravities) {
    SUPPLE_TRY_VOID(check_interrupt());
    const VectorXd load = fem::weight(shell, gravity * result.direction);
    ComparedLoad at;
    at.gravity = gravity;
    SUPPLE_TRY(const VectorXd straight, modal_equilibrium(object, load, false));
    SUPPLE_TRY(q, modal_equilibrium(object, load, true, q));
    SUPPLE_TRY(const fem::Equilibrium exact, fem::find_equilibrium(shell, load, {}, x));
    x = exact.x;
    at.residual = exact.residual;
    at.x = {shell::linear_shape(shell, object, straight), shell::warped_shape(shell, object, q),
            shell::rotation_strain_shape(shell, object, q), x};
    const double size = std::max((x - shell.rest()).norm(), 1e-300);
    for (std::size_t m = 0; m < kShellMethods; ++m) {
      at.error[m] = (at.x[m] - x).norm() / size;
      at.area[m] = shell.area(at.x[m]) / rest_area - 1;
    }
    const VectorXd turns = object.turns * q;
    for (Eigen::Index i = 0; i < turns.size(); i += 3) {
      at.turn = std::max(at.turn, turns.segment<3>(i).norm());
    }
    result.loads.push_back(std::move(at));
    if (done) done();
  }
  return result;
}

std::vector<double> viewer_loads() {
  constexpr int kLoads = 20;
  constexpr double kMost = 40;
  std::vector<double> loads;
  loads.reserve(kLoads);
  for (int k = 1; k <= kLoads; ++k) loads.push_back(kMost * k / kLoads);
  return loads;
}

std::string comparison_json(const ShellComparison& comparison,
                            const std::vector<geometry::Index>& node_of_vertex) {
  using Json = nlohmann::ordered_json;
  constexpr std::array<const char*, kShellMethods> kNames{"linear", "warped", "rotationStrain",
                                                          "nonlinear"};
  // Micrometres and millionths: half the file, and no eye sees the difference.
  const auto rounded = [](double value) { return std::round(value * 1e6) / 1e6; };
  Json json;
  json["direction"] = {comparison.direction.x(), comparison.direction.y(),
                       comparison.direction.z()};
  json["vertexCount"] = node_of_vertex.size();
  for (const char* list : {"loads", "nonlinear"}) json[list] = Json::array();
  for (const ComparedLoad& load : comparison.loads) {
    json["loads"].push_back(load.gravity);
    Json shape = Json::array();
    for (const geometry::Index node : node_of_vertex) {
      for (Eigen::Index c = 0; c < 3; ++c) {
        shape.push_back(rounded(load.x.back()[3 * Eigen::Index{node} + c]));
      }
    }
    json["nonlinear"].push_back(std::move(shape));
    for (std::size_t m = 0; m < kShellMethods; ++m) {
      json["area"][kNames[m]].push_back(rounded(load.area[m]));
      if (m + 1 < kShellMethods) json["error"][kNames[m]].push_back(rounded(load.error[m]));
    }
  }
  return json.dump() + "\n";
}

std::string comparison_csv(const ShellComparison& comparison) {
  std::string text =
      "gravity_m_s2,largest_turn_rad,error_linear,error_warped,error_rotation_strain,"
      "area_linear,area_warped,area_rotation_strain,area_nonlinear,residual_nonlinear\n";
  for (const ComparedLoad& load : comparison.loads) {
    text += fmt::format("{:.6g},{:.5g},{:.5g},{:.5g},{:.5g},{:.5g},{:.5g},{:.5g},{:.5g},{:.2g}\n",
                        load.gravity, load.turn, load.error[0], load.error[1], load.error[2],
                        load.area[0], load.area[1], load.area[2], load.area[3], load.residual);
  }
  return text;
}

}  // namespace supple::app
