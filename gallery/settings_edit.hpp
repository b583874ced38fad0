// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/kept_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/server/server.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace supple::gallery {

/// Answers a page that edits settings. The request is a JSON object with `command`, "bake" or
/// "shell", `settings`, the text of that command's .toml or null, and optionally `values`, the
/// changed values. The answer has the updated text and all of its values. Nothing is written.
/// Invalid settings give a 400 that says where and why.
[[nodiscard]] server::Answer edit_settings(const server::Call& call);

/// The command that made the soft parts, from what they keep; if that cannot be told, "bake".
[[nodiscard]] bake::BakeCommand command_of(const std::filesystem::path& flesh);

/// The values of a .toml as JSON, for pages without a server. Invalid settings are an error.
[[nodiscard]] Result<std::string> settings_values(bake::BakeCommand command, std::string_view toml,
                                                  std::string_view name);

}  // namespace supple::gallery
