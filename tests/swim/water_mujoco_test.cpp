// SPDX-License-Identifier: Apache-2.0
/// The quadratic law against MuJoCo's fluid around inertia boxes.
#include "supple/swim/water.hpp"
#include "swim/boxes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <Eigen/Geometry>

#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace supple::swim {
namespace {

using Eigen::Vector3d;

/// A free box in water that MuJoCo moves.
class MuJoCoBox {
 public:
  explicit MuJoCoBox(const Vector3d& size) {
    const std::string text = fmt::format(
        R"(<mujoco><option density="1000" viscosity="0" gravity="0 0 0"/><worldbody><body>
        <freejoint/><geom type="box" size="{} {} {}" density="1000"/></body></worldbody></mujoco>)",
        size.x() / 2, size.y() / 2, size.z() / 2);
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "box.xml", static_cast<int>(text.size()));
    std::memcpy(files->filedata[0], text.data(), text.size());
    std::array<char, 1000> reason{};
    m_model = mj_loadXML("box.xml", files.get(), reason.data(), static_cast<int>(reason.size()));
    mj_deleteVFS(files.get());
    EXPECT_NE(m_model, nullptr) << reason.data();
    m_data = mj_makeData(m_model);
  }
  ~MuJoCoBox() {
    mj_deleteData(m_data);
    mj_deleteModel(m_model);
  }
  MuJoCoBox(const MuJoCoBox&) = delete;
  MuJoCoBox& operator=(const MuJoCoBox&) = delete;

  /// Torque and force of the water, in the box's axes.
  Vector6d drag(const SegmentMotion& motion) {
    const Eigen::Quaterniond turn(motion.axes);
    Eigen::Map<Eigen::Matrix<double, 7, 1>> position(m_data->qpos);
    position << motion.origin, turn.w(), turn.vec();
    // Of a free joint MuJoCo writes velocities in the world's axes, spins in the body's.
    Eigen::Map<Vector6d> speed(m_data->qvel);
    speed << motion.velocity, motion.axes.transpose() * motion.spin;
    mj_forward(m_model, m_data);
    const Eigen::Map<const Vector6d> passive(m_data->qfrc_passive);
    Vector6d wrench;
    wrench << passive.tail<3>(), motion.axes.transpose() * passive.head<3>();
    return wrench;
  }

 private:
  mjModel* m_model = nullptr;
  mjData* m_data = nullptr;
};

WaterSettings blunt() {
  WaterSettings settings;
  settings.side_drag = 1;
  settings.end_drag = 1;
  return settings;
}

const Vector3d kSize(0.42, 0.34, 0.22);

TEST(WaterMuJoCo, ForceOfTranslationIsTheSame) {
  MuJoCoBox other(kSize);
  const Result<Water> water = Water::create(test::body_of(test::box(kSize)), blunt());
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 100; ++trial) {
    SegmentMotion motion;
    motion.axes = Eigen::Quaterniond(normal(random), normal(random), normal(random), normal(random))
                      .normalized()
                      .toRotationMatrix();
    motion.origin = {normal(random), normal(random), normal(random)};
    motion.velocity = {normal(random), normal(random), normal(random)};
    const Vector6d ours = water->on_segment(0, motion, 0).drag;
    // Turning there and back and the box's edges out of its inertia leave some 10 roundings.
    EXPECT_LT((ours - other.drag(motion)).norm(), 1e-12 * (1 + ours.norm()));
  }
}

TEST(WaterMuJoCo, TorqueOfASpinConvergesWithTheFaces) {
  // MuJoCo has the integral of the same law over the faces of a box that spins about its axes.
  MuJoCoBox other(kSize);
  for (int axis = 0; axis < 3; ++axis) {
    SegmentMotion motion;
    motion.spin = 1.7 * Vector3d::Unit(axis);
    const double exact = other.drag(motion)[axis];
    double before = 0;
    for (const int cuts : {4, 8, 16, 32}) {
      const Result<Water> water = Water::create(test::body_of(test::box(kSize, cuts)), blunt());
      const double error = water->on_segment(0, motion, 0).drag[axis] / exact - 1;
      if (before != 0) {
        EXPECT_NEAR(error / before, 0.25, 0.02) << axis << ' ' << cuts;
      }
      before = error;
    }
    EXPECT_LT(std::abs(before), 0.003);
  }
}

}  // namespace
}  // namespace supple::swim
