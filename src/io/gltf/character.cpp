// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_character.hpp"

#include "io/gltf/builder.hpp"
#include "io/gltf/reader.hpp"

#include "supple/io/gltf_editor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::io {
namespace {

using geometry::Index;
using geometry::Vec3;

constexpr double kWeightTolerance = 1e-6;
constexpr double kUnitTolerance = 1e-6;

Json numbers(const Vec3& v) {
  return Json::array({v.x(), v.y(), v.z()});
}

Result<void> check_part(const SkinnedPart& part, std::size_t bones) {
  const std::size_t count = part.positions.size();
  if (part.triangles.empty()) return bad_input("the part has no triangles");
  const auto sized = [&](std::size_t size, bool optional) {
    return size == count || (optional && size == 0);
  };
  if (!sized(part.normals.size(), false) || part.skin.size() != (bones > 0 ? count : 0) ||
      !sized(part.colours.size(), true) || !sized(part.texcoords.size(), true)) {
    return bad_input(
        fmt::format("normals, weights and the rest must be {}, one per vertex", count));
  }
  for (const GltfAttribute& attribute : part.attributes) {
    if (attribute.name.starts_with('_') && attribute.width >= 1 && attribute.width <= 4 &&
        attribute.values.size() == count * attribute.width) {
      continue;
    }
    return bad_input(
        fmt::format("attribute '{}' needs a name that begins with '_' and 1 to 4 "
                    "numbers for each of {} vertices",
                    attribute.name, count));
  }
  for (const geometry::Triangle& triangle : part.triangles) {
    for (const Index vertex : triangle) {
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= count) {
        return bad_input(fmt::format("a triangle names vertex {} of {}", vertex, count));
      }
    }
  }
  for (std::size_t v = 0; v < count; ++v) {
    if (!(std::abs(part.normals[v].norm() - 1) < kUnitTolerance)) {
      return bad_input(fmt::format("the normal of vertex {} must have length 1", v));
    }
    if (bones == 0) continue;
    double sum = 0;
    bool legal = true;
    for (std::size_t k = 0; k < 4; ++k) {
      const double weight = part.skin[v].weights[k];
      sum += weight;
      legal = legal && weight >= 0 && (weight == 0 || part.skin[v].bones[k] < bones);
    }
    if (!legal || !(std::abs(sum - 1) < kWeightTolerance)) {
      return bad_input(fmt::format(
          "vertex {} needs weights >= 0 of existing bones with sum 1; the sum is {}", v, sum));
    }
  }
  return {};
}

Result<void> check_clip(const SkinnedClip& clip, std::size_t bones) {
  if (clip.tracks.empty() || clip.times.empty() || clip.times.front() < 0) {
    return bad_input("a clip needs tracks and times from 0 on");
  }
  for (std::size_t k = 1; k < clip.times.size(); ++k) {
    if (!(clip.times[k] > clip.times[k - 1])) return bad_input("times must increase");
  }
  for (const SkinnedTrack& track : clip.tracks) {
    if (track.bone >= bones) return bad_input(fmt::format("unknown bone {}", track.bone));
    const auto fits = [&](std::size_t keys) { return keys == 0 || keys == clip.times.size(); };
    if (!fits(track.rotations.size()) || !fits(track.translations.size())) {
      return bad_input(fmt::format("the track of bone {} must have {} keys, one per time",
                                   track.bone, clip.times.size()));
    }
    if (track.rotations.empty() && track.translations.empty()) {
      return bad_input(fmt::format("the track of bone {} is empty", track.bone));
    }
  }
  return {};
}

/// Four weights that sum to 1 as floats: the first one absorbs the rounding of the others. Bones
/// without weight become 0, as Khronos' validator requires.
void append_skin(const SkinnedVertex& vertex, std::vector<std::uint16_t>& joints,
                 std::vector<double>& weights) {
  std::array<double, 4> rounded{};
  std::size_t largest = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    rounded[k] = static_cast<double>(static_cast<float>(vertex.weights[k]));
    if (rounded[k] > rounded[largest]) largest = k;
  }
  rounded[largest] = 1;
  for (std::size_t k = 0; k < 4; ++k) {
    if (k != largest) rounded[largest] -= rounded[k];
  }
  for (std::size_t k = 0; k < 4; ++k) {
    joints.push_back(rounded[k] > 0 ? static_cast<std::uint16_t>(vertex.bones[k]) : 0);
    weights.push_back(rounded[k]);
  }
}

Json material_json(const SkinnedPart& part) {
  Json json = {{"name", part.material},
               {"pbrMetallicRoughness",
                {{"baseColorFactor", part.base_colour},
                 {"metallicFactor", part.metallic},
                 {"roughnessFactor", part.roughness}}}};
  if (part.double_sided) json["doubleSided"] = true;
  return json;
}

const std::string& mesh_name(const SkinnedModel& model, const SkinnedPart& part) {
  return part.mesh.empty() ? model.name : part.mesh;
}

Result<Json> make_primitive(GltfDocument& document, const SkinnedPart& part) {
  Json attributes;
  SUPPLE_TRY(attributes["POSITION"], gltf::append_vectors(document, part.positions));
  SUPPLE_TRY(attributes["NORMAL"], gltf::append_vectors(document, part.normals));
  const auto add = [&](const std::string& name, const std::vector<double>& values,
                       std::size_t width) -> Result<void> {
    if (values.empty()) return {};
    SUPPLE_TRY(attributes[name], gltf::append_floats(document, values, width, gltf::Use::Vertices));
    return {};
  };
  std::vector<double> colours;
  for (const auto& colour : part.colours) {
    colours.insert(colours.end(), colour.begin(), colour.end());
  }
  SUPPLE_TRY_VOID(add("COLOR_0", colours, 4));
  std::vector<double> texcoords;
  for (const Eigen::Vector2d& uv : part.texcoords) {
    texcoords.insert(texcoords.end(), {uv.x(), uv.y()});
  }
  SUPPLE_TRY_VOID(add("TEXCOORD_0", texcoords, 2));
  std::vector<std::uint16_t> joints;
  std::vector<double> weights;
  for (const SkinnedVertex& vertex : part.skin) append_skin(vertex, joints, weights);
  if (!joints.empty()) attributes["JOINTS_0"] = gltf::append_joints(document, joints);
  SUPPLE_TRY_VOID(add("WEIGHTS_0", weights, 4));
  for (const GltfAttribute& attribute : part.attributes) {
    const std::vector<double> values(attribute.values.begin(), attribute.values.end());
    SUPPLE_TRY_VOID(add(attribute.name, values, attribute.width));
  }
  return Json{{"attributes", attributes},
              {"indices", gltf::append_triangles(document, part.triangles)}};
}

/// The bones as nodes, and the nodes that draw meshes next to their roots: glTF ignores their
/// transforms, so they must not be below a bone.
void add_nodes(Json& json, const SkinnedModel& model) {
  Json nodes = Json::array();
  Json roots = Json::array();
  for (std::size_t b = 0; b < model.bones.size(); ++b) {
    const SkinnedBone& bone = model.bones[b];
    const Eigen::Quaterniond q = bone.rotation.normalized();
    nodes.push_back({{"name", bone.name},
                     {"translation", numbers(bone.translation)},
                     {"rotation", Json::array({q.x(), q.y(), q.z(), q.w()})}});
    if (bone.parent) {
      nodes[*bone.parent]["children"].push_back(b);
    } else {
      roots.push_back(b);
    }
  }
  for (std::size_t m = 0; m < json["meshes"].size(); ++m) {
    roots.push_back(nodes.size());
    nodes.push_back({{"name", json["meshes"][m]["name"]}, {"mesh", m}});
    if (!model.bones.empty()) nodes.back()["skin"] = 0;
  }
  json["nodes"] = std::move(nodes);
  json["scenes"] = Json::array({{{"nodes", std::move(roots)}}});
  json["scene"] = 0;
}

Result<void> add_skin(GltfDocument& document, const SkinnedModel& model) {
  std::vector<double> inverse_binds;
  Json joints = Json::array();
  for (const Eigen::Isometry3d& world : rest_world(model.bones)) {
    const Eigen::Matrix4d inverse = world.inverse().matrix();
    inverse_binds.insert(inverse_binds.end(), inverse.data(), inverse.data() + 16);
    joints.push_back(joints.size());
  }
  SUPPLE_TRY(const std::size_t accessor,
             gltf::append_floats(document, inverse_binds, 16, gltf::Use::Plain));
  document.json["skins"] =
      Json::array({{{"name", model.name}, {"joints", joints}, {"inverseBindMatrices", accessor}}});
  return {};
}

Result<GltfAsset> base_document(const SkinnedModel& model) {
  auto document = std::make_shared<GltfDocument>();
  Json& json = document->json;
  json["asset"] = {{"version", "2.0"}, {"generator", "supple"}};
  Json meshes = Json::array();
  Json materials = Json::array();
  for (const SkinnedPart& part : model.parts) {
    SUPPLE_TRY(Json primitive, make_primitive(*document, part));
    primitive["material"] = materials.size();
    materials.push_back(material_json(part));
    const std::string& name = mesh_name(model, part);
    auto mesh = std::find_if(meshes.begin(), meshes.end(),
                             [&](const Json& known) { return known["name"] == name; });
    if (mesh == meshes.end()) {
      meshes.push_back({{"name", name}, {"primitives", Json::array()}});
      mesh = std::prev(meshes.end());
    }
    (*mesh)["primitives"].push_back(std::move(primitive));
  }
  json["materials"] = std::move(materials);
  json["meshes"] = std::move(meshes);
  add_nodes(json, model);
  if (!model.bones.empty()) SUPPLE_TRY_VOID(add_skin(*document, model));
  return gltf::view_document(std::move(document), model.name);
}

/// Neighbouring keys on the same side of the sphere, so that even simple viewers blend the short
/// way.
std::vector<double> channel_values(const std::vector<Eigen::Quaterniond>& rotations) {
  std::vector<double> values;
  Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
  for (const Eigen::Quaterniond& rotation : rotations) {
    Eigen::Quaterniond q = rotation.normalized();
    if (q.dot(last) < 0) q.coeffs() *= -1;
    values.insert(values.end(), {q.x(), q.y(), q.z(), q.w()});
    last = q;
  }
  return values;
}

std::vector<double> channel_values(const std::vector<Vec3>& translations) {
  std::vector<double> values;
  for (const Vec3& t : translations) values.insert(values.end(), {t.x(), t.y(), t.z()});
  return values;
}

Result<GltfAsset> make(const SkinnedModel& model) {
  SUPPLE_TRY(const GltfAsset base, base_document(model));
  GltfEditor editor(base);
  for (const SkinnedClip& clip : model.clips) {
    const std::size_t animation = editor.add_animation(clip.name);
    for (const SkinnedTrack& track : clip.tracks) {
      if (!track.rotations.empty()) {
        SUPPLE_TRY_VOID(editor.set_channel(
            animation, track.bone, GltfPath::Rotation,
            {GltfInterpolation::Linear, 4, clip.times, channel_values(track.rotations)}));
      }
      if (!track.translations.empty()) {
        SUPPLE_TRY_VOID(editor.set_channel(
            animation, track.bone, GltfPath::Translation,
            {GltfInterpolation::Linear, 3, clip.times, channel_values(track.translations)}));
      }
    }
  }
  return std::move(editor).finish();
}

}  // namespace

std::vector<Eigen::Isometry3d> rest_world(const std::vector<SkinnedBone>& bones) {
  std::vector<Eigen::Isometry3d> world;
  for (const SkinnedBone& bone : bones) {
    const Eigen::Isometry3d local =
        Eigen::Translation3d(bone.translation) * bone.rotation.normalized();
    world.push_back(bone.parent ? world[*bone.parent] * local : local);
  }
  return world;
}

Result<void> SkinnedModel::validate() const {
  if (parts.empty()) return bad_input("a model needs parts");
  if (bones.size() > std::numeric_limits<std::uint16_t>::max()) {
    return bad_input(fmt::format("{} bones are too many for a glTF skin", bones.size()));
  }
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (bones[b].parent && *bones[b].parent >= b) {
      return bad_input(fmt::format("bone '{}' must come after its parent", bones[b].name));
    }
  }
  for (const SkinnedPart& part : parts) {
    SUPPLE_TRY_VOID(check_part(part, bones.size()).during(fmt::format("part '{}'", part.material)));
  }
  for (const SkinnedClip& clip : clips) {
    SUPPLE_TRY_VOID(check_clip(clip, bones.size()).during(fmt::format("clip '{}'", clip.name)));
  }
  return {};
}

Result<GltfAsset> make_gltf(const SkinnedModel& model) {
  SUPPLE_TRY_VOID(model.validate().during(fmt::format("model '{}'", model.name)));
  try {
    return make(model);
  } catch (const std::exception& failure) {
    return bad_input(fmt::format("cannot write '{}' as glTF: {}", model.name, failure.what()));
  }
}

}  // namespace supple::io
