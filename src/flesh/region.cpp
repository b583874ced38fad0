// SPDX-License-Identifier: Apache-2.0
#include "flesh/region.hpp"

#include "supple/core/suggest.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <fmt/format.h>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>

namespace supple::flesh {

using geometry::Index;
using geometry::Vec3;

std::vector<Index> meeting_vertices(const character::Character& character) {
  constexpr double kSamePlace = 1e-6;  // of the character's size: exporters round to floats
  const geometry::TriMesh skin{character.positions, character.triangles};
  const double size = geometry::bounding_box(character.positions).diagonal();
  return geometry::weld(skin, kSamePlace * size).vertex_of_input;
}

std::vector<double> vertex_areas(const geometry::TriMesh& skin) {
  std::vector<double> areas(skin.positions.size(), 0.0);
  for (const geometry::Triangle& t : skin.triangles) {
    const Vec3& origin = skin.positions[t[0]];
    const double area =
        (skin.positions[t[1]] - origin).cross(skin.positions[t[2]] - origin).norm() / 6;
    for (const Index v : t) areas[v] += area;
  }
  return areas;
}

double smooth_step(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

std::vector<double> bone_shares(const character::Character& character,
                                const std::vector<double>& weights) {
  const std::vector<double> areas = vertex_areas({character.positions, character.triangles});
  std::vector<double> shares(character.bones.size(), 0.0);
  double total = 0;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    total += areas[v] * weights[v];
    for (std::size_t k = 0; k < character.influences; ++k) {
      const std::size_t at = v * character.influences + k;
      shares[character.joints[at]] += areas[v] * weights[v] * character.weights[at];
    }
  }
  for (double& share : shares) share = total > 0 ? share / total : 0;
  return shares;
}

namespace {

void limit_to_bones(const character::Character& character, const std::vector<std::size_t>& bones,
                    std::vector<double>& weights) {
  std::vector<char> wanted(character.bones.size(), 0);
  for (const std::size_t bone : bones) wanted[bone] = 1;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    double sum = 0;
    for (std::size_t k = 0; k < character.influences; ++k) {
      const std::size_t at = v * character.influences + k;
      if (wanted[character.joints[at]] != 0) sum += character.weights[at];
    }
    weights[v] *= std::clamp(sum, 0.0, 1.0);
  }
}

Result<void> limit_to_material(const character::Character& character, const std::string& name,
                               std::vector<double>& weights) {
  const auto& names = character.material_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    return bad_input(fmt::format("no surface material is named '{}'{}; the file has '{}'", name,
                                 did_you_mean(name, names), fmt::join(names, "', '")));
  }
  const auto material = static_cast<Index>(found - names.begin());
  std::vector<char> touched(weights.size(), 0);
  for (std::size_t t = 0; t < character.triangles.size(); ++t) {
    if (character.materials[t] != material) continue;
    for (const Index v : character.triangles[t]) touched[v] = 1;
  }
  for (std::size_t v = 0; v < weights.size(); ++v) {
    if (touched[v] == 0) weights[v] = 0;
  }
  return {};
}

Result<void> limit_to_mask(const character::Character& character, const std::string& name,
                           std::vector<double>& weights) {
  const auto found = character.masks.find(name);
  if (found == character.masks.end()) {
    std::vector<std::string> names;
    for (const auto& [mask, values] : character.masks) names.push_back(mask);
    if (names.empty()) {
      return bad_input(fmt::format(
          "mask '{}': the mesh has neither vertex colours nor custom attributes", name));
    }
    return bad_input(fmt::format("no mask is named '{}'{}; the file has {}", name,
                                 did_you_mean(name, names), fmt::join(names, ", ")));
  }
  for (std::size_t v = 0; v < weights.size(); ++v) {
    weights[v] *= std::clamp(found->second[v], 0.0, 1.0);
  }
  return {};
}

std::string describe(const RegionSettings& region) {
  std::string text;
  if (!region.bones.empty()) text += fmt::format(" bones '{}'", fmt::join(region.bones, "', '"));
  if (!region.material.empty()) text += fmt::format(" material '{}'", region.material);
  if (!region.mask.empty()) text += fmt::format(" mask '{}'", region.mask);
  return text;
}

}  // namespace

Result<Region> select_region(const character::Character& character,
                             const ObjectSettings& settings) {
  const RegionSettings& wanted = settings.region;
  if (wanted.bones.empty() && wanted.material.empty() && wanted.mask.empty()) {
    return bad_input("the region is empty: give bones, a surface material or a mask");
  }
  Region region;
  region.weights.assign(character.positions.size(), 1.0);
  if (!wanted.bones.empty()) {
    for (const std::string& name : wanted.bones) {
      SUPPLE_TRY(const std::size_t bone, character.find_bone(name));
      region.bones.push_back(bone);
    }
    limit_to_bones(character, region.bones, region.weights);
  }
  if (!wanted.material.empty()) {
    SUPPLE_TRY_VOID(limit_to_material(character, wanted.material, region.weights));
  }
  if (!wanted.mask.empty()) {
    SUPPLE_TRY_VOID(limit_to_mask(character, wanted.mask, region.weights));
  }

  // Coincident vertices move together, otherwise a seam would open: they all take the smallest
  // weight.
  const std::vector<Index> place = meeting_vertices(character);
  std::vector<double> least(character.positions.size(), 1.0);
  for (std::size_t v = 0; v < place.size(); ++v) {
    least[place[v]] = std::min(least[place[v]], region.weights[v]);
  }
  for (std::size_t v = 0; v < place.size(); ++v) region.weights[v] = least[place[v]];

  const auto inside = std::count_if(region.weights.begin(), region.weights.end(),
                                    [&](double w) { return w > settings.border; });
  if (inside == 0) {
    return bad_input(
        fmt::format("the region of{} has no vertices with a weight above {}; choose "
                    "another bone or a lower border",
                    describe(wanted), settings.border));
  }
  const std::vector<double> shares = bone_shares(character, region.weights);
  if (region.bones.empty()) {
    constexpr double kBelongs = 0.2;  // a bone that moves a fifth of the skin also holds it
    for (std::size_t b = 0; b < shares.size(); ++b) {
      if (shares[b] > kBelongs) region.bones.push_back(b);
    }
  }
  region.driver =
      static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  if (!settings.driver.empty()) {
    SUPPLE_TRY(region.driver, character.find_bone(settings.driver));
  }
  return region;
}

}  // namespace supple::flesh
