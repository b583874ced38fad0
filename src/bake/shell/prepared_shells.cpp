// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/prepared_shells.hpp"

#include "bake/shell/builder.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/core/suggest.hpp"
#include "supple/io/gltf_editor.hpp"
#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace supple::bake {
namespace {

/// A primitive with triangles, and the node that draws it.
struct Drawn {
  std::size_t node = 0;
  std::size_t mesh = 0;
  std::size_t primitive = 0;
};

std::vector<Drawn> drawn_primitives(const io::GltfAsset& asset) {
  std::vector<Drawn> drawn;
  for (const std::size_t node : io::shown_nodes(asset)) {
    const std::size_t mesh = *asset.nodes[node].mesh;
    for (std::size_t p = 0; p < asset.meshes[mesh].primitives.size(); ++p) {
      if (!asset.meshes[mesh].primitives[p].triangles.empty()) drawn.push_back({node, mesh, p});
    }
  }
  return drawn;
}

/// The primitives a name refers to: those of a node, else of a mesh, else of a material.
class NameSearch {
 public:
  NameSearch(const io::GltfAsset& asset, const std::vector<Drawn>& drawn)
      : m_asset(asset), m_drawn(drawn) {}

  [[nodiscard]] Result<std::vector<Drawn>> find(const std::string& name) const {
    if (name.empty()) return m_drawn;
    std::vector<std::string> known;
    const auto names = [&](auto name_of) {
      std::vector<Drawn> found;
      for (const Drawn& item : m_drawn) {
        known.push_back(name_of(item));
        if (known.back() == name) found.push_back(item);
      }
      return found;
    };
    auto found = names([&](const Drawn& item) { return node_name(m_asset, item.node); });
    if (found.empty()) {
      found = names([&](const Drawn& item) { return m_asset.meshes[item.mesh].name; });
    }
    if (found.empty()) found = names([&](const Drawn& item) { return material_of(item); });
    if (!found.empty()) return found;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    std::erase(known, "");
    return bad_input(fmt::format("no node, mesh or material '{}' is drawn{}; available: {}", name,
                                 did_you_mean(name, known), fmt::join(known, ", ")));
  }

 private:
  [[nodiscard]] std::string material_of(const Drawn& item) const {
    const auto& material = m_asset.meshes[item.mesh].primitives[item.primitive].material;
    return material ? m_asset.materials[*material] : std::string();
  }

  const io::GltfAsset& m_asset;
  const std::vector<Drawn>& m_drawn;
};

using PrimitiveKey = std::pair<std::size_t, std::size_t>;  // mesh, primitive

/// The error for a shell that would move one mesh with two nodes.
std::string several_nodes(const io::GltfAsset& asset, const std::vector<Drawn>& mine,
                          const Drawn& again) {
  const std::string& mesh = asset.meshes[again.mesh].name;
  const auto first = std::find_if(mine.begin(), mine.end(), [&](const Drawn& item) {
    return item.mesh == again.mesh && item.primitive == again.primitive;
  });
  const std::string one = node_name(asset, first->node);
  const std::string other = node_name(asset, again.node);
  return fmt::format(
      "mesh '{}' is drawn by nodes '{}' and '{}', but one mesh can bend in only one way: write "
      "mesh = \"{}\" (the node) to bake it for that node, and the other shows the same motion; or "
      "give '{}' a copy of the mesh in the modelling program and each a [[shell]]",
      mesh, one, other, one, other);
}

/// Each shell's primitives; none belongs to two shells or is drawn by two nodes.
Result<std::vector<std::vector<Drawn>>> choose_primitives(
    const io::GltfAsset& asset, const std::vector<Drawn>& drawn,
    const std::vector<ShellSettings>& shells) {
  const NameSearch search(asset, drawn);
  std::vector<std::vector<Drawn>> chosen;
  std::map<PrimitiveKey, std::string> owners;
  for (const ShellSettings& shell : shells) {
    const std::string context = fmt::format("shell '{}'", shell.object.name);
    SUPPLE_TRY(auto mine, search.find(shell.mesh).during(context));
    if (mine.empty()) {
      return bad_input(fmt::format("'{}' draws no triangles", asset.name)).during(context);
    }
    for (const Drawn& item : mine) {
      const std::string& mesh = asset.meshes[item.mesh].name;
      const auto [owner, is_new] =
          owners.emplace(PrimitiveKey(item.mesh, item.primitive), shell.object.name);
      if (is_new) continue;
      if (owner->second == shell.object.name) {
        return bad_input(several_nodes(asset, mine, item)).during(context);
      }
      return bad_input(fmt::format(
          "shells '{}' and '{}' both have mesh '{}', primitive {}, which can bend in only one way: "
          "keep one of the two shells; if two nodes draw the mesh, the other shows the same "
          "motion. Or give it a copy of the mesh in the modelling program",
          owner->second, shell.object.name, mesh, item.primitive));
    }
    chosen.push_back(std::move(mine));
  }
  return chosen;
}

/// The primitives in the order of the file, after `others`.
std::vector<soft::Part> parts_of(const io::GltfAsset& asset,
                                 const std::vector<std::vector<Drawn>>& chosen,
                                 const std::vector<soft::Part>& others) {
  std::vector<PrimitiveKey> keys;
  for (const auto& mine : chosen) {
    for (const Drawn& item : mine) {
      const bool there = std::any_of(others.begin(), others.end(), [&](const auto& part) {
        return part.mesh == item.mesh && part.primitive == item.primitive;
      });
      if (!there) keys.emplace_back(item.mesh, item.primitive);
    }
  }
  std::sort(keys.begin(), keys.end());
  std::vector<soft::Part> parts = others;
  std::uint32_t next = parts.empty() ? 0 : parts.back().first_vertex + parts.back().vertex_count;
  for (const auto& [mesh, primitive] : keys) {
    const auto count =
        static_cast<std::uint32_t>(asset.meshes[mesh].primitives[primitive].positions.size());
    parts.push_back(
        {static_cast<std::uint32_t>(mesh), static_cast<std::uint32_t>(primitive), next, count});
    next += count;
  }
  return parts;
}

std::vector<ShellPart> place_parts(const std::vector<Drawn>& mine,
                                   const std::vector<soft::Part>& parts) {
  std::vector<ShellPart> placed;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const Drawn& item : mine) {
      if (item.mesh == parts[p].mesh && item.primitive == parts[p].primitive) {
        placed.push_back({item.node, p});
      }
    }
  }
  return placed;
}

bool red_marks_some(const io::GltfAsset& asset, std::size_t node) {
  std::size_t red = 0;
  std::size_t count = 0;
  for (const io::GltfPrimitive& primitive : asset.meshes[*asset.nodes[node].mesh].primitives) {
    count += primitive.positions.size();
    for (const Eigen::Vector4d& colour : primitive.colours) red += colour[0] > 0.5 ? 1 : 0;
  }
  return red > 0 && red < count;  // if all of it is red, it is a white mesh, not a mark
}

}  // namespace

Result<std::vector<ShellSettings>> propose_shells(const io::GltfAsset& asset) {
  std::vector<std::size_t> nodes;
  for (const Drawn& item : drawn_primitives(asset)) {
    if (nodes.empty() || nodes.back() != item.node) nodes.push_back(item.node);
  }
  if (nodes.empty()) return bad_input(fmt::format("'{}' draws no triangles", asset.name));
  std::vector<ShellSettings> shells;
  std::map<std::string, int> used;
  for (const std::size_t node : nodes) {
    ShellSettings shell;
    shell.object.name = node_name(asset, node);
    if (nodes.size() > 1) shell.mesh = shell.object.name;
    if (const int copies = used[shell.object.name]++; copies > 0) {
      return bad_input(
          fmt::format("two nodes that draw meshes have the name '{}'; give them different names",
                      shell.object.name));
    }
    shell.object.fewer_modes = true;
    shell.object.sag = 1;  // size and stiffness are unknown: choose a sag that looks right
    if (red_marks_some(asset, node)) shell.fix = {"colour:COLOR_0.r>0.5"};
    shells.push_back(std::move(shell));
  }
  return shells;
}

Result<PreparedShells> prepare_shells(const io::GltfAsset& asset, const ShellFileSettings& settings,
                                      std::size_t first_number,
                                      const std::vector<soft::Part>& others) {
  SUPPLE_TRY_VOID(settings.validate());
  const std::vector<Drawn> drawn = drawn_primitives(asset);
  SUPPLE_TRY(const auto chosen, choose_primitives(asset, drawn, settings.shells));
  PreparedShells scene;
  SUPPLE_TRY(scene.source,
             node_character(asset, parts_of(asset, chosen, others), settings.metres_per_unit));
  for (std::size_t s = 0; s < settings.shells.size(); ++s) {
    detail::ShellBuilder builder(asset, scene.source, first_number);
    SUPPLE_TRY(PreparedShell shell,
               builder.build(settings.shells[s], place_parts(chosen[s], scene.source.parts))
                   .during(fmt::format("shell '{}'", settings.shells[s].object.name)));
    scene.shells.push_back(std::move(shell));
  }
  return scene;
}

Result<io::GltfAsset> follow_bones(const io::GltfAsset& asset, const PreparedShells& scene) {
  io::GltfEditor editor(asset);
  for (const PreparedShell& shell : scene.shells) {
    if (!shell.joint) continue;
    for (const ShellPart& part : shell.parts) {
      const soft::Part& place = scene.source.parts[part.part];
      SUPPLE_TRY_VOID(editor.follow_joint(place.mesh, place.primitive, *shell.joint));
    }
  }
  return std::move(editor).finish();
}

}  // namespace supple::bake
