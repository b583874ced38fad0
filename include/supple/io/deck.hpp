// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace supple::io {

/// The properties of a material in a deck; missing ones are left to the caller.
struct DeckMaterial {
  std::string name;
  std::optional<double> youngs_modulus;  ///< in the deck's units
  std::optional<double> poisson_ratio;
  std::optional<double> density;
};

/// A solid with its supports, as CalculiX and Abaqus describe it.
struct Deck {
  geometry::TetMesh mesh;                    ///< regions are materials; node sets keep their names
  std::vector<DeckMaterial> materials;       ///< one per region: only those used by a section
  std::vector<std::uint8_t> fixed;           ///< per node: 1, 2, 4 for x, y, z
  std::optional<int> requested_modes;        ///< of the first *FREQUENCY card
  std::vector<geometry::Index> node_labels;  ///< the file's own numbers; empty: 1, 2, 3 ...
  std::vector<geometry::Index> element_labels;  ///< the file's own numbers, as above
};

/// Reads a deck of C3D4 or C3D10 elements. Unsupported cards that would change the result are
/// errors; unknown ones are skipped with a warning, output cards silently.
[[nodiscard]] Result<Deck> read_deck(std::span<const std::byte> bytes, std::string_view name);
/// The same from a file, which may *INCLUDE others, relative to its own directory.
[[nodiscard]] Result<Deck> read_deck(const std::filesystem::path& path);

/// A deck that `ccx` runs. Names are reduced to letters, digits, '_' and '-'; numbers to the 20
/// characters that CalculiX reads.
[[nodiscard]] Result<std::string> write_deck(const Deck& deck);

}  // namespace supple::io
