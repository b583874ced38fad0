// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/server/server.hpp"

#include <filesystem>
#include <string>

namespace supple::gallery {

/// Answers a page that edits settings. The request is a JSON object with `settings`, the text of a
/// bake.toml or null, and optionally `values`, the changed values. The answer has the updated text
/// and all of its values. Nothing is written. Invalid settings give a 400 that says where and why.
[[nodiscard]] server::Answer edit_settings(const server::Call& call);

/// The values of a bake.toml as JSON, for pages without a server.
[[nodiscard]] Result<std::string> settings_values(const std::filesystem::path& file);

}  // namespace supple::gallery
