// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/gltf_character.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace supple::samples {

/// A built-in thin shell, or several in one scene.
struct ShellSample {
  std::string name;
  std::string description;
  std::vector<std::string> shells;  ///< names of its meshes that are shells
};
[[nodiscard]] const std::vector<ShellSample>& shell_samples();
/// An unknown name is a usage error that lists the known ones.
[[nodiscard]] Result<void> check_shell_sample(std::string_view name);
/// Null if the name is unknown.
[[nodiscard]] const ShellSample* find_shell_sample(std::string_view name);

struct ShellSampleModel {
  io::SkinnedModel model;
  std::string shell_toml;  ///< settings for `supple shell`
};

/// Only the settings, without building the sample.
[[nodiscard]] Result<std::string> shell_sample_settings(std::string_view name);
[[nodiscard]] Result<ShellSampleModel> make_shell_sample(std::string_view name);

}  // namespace supple::samples
