// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace supple::server {

/// Takes the same time for any `offered`, so that responses do not reveal how much of it is right.
/// An empty token equals nothing.
[[nodiscard]] bool same_token(std::string_view token, std::string_view offered);

}  // namespace supple::server
