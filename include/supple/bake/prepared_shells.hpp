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
  std::size_t node = 0;  ///< the node that draws it
  std::size_t part = 0;  ///< index in PreparedShells::source.parts
};

/// One shell with everything except its modes.
struct PreparedShell {
  ShellSettings settings;
  std::vector<ShellPart> parts;
  std::size_t bone = 0;              ///< node that carries it
  std::optional<std::size_t> joint;  ///< that node's index in the skin of a skinned mesh
  Eigen::Matrix<double, 3, 4> frame_from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  Eigen::Quaterniond rest_rotation = Eigen::Quaterniond::Identity();
  std::vector<std::uint32_t> vertices;          ///< of all parts, ascending
  std::vector<geometry::Index> node_of_vertex;  ///< per vertex: node of the model's mesh
  fem::ShellModel model;                        ///< in the frame, metres
  std::vector<soft::Attachment> attachments;
  std::vector<std::string> warnings;
};

/// The shells of a glTF file.
struct PreparedShells {
  GltfCharacter
      source;  ///< its bones are the file's nodes, its parts the primitives that shells move
  std::vector<PreparedShell> shells;
  std::vector<std::string> warnings;
};

/// The default settings: every mesh that is drawn is a shell, held where its vertex colours are
/// red.
[[nodiscard]] Result<std::vector<ShellSettings>> propose_shells(const io::GltfAsset& asset);

/// Vertex numbers in selections start at `first_number`, which is 1 for formats that count from 1.
/// Unknown names, vertices of two shells, mirrored or sheared frames, and handles on vertices that
/// are fixed or missing are errors. `others` are further moving parts; the shells' parts come after
/// them.
[[nodiscard]] Result<PreparedShells> prepare_shells(const io::GltfAsset& asset,
                                                    const ShellFileSettings& settings,
                                                    std::size_t first_number = 0,
                                                    const std::vector<soft::Part>& others = {});

/// Converts shells to the player's file; one object per shell.
[[nodiscard]] soft::Asset shell_asset(const PreparedShells& scene,
                                      const std::vector<shell::ShellObject>& objects,
                                      const std::string& generator);

/// Makes the vertices of shells follow only the shell's bone: rewrites their skin weights where
/// they differ.
[[nodiscard]] Result<io::GltfAsset> follow_bones(const io::GltfAsset& asset,
                                                 const PreparedShells& scene);

}  // namespace supple::bake
