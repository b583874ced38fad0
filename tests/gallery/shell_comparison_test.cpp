// SPDX-License-Identifier: Apache-2.0
#include "experiments/shell_comparison.hpp"

#include "samples/shell_beams.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace supple::experiments {
namespace {

using Eigen::Vector3d;

struct Strip {
  fem::DiscreteShell shell;
  shell::ShellObject object;
};

/// A small flat cantilever; its frame is the world's.
Result<Strip> make_strip(bool rotation_strain = true) {
  samples::BeamShape shape;
  shape.along = 12;
  shape.across = 2;
  const samples::BeamMaterial material;
  fem::ShellModel model;
  model.mesh = samples::make_beam(shape);
  model.materials = {{"strip", material.area_stiffness, 2 * material.length_stiffness,
                      material.bending_stiffness, material.area_density}};
  for (const Vector3d& p : model.mesh.positions) {
    model.fixed.push_back(p.x() < 0.05 ? fem::kFixAll : std::uint8_t{0});
  }
  SUPPLE_TRY(fem::DiscreteShell shell, fem::DiscreteShell::create(std::move(model)));
  shell::ObjectSettings settings;
  settings.name = "strip";
  settings.rotation_strain = rotation_strain;
  SUPPLE_TRY(shell::ShellObject object, shell::bake_shell(shell, settings));
  return Strip{std::move(shell), std::move(object)};
}

bake::PreparedShell scene_of(const Strip& strip) {
  bake::PreparedShell scene;
  scene.node_of_vertex.resize(strip.shell.model().mesh.positions.size());
  std::iota(scene.node_of_vertex.begin(), scene.node_of_vertex.end(), 0U);
  return scene;
}

TEST(ShellComparison, MethodsDoToTheAreaWhatTheoryExpects) {
  const auto strip = make_strip();
  ASSERT_TRUE(strip.ok()) << strip.error().describe();
  const auto compared = compare_shell(strip->shell, strip->object, ramp(4, 4));
  ASSERT_TRUE(compared.ok()) << compared.error().describe();
  ASSERT_EQ(compared->loads.size(), 5U);
  for (std::size_t k = 1; k < compared->loads.size(); ++k) {
    const ComparedLoad& load = compared->loads[k];
    SCOPED_TRACE(load.gravity);
    const double th = load.turn;
    // The laws for constant curvature, +th^2/6 and -th^2/12, within a factor of three.
    EXPECT_GT(load.area[ShellMethod::Linear], th * th / 18);
    EXPECT_LT(load.area[ShellMethod::Warped], -th * th / 36);
    EXPECT_GT(load.area[ShellMethod::Warped], -th * th / 4);
    EXPECT_NEAR(load.area[ShellMethod::Nonlinear], 0, 1e-3);
    EXPECT_NEAR(load.area[ShellMethod::RotationStrain], 0, 1e-3);
    EXPECT_LT(load.error[ShellMethod::Warped], load.error[ShellMethod::Linear]);
    EXPECT_EQ(load.error[ShellMethod::Nonlinear], 0);
  }
}

TEST(ShellComparison, BeginsAtRest) {
  EXPECT_EQ(viewer_loads().front(), 0);
  EXPECT_EQ(viewer_loads().back(), 40);
  EXPECT_EQ(ramp(6, 3), (std::vector<double>{0, 2, 4, 6}));
  const auto strip = make_strip();
  ASSERT_TRUE(strip.ok()) << strip.error().describe();
  const auto compared = compare_shell(strip->shell, strip->object, {0});
  ASSERT_TRUE(compared.ok()) << compared.error().describe();
  for (const ShellMethod method : kShellMethods) {
    EXPECT_EQ(compared->loads[0].x[method], strip->shell.rest());
    EXPECT_EQ(compared->loads[0].error[method], 0);
    EXPECT_EQ(compared->loads[0].area[method], 0);
  }
}

TEST(ShellComparison, NeedsTheRotationStrainSolve) {
  const auto strip = make_strip(false);
  ASSERT_TRUE(strip.ok()) << strip.error().describe();
  const auto compared = compare_shell(strip->shell, strip->object, {1});
  ASSERT_FALSE(compared.ok());
  EXPECT_EQ(compared.error().code(), ErrorCode::BadInput);
  EXPECT_NE(compared.error().describe().find("rotation_strain = true"), std::string::npos);
}

TEST(ShellComparison, JsonHasShapesInBindSpaceAndTheDirectionOfTheWorld) {
  const auto strip = make_strip();
  ASSERT_TRUE(strip.ok()) << strip.error().describe();
  bake::PreparedShell scene = scene_of(*strip);
  // A bone that lies on its side, in a file in centimetres.
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()));
  scene.rest_rotation = turn;
  scene.frame_from_bind.leftCols<3>() = 0.01 * turn.conjugate().toRotationMatrix();
  scene.frame_from_bind.col(3) = Vector3d(0.1, -0.2, 0.3);
  const auto compared =
      compare_shell(strip->shell, strip->object, ramp(1, 2), down_in_frame(scene));
  ASSERT_TRUE(compared.ok()) << compared.error().describe();
  const auto json = nlohmann::json::parse(comparison_json(*compared, scene));
  const std::size_t vertices = scene.node_of_vertex.size();
  EXPECT_EQ(json["vertexCount"], vertices);
  EXPECT_EQ(json["direction"], (std::vector<double>{0, -1, 0}));
  EXPECT_EQ(json["loads"], (std::vector<double>{0, 0.5, 1}));
  ASSERT_EQ(json["nonlinear"].size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto shape = json["nonlinear"][k].get<std::vector<double>>();
    ASSERT_EQ(shape.size(), 3 * vertices);
    const Eigen::VectorXd& x = compared->loads[k].x[ShellMethod::Nonlinear];
    for (std::size_t v = 0; v < vertices; ++v) {
      const Vector3d bind(shape[3 * v], shape[3 * v + 1], shape[3 * v + 2]);
      const Vector3d back =
          scene.frame_from_bind.leftCols<3>() * bind + scene.frame_from_bind.col(3);
      EXPECT_LT((back - x.segment<3>(3 * static_cast<Eigen::Index>(v))).norm(), 1e-6);
    }
  }
  for (const char* name : {"linear", "warped", "rotationStrain"}) {
    EXPECT_EQ(json["area"][name].size(), 3U) << name;
    EXPECT_EQ(json["error"][name].size(), 3U) << name;
  }
  EXPECT_EQ(json["area"]["nonlinear"].size(), 3U);
  EXPECT_FALSE(json["error"].contains("nonlinear"));
}

TEST(ShellComparison, CsvHasALinePerLoad) {
  const auto strip = make_strip();
  ASSERT_TRUE(strip.ok()) << strip.error().describe();
  const auto compared = compare_shell(strip->shell, strip->object, ramp(1, 3));
  ASSERT_TRUE(compared.ok()) << compared.error().describe();
  const std::string csv = comparison_csv(*compared);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), ','), 5 * 9);
}

}  // namespace
}  // namespace supple::experiments
