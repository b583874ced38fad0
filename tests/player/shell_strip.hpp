// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player/synthetic_asset.hpp"

#include "supple/core/check.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/format/layout.hpp"
#include "supple/shell/shell_object.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <utility>
#include <vector>

/// A real shell for the player: a strip along x, clamped at x = 0, with its modes.
namespace supple::player::testing {

struct StripSpec {
  int columns = 25;
  int rows = 5;
  double length = 1;
  double width = 0.2;
  double bending = 0.02;  ///< k_B: soft enough to hang under gravity
  double stretching = 2000;
  double area_density = 0.2;
  int modes = 8;
  double damping = 0.05;
  std::size_t points = 0;
  bool clamped = true;
  double tether = 0;  ///< Hz
};

inline fem::DiscreteShell make_strip(const StripSpec& spec) {
  fem::ShellModel model;
  for (int i = 0; i < spec.columns; ++i) {
    for (int j = 0; j < spec.rows; ++j) {
      model.mesh.positions.emplace_back(
          spec.length * i / (spec.columns - 1), 0,
          spec.width * (0.5 - static_cast<double>(j) / (spec.rows - 1)));
    }
  }
  const auto node = [&](int i, int j) { return static_cast<geometry::Index>(i * spec.rows + j); };
  for (int i = 0; i + 1 < spec.columns; ++i) {
    for (int j = 0; j + 1 < spec.rows; ++j) {
      // Diagonals turn from cell to cell, so that no direction is preferred.
      const auto a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1), d = node(i, j + 1);
      if ((i + j) % 2 == 0) {
        model.mesh.triangles.push_back({a, b, c});
        model.mesh.triangles.push_back({a, c, d});
      } else {
        model.mesh.triangles.push_back({a, b, d});
        model.mesh.triangles.push_back({b, c, d});
      }
    }
  }
  model.materials = {{"strip", spec.stretching, spec.stretching, spec.bending, spec.area_density}};
  if (spec.clamped) {
    model.fixed.assign(model.mesh.positions.size(), 0);
    // Two columns: a line alone would be a hinge.
    for (int j = 0; j < 2 * spec.rows; ++j) model.fixed[static_cast<std::size_t>(j)] = fem::kFixAll;
  }
  auto shell = fem::DiscreteShell::create(std::move(model));
  SUPPLE_CHECK(shell.ok());
  return std::move(*shell);
}

inline shell::ShellObject make_object(const fem::DiscreteShell& strip, const StripSpec& spec) {
  shell::ObjectSettings settings;
  settings.name = "strip";
  settings.modes = spec.modes;
  settings.damping = shell::DampingRatio{spec.damping};
  settings.points = spec.points;
  settings.tether = spec.tether;
  auto object = shell::bake_shell(strip, settings);
  SUPPLE_CHECK(object.ok());
  return std::move(*object);
}

inline Eigen::Vector3d node_row(const Eigen::MatrixXd& rows, std::size_t node, std::size_t mode) {
  return rows.block<3, 1>(3 * static_cast<Eigen::Index>(node), static_cast<Eigen::Index>(mode));
}

inline soft::StrainSolve strain_of(const shell::StrainFactor& factor, std::size_t nodes,
                                   const geometry::TriMesh& mesh) {
  soft::StrainSolve strain;
  // Free nodes in their order, then the others; vertices are nodes here.
  std::vector<std::uint32_t> place(nodes, format::kNone);
  for (const geometry::Index node : factor.order) {
    place[static_cast<std::size_t>(node)] =
        static_cast<std::uint32_t>(strain.vertex_of_node.size());
    strain.vertex_of_node.push_back(static_cast<std::uint32_t>(node));
  }
  strain.free_nodes = static_cast<std::uint32_t>(factor.order.size());
  for (std::size_t node = 0; node < nodes; ++node) {
    if (place[node] != format::kNone) continue;
    place[node] = static_cast<std::uint32_t>(strain.vertex_of_node.size());
    strain.vertex_of_node.push_back(static_cast<std::uint32_t>(node));
  }
  strain.node_of_vertex = place;
  for (const std::uint32_t node : strain.vertex_of_node)
    strain.rest.push_back(mesh.positions[node]);
  for (const geometry::Triangle& t : mesh.triangles) {
    strain.triangles.push_back({place[static_cast<std::size_t>(t[0])],
                                place[static_cast<std::size_t>(t[1])],
                                place[static_cast<std::size_t>(t[2])]});
  }
  strain.cotangents = factor.cotangents;
  strain.column_start = factor.column_start;
  strain.rows = factor.rows;
  strain.values = factor.values;
  return strain;
}

/// The strip as an asset whose frame is turned and scaled against bind space by `frame_from_bind`
/// (bind space in units), so that nothing is tested with identities alone.
inline soft::Asset strip_asset(const fem::DiscreteShell& strip, const shell::ShellObject& object,
                               const Eigen::Quaterniond& turn = Eigen::Quaterniond::Identity(),
                               double metres_per_unit = 1) {
  const geometry::TriMesh& mesh = strip.model().mesh;
  const std::size_t nodes = mesh.positions.size();
  soft::Asset asset;
  asset.generator = "synthetic";
  asset.vertex_count = static_cast<std::uint32_t>(nodes);
  asset.index_count = static_cast<std::uint32_t>(3 * mesh.triangles.size());
  asset.metres_per_unit = metres_per_unit;
  asset.parts = {{0, 0, 0, asset.vertex_count}};
  soft::Object to;
  to.name = object.name;
  to.bone = "base";
  to.mass = object.mass;
  to.frame_from_bind.leftCols<3>() = metres_per_unit * turn.toRotationMatrix();
  const Eigen::Matrix3d back = turn.conjugate().toRotationMatrix();
  for (std::size_t i = 0; i < nodes; ++i) to.vertices.push_back(static_cast<std::uint32_t>(i));
  for (std::size_t k = 0; k < object.modes.size(); ++k) {
    soft::Mode mode;
    mode.omega = object.modes[k].omega;
    mode.damping = object.modes[k].damping;
    mode.transfer = object.modes[k].transfer;
    mode.centrifugal = object.modes[k].centrifugal;
    for (std::size_t i = 0; i < nodes; ++i) {
      mode.displacements.emplace_back(back * node_row(object.displacements, i, k) /
                                      metres_per_unit);
      mode.turns.emplace_back(back * node_row(object.turns, i, k));
    }
    to.modes.push_back(std::move(mode));
  }
  soft::ShellTraits& shell = to.shell.emplace();
  shell.size = object.size;
  shell.follow_turn = object.follow_turn;
  shell.point_error = object.point_error;
  for (const shell::Point& point : object.points) {
    const auto node = static_cast<std::size_t>(point.node);
    soft::ForcePoint p;
    p.position = mesh.positions[node];
    p.mass = point.mass;
    p.area_vector = point.area_vector;
    p.lever = point.lever;
    for (std::size_t k = 0; k < object.modes.size(); ++k) {
      p.displacements.push_back(node_row(object.displacements, node, k));
      p.turns.push_back(node_row(object.turns, node, k));
    }
    shell.points.push_back(std::move(p));
  }
  if (object.strain) shell.strain = strain_of(*object.strain, nodes, mesh);
  asset.objects.push_back(std::move(to));
  return asset;
}

/// A strip that is ready to play.
struct Strip {
  StripSpec spec;
  fem::DiscreteShell shell;
  shell::ShellObject object;
  OpenAsset asset;
  Player player;
  std::vector<Eigen::Vector3f> rest;  ///< bind space

  explicit Strip(const StripSpec& s = {},
                 const Eigen::Quaterniond& turn = Eigen::Quaterniond::Identity(),
                 double metres_per_unit = 1)
      : spec(s),
        shell(make_strip(s)),
        object(make_object(shell, s)),
        asset(strip_asset(shell, object, turn, metres_per_unit), {true}),
        player(make_player(asset)) {
    for (const auto& x : shell.model().mesh.positions) {
      rest.push_back((turn.conjugate() * x / metres_per_unit).cast<float>());
    }
    set_gravity(Eigen::Vector3d::Zero());
    set_pose(player.get(), 0, Eigen::Vector3d::Zero());
  }

  void set_gravity(const Eigen::Vector3d& g) { supple_player_set_gravity(player.get(), g.data()); }
  void step(double h, int count = 1) {
    for (int i = 0; i < count; ++i) SUPPLE_CHECK(supple_player_step(player.get(), h) == SUPPLE_OK);
  }
  [[nodiscard]] Eigen::VectorXd q() const {
    const float* c = supple_player_coefficients(player.get());
    return Eigen::Map<const Eigen::VectorXf>(c, static_cast<Eigen::Index>(object.modes.size()))
        .cast<double>();
  }
  /// The middle of the free end.
  [[nodiscard]] std::uint32_t tip() const {
    return static_cast<std::uint32_t>((spec.columns - 1) * spec.rows + spec.rows / 2);
  }
  [[nodiscard]] Eigen::Vector3d where(std::uint32_t vertex) const {
    Eigen::Vector3d place;
    SUPPLE_CHECK(supple_player_vertex(player.get(), vertex, rest[vertex].data(), place.data(),
                                      nullptr) == SUPPLE_OK);
    return place;
  }
  [[nodiscard]] std::vector<Eigen::Vector3f> deformed() const {
    std::vector<Eigen::Vector3f> out(rest.size());
    supple_deformation d{};
    d.rest_positions.data = rest.front().data();
    d.positions.data = out.front().data();
    SUPPLE_CHECK(supple_player_deform(player.get(), &d) == SUPPLE_OK);
    return out;
  }
};

}  // namespace supple::player::testing
