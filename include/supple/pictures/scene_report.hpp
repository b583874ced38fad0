// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/scene.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"

#include <string>

namespace supple::pictures {

/// OUT.report.html beside OUT.glb.
[[nodiscard]] std::string scene_report_path(const std::string& glb);

/// A whole HTML page without scripts and without anything from elsewhere: the figures of a baked
/// scene, plots and the settings that were used.
[[nodiscard]] Result<std::string> scene_report_page(const bake::SceneReport& report);

/// Stages the page beside OUT.glb.
[[nodiscard]] Result<void> stage_scene_report(const bake::SceneReport& report,
                                              const std::string& glb, OutputSet& output);

}  // namespace supple::pictures
