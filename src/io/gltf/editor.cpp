// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_editor.hpp"

#include "io/gltf/accessor.hpp"
#include "io/gltf/builder.hpp"
#include "io/gltf/reader.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace supple::io {
namespace {

using geometry::Vec3;
using gltf::find;

constexpr std::array<const char*, 4> kPathNames{"translation", "rotation", "scale", "weights"};
constexpr std::array<const char*, 3> kInterpolationNames{"LINEAR", "STEP", "CUBICSPLINE"};

struct Semantic {
  const char* name;
  std::vector<Vec3> GltfMorphTarget::*values;
};
constexpr std::array<Semantic, 3> kSemantics{{{"POSITION", &GltfMorphTarget::positions},
                                              {"NORMAL", &GltfMorphTarget::normals},
                                              {"TANGENT", &GltfMorphTarget::tangents}}};

/// Appends targets to one primitive. All targets of a primitive get the same attributes, including
/// old ones: three.js substitutes the base mesh's normal for a missing one.
class TargetAppender {
 public:
  TargetAppender(GltfDocument& document, Json& primitive, GltfStorage storage)
      : m_document(document), m_primitive(primitive), m_storage(storage) {}

  [[nodiscard]] Result<void> append(const std::vector<GltfMorphTarget>& targets) {
    const Json* attributes = find(m_primitive, "attributes");
    const Json* position = attributes == nullptr ? nullptr : find(*attributes, "POSITION");
    if (position == nullptr) return bad_input("a primitive without positions cannot be morphed");
    m_count = m_document.json["accessors"][position->get<std::size_t>()]["count"];
    Json all = m_primitive.value("targets", Json::array());
    const std::size_t old = all.size();
    for (std::size_t k = 0; k < targets.size(); ++k) all.push_back(Json::object());
    for (const Semantic& semantic : kSemantics) {
      SUPPLE_TRY_VOID(append(semantic, targets, old, all));
    }
    m_primitive["targets"] = std::move(all);
    return {};
  }

 private:
  Result<void> append(const Semantic& semantic, const std::vector<GltfMorphTarget>& targets,
                      std::size_t old, Json& all) {
    const bool in_new = std::any_of(targets.begin(), targets.end(), [&](const auto& target) {
      return !(target.*semantic.values).empty();
    });
    const bool in_old = std::any_of(all.begin(), all.end(), [&](const Json& target) {
      return find(target, semantic.name) != nullptr;
    });
    const bool always = semantic.values == &GltfMorphTarget::positions;
    if (!in_new && !in_old && !always) return {};
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (find(all[k], semantic.name) != nullptr) continue;
      const std::vector<Vec3>* values = k < old ? nullptr : &(targets[k - old].*semantic.values);
      const bool moves = values != nullptr && !values->empty();
      SUPPLE_TRY(const std::size_t accessor, moves ? append(*values) : zeros());
      all[k][semantic.name] = accessor;
    }
    return {};
  }

  Result<std::size_t> append(const std::vector<Vec3>& values) {
    SUPPLE_CHECK_OP(values.size(), ==, m_count);
    return m_storage == GltfStorage::Sparse ? gltf::append_sparse(m_document, values)
                                            : gltf::append_vectors(m_document, values);
  }

  /// All targets that do not move share one accessor of zeros.
  Result<std::size_t> zeros() {
    if (!m_zeros) {
      SUPPLE_TRY(m_zeros, append(std::vector<Vec3>(m_count, Vec3::Zero())));
    }
    return *m_zeros;
  }

  GltfDocument& m_document;
  Json& m_primitive;
  GltfStorage m_storage;
  std::size_t m_count = 0;
  std::optional<std::size_t> m_zeros;
};

void extend(Json& object, const char* key, std::size_t count) {
  if (find(object, key) == nullptr) return;
  for (std::size_t i = 0; i < count; ++i) object[key].push_back(0.0);
}

void extend_names(Json& mesh, std::size_t old, const std::vector<std::string>& names) {
  Json& extras = mesh["extras"];
  if (!extras.is_null() && !extras.is_object()) extras = Json{{"value", std::move(extras)}};
  Json list = Json::array();
  const Json* given = find(extras, "targetNames");
  for (std::size_t i = 0; i < old; ++i) {
    const bool named = given != nullptr && i < given->size() && (*given)[i].is_string();
    list.push_back(named ? (*given)[i] : Json(fmt::format("target_{}", i)));
  }
  for (const std::string& name : names) list.push_back(name);
  extras["targetNames"] = std::move(list);
}

/// Widens the keys of a weights sampler from `old` to `old + added` numbers, the new ones 0.
Result<std::size_t> widen(GltfDocument& document, std::size_t output, std::size_t old,
                          std::size_t added) {
  gltf::AccessorReader accessors(document);
  SUPPLE_TRY(const gltf::Elements elements, accessors.numbers(output));
  std::vector<double> values;
  for (std::size_t i = 0; i < elements.values.size(); i += old) {
    const auto first = elements.values.begin() + static_cast<std::ptrdiff_t>(i);
    values.insert(values.end(), first, first + static_cast<std::ptrdiff_t>(old));
    values.insert(values.end(), added, 0.0);
  }
  return gltf::append_floats(document, values, 1, gltf::Use::Plain);
}

/// Every weights channel of a node with this mesh must give all its weights.
Result<void> widen_animations(GltfDocument& document, std::size_t mesh, std::size_t old,
                              std::size_t added) {
  if (old == 0 || find(document.json, "animations") == nullptr) return {};
  for (Json& animation : document.json["animations"]) {
    std::map<std::size_t, std::size_t> widened;  // sampler: its wide copy
    if (find(animation, "channels") == nullptr) continue;
    for (Json& channel : animation["channels"]) {
      const Json& target = channel["target"];
      if (gltf::get_string(target, "path") != "weights" || !target.contains("node")) continue;
      const Json* shown = find(document.json["nodes"][target["node"].get<std::size_t>()], "mesh");
      if (shown == nullptr || shown->get<std::size_t>() != mesh) continue;
      const auto sampler = channel["sampler"].get<std::size_t>();
      if (!widened.contains(sampler)) {
        Json copy = animation["samplers"][sampler];
        SUPPLE_TRY(copy["output"], widen(document, copy["output"].get<std::size_t>(), old, added));
        animation["samplers"].push_back(std::move(copy));
        widened[sampler] = animation["samplers"].size() - 1;
      }
      channel["sampler"] = widened[sampler];
    }
    if (!widened.empty()) gltf::drop_unused_samplers(animation);
  }
  return {};
}

const char* image_type(std::span<const std::byte> bytes) {
  const std::string_view text = as_text(bytes);
  if (text.starts_with("\x89PNG")) return "image/png";
  if (text.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  if (text.starts_with("RIFF") && text.substr(0, 12).ends_with("WEBP")) return "image/webp";
  if (text.starts_with("\xABKTX 20")) return "image/ktx2";
  return nullptr;
}

/// nlohmann-json throws on content that a checked document cannot have, and memory may run out.
template <class Body>
Result<void> guarded(Body&& body) {
  try {
    return body();
  } catch (const std::exception& failure) {
    return bad_input(fmt::format("the glTF document cannot be edited: {}", failure.what()));
  }
}

}  // namespace

GltfEditor::GltfEditor(const GltfAsset& asset)
    : m_name(asset.name), m_document(std::make_unique<GltfDocument>(*asset.document)) {
  m_document->json["asset"]["generator"] = "supple";
}
GltfEditor::~GltfEditor() = default;
GltfEditor::GltfEditor(GltfEditor&&) noexcept = default;
GltfEditor& GltfEditor::operator=(GltfEditor&&) noexcept = default;

Result<void> GltfEditor::add_morph_targets(
    std::size_t mesh, const std::vector<std::string>& names,
    const std::vector<std::vector<GltfMorphTarget>>& by_primitive, GltfStorage storage) {
  SUPPLE_CHECK_OP(mesh, <, gltf::array_size(m_document->json, "meshes"));
  return guarded([&]() -> Result<void> {
    Json& json = m_document->json;
    // The reference stays valid: adding accessors moves other lists of the document, not this one.
    Json& edited = json["meshes"][mesh];
    SUPPLE_CHECK_OP(by_primitive.size(), ==, edited["primitives"].size());
    const std::size_t old = gltf::array_size(edited["primitives"][0], "targets");
    for (std::size_t p = 0; p < by_primitive.size(); ++p) {
      SUPPLE_CHECK_OP(by_primitive[p].size(), ==, names.size());
      TargetAppender appender(*m_document, edited["primitives"][p], storage);
      SUPPLE_TRY_VOID(appender.append(by_primitive[p])
                          .during(fmt::format(
                              "adding morph targets to {}, primitive {}",
                              gltf::called("mesh", mesh, gltf::get_string(edited, "name")), p)));
    }
    extend(edited, "weights", names.size());
    extend_names(edited, old, names);
    if (find(json, "nodes") != nullptr) {
      for (Json& node : json["nodes"]) {
        if (node.contains("mesh") && node["mesh"] == mesh) extend(node, "weights", names.size());
      }
    }
    return widen_animations(*m_document, mesh, old, names.size());
  });
}

Result<void> GltfEditor::set_attribute(std::size_t mesh, std::size_t primitive,
                                       const GltfAttribute& attribute) {
  SUPPLE_CHECK(attribute.name.starts_with('_'));
  SUPPLE_CHECK(attribute.width >= 1 && attribute.width <= 4);
  return guarded([&]() -> Result<void> {
    const std::vector<double> values(attribute.values.begin(), attribute.values.end());
    SUPPLE_TRY(const std::size_t accessor,
               gltf::append_floats(*m_document, values, attribute.width, gltf::Use::Vertices));
    m_document->json["meshes"][mesh]["primitives"][primitive]["attributes"][attribute.name] =
        accessor;
    return {};
  });
}

Result<void> GltfEditor::set_colours(std::size_t mesh, std::size_t primitive,
                                     const std::vector<Eigen::Vector4d>& colours) {
  return guarded([&]() -> Result<void> {
    const std::span<const double> values(colours.empty() ? nullptr : colours.front().data(),
                                         4 * colours.size());
    SUPPLE_TRY(const std::size_t accessor,
               gltf::append_floats(*m_document, values, 4, gltf::Use::Vertices));
    m_document->json["meshes"][mesh]["primitives"][primitive]["attributes"]["COLOR_0"] = accessor;
    return {};
  });
}

Result<void> GltfEditor::follow_joint(std::size_t mesh, std::size_t primitive, std::size_t joint) {
  return guarded([&]() -> Result<void> {
    Json& attributes = m_document->json["meshes"][mesh]["primitives"][primitive]["attributes"];
    const std::size_t position = attributes["POSITION"];
    const std::size_t count = m_document->json["accessors"][position]["count"];
    for (int set = 1; attributes.contains(fmt::format("JOINTS_{}", set)); ++set) {
      attributes.erase(fmt::format("JOINTS_{}", set));
      attributes.erase(fmt::format("WEIGHTS_{}", set));
    }
    std::vector<std::uint16_t> joints(4 * count, 0);
    std::vector<double> weights(4 * count, 0.0);
    for (std::size_t v = 0; v < count; ++v) {
      joints[4 * v] = static_cast<std::uint16_t>(joint);
      weights[4 * v] = 1;
    }
    attributes["JOINTS_0"] = gltf::append_joints(*m_document, joints);
    SUPPLE_TRY(attributes["WEIGHTS_0"],
               gltf::append_floats(*m_document, weights, 4, gltf::Use::Vertices));
    return {};
  });
}

std::size_t GltfEditor::add_animation(const std::string& name) {
  Json& animations = m_document->json["animations"];
  Json animation{{"samplers", Json::array()}, {"channels", Json::array()}};
  if (!name.empty()) animation["name"] = name;
  animations.push_back(std::move(animation));
  return animations.size() - 1;
}

Result<void> GltfEditor::set_channel(std::size_t animation, std::size_t node, GltfPath path,
                                     const GltfSampler& sampler) {
  SUPPLE_CHECK_OP(animation, <, gltf::array_size(m_document->json, "animations"));
  SUPPLE_CHECK_OP(node, <, gltf::array_size(m_document->json, "nodes"));
  const bool cubic = sampler.interpolation == GltfInterpolation::CubicSpline;
  SUPPLE_CHECK_OP(sampler.values.size(), ==,
                  sampler.times.size() * sampler.width * (cubic ? 3 : 1));
  SUPPLE_CHECK(!sampler.values.empty());
  const std::size_t width = path == GltfPath::Weights ? 1 : path == GltfPath::Rotation ? 4 : 3;
  SUPPLE_CHECK(path == GltfPath::Weights || sampler.width == width);
  return guarded([&]() -> Result<void> {
    SUPPLE_TRY(const std::size_t input,
               gltf::append_floats(*m_document, sampler.times, 1, gltf::Use::Plain));
    SUPPLE_TRY(const std::size_t output,
               gltf::append_floats(*m_document, sampler.values, width, gltf::Use::Plain));
    Json& edited = m_document->json["animations"][animation];
    edited["samplers"].push_back(
        {{"input", input},
         {"output", output},
         {"interpolation", kInterpolationNames[static_cast<std::size_t>(sampler.interpolation)]}});
    const char* path_name = kPathNames[static_cast<std::size_t>(path)];
    Json added{{"sampler", edited["samplers"].size() - 1},
               {"target", {{"node", node}, {"path", path_name}}}};
    const auto same = [&](const Json& channel) {
      const Json* target = find(channel, "target");
      const Json* shown = target == nullptr ? nullptr : find(*target, "node");
      return shown != nullptr && *shown == node && gltf::get_string(*target, "path") == path_name;
    };
    Json& channels = edited["channels"];
    const auto existing = std::find_if(channels.begin(), channels.end(), same);
    if (existing == channels.end()) {
      channels.push_back(std::move(added));
    } else {
      (*existing)["sampler"] = added["sampler"];
      gltf::drop_unused_samplers(edited);
    }
    return {};
  });
}

Result<void> GltfEditor::set_rest(std::size_t node, GltfPath path, std::span<const double> values) {
  SUPPLE_CHECK_OP(node, <, gltf::array_size(m_document->json, "nodes"));
  SUPPLE_CHECK(path != GltfPath::Weights);
  SUPPLE_CHECK_OP(values.size(), ==, path == GltfPath::Rotation ? 4U : 3U);
  return guarded([&]() -> Result<void> {
    Json& edited = m_document->json["nodes"][node];
    if (edited.contains("matrix")) {
      return bad_input(fmt::format("{} has a matrix; use translation, rotation and scale instead",
                                   gltf::called("node", node, gltf::get_string(edited, "name"))));
    }
    edited[kPathNames[static_cast<std::size_t>(path)]] =
        std::vector<double>(values.begin(), values.end());
    return {};
  });
}

void GltfEditor::add_empty_node(const std::string& name, const geometry::Vec3& place) {
  Json& nodes = m_document->json["nodes"];
  const std::size_t index = nodes.size();
  // Nodes without any content are suspicious to validators; the note is content.
  nodes.push_back({{"name", name},
                   {"translation", {place.x(), place.y(), place.z()}},
                   {"extras", {{"supple", name}}}});
  // Without scenes, every node without a parent is shown.
  if (gltf::array_size(m_document->json, "scenes") == 0) return;
  const std::size_t scene = m_document->json.value("scene", std::size_t{0});
  m_document->json["scenes"][scene]["nodes"].push_back(index);
}

Result<void> GltfEditor::embed_images() {
  return guarded([&]() -> Result<void> {
    if (find(m_document->json, "images") == nullptr) return {};
    for (Json& image : m_document->json["images"]) {
      const std::string uri = gltf::get_string(image, "uri");
      if (uri.empty() || uri.starts_with("data:")) continue;
      constexpr std::size_t kLargestImage = std::size_t{1} << 30U;
      SUPPLE_TRY(const Bytes bytes, gltf::fetch(uri, m_document->directory, kLargestImage)
                                        .during(fmt::format("reading image '{}'", uri)));
      const char* type = image_type(bytes);
      if (type == nullptr)
        return bad_input(fmt::format("'{}' is not a PNG, JPEG, WebP or KTX2 file", uri));
      image.erase("uri");
      image["mimeType"] = type;
      image["bufferView"] = gltf::append_view(*m_document, bytes);
    }
    return {};
  });
}

Result<GltfAsset> GltfEditor::finish() && {
  try {
    return gltf::view_document(std::shared_ptr<const GltfDocument>(std::move(m_document)), m_name);
  } catch (const std::exception& failure) {
    return bad_input(fmt::format("cannot be read back: {}", failure.what())).at(m_name);
  }
}

}  // namespace supple::io
