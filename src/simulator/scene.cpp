// SPDX-License-Identifier: Apache-2.0
#include "simulator/scene.hpp"

#include "supple/fem/solid_energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace supple::simulator {
namespace {

using Eigen::VectorXd;

/// Fills a scene body by body.
class SceneMaker {
 public:
  explicit SceneMaker(const Description& description)
      : m_description(description), m_scene(std::make_unique<Scene>()) {}

  Result<std::unique_ptr<Scene>> make() {
    for (const Solid& solid : m_description.solids) add(solid);
    for (const Sheet& sheet : m_description.sheets) add(sheet);
    for (const Obstacle& obstacle : m_description.obstacles) add(obstacle);
    for (const Pin& pin : m_description.pins) add(pin);
    collect();
    SUPPLE_TRY_VOID(make_energies());
    measure_stiffness();
    return std::move(m_scene);
  }

 private:
  Body& open(const std::string& name, BodyKind kind, std::size_t vertices) {
    Body body;
    body.name = name;
    body.kind = kind;
    body.first_vertex = static_cast<Index>(m_rest.size());
    body.vertex_count = static_cast<Index>(vertices);
    return m_scene->bodies.emplace_back(std::move(body));
  }

  void add_vertices(const std::vector<Vec3>& rest, const std::vector<Vec3>& start,
                    const Vec3& velocity, double offset, double friction) {
    m_rest.insert(m_rest.end(), rest.begin(), rest.end());
    m_start.insert(m_start.end(), start.begin(), start.end());
    m_velocity.insert(m_velocity.end(), rest.size(), velocity);
    ContactSurface& surface = m_scene->surface;
    surface.offset.insert(surface.offset.end(), rest.size(), offset);
    surface.friction.insert(surface.friction.end(), rest.size(), friction);
    m_scene->fixed.resize(m_rest.size(), 0);
    m_scene->scripted.resize(m_rest.size(), 0);
    m_masses.resize(m_rest.size(), 0);
  }

  void add_masses(const Body& body, const VectorXd& masses,
                  const std::vector<std::uint8_t>& fixed) {
    const auto first = static_cast<std::size_t>(body.first_vertex);
    std::copy(masses.begin(), masses.end(), m_masses.begin() + body.first_vertex);
    for (std::size_t i = 0; i < fixed.size(); ++i) m_scene->fixed[first + i] = fixed[i];
  }

  void add(const Solid& solid) {
    const auto& nodes = solid.model.mesh.nodes;
    Body& body = open(solid.name, BodyKind::Solid, nodes.size());
    geometry::BoundarySurface surface = geometry::boundary(solid.model.mesh);
    for (const geometry::Triangle& t : surface.mesh.triangles) {
      body.surface.push_back({surface.node_of_vertex[static_cast<std::size_t>(t[0])],
                              surface.node_of_vertex[static_cast<std::size_t>(t[1])],
                              surface.node_of_vertex[static_cast<std::size_t>(t[2])]});
    }
    body.element_of_triangle = std::move(surface.element_of_triangle);
    add_vertices(nodes, solid.start.empty() ? nodes : solid.start, solid.velocity, 0,
                 solid.friction);
    add_masses(body, fem::lumped_masses(solid.model), solid.model.fixed);
  }

  void add(const Sheet& sheet) {
    const auto& positions = sheet.mesh.positions;
    Body& body = open(sheet.name, BodyKind::Sheet, positions.size());
    body.surface = sheet.mesh.triangles;
    add_vertices(positions, sheet.start.empty() ? positions : sheet.start, sheet.velocity,
                 sheet.thickness / 2, sheet.friction);
    add_masses(body, sheet.masses, sheet.fixed);
  }

  void add(const Obstacle& obstacle) {
    const auto& positions = obstacle.mesh.positions;
    Body& body = open(obstacle.name, BodyKind::Obstacle, positions.size());
    body.surface = obstacle.mesh.triangles;
    const Pose pose = obstacle.script.at(0);
    std::vector<Vec3> start(positions.size());
    std::ranges::transform(positions, start.begin(), pose);
    add_vertices(positions, start, Vec3::Zero(), 0, obstacle.friction);
    if (obstacle.script.is_still()) return;
    Follower follower{obstacle.name, obstacle.script, {}, positions};
    for (Index i = 0; i < body.vertex_count; ++i) {
      follower.vertices.push_back(body.first_vertex + i);
    }
    add(std::move(follower));
  }

  void add(Follower follower) {
    for (const Index vertex : follower.vertices) {
      m_scene->scripted[static_cast<std::size_t>(vertex)] = 1;
    }
    m_scene->followers.push_back(std::move(follower));
  }

  void add(const Pin& pin) {
    const auto body = std::ranges::find(m_scene->bodies, pin.body, &Body::name);
    Follower follower{fmt::format("the pins of {}", pin.body), pin.script, {}, {}};
    for (const Index vertex : pin.vertices) {
      const std::size_t place =
          static_cast<std::size_t>(body->first_vertex) + static_cast<std::size_t>(vertex);
      if (pin.script.is_still()) {
        m_scene->fixed[place] = fem::kFixAll;
      } else if (m_scene->scripted[place] == 0) {
        follower.vertices.push_back(static_cast<Index>(place));
        follower.origins.push_back(m_start[place]);
      }
    }
    if (!follower.vertices.empty()) add(std::move(follower));
  }

  static VectorXd flat(const std::vector<Vec3>& points) {
    VectorXd result(3 * static_cast<Eigen::Index>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
      result.segment<3>(3 * static_cast<Eigen::Index>(i)) = points[i];
    }
    return result;
  }

  /// Whether a vertex belongs to a deformable body and is not held altogether.
  [[nodiscard]] bool gives_way(std::size_t vertex) const {
    return m_masses[vertex] > 0 && (m_scene->fixed[vertex] & fem::kFixAll) != fem::kFixAll;
  }

  void collect() {
    Scene& scene = *m_scene;
    scene.rest = flat(m_rest);
    scene.start = flat(m_start);
    scene.velocity = flat(m_velocity);
    scene.masses =
        Eigen::Map<const VectorXd>(m_masses.data(), static_cast<Eigen::Index>(m_masses.size()));
    std::vector<geometry::Triangle> triangles;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const Body& body = scene.bodies[b];
      for (std::size_t i = 0; i < body.surface.size(); ++i) {
        const geometry::Triangle& t = body.surface[i];
        triangles.push_back(
            {body.first_vertex + t[0], body.first_vertex + t[1], body.first_vertex + t[2]});
        scene.body_of_triangle.push_back(b);
        scene.element_of_triangle.push_back(
            body.element_of_triangle.empty() ? static_cast<Index>(i) : body.element_of_triangle[i]);
      }
    }
    std::vector<std::uint8_t> free(m_masses.size());
    for (std::size_t i = 0; i < free.size(); ++i) free[i] = gives_way(i) ? 1 : 0;
    scene.surface.mesh = contact::make_contact_mesh(std::move(triangles), std::move(free));
    scene.surface.rest = scene.rest;
    geometry::Box box;
    for (const Vec3& point : m_start) box.add(point);
    scene.diagonal = box.diagonal();
    // Scripts, not weight, move the vertices that follow one.
    for (std::size_t i = 0; i < m_masses.size(); ++i) {
      if (scene.scripted[i] != 0) {
        scene.masses(static_cast<Eigen::Index>(i)) = 0;
        scene.velocity.segment<3>(3 * static_cast<Eigen::Index>(i)).setZero();
      }
    }
  }

  static Result<void> make_all(const std::vector<MakeEnergy>& makers, const Body& body,
                               std::vector<std::unique_ptr<fem::Energy>>& list) {
    for (const MakeEnergy& maker : makers) {
      auto energy = maker(body.first_vertex);
      if (!energy.ok()) {
        return std::move(energy).error().during(fmt::format("preparing '{}'", body.name));
      }
      list.push_back(*std::move(energy));
    }
    return {};
  }

  Result<void> make_energies() {
    std::size_t b = 0;
    for (const Solid& solid : m_description.solids) {
      const Body& body = m_scene->bodies[b++];
      m_scene->elastic.push_back(
          std::make_unique<fem::SolidEnergy>(solid.model, solid.law, body.first_vertex));
      SUPPLE_TRY_VOID(make_all(solid.extras, body, m_scene->extras));
    }
    for (const Sheet& sheet : m_description.sheets) {
      const Body& body = m_scene->bodies[b++];
      SUPPLE_TRY_VOID(make_all(sheet.elasticity, body, m_scene->elastic));
      SUPPLE_TRY_VOID(make_all(sheet.extras, body, m_scene->extras));
    }
    return {};
  }

  void measure_stiffness() {
    Scene& scene = *m_scene;
    scene.elastic_stiffness = VectorXd::Zero(scene.masses.size());
    std::vector<fem::Coupling> couplings;
    std::vector<double> blocks;
    for (const auto& energy : scene.elastic) {
      couplings.clear();
      energy->list_couplings(couplings);
      blocks.resize(9 * couplings.size());
      energy->write_hessian(scene.rest, fem::Curvature::Definite, blocks);
      for (std::size_t k = 0; k < couplings.size(); ++k) {
        if (couplings[k][0] != couplings[k][1]) continue;
        const double* block = blocks.data() + 9 * k;
        scene.elastic_stiffness(couplings[k][0]) += (block[0] + block[4] + block[8]) / 3;
      }
    }
  }

  const Description& m_description;
  std::unique_ptr<Scene> m_scene;
  std::vector<Vec3> m_rest, m_start, m_velocity;
  std::vector<double> m_masses;
};

}  // namespace

std::size_t Scene::body_of_vertex(Index vertex) const {
  const auto after = std::ranges::upper_bound(bodies, vertex, {}, &Body::first_vertex);
  return static_cast<std::size_t>(after - bodies.begin()) - 1;
}

std::string Scene::name_of_triangle(Index triangle) const {
  const auto place = static_cast<std::size_t>(triangle);
  const Body& body = bodies[body_of_triangle[place]];
  return fmt::format("{} {} of '{}'", body.kind == BodyKind::Solid ? "element" : "triangle",
                     element_of_triangle[place] + 1, body.name);
}

Result<std::unique_ptr<Scene>> make_scene(const Description& description) {
  return SceneMaker(description).make();
}

std::vector<std::array<Index, 2>> intersections(const Scene& scene, const VectorXd& x) {
  return contact::find_intersections(scene.surface.mesh, x);
}

}  // namespace supple::simulator
