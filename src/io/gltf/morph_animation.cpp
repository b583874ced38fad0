// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_morph_animation.hpp"

#include "io/gltf/builder.hpp"
#include "io/gltf/reader.hpp"

#include "supple/geometry/creases.hpp"
#include "supple/io/gltf_editor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace supple::io {
namespace {

using geometry::Index;
using geometry::SplitSurface;
using geometry::TriMesh;
using geometry::Vec3;

SplitSurface keep_vertices(const TriMesh& mesh) {
  SplitSurface split{mesh, std::vector<Index>(mesh.positions.size())};
  std::iota(split.source.begin(), split.source.end(), 0);
  return split;
}

/// glTF requires unit normals; a vertex without area around it gets an arbitrary one.
std::vector<Vec3> unit_normals(std::vector<Vec3> normals) {
  for (Vec3& normal : normals) {
    const double length = normal.norm();
    normal = length > 0 ? Vec3(normal / length) : Vec3::UnitY();
  }
  return normals;
}

std::vector<Vec3> normals_of(const TriMesh& mesh) {
  return unit_normals(geometry::vertex_normals(mesh));
}

/// Displacement of positions and normals at full swing to one side. Normals are those of the
/// displaced surface minus those at rest: exact at both ends of the swing.
GltfMorphTarget make_target(const SplitSurface& split, const MorphSwing& swing, double sign,
                            const std::vector<Vec3>& rest_normals) {
  GltfMorphTarget target;
  TriMesh displaced = split.mesh;
  for (std::size_t v = 0; v < split.source.size(); ++v) {
    target.positions.emplace_back(sign * swing.displacement[split.source[v]]);
    displaced.positions[v] += target.positions[v];
  }
  target.normals = normals_of(displaced);
  for (std::size_t v = 0; v < rest_normals.size(); ++v) target.normals[v] -= rest_normals[v];
  return target;
}

/// One cycle of weight `swing` among `count`; keys fall on the zeros, so that the pair switches
/// over exactly there.
GltfSampler make_clip(const MorphAnimation& animation, std::size_t swing) {
  const std::size_t per_swing = animation.signed_weights ? 1 : 2;
  const int keys = animation.keys_per_cycle;
  GltfSampler sampler;
  sampler.width = per_swing * animation.swings.size();
  for (int key = 0; key <= keys; ++key) {
    const double phase = static_cast<double>(key) / keys;
    const bool zero = 2 * key % keys == 0;
    const double q = zero ? 0.0 : std::sin(2 * std::numbers::pi * phase);
    sampler.times.push_back(phase * animation.swings[swing].period);
    std::vector<double> weights(sampler.width, 0.0);
    weights[per_swing * swing] = animation.signed_weights ? q : std::max(q, 0.0);
    if (!animation.signed_weights) weights[per_swing * swing + 1] = std::max(-q, 0.0);
    sampler.values.insert(sampler.values.end(), weights.begin(), weights.end());
  }
  return sampler;
}

Json plain_material(const MorphAnimation& animation) {
  return {{"name", "surface"},
          {"pbrMetallicRoughness",
           {{"baseColorFactor", animation.base_colour},
            {"metallicFactor", 0.0},
            {"roughnessFactor", animation.roughness}}}};
}

/// The surface at rest as a document of one node.
Result<GltfAsset> rest_document(const MorphAnimation& animation, const SplitSurface& split,
                                const std::vector<Vec3>& normals) {
  auto document = std::make_shared<GltfDocument>();
  Json& json = document->json;
  json["asset"] = {{"version", "2.0"}, {"generator", "supple"}};
  Json attributes;
  SUPPLE_TRY(attributes["POSITION"], gltf::append_vectors(*document, split.mesh.positions));
  SUPPLE_TRY(attributes["NORMAL"], gltf::append_vectors(*document, normals));
  if (!animation.colours.empty()) {
    std::vector<double> colours;
    for (const Index vertex : split.source) {
      colours.insert(colours.end(), animation.colours[vertex].begin(),
                     animation.colours[vertex].end());
    }
    SUPPLE_TRY(attributes["COLOR_0"],
               gltf::append_floats(*document, colours, 4, gltf::Use::Vertices));
  }
  Json primitive{{"attributes", attributes}, {"material", 0}};
  primitive["indices"] = gltf::append_triangles(*document, split.mesh.triangles);
  json["materials"] = Json::array({plain_material(animation)});
  json["meshes"] = Json::array({{{"name", "surface"}, {"primitives", Json::array({primitive})}}});
  json["nodes"] = Json::array({{{"name", "surface"}, {"mesh", 0}}});
  json["scenes"] = Json::array({{{"nodes", Json::array({0})}}});
  json["scene"] = 0;
  return gltf::view_document(std::move(document), "mode shapes");
}

Result<Bytes> write(const MorphAnimation& animation) {
  const SplitSurface split = animation.normals.empty()
                                 ? split_creases(animation.surface, animation.crease)
                                 : keep_vertices(animation.surface);
  const std::vector<Vec3> normals =
      animation.normals.empty() ? normals_of(split.mesh) : unit_normals(animation.normals);
  SUPPLE_TRY(const GltfAsset base, rest_document(animation, split, normals));
  GltfEditor editor(base);
  std::vector<std::string> names;
  std::vector<GltfMorphTarget> targets;
  for (const MorphSwing& swing : animation.swings) {
    names.push_back(swing.name + (animation.signed_weights ? "" : " +"));
    targets.push_back(make_target(split, swing, 1, normals));
    if (animation.signed_weights) continue;
    names.push_back(swing.name + " -");
    targets.push_back(make_target(split, swing, -1, normals));
  }
  if (!targets.empty()) SUPPLE_TRY_VOID(editor.add_morph_targets(0, names, {targets}));
  for (std::size_t k = 0; k < animation.swings.size(); ++k) {
    const std::size_t clip = editor.add_animation(animation.swings[k].name);
    SUPPLE_TRY_VOID(editor.set_channel(clip, 0, GltfPath::Weights, make_clip(animation, k)));
  }
  SUPPLE_TRY(const GltfAsset result, std::move(editor).finish());
  return write_gltf(result);
}

}  // namespace

Result<void> MorphAnimation::validate() const {
  SUPPLE_TRY_VOID(surface.validate());
  const std::size_t count = surface.positions.size();
  if (surface.triangles.empty()) return bad_input("the surface to animate is empty");
  if (!normals.empty() && normals.size() != count) {
    return bad_input(fmt::format("{} normals for {} vertices", normals.size(), count));
  }
  if (!colours.empty() && colours.size() != count) {
    return bad_input(fmt::format("{} colours for {} vertices", colours.size(), count));
  }
  if (keys_per_cycle < 4 || keys_per_cycle % 4 != 0) {
    return bad_input("keys per cycle must be a multiple of 4, to hit zeros and full swings");
  }
  for (const MorphSwing& swing : swings) {
    if (swing.displacement.size() != count) {
      return bad_input(fmt::format("'{}' displaces {} vertices of {}", swing.name,
                                   swing.displacement.size(), count));
    }
    if (!(swing.period > 0) || !std::isfinite(swing.period)) {
      return bad_input(fmt::format("'{}' needs a period > 0 seconds", swing.name));
    }
  }
  return {};
}

Result<Bytes> write_morph_animation(const MorphAnimation& animation) {
  SUPPLE_TRY_VOID(animation.validate());
  try {
    return write(animation);
  } catch (const std::exception& failure) {
    return bad_input(fmt::format("cannot write an animated .glb: {}", failure.what()));
  }
}

}  // namespace supple::io
