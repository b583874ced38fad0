// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace supple::log {

/// The warnings sent so far, in order, each once: for reports that must contain them all. As many
/// as a person reads; later ones are only logged.
[[nodiscard]] std::vector<std::string> recorded_warnings();

}  // namespace supple::log
