// SPDX-License-Identifier: Apache-2.0
/// The MJCF text as MuJoCo itself reads it.
#include "supple/swim/body.hpp"

#include "temporary_directory.hpp"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <array>
#include <memory>

namespace supple::swim {
namespace {

using Model = std::unique_ptr<mjModel, void (*)(mjModel*)>;

Model load(const std::string& text) {
  const supple::testing::TemporaryDirectory directory;
  std::array<char, 1000> reason{};
  Model model(mj_loadXML(directory.write("body.xml", text).c_str(), nullptr, reason.data(),
                         static_cast<int>(reason.size())),
              mj_deleteModel);
  EXPECT_NE(model, nullptr) << reason.data();
  return model;
}

class Mjcf : public ::testing::TestWithParam<HingeSet> {};

TEST_P(Mjcf, LoadsWithTheSameMassesJointsAndMuscles) {
  BodySettings settings;
  settings.hinges = GetParam();
  const auto body = build_body(settings);
  ASSERT_TRUE(body.ok());
  const Model model = load(to_mjcf(*body, "a swimmer & \"more\""));
  ASSERT_NE(model, nullptr);
  ASSERT_EQ(model->nbody, static_cast<int>(body->segments.size()) + 1);
  ASSERT_EQ(model->nu, static_cast<int>(body->joints.size()));
  ASSERT_EQ(model->nv, static_cast<int>(body->joints.size()) + 6);
  constexpr double kRounding = 1e-9;
  for (const Segment& segment : body->segments) {
    const int id = mj_name2id(model.get(), mjOBJ_BODY, segment.name.c_str());
    ASSERT_GE(id, 0) << segment.name;
    EXPECT_NEAR(model->body_mass[id], segment.mass, kRounding) << segment.name;
    double trace = 0;
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(model->body_ipos[3 * id + c], segment.centre[c], kRounding) << segment.name;
      trace += model->body_inertia[3 * id + c];
    }
    EXPECT_NEAR(trace, segment.inertia.trace(), kRounding) << segment.name;
  }
  for (const Joint& joint : body->joints) {
    const int id = mj_name2id(model.get(), mjOBJ_JOINT, joint.name.c_str());
    const int muscle = mj_name2id(model.get(), mjOBJ_ACTUATOR, joint.name.c_str());
    ASSERT_GE(id, 0) << joint.name;
    ASSERT_GE(muscle, 0) << joint.name;
    EXPECT_NEAR(model->jnt_range[2 * id], joint.low, kRounding) << joint.name;
    EXPECT_NEAR(model->jnt_range[2 * id + 1], joint.high, kRounding) << joint.name;
    EXPECT_NEAR(model->dof_armature[model->jnt_dofadr[id]], joint.armature, kRounding);
    EXPECT_NEAR(model->actuator_gainprm[mjNGAIN * muscle], joint.servo.stiffness, kRounding);
    EXPECT_NEAR(model->actuator_biasprm[mjNBIAS * muscle + 2], -joint.servo.damping, kRounding);
    EXPECT_NEAR(model->actuator_forcerange[2 * muscle + 1], joint.servo.max_torque, kRounding);
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(model->jnt_axis[3 * id + c], joint.axis[c], kRounding) << joint.name;
    }
  }
}

TEST_P(Mjcf, StepsInMujocoWithItsMuscles) {
  BodySettings settings;
  settings.hinges = GetParam();
  const Model model = load(to_mjcf(*build_body(settings), "swimmer"));
  ASSERT_NE(model, nullptr);
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
  for (int i = 0; i < model->nu; ++i) data->ctrl[i] = 0.3;
  while (data->time < 2) {
    mj_step(model.get(), data.get());
    for (const mjWarningStat& warning : data->warning) ASSERT_EQ(warning.number, 0) << data->time;
  }
  for (int i = 0; i < model->nu; ++i) EXPECT_NEAR(data->qpos[7 + i], 0.3, 0.1) << i;
}

INSTANTIATE_TEST_SUITE_P(Hinges, Mjcf, ::testing::Values(HingeSet::Paper14, HingeSet::Human24));

}  // namespace
}  // namespace supple::swim
