// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace supple::app {

/// Opens an address in the user's browser. Returns false if there is no display or no opener.
[[nodiscard]] bool open_browser(const std::string& address);

}  // namespace supple::app
