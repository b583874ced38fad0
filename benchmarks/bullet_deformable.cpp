// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/bullet_deformable.hpp"

#include "supple/fem/solid_energy.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btDeformableNeoHookeanForce.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>

namespace supple::bench {
namespace {

constexpr float kWorldStep = 1.0F / 60;

class DeformableWorld final : public BulletSolid {
 public:
  explicit DeformableWorld(const fem::SolidModel& model) {
    m_constraints.setDeformableSolver(&m_solver);
    const btVector3 gravity(0, 0, -9.81F);
    m_world.setGravity(gravity);
    m_world.getWorldInfo().m_gravity = gravity;
    build(model);
    const double e = model.materials[0].youngs_modulus;
    const double nu = model.materials[0].poisson_ratio;
    m_elastic = std::make_unique<btDeformableNeoHookeanForce>(
        static_cast<float>(e / (2 * (1 + nu))),
        static_cast<float>(e * nu / ((1 + nu) * (1 - 2 * nu))), 0.0F);
    m_weight = std::make_unique<btDeformableGravityForce>(gravity);
    m_world.addSoftBody(m_body.get());
    m_world.addForce(m_body.get(), m_elastic.get());
    m_world.addForce(m_body.get(), m_weight.get());
    // Its explicit steps explode at 60 Hz, and its multipliers do not move a body with fixed nodes.
    m_world.setImplicit(true);
    m_world.setUseProjection(true);
    m_world.setLineSearch(false);
  }
  ~DeformableWorld() override {
    m_world.removeForce(m_body.get(), m_elastic.get());
    m_world.removeForce(m_body.get(), m_weight.get());
    m_world.removeSoftBody(m_body.get());
  }
  DeformableWorld(const DeformableWorld&) = delete;
  DeformableWorld& operator=(const DeformableWorld&) = delete;

  void step() override { m_world.stepSimulation(kWorldStep, 1, kWorldStep); }
  [[nodiscard]] std::vector<geometry::Vec3> positions() const override {
    std::vector<geometry::Vec3> result;
    for (int i = 0; i < m_body->m_nodes.size(); ++i) {
      const btVector3& p = m_body->m_nodes[i].m_x;
      result.emplace_back(p.x(), p.y(), p.z());
    }
    return result;
  }

 private:
  void build(const fem::SolidModel& model) {
    std::vector<btVector3> places;
    std::vector<btScalar> masses;
    const Eigen::VectorXd lumped = fem::lumped_masses(model);
    for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
      const Eigen::Vector3f p = model.mesh.nodes[i].cast<float>();
      places.emplace_back(p.x(), p.y(), p.z());
      const bool held = !model.fixed.empty() && model.fixed[i] != 0;
      masses.push_back(held ? 0 : static_cast<float>(lumped(static_cast<Eigen::Index>(i))));
    }
    m_body = std::make_unique<btSoftBody>(&m_world.getWorldInfo(), static_cast<int>(places.size()),
                                          places.data(), masses.data());
    for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
      const auto n = model.mesh.element(e);
      m_body->appendTetra(n[0], n[1], n[2], n[3]);
      for (const auto& edge : geometry::kTetEdges) {
        m_body->appendLink(n[edge[0]], n[edge[1]], nullptr, true);
      }
    }
    btSoftBodyHelpers::generateBoundaryFaces(m_body.get());
    m_body->initializeDmInverse();
    m_body->m_tetraScratches.resize(m_body->m_tetras.size());
    m_body->m_tetraScratchesTn.resize(m_body->m_tetras.size());
    m_body->m_sleepingThreshold = 0;
    m_body->setActivationState(DISABLE_DEACTIVATION);
    m_body->m_cfg.collisions = btSoftBody::fCollision::SDF_RD;
    m_body->getCollisionShape()->setMargin(0.001F);
  }

  btSoftBodyRigidBodyCollisionConfiguration m_configuration;
  btCollisionDispatcher m_dispatcher{&m_configuration};
  btDbvtBroadphase m_broadphase;
  btDeformableBodySolver m_solver;
  btDeformableMultiBodyConstraintSolver m_constraints;
  btDeformableMultiBodyDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_constraints,
                                             &m_configuration, &m_solver};
  std::unique_ptr<btSoftBody> m_body;
  std::unique_ptr<btDeformableNeoHookeanForce> m_elastic;
  std::unique_ptr<btDeformableGravityForce> m_weight;
};

}  // namespace

std::unique_ptr<BulletSolid> make_bullet_solid(const fem::SolidModel& model) {
  return std::make_unique<DeformableWorld>(model);
}

}  // namespace supple::bench
