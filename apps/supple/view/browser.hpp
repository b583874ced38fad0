// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace supple::app {

/// Shows an address in the user's browser. False where there is none: no display, no opener.
[[nodiscard]] bool open_browser(const std::string& address);

}  // namespace supple::app
