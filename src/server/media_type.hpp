// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace supple::server {

/// Content-Type by a file's extension. Browsers reject modules and WebAssembly with the wrong type.
[[nodiscard]] std::string_view media_type(std::string_view path);

}  // namespace supple::server
