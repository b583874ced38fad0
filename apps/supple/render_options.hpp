// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"
#include "render_subject.hpp"

#include "supple/render/renderer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace supple::app {

/// The command line of `supple render`, as given.
struct RenderOptions {
  CommonOptions common;
  SubjectRequest subject;
  std::string output;
  std::optional<double> at, from, to;
  double fps = 30;
  std::vector<double> camera;  ///< yaw, pitch, distance
  std::string focus;
  std::string size = "1280x720";
  int samples = 4;
  std::string compare;
  bool linear = false;
  std::string background = "light";
};

/// What the words mean.
struct RenderPlan {
  bool video = false;
  bool webm = false;
  int width = 0, height = 0;
  render::Direction direction;
  double distance = 1;
  render::Backdrop backdrop;
  /// One, or two side by side: what is compared, left and right.
  std::vector<Deformation> shown{Deformation::Full};
  [[nodiscard]] bool compare() const { return shown.size() > 1; }
};

void add_render_options(CLI::App& parser, RenderOptions& options);

/// Errors name the option.
[[nodiscard]] Result<RenderPlan> plan_render(const RenderOptions& options);

/// The moments to show; needs the motion. Errors name the option and what the motion has.
[[nodiscard]] Result<std::vector<double>> plan_times(const RenderOptions& options,
                                                     const RenderPlan& plan,
                                                     const RenderSubject& subject);

/// The whole job: writes options.output and tells about it, unless quiet.
[[nodiscard]] Result<void> render_file(RenderOptions options);

}  // namespace supple::app
