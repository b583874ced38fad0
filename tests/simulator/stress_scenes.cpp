// SPDX-License-Identifier: Apache-2.0
#include "simulator/stress_scenes.hpp"

#include "simulator/bodies.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace supple::simulator {
namespace {

constexpr double kQuarterTurn = std::numbers::pi / 2;

Obstacle ground(double height = 0, double size = 2) {
  return obstacle("ground", plane_mesh(Vec3(0.013, height, 0.017), Vec3::UnitY(), size));
}

/// A cube about `centre`, turned.
Solid turned_cube(std::string name, const Vec3& centre, double edge, const Eigen::Matrix3d& turn) {
  Solid body = cube(std::move(name), Vec3::Constant(-edge / 2), edge, 2);
  for (Vec3& node : body.model.mesh.nodes) node = centre + turn * node;
  return body;
}

/// The degenerate pairs of Erleben: all closest points lie on corners and edges, all directions are
/// parallel or in one plane.
Description degenerate_pairs() {
  Description d;
  const double edge = 0.1;
  const double diagonal = edge * std::numbers::sqrt2;
  const Eigen::Matrix3d on_edge(Eigen::AngleAxisd(kQuarterTurn / 2, Vec3::UnitZ()));
  const Eigen::Matrix3d across(Eigen::AngleAxisd(kQuarterTurn / 2, Vec3::UnitX()));
  const Eigen::Matrix3d on_corner(
      Eigen::Quaterniond::FromTwoVectors(Vec3::Ones().normalized(), Vec3::UnitY()));
  const auto pair = [&](const std::string& name, double x, const Eigen::Matrix3d& below,
                        const Eigen::Matrix3d& above, double distance) {
    Solid held = turned_cube(name + " below", Vec3(x, 0.1, 0), edge, below);
    held.model.fixed.assign(held.model.mesh.nodes.size(), fem::kFixAll);
    Solid falling = turned_cube(name + " above", Vec3(x, 0.1 + distance, 0), edge, above);
    falling.velocity = Vec3(0, -1, 0);
    d.solids.push_back(std::move(held));
    d.solids.push_back(std::move(falling));
  };
  const Eigen::Matrix3d flat = Eigen::Matrix3d::Identity();
  pair("faces", 0, flat, flat, edge + 0.005);
  pair("parallel edges", 0.3, on_edge, on_edge, diagonal + 0.005);
  pair("crossed edges", 0.6, on_edge, across, diagonal + 0.005);
  pair("corners", 0.9, on_corner, on_corner, edge * std::sqrt(3.0) + 0.005);
  pair("edge on face", 1.2, flat, on_edge, (edge + diagonal) / 2 + 0.005);
  pair("sliding along an edge", 1.5, on_edge, on_edge, diagonal + 0.002);
  d.solids.back().velocity = Vec3(0, -0.2, 1);
  d.obstacles.push_back(ground(-0.2, 6));
  return d;
}

Description heavy_block() {
  Description d;
  d.solids.push_back(cube("soft", Vec3(-0.05, 0.002, -0.05), 0.1, 3, soft_rubber(1e5)));
  d.solids.push_back(cube("heavy", Vec3(-0.05, 0.107, -0.05), 0.1, 2, {"lead", 1e7, 0.3, 10000}));
  d.obstacles.push_back(ground());
  return d;
}

Description mat_on_knives() {
  Description d;
  geometry::Box box;
  box.add(Vec3(-0.15, 0.1, -0.15));
  box.add(Vec3(0.15, 0.12, 0.15));
  d.solids.push_back(solid("mat", geometry::box_mesh(box, 10, 1, 10), soft_rubber(5e5)));
  for (int i = 0; i < 4; ++i) {
    const double x = -0.12 + 0.08 * i;
    d.obstacles.push_back(box_obstacle("knife " + std::to_string(i + 1), Vec3(x, 0, -0.2),
                                       Vec3(x + 0.002, 0.09, 0.2)));
  }
  return d;
}

Script turning(const Vec3& axis, double speed, const Vec3& point = Vec3::Zero()) {
  return {{Turn{point, axis, speed, {}}}};
}

Description twisted_mat() {
  Description d;
  d.gravity.setZero();
  geometry::Box box;
  box.add(Vec3(-0.2, -0.01, -0.04));
  box.add(Vec3(0.2, 0.01, 0.04));
  Solid mat = solid("mat", geometry::box_mesh(box, 20, 1, 4), soft_rubber(5e5));
  const auto& sets = mat.model.mesh.node_sets;
  d.pins.push_back({"mat", sets.at("x_min"), turning(Vec3::UnitX(), 2 * kQuarterTurn * 4)});
  d.pins.push_back({"mat", sets.at("x_max"), turning(Vec3::UnitX(), -2 * kQuarterTurn * 4)});
  d.solids.push_back(std::move(mat));
  return d;
}

Description card_house() {
  Description d;
  const double lean = 0.25;  // radians from the vertical
  const auto card = [&](const std::string& name, const Vec3& foot, double angle) {
    const Vec3 up(std::sin(angle), std::cos(angle), 0);
    fem::ShellModel model;
    model.mesh = grid(3, 4, [&](double u, double v) {
      return Vec3(foot + 0.1 * v * up + Vec3(0, 0, 0.08 * (u - 0.5)));
    });
    model.materials = {{"card", 2000, 100, 0.01, 0.5, 0}};
    model.bending = fem::Bending::Hinge;
    Sheet sheet = *shell_sheet(name, model, 5e-4);
    sheet.friction = 0.6;
    return sheet;
  };
  const double foot = 0.1 * std::sin(lean) + 0.0008;
  for (int i = 0; i < 2; ++i) {
    const double x = 0.065 * (2 * i - 1);
    d.sheets.push_back(card("left " + std::to_string(i + 1), Vec3(x - foot, 0.001, 0), lean));
    d.sheets.push_back(card("right " + std::to_string(i + 1), Vec3(x + foot, 0.001, 0), -lean));
  }
  Sheet roof = card("roof", Vec3::Zero(), 0);
  for (Vec3& position : roof.mesh.positions) {
    position = Vec3(2 * (position.y() - 0.05), 0.1 * std::cos(lean) + 0.003, position.z());
  }
  fem::ShellModel model;
  model.mesh = roof.mesh;
  model.materials = {{"card", 2000, 100, 0.01, 0.5, 0}};
  model.bending = fem::Bending::Hinge;
  d.sheets.push_back(*shell_sheet("roof", model, 5e-4));
  d.sheets.back().friction = 0.6;
  d.obstacles.push_back(ground(0, 1));
  d.obstacles.back().friction = 0.6;
  return d;
}

geometry::TriMesh flat_grid(int cells, double size, const Vec3& centre) {
  return grid(cells, cells, [&](double u, double v) {
    return Vec3(centre + Vec3(size * (u - 0.5), 0, size * (v - 0.5)));
  });
}

Description sheets_under_a_sphere() {
  Description d;
  for (int i = 0; i < 4; ++i) {
    d.sheets.push_back(cloth("sheet " + std::to_string(i + 1),
                             flat_grid(8, 0.3, Vec3(0.003 * i, 0.003 + 0.004 * i, 0.002 * i))));
  }
  geometry::TetMesh ball = geometry::ball_mesh(0.06, 2);
  for (Vec3& node : ball.nodes) node += Vec3(0.01, 0.09, 0);
  d.solids.push_back(solid("ball", std::move(ball), soft_rubber()));
  d.obstacles.push_back(ground(0, 1));
  return d;
}

Description funnel() {
  Description d;
  constexpr int kAround = 24;
  geometry::TriMesh mesh;
  const double heights[3] = {-0.15, 0, 0.15};
  const double radii[3] = {0.04, 0.05, 0.22};
  for (int ring = 0; ring < 3; ++ring) {
    for (int i = 0; i < kAround; ++i) {
      const double angle = 4 * kQuarterTurn * i / kAround;
      mesh.positions.emplace_back(radii[ring] * std::cos(angle), heights[ring],
                                  radii[ring] * std::sin(angle));
    }
  }
  for (Index ring = 0; ring < 2; ++ring) {
    for (Index i = 0; i < kAround; ++i) {
      const Index a = ring * kAround + i;
      const Index b = ring * kAround + (i + 1) % kAround;
      mesh.triangles.push_back({a, a + kAround, b});
      mesh.triangles.push_back({b, a + kAround, b + kAround});
    }
  }
  d.obstacles.push_back(obstacle("funnel", std::move(mesh)));
  d.obstacles.back().friction = 0.1;
  for (int i = 0; i < 3; ++i) {
    d.sheets.push_back(cloth("sheet " + std::to_string(i + 1),
                             flat_grid(7, 0.25, Vec3(0.004 * i, 0.16 + 0.01 * i, -0.003 * i))));
    d.sheets.back().friction = 0.1;
    d.sheets.back().velocity = Vec3(0, -1, 0);
  }
  d.obstacles.push_back(obstacle("plunger",
                                 moved(geometry::sphere_surface(0.03, 2), Vec3(0, 0.26, 0)),
                                 {{Drift{Vec3(0, -0.8, 0), {0.1, 0.4}}}}));
  return d;
}

Description twisted_cylinder() {
  Description d;
  d.gravity.setZero();
  constexpr int kAround = 16;
  constexpr int kAlong = 16;
  geometry::TriMesh mesh;
  for (int j = 0; j <= kAlong; ++j) {
    for (int i = 0; i < kAround; ++i) {
      const double angle = 4 * kQuarterTurn * (i + 0.5 * (j % 2)) / kAround;
      mesh.positions.emplace_back(0.3 * (j / double{kAlong} - 0.5), 0.06 * std::cos(angle),
                                  0.06 * std::sin(angle));
    }
  }
  for (Index j = 0; j < kAlong; ++j) {
    for (Index i = 0; i < kAround; ++i) {
      const Index next = (i + 1) % kAround;
      const Index a = j * kAround + i;
      const Index b = j * kAround + next;
      const Index c = a + kAround;
      const Index e = b + kAround;
      if (j % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({b, e, c});
      } else {
        mesh.triangles.push_back({a, e, c});
        mesh.triangles.push_back({a, b, e});
      }
    }
  }
  const double speed = 72 * std::numbers::pi / 180;
  const auto end = [&](double sign) {
    return vertices_where(mesh.positions,
                          [&](const Vec3& p) { return sign * p.x() > 0.15 - 1e-6; });
  };
  d.pins.push_back({"cylinder", end(-1), turning(Vec3::UnitX(), speed)});
  d.pins.push_back({"cylinder", end(1), turning(Vec3::UnitX(), -speed)});
  d.sheets.push_back(cloth("cylinder", mesh));
  return d;
}

Description table_cloth() {
  Description d;
  d.obstacles.push_back(box_obstacle("table", Vec3(-0.2, -0.05, -0.2), Vec3(0.2, 0, 0.2)));
  Sheet sheet = cloth("cloth", flat_grid(16, 0.4, Vec3(0.11, 0.002, 0)));
  const std::vector<Index> rim =
      vertices_where(sheet.mesh.positions, [](const Vec3& p) { return p.x() > 0.31 - 1e-6; });
  d.pins.push_back({"cloth", rim, {{Drift{Vec3(1.5, 0, 0), {0.1, 10}}}}});
  sheet.friction = 0.2;
  d.sheets.push_back(std::move(sheet));
  for (int i = 0; i < 2; ++i) {
    d.solids.push_back(cube("cup " + std::to_string(i + 1),
                            Vec3(-0.05 + 0.02 * i, 0.005, -0.1 + 0.12 * i), 0.05, 2,
                            soft_rubber(1e6)));
    d.solids.back().friction = 0.2;
  }
  return d;
}

/// Two blocks close on a folded cloth, and would meet if nothing were between them.
Description trapped_cloth() {
  Description d;
  Sheet sheet = cloth("cloth", flat_grid(14, 0.2, Vec3(0, 0.05, 0)));
  for (Vec3& p : sheet.mesh.positions) sheet.start.push_back(p);
  d.sheets.push_back(std::move(sheet));
  d.obstacles.push_back(box_obstacle("left jaw", Vec3(-0.25, -0.1, -0.15), Vec3(-0.02, 0.04, 0.15),
                                     {{Drift{Vec3(0.1, 0, 0), {0.2, 0.41}}}}));
  d.obstacles.push_back(box_obstacle("right jaw", Vec3(0.02, -0.1, -0.15), Vec3(0.25, 0.04, 0.15),
                                     {{Drift{Vec3(-0.1, 0, 0), {0.2, 0.41}}}}));
  d.obstacles.push_back(
      obstacle("stick", moved(geometry::capsule_surface(0.01, 0.1, 8, 4), Vec3(0, 0.12, 0)),
               {{Drift{Vec3(0, -0.5, 0), {0, 0.2}}, Drift{Vec3(0, 1, 0), {0.2, 0.35}}}}));
  return d;
}

}  // namespace

const std::vector<StressScene>& stress_scenes() {
  static const std::vector<StressScene> scenes{
      {"DegeneratePairs", 0.3, degenerate_pairs},
      {"HeavyBlockOnSoftCube", 0.5, heavy_block},
      {"MatOnKnives", 0.5, mat_on_knives},
      {"TwistedMat", 1.0, twisted_mat},
      {"CardHouse", 0.4, card_house},
      {"SheetsUnderASphere", 0.4, sheets_under_a_sphere},
      {"FunnelWithThreeSheets", 0.5, funnel},
      {"TwistedCylinder", 1.25, twisted_cylinder},
      {"TableClothPulledAway", 0.5, table_cloth},
      {"ClothTrappedBetweenTwoBodies", 0.5, trapped_cloth},
  };
  return scenes;
}

}  // namespace supple::simulator
