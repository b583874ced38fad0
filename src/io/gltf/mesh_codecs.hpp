// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/gltf/accessor.hpp"

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace supple::io::gltf {

/// The memory that decoders may use for a file, so that a small file never takes much of it.
class DecodingBudget {
 public:
  explicit DecodingBudget(std::size_t compressed);
  [[nodiscard]] Result<void> spend(std::size_t bytes);

 private:
  std::size_t m_left;
};

/// Buffer views of vertices and of triangles begin at words, and so do the vertices in them.
[[nodiscard]] constexpr std::size_t padded_to_word(std::size_t bytes) {
  return (bytes + 3) / 4 * 4;
}

/// An attribute of a Draco mesh: its number in the compressed data, and the type to decode to.
struct DracoAttribute {
  std::uint32_t id = 0;
  ElementType type;
};

struct DracoMesh {
  std::vector<std::uint32_t> indices;  ///< three per triangle
  std::size_t vertices = 0;
  std::vector<Bytes> attributes;  ///< as requested; each vertex padded to a whole word
};

[[nodiscard]] Result<DracoMesh> decode_draco(std::span<const std::byte> compressed,
                                             const std::vector<DracoAttribute>& attributes,
                                             DecodingBudget& budget);

/// The properties of a buffer view with EXT_meshopt_compression.
struct MeshoptView {
  std::size_t count = 0;
  std::size_t stride = 0;  ///< bytes
  std::string mode;        ///< ATTRIBUTES, TRIANGLES or INDICES
  std::string filter;      ///< NONE, OCTAHEDRAL, QUATERNION or EXPONENTIAL
};

[[nodiscard]] Result<Bytes> decode_meshopt(std::span<const std::byte> compressed,
                                           const MeshoptView& view, DecodingBudget& budget);

/// What a build without the library answers.
[[nodiscard]] Error codec_missing(const char* extension, const char* package);

/// Replaces what is compressed by plain buffer views, without a trace of the extensions. Returns
/// one line for each extension that was in use.
[[nodiscard]] Result<std::vector<std::string>> decompress(GltfDocument& document);

}  // namespace supple::io::gltf
