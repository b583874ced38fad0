// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace supple::app {

/// Reports keep the order in which they are written.
using Json = nlohmann::ordered_json;

}  // namespace supple::app
