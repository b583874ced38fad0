// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/mixed_character.hpp"

#include "supple/flesh/tissue.hpp"

#include <fmt/format.h>

#include <iterator>

namespace supple::bake {
namespace {

using geometry::Index;

/// The shell that each vertex of the skin belongs to, or none.
std::vector<const PreparedShell*> owners(const PreparedShells& scene, std::size_t count) {
  std::vector<const PreparedShell*> owner(count, nullptr);
  for (const PreparedShell& shell : scene.shells) {
    for (const ShellPart& part : shell.parts) {
      const soft::Part& place = scene.source.parts[part.part];
      for (std::uint32_t v = 0; v < place.vertex_count; ++v) {
        if (place.first_vertex + v < count) owner[place.first_vertex + v] = &shell;
      }
    }
  }
  return owner;
}

/// The vertices that belong to no shell, renumbered.
void keep_free_vertices(const character::Character& whole,
                        const std::vector<const PreparedShell*>& owner, MixedCharacter& scene) {
  character::Character& rest = scene.flesh;
  rest.name = whole.name;
  rest.metres_per_unit = whole.metres_per_unit;
  rest.bones = whole.bones;
  rest.material_names = whole.material_names;
  rest.influences = whole.influences;
  std::vector<Index> place(owner.size(), -1);
  for (std::size_t v = 0; v < owner.size(); ++v) {
    if (owner[v] != nullptr) continue;
    place[v] = static_cast<Index>(rest.positions.size());
    scene.vertex_of_flesh.push_back(static_cast<Index>(v));
    rest.positions.push_back(whole.positions[v]);
    if (!whole.normals.empty()) rest.normals.push_back(whole.normals[v]);
    for (std::size_t k = v * whole.influences; k < (v + 1) * whole.influences; ++k) {
      rest.joints.push_back(whole.joints[k]);
      rest.weights.push_back(whole.weights[k]);
    }
    for (const auto& [name, mask] : whole.masks) rest.masks[name].push_back(mask[v]);
  }
  for (std::size_t t = 0; t < whole.triangles.size(); ++t) {
    const geometry::Triangle& old = whole.triangles[t];
    // Triangles of one part have one owner.
    if (place[static_cast<std::size_t>(old[0])] < 0) continue;
    geometry::Triangle triangle{};
    for (std::size_t i = 0; i < 3; ++i) triangle[i] = place[static_cast<std::size_t>(old[i])];
    rest.triangles.push_back(triangle);
    rest.materials.push_back(whole.materials[t]);
  }
}

/// A shell takes vertices from flesh selected by bones. A material or mask selects exact vertices,
/// so an overlap with a shell is an error.
Result<void> check_choice(const character::Character& whole,
                          const std::vector<const PreparedShell*>& owner,
                          const flesh::ObjectSettings& object) {
  if (object.region.material.empty() && object.region.mask.empty()) return {};
  SUPPLE_TRY(const flesh::Region region, flesh::select_region(whole, object));
  std::size_t count = 0;
  const PreparedShell* first = nullptr;
  for (std::size_t v = 0; v < owner.size(); ++v) {
    if (owner[v] == nullptr || region.weights[v] <= object.border) continue;
    if (first == nullptr) first = owner[v];
    if (owner[v] == first) ++count;
  }
  if (first == nullptr) return {};
  const bool by_mask = !object.region.mask.empty();
  return bad_input(fmt::format(
      "object '{}' and shell '{}' share {} vertices, but a vertex can move with only one of them: "
      "{} '{}' selects them as flesh; {}, or remove the [[shell]]",
      object.name, first->settings.object.name, count, by_mask ? "mask" : "surface_material",
      by_mask ? object.region.mask : object.region.material,
      by_mask ? "set the mask to 0 on that mesh, or select the skin with surface_material"
              : "name another surface_material"));
}

}  // namespace

Result<MixedCharacter> mixed_character(const io::GltfAsset& asset, const GltfCharacter& source,
                                       const BakeSettings& settings) {
  const character::Character& whole = source.character;
  ShellFileSettings shells;
  shells.metres_per_unit = whole.metres_per_unit;
  shells.shells = settings.shells;
  MixedCharacter scene;
  SUPPLE_TRY(scene.shells, prepare_shells(asset, shells, 0, source.parts));
  const auto owner = owners(scene.shells, whole.positions.size());
  keep_free_vertices(whole, owner, scene);
  if (scene.flesh.triangles.empty()) {
    return bad_input(
        fmt::format("the shells take all of the skin of '{}' and leave no flesh; choose with mesh "
                    "= .. which meshes are shells, or bake all of them as shells without flesh",
                    asset.name));
  }
  for (const flesh::ObjectSettings& object : settings.objects) {
    SUPPLE_TRY_VOID(check_choice(whole, owner, object));
  }
  return scene;
}

std::vector<flesh::FleshObject> among_all(const MixedCharacter& scene,
                                          std::vector<flesh::FleshObject> flesh) {
  for (flesh::FleshObject& object : flesh) {
    for (std::uint32_t& vertex : object.vertices) {
      vertex = static_cast<std::uint32_t>(scene.vertex_of_flesh[vertex]);
    }
  }
  return flesh;
}

soft::Asset mixed_asset(const GltfCharacter& source, const MixedCharacter& scene,
                        std::vector<flesh::FleshObject> flesh,
                        const std::vector<shell::ShellObject>& shells,
                        const std::string& generator) {
  soft::Asset soft = flesh_asset(source, among_all(scene, std::move(flesh)), generator);
  if (shells.empty()) return soft;
  soft::Asset result = shell_asset(scene.shells, shells, generator);
  result.objects.insert(result.objects.begin(), std::make_move_iterator(soft.objects.begin()),
                        std::make_move_iterator(soft.objects.end()));
  return result;
}

}  // namespace supple::bake
