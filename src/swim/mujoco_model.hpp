// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"

#include <mujoco/mujoco.h>

#include <memory>

namespace supple::swim {

/// MuJoCo's tree of the body, without gravity: segment i is its body i + 1, joint j its degree of
/// freedom j + 6. Read-only, so that copies of a swimmer share it.
[[nodiscard]] Result<std::shared_ptr<const mjModel>> mujoco_model(const Body& body);

struct FreeMujocoData {
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using MujocoData = std::unique_ptr<mjData, FreeMujocoData>;

}  // namespace supple::swim
