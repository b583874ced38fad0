// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple::player {

class FileReader;

/// Checks the sections of light, if there are any, and points the asset at them.
[[nodiscard]] bool read_light(FileReader& file);

}  // namespace supple::player
