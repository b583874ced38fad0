// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/gltf/document.hpp"

#include "supple/geometry/types.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace supple::io::gltf {

/// The use of an accessor's data; vertex attributes need a target and a stride of whole words.
enum class Use { Vertices, Plain };

/// Appends bytes at a word boundary; `target` 0 means none. Returns the buffer view.
std::size_t append_view(GltfDocument& document, std::span<const std::byte> bytes, int target = 0);

/// Appends numbers as floats, `width` per element (1 to 4, or 16: matrices by columns), with their
/// bounds. Values that do not fit in a float are an error. Returns the accessor.
[[nodiscard]] Result<std::size_t> append_floats(GltfDocument& document,
                                                std::span<const double> values, std::size_t width,
                                                Use use);
[[nodiscard]] Result<std::size_t> append_vectors(GltfDocument& document,
                                                 const std::vector<geometry::Vec3>& vectors);
/// The same as a sparse accessor over zeros if that takes fewer bytes.
[[nodiscard]] Result<std::size_t> append_sparse(GltfDocument& document,
                                                const std::vector<geometry::Vec3>& vectors);
std::size_t append_triangles(GltfDocument& document,
                             const std::vector<geometry::Triangle>& triangles);
/// Four joints per vertex.
std::size_t append_joints(GltfDocument& document, const std::vector<std::uint16_t>& joints);

/// Unused samplers would be flagged by validators and waste bytes.
void drop_unused_samplers(Json& animation);

}  // namespace supple::io::gltf
