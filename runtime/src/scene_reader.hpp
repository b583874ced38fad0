// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple::player {

class FileReader;

/// Checks the sections of scenes and points the asset at them.
[[nodiscard]] bool read_scenes(FileReader& file);

}  // namespace supple::player
