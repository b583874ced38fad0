// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/bullet_deformable.hpp"

#include "supple/fem/solid_energy.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMassSpringForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btDeformableNeoHookeanForce.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>

#include <array>

namespace supple::bench {
namespace {

constexpr float kWorldStep = 1.0F / 60;

btVector3 single(const geometry::Vec3& p) {
  return {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
}

std::array<btVector3, 5> moving_parts(const btSoftBody::Node& node) {
  return {node.m_x, node.m_q, node.m_v, node.m_vn, node.m_splitv};
}

/// A world with one soft body and the forces on it.
class DeformableWorld : public BulletBody {
 public:
  explicit DeformableWorld(const btVector3& gravity) : m_gravity(gravity) {
    m_constraints.setDeformableSolver(&m_solver);
    m_world.setGravity(gravity);
    m_world.getWorldInfo().m_gravity = gravity;
    // Its explicit steps explode at 60 Hz, and its multipliers do not move a body with fixed nodes.
    m_world.setImplicit(true);
    m_world.setUseProjection(true);
    m_world.setLineSearch(false);
  }
  ~DeformableWorld() override {
    for (const auto& force : m_forces) m_world.removeForce(m_body.get(), force.get());
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

  [[nodiscard]] std::vector<float> state() const override {
    std::vector<float> numbers;
    for (int i = 0; i < m_body->m_nodes.size(); ++i) {
      for (const btVector3& v : moving_parts(m_body->m_nodes[i])) {
        numbers.insert(numbers.end(), {v.x(), v.y(), v.z()});
      }
    }
    return numbers;
  }
  void set_state(const std::vector<float>& state) override {
    std::size_t at = 0;
    for (int i = 0; i < m_body->m_nodes.size(); ++i) {
      btSoftBody::Node& node = m_body->m_nodes[i];
      for (btVector3* v : {&node.m_x, &node.m_q, &node.m_v, &node.m_vn, &node.m_splitv}) {
        *v = btVector3(state[at], state[at + 1], state[at + 2]);
        at += 3;
      }
    }
  }
  void change_velocity(double factor, const geometry::Vec3& added) override {
    for (int i = 0; i < m_body->m_nodes.size(); ++i) {
      btSoftBody::Node& node = m_body->m_nodes[i];
      if (!(node.m_im > 0)) continue;
      node.m_v = node.m_v * static_cast<float>(factor) + single(added);
      // An implicit step begins with the velocity that the step before has left here.
      node.m_vn = node.m_v;
    }
  }

 protected:
  [[nodiscard]] btDeformableMultiBodyDynamicsWorld& world() { return m_world; }
  [[nodiscard]] btSoftBody& make_body(const std::vector<btVector3>& places,
                                      const std::vector<btScalar>& masses) {
    m_body = std::make_unique<btSoftBody>(&m_world.getWorldInfo(), static_cast<int>(places.size()),
                                          places.data(), masses.data());
    m_body->m_sleepingThreshold = 0;
    m_body->setActivationState(DISABLE_DEACTIVATION);
    return *m_body;
  }
  /// Once the body is complete.
  void add_body(std::unique_ptr<btDeformableLagrangianForce> elastic) {
    m_world.addSoftBody(m_body.get());
    m_forces.push_back(std::move(elastic));
    m_forces.push_back(std::make_unique<btDeformableGravityForce>(m_gravity));
    for (const auto& force : m_forces) m_world.addForce(m_body.get(), force.get());
  }

 private:
  btVector3 m_gravity;
  btSoftBodyRigidBodyCollisionConfiguration m_configuration;
  btCollisionDispatcher m_dispatcher{&m_configuration};
  btDbvtBroadphase m_broadphase;
  btDeformableBodySolver m_solver;
  btDeformableMultiBodyConstraintSolver m_constraints;
  btDeformableMultiBodyDynamicsWorld m_world{&m_dispatcher, &m_broadphase, &m_constraints,
                                             &m_configuration, &m_solver};
  std::unique_ptr<btSoftBody> m_body;
  std::vector<std::unique_ptr<btDeformableLagrangianForce>> m_forces;
};

class SolidWorld final : public DeformableWorld {
 public:
  explicit SolidWorld(const fem::SolidModel& model) : DeformableWorld(btVector3(0, 0, -9.81F)) {
    std::vector<btVector3> places;
    std::vector<btScalar> masses;
    const Eigen::VectorXd lumped = fem::lumped_masses(model);
    for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
      places.push_back(single(model.mesh.nodes[i]));
      const bool held = !model.fixed.empty() && model.fixed[i] != 0;
      masses.push_back(held ? 0 : static_cast<float>(lumped(static_cast<Eigen::Index>(i))));
    }
    btSoftBody& body = make_body(places, masses);
    for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
      const auto n = model.mesh.element(e);
      body.appendTetra(n[0], n[1], n[2], n[3]);
      for (const auto& edge : geometry::kTetEdges) {
        body.appendLink(n[edge[0]], n[edge[1]], nullptr, true);
      }
    }
    btSoftBodyHelpers::generateBoundaryFaces(&body);
    body.initializeDmInverse();
    body.m_tetraScratches.resize(body.m_tetras.size());
    body.m_tetraScratchesTn.resize(body.m_tetras.size());
    body.m_cfg.collisions = btSoftBody::fCollision::SDF_RD;
    body.getCollisionShape()->setMargin(0.001F);
    const double e = model.materials[0].youngs_modulus;
    const double nu = model.materials[0].poisson_ratio;
    add_body(std::make_unique<btDeformableNeoHookeanForce>(
        static_cast<float>(e / (2 * (1 + nu))),
        static_cast<float>(e * nu / ((1 + nu) * (1 - 2 * nu))), 0.0F));
  }
};

class ClothWorld final : public DeformableWorld {
 public:
  explicit ClothWorld(const BulletCloth& cloth)
      : DeformableWorld(btVector3(0, -9.81F, 0)), m_shape(static_cast<float>(cloth.radius)) {
    std::vector<btVector3> places;
    for (const geometry::Vec3& p : cloth.mesh.positions) places.push_back(single(p));
    const std::vector<btScalar> masses(places.size(), 1);
    btSoftBody& body = make_body(places, masses);
    for (const geometry::Triangle& t : cloth.mesh.triangles) {
      body.appendFace(t[0], t[1], t[2]);
      for (int k = 0; k < 3; ++k) body.appendLink(t[k], t[(k + 1) % 3], nullptr, true);
    }
    body.setTotalMass(static_cast<float>(cloth.mass));
    body.m_cfg.collisions = btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDF |
                            btSoftBody::fCollision::VF_DD;
    body.m_cfg.kDF = static_cast<float>(cloth.friction);
    body.m_cfg.kKHR = 1;
    body.m_cfg.kCHR = 1;
    body.setSelfCollision(true);
    body.setCollisionFlags(0);
    body.getCollisionShape()->setMargin(static_cast<float>(cloth.thickness));
    add_body(std::make_unique<btDeformableMassSpringForce>(static_cast<float>(cloth.stiffness),
                                                           0.01F, true, 0.0));
    const btTransform place(btQuaternion::getIdentity(), single(cloth.centre));
    m_ball = std::make_unique<btRigidBody>(0.0F, nullptr, &m_shape);
    m_ball->setWorldTransform(place);
    m_ball->setFriction(static_cast<float>(cloth.friction));
    world().addRigidBody(m_ball.get());
  }
  ~ClothWorld() override { world().removeRigidBody(m_ball.get()); }
  ClothWorld(const ClothWorld&) = delete;
  ClothWorld& operator=(const ClothWorld&) = delete;

 private:
  btSphereShape m_shape;
  std::unique_ptr<btRigidBody> m_ball;
};

}  // namespace

std::unique_ptr<BulletBody> make_bullet_solid(const fem::SolidModel& model) {
  return std::make_unique<SolidWorld>(model);
}

std::unique_ptr<BulletBody> make_bullet_cloth(const BulletCloth& cloth) {
  return std::make_unique<ClothWorld>(cloth);
}

}  // namespace supple::bench
