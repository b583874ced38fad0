// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/flesh/flesh_object.hpp"

#include <filesystem>
#include <optional>

namespace supple::bake {

/// Finished objects on disk, one file each, named by the hash of everything they depend on: the
/// character, the settings and our version. An interrupted bake continues from there.
class BakeStore {
 public:
  /// Creates the directory; an error if that fails.
  [[nodiscard]] static Result<BakeStore> open(const std::filesystem::path& directory,
                                              const character::Character& character);

  /// Nothing if it is missing or damaged.
  [[nodiscard]] std::optional<flesh::FleshObject> find(const flesh::ObjectSettings& settings) const;
  [[nodiscard]] Result<void> keep(const flesh::ObjectSettings& settings,
                                  const flesh::FleshObject& object) const;

 private:
  [[nodiscard]] std::filesystem::path path(const flesh::ObjectSettings& settings) const;

  std::filesystem::path m_directory;
  std::string m_character;  ///< its hash
};

}  // namespace supple::bake
