// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/gltf_character.hpp"
#include "supple/bake/shell_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/fem/shell_model.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/supple_file.hpp"
#include "supple/shell/shell_object.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace supple::bake {

/// A primitive of a glTF file that a shell moves.
struct ShellPart {
  std::size_t node = 0;  ///< that draws it
  std::size_t part = 0;  ///< place in PreparedShells::source.parts
};

/// One shell once everything about it is known but its vibrations.
struct PreparedShell {
  ShellSettings settings;
  std::vector<ShellPart> parts;
  std::size_t bone = 0;              ///< node that carries it
  std::optional<std::size_t> joint;  ///< that node's place in the skin of a skinned mesh
  Eigen::Matrix<double, 3, 4> frame_from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  Eigen::Quaterniond rest_rotation = Eigen::Quaterniond::Identity();
  std::vector<std::uint32_t> vertices;          ///< of all parts, ascending
  std::vector<geometry::Index> node_of_vertex;  ///< per vertex: place in the model's mesh
  fem::ShellModel model;                        ///< in the frame, metres
  std::vector<soft::Attachment> attachments;
  std::vector<std::string> warnings;
};

/// The shells of a glTF file.
struct PreparedShells {
  GltfCharacter source;  ///< its bones are the file's nodes, its parts what shells move
  std::vector<PreparedShell> shells;
  std::vector<std::string> warnings;
};

/// What holds without settings: every mesh that is drawn is a shell, held where its vertex colours
/// are red.
[[nodiscard]] Result<std::vector<ShellSettings>> propose_shells(const io::GltfAsset& asset);

/// Vertices of selections count from `first_number`: 1 for files whose format does. Names that do
/// not exist, vertices of two shells, mirrored or sheared frames, and handles on vertices that are
/// fixed or missing are errors. `others` are parts that move besides; the shells' come after them.
[[nodiscard]] Result<PreparedShells> prepare_shells(const io::GltfAsset& asset,
                                                    const ShellFileSettings& settings,
                                                    std::size_t first_number = 0,
                                                    const std::vector<soft::Part>& others = {});

/// Shells to the player's file; one object per shell of the scene.
[[nodiscard]] soft::Asset shell_asset(const PreparedShells& scene,
                                      const std::vector<shell::ShellObject>& objects,
                                      const std::string& generator);

/// The file with shells that follow their bones alone: skin weights of their vertices rewritten
/// where they say otherwise.
[[nodiscard]] Result<io::GltfAsset> follow_bones(const io::GltfAsset& asset,
                                                 const PreparedShells& scene);

}  // namespace supple::bake
