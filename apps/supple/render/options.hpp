// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.hpp"

#include "supple/pictures/render_job.hpp"

#include <string>
#include <vector>

namespace supple::app {

/// The arguments of `supple render` as given.
struct RenderOptions {
  CommonOptions common;
  std::string file;       ///< .glb, .gltf or .supple
  std::string character;  ///< glTF file, with a .supple
  std::string flesh;      ///< .supple; empty: the one beside the file, if there is one
  bool without_flesh = false;
  std::vector<double> camera;  ///< yaw, pitch, distance
  std::string size = "1280x720";
  std::string compare;
  bool linear = false;
  std::string background = "light";
  pictures::RenderRequest request;  ///< the rest
};

void add_render_options(CLI::App& parser, RenderOptions& options);

/// Interprets the arguments. Errors name the option.
[[nodiscard]] Result<pictures::RenderRequest> plan_render(const RenderOptions& options);

/// Writes request.output and prints a report unless quiet.
[[nodiscard]] Result<void> render_and_tell(const RenderOptions& options);

}  // namespace supple::app
