// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <filesystem>
#include <string>

namespace supple::bench {

/// Each function measures and returns a section of Markdown.

/// The lowest 20 modes of clamped boxes, compared with CalculiX on the same decks.
[[nodiscard]] Result<std::string> modes_against_calculix(const std::filesystem::path& supple);

/// How time and memory grow with the number of elements, up to `largest`.
[[nodiscard]] Result<std::string> modes_growth(const std::filesystem::path& supple,
                                               std::size_t largest);

/// Volume meshing of characters.
[[nodiscard]] Result<std::string> meshing();

/// Characters from the command line to both files.
[[nodiscard]] Result<std::string> flesh_bake(const std::filesystem::path& supple);

/// The player's filters, per object and frame.
[[nodiscard]] Result<std::string> player_step();

/// The player's vertices, compared with memcpy and Bullet's reduced deformable body.
[[nodiscard]] Result<std::string> player_vertices();

/// Light in the player: when it changes, and in every frame.
[[nodiscard]] Result<std::string> player_light();

/// Shells: precomputation, warped vertices compared with plain ones, many shells with handles.
[[nodiscard]] Result<std::string> shells(const std::filesystem::path& supple);

/// A rubber box in free swing, compared with Bullet's deformable world, and the parts of a Newton
/// iteration compared with what the machine can do.
[[nodiscard]] Result<std::string> free_swing();
/// Bodies in contact: a block at rest, a cloth that folds compared with Bullet's and its
/// intersections, growth with the number of vertices.
[[nodiscard]] Result<std::string> simulated_contact();

/// Scenes [JF03]: states sampled per second, the SVD of the paper's dinosaur under a limit of
/// memory, frames played per second, and bytes compared with vertex animation textures.
[[nodiscard]] Result<std::string> scenes(const std::filesystem::path& supple);

/// Radiance transfer of one shape compared with Embree's own rays, and the appearance model of 50.
[[nodiscard]] Result<std::string> lighting();

/// The swimmer's steps compared with MuJoCo's, and a sweep on two threads.
[[nodiscard]] Result<std::string> swimmer();

/// Crowds on the GPU, compared with its own copy bandwidth.
[[nodiscard]] Result<std::string> gpu_vertices();

/// The WebAssembly player compared with the native one.
[[nodiscard]] Result<std::string> wasm_player(const std::filesystem::path& supple);

}  // namespace supple::bench
