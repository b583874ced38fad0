// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/bullet_reduced.hpp"

#include "supple/fem/solid_modes.hpp"
#include "supple/geometry/shapes.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBody.h>
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>

#include <Eigen/Geometry>

#include <algorithm>

namespace supple::bench {
namespace {

using Shapes = fem::SolidModes;

constexpr double kDensity = 1000;
constexpr float kBulletStep = 1.0F / 60;

/// 37 x 7 x 4 nodes of flesh, so soft that five modes stay far below Bullet's explicit limit.
fem::SolidModel beam() {
  fem::SolidModel model;
  model.mesh = geometry::beam_mesh(0.6, 0.1, 0.05, 36, 6, 3);
  model.mesh.region_names = {"flesh"};
  model.mesh.regions.assign(model.mesh.element_count(), 0);
  model.materials = {{"flesh", 2e4, 0.45, kDensity}};
  model.mass_rule = fem::MassRule::Lumped;  // as in Bullet
  return model;
}

btVector3 to_bullet(const geometry::Vec3& v) {
  const Eigen::Vector3f f = v.cast<float>();
  return {f.x(), f.y(), f.z()};
}

/// A quarter of each element's mass to its corners.
btReducedDeformableBody::tDenseArray nodal_masses(const geometry::TetMesh& mesh) {
  btReducedDeformableBody::tDenseArray masses;
  masses.resize(static_cast<int>(mesh.nodes.size()), 0);
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const auto corners = mesh.element(e);
    const geometry::Vec3 a = mesh.nodes[corners[0]];
    const double six_volumes = (mesh.nodes[corners[1]] - a)
                                   .cross(mesh.nodes[corners[2]] - a)
                                   .dot(mesh.nodes[corners[3]] - a);
    for (int c = 0; c < 4; ++c) {
      masses[static_cast<int>(corners[c])] += static_cast<float>(kDensity * six_volumes / 24);
    }
  }
  return masses;
}

/// Builds the body as Bullet's own .vtk reader does, so that a step does the same work.
std::unique_ptr<btReducedDeformableBody> make_body(btSoftBodyWorldInfo& info,
                                                   const geometry::TetMesh& mesh) {
  std::vector<btVector3> positions;
  for (const geometry::Vec3& node : mesh.nodes) positions.push_back(to_bullet(node));
  auto body = std::make_unique<btReducedDeformableBody>(&info, static_cast<int>(positions.size()),
                                                        positions.data(), nullptr);
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const auto corners = mesh.element(e);
    int n[4];
    for (int c = 0; c < 4; ++c) n[c] = static_cast<int>(corners[c]);
    body->appendTetra(n[0], n[1], n[2], n[3]);
    constexpr int kEdges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (const auto& edge : kEdges) body->appendLink(n[edge[0]], n[edge[1]], nullptr, true);
  }
  btSoftBodyHelpers::generateBoundaryFaces(body.get());
  body->initializeDmInverse();
  body->m_tetraScratches.resize(body->m_tetras.size());
  body->m_tetraScratchesTn.resize(body->m_tetras.size());
  return body;
}

void set_modes(const Shapes& modes, const geometry::TetMesh& mesh, btReducedDeformableBody& body) {
  const int count = static_cast<int>(modes.omega_squared.size());
  body.setReducedModes(count, body.m_nodes.size());
  body.m_modes.resize(count);
  for (int k = 0; k < count; ++k) {
    body.m_eigenvalues.push_back(static_cast<float>(modes.omega_squared[k]));
    body.m_Kr.push_back(static_cast<float>(modes.omega_squared[k]));
    for (Eigen::Index i = 0; i < modes.shapes.rows(); ++i) {
      body.m_modes[k].push_back(static_cast<float>(modes.shapes(i, k)));
    }
  }
  body.setMassProps(nodal_masses(mesh));
  body.setInertiaProps();
  body.internalInitialization();
  body.disableReducedModes(false);
}

class World final : public BulletBeam {
 public:
  World(const Shapes& modes, const geometry::TetMesh& mesh) {
    m_constraints.setDeformableSolver(&m_solver);
    m_world.setGravity(btVector3(0, 0, 0));
    m_body = make_body(m_world.getWorldInfo(), mesh);
    set_modes(modes, mesh, *m_body);
    m_body->setStiffnessScale(1);
    m_body->setDamping(0, 0);
    m_body->m_sleepingThreshold = 0;
    m_body->setActivationState(DISABLE_DEACTIVATION);
    m_body->getCollisionShape()->setMargin(0.01F);
    m_body->m_cfg.collisions = btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDN;
    m_body->setRigidAngularVelocity(btVector3(0.5F, 1, 0.25F));
    // A step starts from the velocities of the previous one.
    for (int k = 0; k < m_body->m_nReduced; ++k) m_body->m_reducedVelocityBuffer[k] = 0.02F;
    m_world.addSoftBody(m_body.get());
    m_world.setImplicit(false);
    m_world.setLineSearch(false);
    m_world.setUseProjection(false);
    m_world.getSolverInfo().m_splitImpulse = 0;
  }
  ~World() override { m_world.removeSoftBody(m_body.get()); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void step() override { m_world.stepSimulation(kBulletStep, 1, kBulletStep); }
  [[nodiscard]] std::size_t nodes() const override {
    return static_cast<std::size_t>(m_body->m_nodes.size());
  }
  [[nodiscard]] double deformation() const override {
    double largest = 0;
    const btTransform& frame = m_body->getRigidTransform();
    for (int i = 0; i < m_body->m_nodes.size(); ++i) {
      const btVector3 rest = frame * (m_body->m_x0[i] - m_start);
      largest = std::max(largest, double{(m_body->m_nodes[i].m_x - rest).length()});
    }
    return largest;
  }

 private:
  btSoftBodyRigidBodyCollisionConfiguration m_configuration;
  btCollisionDispatcher m_dispatcher{&m_configuration};
  btDbvtBroadphase m_broadphase;
  btReducedDeformableBodySolver m_solver;
  btDeformableMultiBodyConstraintSolver m_constraints;
  btDeformableMultiBodyDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_constraints,
                                             &m_configuration, &m_solver};
  std::unique_ptr<btReducedDeformableBody> m_body;
  btVector3 m_start{0.3F, 0, 0};  ///< centre of mass at rest
};

}  // namespace

Result<std::unique_ptr<BulletBeam>> make_bullet_beam(int modes) {
  const fem::SolidModel model = beam();
  fem::ModalSettings settings;
  settings.count = modes;
  SUPPLE_TRY(const Shapes shapes, fem::solve_modes(model, settings));
  return std::unique_ptr<BulletBeam>(std::make_unique<World>(shapes, model.mesh));
}

}  // namespace supple::bench
