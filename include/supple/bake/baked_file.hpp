// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/soft/light.hpp"
#include "supple/soft/object.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct supple_asset;
struct supple_match_info;
struct supple_mesh;

namespace supple::bake {

/// A .supple file in memory, checked completely. Errors say what is wrong with it.
class BakedFile {
 public:
  [[nodiscard]] static Result<BakedFile> open(std::span<const std::byte> bytes,
                                              std::string_view name);
  ~BakedFile();
  BakedFile(BakedFile&&) noexcept;
  BakedFile& operator=(BakedFile&&) noexcept;

  [[nodiscard]] const struct ::supple_asset* asset() const { return m_asset; }
  [[nodiscard]] const std::string& name() const { return m_name; }
  /// An error unless it was made for the mesh with this hash (io::mesh_hash).
  [[nodiscard]] Result<void> check_mesh(std::uint64_t mesh_hash) const;
  /// Of its contents: 16 digits that are the same for the same bytes, and written to the glTF file
  /// beside it.
  [[nodiscard]] std::string id() const;
  /// An error if a glTF file with this bake id was written together with another .supple file: a
  /// bake was killed between the two. Files without an id pass.
  [[nodiscard]] Result<void> check_pair(std::string_view bake_id) const;
  /// The same for the mesh as it is now, its vertices matched by position.
  [[nodiscard]] Result<BakedFile> rebound(const struct ::supple_mesh& mesh,
                                          struct ::supple_match_info& info) const;
  /// The settings it was baked with, as soft::Asset has them: see kept_settings.hpp.
  [[nodiscard]] std::string_view settings() const;
  /// What the export needs of each object: name, kind, vertices, shapes, rounded to the file's
  /// encoding as in the player.
  [[nodiscard]] std::vector<soft::Object> objects() const;
  /// The portrait of an object that is a scene; none: it is something else.
  [[nodiscard]] std::optional<soft::SceneTraits> scene(std::uint32_t object) const;
  /// Its light, rounded to the file's encoding as in the player; none: it has no light.
  [[nodiscard]] std::optional<soft::Light> light() const;
  /// The bytes, as in the file.
  [[nodiscard]] std::span<const std::byte> bytes() const { return {m_bytes.get(), m_size}; }
  /// The bones that drive the objects, at rest, each at the world's origin except those connected
  /// by handles of shells: enough for motions that need no glTF file.
  [[nodiscard]] character::Character bones() const;

 private:
  BakedFile() = default;
  /// A section's bytes; empty: the file has none.
  [[nodiscard]] std::span<const std::byte> section(std::uint32_t id) const;
  struct AlignedDelete {
    void operator()(std::byte* bytes) const;
  };
  std::string m_name;
  std::unique_ptr<std::byte[], AlignedDelete> m_bytes;  ///< the player reads in place
  std::size_t m_size = 0;
  struct ::supple_asset* m_asset = nullptr;
};

}  // namespace supple::bake
