// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace supple::testing {

/// Two poses that row with stretched arms, for the hinges of [MMY]: a stroke with few joints.
inline const std::string kRowing =
    "name = \"rowing\"\ndescription = \"test\"\nhinges = 14\n"
    "[[pose]]\nname = \"reach\"\nseconds = 0.5\nshoulder = 20\nwrist = 90\nelbow = 0\n"
    "[[pose]]\nname = \"pull\"\nseconds = 0.4\nshoulder = 110\nwrist = 0\nelbow = 30\n";

}  // namespace supple::testing
