// SPDX-License-Identifier: Apache-2.0
// Large static deformations of neo-Hookean solids by CalculiX and by us, on the same meshes.
#include "oracle/calculix.hpp"
#include "supple/core/files.hpp"
#include "supple/fem/newton.hpp"
#include "supple/fem/quadratic_energies.hpp"
#include "supple/fem/solid_energy.hpp"
#include "supple/geometry/shapes.hpp"
#include "temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace supple::oracle {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using fem::Material;
using fem::SolidModel;
using geometry::TetOrder;

/// Both solve the same equations, so only what they print and where they stop differs: seven digits
/// and an unbalanced force of 1e-7.
constexpr double kSameEquations = 1e-5;

/// A beam clamped at x_min, with forces in newtons on x_max.
struct Problem {
  SolidModel model;
  VectorXd force;
};

Problem beam(TetOrder order, const Material& material, const Vector3d& load) {
  Problem problem;
  SolidModel& model = problem.model;
  model.mesh = geometry::beam_mesh(0.4, 0.1, 0.12, 8, 2, 2);
  if (order == TetOrder::Quadratic) model.mesh = to_quadratic(model.mesh);
  model.materials = {material};
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (const auto node : model.mesh.node_sets.at("x_min")) model.fixed[node] = fem::kFixAll;
  problem.force = VectorXd::Zero(static_cast<Eigen::Index>(3 * model.mesh.nodes.size()));
  const auto& end = model.mesh.node_sets.at("x_max");
  for (const auto node : end) {
    problem.force.segment<3>(3 * Eigen::Index{node}) = load / static_cast<double>(end.size());
  }
  return problem;
}

/// *HYPERELASTIC, NEO HOOKE is C10 (I1 J^(-2/3) - 3) + (J - 1)^2 / D1.
std::string static_deck(const Problem& problem) {
  const SolidModel& model = problem.model;
  std::string text = "*NODE, NSET=all\n";
  for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
    const Vector3d& p = model.mesh.nodes[i];
    text += fmt::format("{}, {:.15g}, {:.15g}, {:.15g}\n", i + 1, p.x(), p.y(), p.z());
  }
  text += fmt::format("*ELEMENT, TYPE=C3D{}, ELSET=all\n", model.mesh.nodes_per_element());
  for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
    text += fmt::format("{}", e + 1);
    for (const auto node : model.mesh.element(e)) text += fmt::format(", {}", node + 1);
    text += "\n";
  }
  const Material& material = model.materials[0];
  const double mu = material.youngs_modulus / (2 * (1 + material.poisson_ratio));
  const double bulk = material.youngs_modulus / (3 * (1 - 2 * material.poisson_ratio));
  text += fmt::format(
      "*MATERIAL, NAME=m\n*HYPERELASTIC, NEO HOOKE\n{:.15g}, {:.15g}\n"
      "*SOLID SECTION, ELSET=all, MATERIAL=m\n*BOUNDARY\n",
      mu / 2, 2 / bulk);
  for (std::size_t i = 0; i < model.fixed.size(); ++i) {
    if (model.fixed[i] != 0) text += fmt::format("{}, 1, 3\n", i + 1);
  }
  text += "*STEP, NLGEOM, INC=1000\n*STATIC\n0.1, 1.\n";
  text += "*CONTROLS, PARAMETERS=FIELD\n1e-7, 1e-7\n*CLOAD\n";
  for (Eigen::Index i = 0; i < problem.force.size(); ++i) {
    if (problem.force(i) == 0) continue;
    text += fmt::format("{}, {}, {:.15g}\n", i / 3 + 1, i % 3 + 1, problem.force(i));
  }
  return text + "*NODE PRINT, NSET=all, FREQUENCY=1000\nU\n*END STEP\n";
}

/// The last displacements of a .dat file.
VectorXd read_displacements(const std::filesystem::path& path, Eigen::Index size) {
  VectorXd result = VectorXd::Constant(size, std::numeric_limits<double>::quiet_NaN());
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream text(line);
    Eigen::Index node = 0;
    Vector3d u;
    if (!(text >> node >> u.x() >> u.y() >> u.z()) || node < 1 || 3 * node > size) continue;
    result.segment<3>(3 * (node - 1)) = u;
  }
  return result;
}

VectorXd by_calculix(const Problem& problem) {
  const supple::testing::TemporaryDirectory folder;
  EXPECT_TRUE(write_file(folder / "deck.inp", static_deck(problem)).ok());
  const std::string command =
      fmt::format("cd '{}' && OMP_NUM_THREADS=1 ccx deck > log 2>&1", folder.path().string());
  EXPECT_EQ(std::system(command.c_str()), 0) << "ccx refused the deck";
  return read_displacements(folder / "deck.dat", problem.force.size());
}

VectorXd by_us(const Problem& problem) {
  const SolidModel& model = problem.model;
  VectorXd rest(problem.force.size());
  for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
    rest.segment<3>(static_cast<Eigen::Index>(3 * i)) = model.mesh.nodes[i];
  }
  const VectorXd masses = lumped_masses(model);
  fem::SolidEnergy elastic(model, fem::SolidLaw::NeoHookean);
  fem::DeadLoad load(problem.force);
  fem::EnergySum energy({&elastic, &load});
  fem::Newton newton(fem::FreeVertices(model.fixed, masses), masses);
  VectorXd x = rest;
  const auto report =
      newton.minimise(energy, x, {.force = 1e-9 * problem.force.norm(), .max_iterations = 500});
  EXPECT_TRUE(report.ok() && report->converged);
  return x - rest;
}

void expect_same(const Problem& problem, const std::string& name) {
  if (!have_calculix()) GTEST_SKIP() << "SKIPPED: ccx (Debian calculix-ccx) is not installed";
  const VectorXd theirs = by_calculix(problem);
  const VectorXd ours = by_us(problem);
  const double largest = theirs.cwiseAbs().maxCoeff();
  const double error = (ours - theirs).cwiseAbs().maxCoeff() / largest;
  fmt::print("{}: largest displacement {:.4f} m, difference {:.1e} of it\n", name, largest, error);
  ::testing::Test::RecordProperty(name, fmt::format("{:.2e}", error));
  // A comparison of small strains would say little: this is a tenth of the beam.
  EXPECT_GT(largest, 0.04);
  EXPECT_LT(error, kSameEquations) << name;
}

TEST(StaticsAgainstCalculix, BentBeams) {
  expect_same(beam(TetOrder::Linear, {"rubber", 1e5, 0.3, 1000}, {0, -8, 2}), "bent, 4 nodes");
  expect_same(beam(TetOrder::Quadratic, {"rubber", 1e5, 0.45, 1000}, {0, -8, 2}), "bent, 10 nodes");
}

TEST(StaticsAgainstCalculix, StretchedBeams) {
  expect_same(beam(TetOrder::Linear, {"rubber", 1e5, 0.45, 1000}, {800, 100, 0}),
              "stretched, 4 nodes");
  expect_same(beam(TetOrder::Quadratic, {"rubber", 1e5, 0.3, 1000}, {800, 0, 100}),
              "stretched, 10 nodes");
}

TEST(StaticsAgainstCalculix, SqueezedBlocks) {
  // Too short to buckle.
  for (const TetOrder order : {TetOrder::Linear, TetOrder::Quadratic}) {
    Problem problem = beam(order, {"rubber", 1e5, 0.4, 1000}, {-900, 0, 0});
    for (auto& p : problem.model.mesh.nodes) p.x() *= 0.5;
    for (auto& p : problem.model.mesh.nodes) p.y() *= 2;
    for (auto& p : problem.model.mesh.nodes) p.z() *= 2;
    expect_same(problem, order == TetOrder::Linear ? "squeezed, 4 nodes" : "squeezed, 10 nodes");
  }
}

}  // namespace
}  // namespace supple::oracle
