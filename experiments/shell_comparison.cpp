// SPDX-License-Identifier: Apache-2.0
#include "experiments/shell_comparison.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/fem/shell_motion.hpp"
#include "supple/shell/modal_equilibrium.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace supple::experiments {
namespace {

using Eigen::VectorXd;

/// One shell under increasing loads.
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
    const VectorXd straight = shell::linear_response(m_object, load);
    SUPPLE_TRY(m_q, shell::modal_equilibrium(m_object, gravity * direction, m_q));
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
    at.turn = shell::largest_turn(m_object, m_q);
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

Eigen::Vector3d down_in_frame(const bake::PreparedShell& shell) {
  return -(shell.rest_rotation.conjugate() * Eigen::Vector3d::UnitY());
}

std::string comparison_json(const ShellComparison& comparison, const bake::PreparedShell& shell) {
  const ByMethod<const char*> names{{"linear", "warped", "rotationStrain", "nonlinear"}};
  // Rounding to micrometres and millionths halves the file without a visible difference.
  const auto rounded = [](double value) { return std::round(value * 1e6) / 1e6; };
  const Eigen::Matrix3d bind_from_frame = shell.frame_from_bind.leftCols<3>().inverse();
  const Eigen::Vector3d origin = shell.frame_from_bind.col(3);
  const Eigen::Vector3d direction = shell.rest_rotation * comparison.direction;
  nlohmann::ordered_json json;
  json["direction"] = {rounded(direction.x()), rounded(direction.y()), rounded(direction.z())};
  json["vertexCount"] = shell.node_of_vertex.size();
  for (const char* list : {"loads", "nonlinear"}) json[list] = nlohmann::ordered_json::array();
  for (const ComparedLoad& load : comparison.loads) {
    json["loads"].push_back(load.gravity);
    const VectorXd& x = load.x[ShellMethod::Nonlinear];
    nlohmann::ordered_json shape = nlohmann::ordered_json::array();
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

}  // namespace supple::experiments
