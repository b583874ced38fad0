// SPDX-License-Identifier: Apache-2.0
// The same deck through CalculiX and through us.
#include "oracle/calculix.hpp"
#include "source_directory.hpp"
#include "supple/core/files.hpp"
#include "supple/fem/solid_modes.hpp"
#include "supple/fem/tet_element.hpp"
#include "supple/flesh/inertia.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/io/deck.hpp"
#include "temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cstdlib>
#include <filesystem>

namespace supple::oracle {
namespace {

using fem::MassRule;
using fem::SolidModel;
using geometry::Box;
using geometry::TetOrder;
using geometry::Vec3;

/// CalculiX prints seven digits of a frequency; its own iteration stops near the eighth.
constexpr double kSameMass = 1e-6;
/// An exact mass against CalculiX's four points: a matter of mesh size, 7e-5 at 10,000 elements.
constexpr double kExactMass = 1e-4;
/// Shapes enter participation to first order, frequencies to second.
constexpr double kParticipation = 2e-5;

io::Deck clamp(geometry::TetMesh mesh, TetOrder order, std::vector<io::DeckMaterial> materials,
               double clamp_below) {
  io::Deck deck;
  deck.mesh = order == TetOrder::Quadratic ? geometry::to_quadratic(mesh) : std::move(mesh);
  deck.mesh.node_sets.clear();
  if (deck.mesh.region_names.empty()) deck.mesh.region_names = {"all"};
  if (deck.mesh.regions.empty()) deck.mesh.regions.assign(deck.mesh.element_count(), 0);
  deck.materials = std::move(materials);
  deck.fixed.assign(deck.mesh.nodes.size(), 0);
  for (std::size_t i = 0; i < deck.mesh.nodes.size(); ++i) {
    if (deck.mesh.nodes[i].x() < clamp_below) deck.fixed[i] = fem::kFixAll;
  }
  deck.requested_modes = 10;
  return deck;
}

Box box(const Vec3& low, const Vec3& high) {
  Box result;
  result.add(low);
  result.add(high);
  return result;
}

io::Deck make_deck(const std::string& shape, TetOrder order) {
  const io::DeckMaterial flesh{"flesh", 2e4, 0.45, 1000};
  const io::DeckMaterial bone{"bone", 2e7, 0.3, 1900};
  if (shape == "box") {
    return clamp(geometry::box_mesh(box(Vec3(0, 0, 0), Vec3(.4, .15, .12)), 8, 4, 3), order,
                 {flesh}, 1e-9);
  }
  if (shape == "bracket") {
    return clamp(geometry::l_bracket_mesh(0.02, 6, 2, 3), order, {flesh}, 1e-9);
  }
  if (shape == "two materials") {
    return clamp(geometry::two_region_mesh(box(Vec3(0, 0, 0), Vec3(.3, .1, .1)), 8, 3, 3), order,
                 {bone, flesh}, 1e-9);
  }
  return clamp(geometry::ball_mesh(0.1, 4), order, {flesh}, -0.07);  // a ball held at one side
}

SolidModel model_of(const io::Deck& deck, MassRule rule) {
  SolidModel model;
  model.mesh = deck.mesh;
  for (const io::DeckMaterial& material : deck.materials) {
    model.materials.push_back({material.name, material.youngs_modulus.value(),
                               material.poisson_ratio.value(), material.density.value()});
  }
  model.fixed = deck.fixed;
  model.mass_rule = rule;
  return model;
}

/// Phi^T M Gamma over the columns of fixed nodes: they ride along with the bone, but CalculiX's
/// factors leave them out. Translations first, as CalculiX has them.
Eigen::MatrixXd coupling(const SolidModel& model, const Eigen::MatrixXd& shapes) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(shapes.cols(), 6);
  for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
    const auto nodes = model.mesh.element(e);
    const Eigen::MatrixXd mass =
        fem::element_mass(model.mesh.order, fem::element_nodes(model.mesh, e),
                          model.materials[model.mesh.region(e)].density, model.mass_rule);
    for (std::size_t b = 0; b < nodes.size(); ++b) {
      if (model.fixed[nodes[b]] != fem::kFixAll) continue;
      Eigen::Matrix<double, 3, 6> gamma = Eigen::Matrix<double, 3, 6>::Identity();
      for (int axis = 0; axis < 3; ++axis) {
        gamma.col(3 + axis) = Vec3::Unit(axis).cross(model.mesh.nodes[nodes[b]]);
      }
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        sum += mass(a, b) * shapes.middleRows<3>(3 * Eigen::Index{nodes[a]}).transpose() * gamma;
      }
    }
  }
  return sum;
}

class AgainstCalculix : public ::testing::TestWithParam<std::tuple<const char*, TetOrder>> {};

TEST_P(AgainstCalculix, FrequenciesAndParticipationAgree) {
  if (!have_calculix()) GTEST_SKIP() << "SKIPPED: ccx (Debian calculix-ccx) is not installed";
  const auto& [shape, order] = GetParam();
  const io::Deck deck = make_deck(shape, order);
  const auto text = io::write_deck(deck);
  ASSERT_TRUE(text.ok()) << text.error().describe();

  const supple::testing::TemporaryDirectory folder;
  const std::string directory = folder.path().string();
  ASSERT_TRUE(write_file(folder / "deck.inp", *text).ok());
  const std::string command =
      fmt::format("cd '{}' && OMP_NUM_THREADS=1 ccx deck > log 2>&1", directory);
  ASSERT_EQ(std::system(command.c_str()), 0) << "ccx refused " << directory << "/deck.inp";
  const CalculixModes theirs = read_dat(directory + "/deck.dat");
  ASSERT_EQ(theirs.frequencies_hz.size(), 10U);
  ASSERT_EQ(theirs.participation.size(), 10U);

  // Read our own deck back, so that reader and writer stand in the chain as well.
  const auto again = io::read_deck(directory + "/deck.inp");
  ASSERT_TRUE(again.ok()) << again.error().describe();
  const MassRule same = order == TetOrder::Quadratic ? MassRule::FourPoint : MassRule::OnePoint;
  const SolidModel model = model_of(*again, same);
  const auto ours = fem::solve_modes(model, {.count = 10});
  ASSERT_TRUE(ours.ok()) << ours.error().describe();
  // The inertial transfer of flesh, [JP02 eq. 18], without what the fixed nodes add.
  const Eigen::MatrixXd transfer = flesh::inertial_transfer(model, ours->shapes, false).transfer;
  Eigen::MatrixXd factors(10, 6);
  factors << -transfer.rightCols<3>(), -transfer.leftCols<3>();
  factors -= coupling(model, ours->shapes);
  const Eigen::VectorXd frequencies = ours->frequencies_hz();
  for (int i = 0; i < 10; ++i) {
    const double expected = theirs.frequencies_hz[i];
    EXPECT_NEAR(frequencies(i), expected, kSameMass * expected) << "mode " << i + 1;
  }
  // Participation up to the sign of each mode; of repeated frequencies only the norm is defined.
  for (int i = 0; i < 10; ++i) {
    const auto close = [&](int j) {
      return j >= 0 && j < 10 && std::abs(frequencies(i) - frequencies(j)) < 1e-4 * frequencies(i);
    };
    if (i == 9 || close(i - 1) || close(i + 1)) continue;
    const Eigen::VectorXd mine = ours->participation.row(i);
    const double scale = theirs.participation[i].norm() + 1e-3;
    const double difference =
        std::min((mine - theirs.participation[i]).norm(), (mine + theirs.participation[i]).norm());
    EXPECT_LT(difference, kParticipation * scale) << "mode " << i + 1;
    const Eigen::VectorXd from_transfer = factors.row(i);
    EXPECT_LT(std::min((from_transfer - theirs.participation[i]).norm(),
                       (from_transfer + theirs.participation[i]).norm()),
              kParticipation * scale)
        << "H of mode " << i + 1;
  }
}

std::string case_name(const ::testing::TestParamInfo<std::tuple<const char*, TetOrder>>& info) {
  std::string name = std::get<0>(info.param);
  name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  return name + (std::get<1>(info.param) == TetOrder::Quadratic ? "C3D10" : "C3D4");
}

INSTANTIATE_TEST_SUITE_P(
    Decks, AgainstCalculix,
    ::testing::Combine(::testing::Values("box", "bracket", "two materials", "ball"),
                       ::testing::Values(TetOrder::Linear, TetOrder::Quadratic)),
    case_name);

/// CalculiX's printed results for a box of 10,206 elements, kept beside its deck.
class KeptDecks : public ::testing::TestWithParam<std::tuple<const char*, MassRule, double>> {};

TEST_P(KeptDecks, Agree) {
  const auto& [name, rule, tolerance] = GetParam();
  const std::filesystem::path root = supple::testing::source_directory() / "../shared/oracles";
  if (!std::filesystem::exists(root / "box10k_t10.inp")) {
    GTEST_SKIP() << "SKIPPED: no kept decks beside the project";
  }
  const auto deck = io::read_deck(root / fmt::format("box10k_{}.inp", name));
  ASSERT_TRUE(deck.ok()) << deck.error().describe();
  const CalculixModes theirs = read_dat(root / fmt::format("ccx_box10k_{}.dat", name));
  ASSERT_EQ(theirs.frequencies_hz.size(), 20U);
  const auto ours = fem::solve_modes(model_of(*deck, rule), {.count = 20});
  ASSERT_TRUE(ours.ok()) << ours.error().describe();
  for (int i = 0; i < 20; ++i) {
    const double expected = theirs.frequencies_hz[i];
    EXPECT_NEAR(ours->frequencies_hz()(i), expected, tolerance * expected) << "mode " << i + 1;
    if (tolerance != kSameMass) continue;
    const Eigen::VectorXd mine = ours->participation.row(i);
    const double difference =
        std::min((mine - theirs.participation[i]).norm(), (mine + theirs.participation[i]).norm());
    EXPECT_LT(difference, kParticipation * (theirs.participation[i].norm() + 1e-3));
  }
}

INSTANTIATE_TEST_SUITE_P(Box, KeptDecks,
                         ::testing::Values(std::tuple("t10", MassRule::FourPoint, kSameMass),
                                           std::tuple("t10", MassRule::Consistent, kExactMass),
                                           std::tuple("t4", MassRule::OnePoint, kSameMass)));

}  // namespace
}  // namespace supple::oracle
