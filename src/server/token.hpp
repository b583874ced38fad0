// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace supple::server {

/// Takes as long whatever `offered` holds, so that answers do not tell how much of it is right.
/// An empty token is equal to nothing.
[[nodiscard]] bool same_token(std::string_view token, std::string_view offered);

}  // namespace supple::server
