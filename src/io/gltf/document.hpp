// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace supple::io {

using Json = nlohmann::json;

/// We parse glTF's JSON ourselves instead of using tinygltf: tinygltf drops whatever it does not
/// know on writing, and its accessors would need all the same checks again.
struct GltfDocument {
  Json json;                        ///< an object; `buffers` describes only `binary`
  Bytes binary;                     ///< all buffers of the file, one after another
  std::size_t decompressed = 0;     ///< bytes of `binary` that a decoder produced
  std::filesystem::path directory;  ///< base of relative URIs; empty: none allowed
};

}  // namespace supple::io

namespace supple::io::gltf {

inline constexpr const char* kDracoExtension = "KHR_draco_mesh_compression";
inline constexpr const char* kMeshoptExtension = "EXT_meshopt_compression";

/// Opens the container: .glb chunks or plain JSON, buffers fetched, checked and joined.
[[nodiscard]] Result<GltfDocument> open_document(std::span<const std::byte> bytes,
                                                 const std::filesystem::path& base_directory);
/// `json` is the document's, possibly changed.
[[nodiscard]] Result<Bytes> to_glb(const Json& json, std::span<const std::byte> binary);

/// The bytes of a data: URI, or of a relative one that stays inside `directory`.
[[nodiscard]] Result<Bytes> fetch(const std::string& uri, const std::filesystem::path& directory,
                                  std::size_t limit);

// Fields of unchecked JSON. `where` names the object in messages.

/// The member, or nullptr if `object` is not an object or lacks that name.
[[nodiscard]] const Json* find(const Json& object, const char* key);
/// The array of that name; empty if absent, an error if it is not an array.
[[nodiscard]] Result<const Json*> find_array(const Json& object, const char* key,
                                             std::string_view where);
[[nodiscard]] Result<std::optional<std::size_t>> find_integer(const Json& object, const char* key,
                                                              std::size_t limit,
                                                              std::string_view where);
/// A whole number below `limit`; `fallback` if absent, an error without a fallback.
[[nodiscard]] Result<std::size_t> get_integer(const Json& object, const char* key,
                                              std::size_t limit, std::string_view where,
                                              std::optional<std::size_t> fallback = {});
[[nodiscard]] Result<std::vector<std::size_t>> get_integers(const Json& object, const char* key,
                                                            std::size_t limit,
                                                            std::string_view where);
/// Finite numbers; `count` of them, or any number if that is 0. Empty if absent.
[[nodiscard]] Result<std::vector<double>> get_numbers(const Json& object, const char* key,
                                                      std::size_t count, std::string_view where);
[[nodiscard]] std::string get_string(const Json& object, const char* key);
[[nodiscard]] std::size_t array_size(const Json& object, const char* key);

}  // namespace supple::io::gltf
