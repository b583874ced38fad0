// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_editor.hpp"

#include "io/gltf/accessor.hpp"
#include "io/gltf/builder.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace supple::io {
namespace {

/// In the extras of a mesh: the first target of the bake, and how many.
constexpr const char* kBakedTargets = "supple_targets";

struct TargetRange {
  std::size_t first = 0;
  std::size_t count = 0;

  [[nodiscard]] bool has(std::size_t target) const {
    return target >= first && target < first + count;
  }
};

/// The baked targets of a mesh; empty if it has no valid mark.
TargetRange baked_range(const Json& mesh) {
  const Json* extras = gltf::find(mesh, "extras");
  const Json* mark = extras == nullptr ? nullptr : gltf::find(*extras, kBakedTargets);
  if (mark == nullptr || !mark->is_array() || mark->size() != 2) return {};
  for (const Json& number : *mark) {
    if (!number.is_number_unsigned()) return {};
  }
  const TargetRange range{(*mark)[0].get<std::size_t>(), (*mark)[1].get<std::size_t>()};
  for (const Json& primitive : mesh["primitives"]) {
    const std::size_t count = gltf::array_size(primitive, "targets");
    if (range.first > count || range.count > count - range.first) return {};
  }
  return range;
}

/// Cuts a list of one item per target.
void cut(Json& object, const char* key, const TargetRange& range) {
  if (gltf::find(object, key) == nullptr || !object[key].is_array()) return;
  Json kept = Json::array();
  for (std::size_t i = 0; i < object[key].size(); ++i) {
    if (!range.has(i)) kept.push_back(object[key][i]);
  }
  if (kept.empty()) {
    object.erase(key);
  } else {
    object[key] = std::move(kept);
  }
}

void cut_mesh(Json& mesh, const TargetRange& range) {
  for (Json& primitive : mesh["primitives"]) cut(primitive, "targets", range);
  cut(mesh, "weights", range);
  cut(mesh["extras"], "targetNames", range);
  mesh["extras"].erase(kBakedTargets);
  if (mesh["extras"].empty()) mesh.erase("extras");
}

/// The weights of the other targets, or nothing if there are none.
Result<std::optional<std::size_t>> other_weights(GltfDocument& document, std::size_t output,
                                                 const TargetRange& range, std::size_t total) {
  if (range.count == total) return std::optional<std::size_t>();
  gltf::AccessorReader accessors(document);
  SUPPLE_TRY(const gltf::Elements elements, accessors.numbers(output));
  std::vector<double> kept;
  for (std::size_t i = 0; i < elements.values.size(); ++i) {
    if (!range.has(i % total)) kept.push_back(elements.values[i]);
  }
  SUPPLE_TRY(const std::size_t accessor, gltf::append_floats(document, kept, 1, gltf::Use::Plain));
  return std::optional<std::size_t>(accessor);
}

bool shows(const Json& json, const Json& channel, std::size_t mesh) {
  const Json* target = gltf::find(channel, "target");
  if (target == nullptr || gltf::get_string(*target, "path") != "weights") return false;
  const Json* node = gltf::find(*target, "node");
  if (node == nullptr) return false;
  const Json* shown = gltf::find(json["nodes"][node->get<std::size_t>()], "mesh");
  return shown != nullptr && shown->get<std::size_t>() == mesh;
}

/// Channels of weights have samplers of their own, one for each mesh at least.
Result<void> cut_animation(GltfDocument& document, Json& animation, std::size_t mesh,
                           const TargetRange& range, std::size_t total) {
  if (gltf::find(animation, "channels") == nullptr) return {};
  Json kept = Json::array();
  for (Json& channel : animation["channels"]) {
    if (shows(document.json, channel, mesh)) {
      Json sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
      SUPPLE_TRY(const auto output,
                 other_weights(document, sampler["output"].get<std::size_t>(), range, total));
      if (!output) continue;
      sampler["output"] = *output;
      channel["sampler"] = animation["samplers"].size();
      animation["samplers"].push_back(std::move(sampler));
    }
    kept.push_back(channel);
  }
  animation["channels"] = std::move(kept);
  gltf::drop_unused_samplers(animation);
  return {};
}

void drop_empty_animations(Json& json) {
  if (gltf::array_size(json, "animations") == 0) return;
  std::erase_if(json["animations"].get_ref<Json::array_t&>(),
                [](const Json& animation) { return gltf::array_size(animation, "channels") == 0; });
  if (json["animations"].empty()) json.erase("animations");
}

/// Accessors and buffer views that a document names.
struct References {
  std::set<std::size_t> accessors, views;

  void add(const Json& json) {
    if (json.is_array()) {
      for (const Json& item : json) add(item);
    } else if (json.is_object()) {
      for (const auto& [key, value] : json.items()) add(key, value);
    }
  }

 private:
  void add(const std::string& key, const Json& value) {
    constexpr std::array<std::string_view, 4> kAccessors{"indices", "inverseBindMatrices", "input",
                                                         "output"};
    if (key == "attributes" || key == "targets") {
      add_all(value, {&accessors});
    } else if (key == "extensions") {  // may name either
      add_all(value, {&accessors, &views});
    } else if (!value.is_number_unsigned()) {
      add(value);
    } else if (key == "bufferView") {
      views.insert(value.get<std::size_t>());
    } else if (std::find(kAccessors.begin(), kAccessors.end(), key) != kAccessors.end()) {
      accessors.insert(value.get<std::size_t>());
    }
  }

  static void add_all(const Json& json, std::initializer_list<std::set<std::size_t>*> sets) {
    for (auto* set : sets) {
      if (json.is_number_unsigned()) set->insert(json.get<std::size_t>());
    }
    if (!json.is_structured()) return;
    for (const Json& item : json) add_all(item, sets);
  }
};

/// Drops the last items of a list while nothing names them: the others keep their numbers.
void drop_tail(Json& list, const std::set<std::size_t>& used) {
  while (list.size() > 1 && !used.contains(list.size() - 1)) list.erase(list.size() - 1);
}

/// Drops the last accessors and buffer views that are not used any more, and the bytes behind the
/// views that are left.
void drop_unused_tail(GltfDocument& document) {
  Json& json = document.json;
  if (gltf::array_size(json, "accessors") == 0 || gltf::array_size(json, "bufferViews") == 0) {
    return;
  }
  References rest;
  for (const auto& [key, value] : json.items()) {
    if (key != "accessors" && key != "bufferViews") rest.add(value);
  }
  drop_tail(json["accessors"], rest.accessors);
  rest.add(json["accessors"]);
  drop_tail(json["bufferViews"], rest.views);
  std::size_t end = 0;
  for (const Json& view : json["bufferViews"]) {
    end = std::max(
        end, view.value("byteOffset", std::size_t{0}) + view["byteLength"].get<std::size_t>());
  }
  if (end >= document.binary.size()) return;
  document.binary.resize(end);
  document.decompressed = std::min(document.decompressed, end);
  json["buffers"][0]["byteLength"] = end;
}

}  // namespace

void GltfEditor::mark_baked_targets(std::size_t mesh, std::size_t first) {
  Json& edited = m_document->json["meshes"][mesh];
  const std::size_t count = gltf::array_size(edited["primitives"][0], "targets");
  SUPPLE_CHECK_OP(first, <=, count);
  edited["extras"][kBakedTargets] = {first, count - first};
}

Result<std::size_t> GltfEditor::remove_baked_targets(const std::set<std::size_t>& except) {
  try {
    Json& json = m_document->json;
    std::size_t removed = 0;
    for (std::size_t m = 0; m < gltf::array_size(json, "meshes"); ++m) {
      const TargetRange range = baked_range(json["meshes"][m]);
      if (range.count == 0 || except.contains(m)) continue;
      const std::size_t total = gltf::array_size(json["meshes"][m]["primitives"][0], "targets");
      for (std::size_t a = 0; a < gltf::array_size(json, "animations"); ++a) {
        SUPPLE_TRY_VOID(cut_animation(*m_document, json["animations"][a], m, range, total));
      }
      cut_mesh(json["meshes"][m], range);
      for (std::size_t n = 0; n < gltf::array_size(json, "nodes"); ++n) {
        Json& node = json["nodes"][n];
        if (node.contains("mesh") && node["mesh"] == m) cut(node, "weights", range);
      }
      removed += range.count;
    }
    if (removed == 0) return removed;
    drop_empty_animations(json);
    drop_unused_tail(*m_document);
    return removed;
  } catch (const std::exception& failure) {
    return bad_input(fmt::format("the glTF document cannot be edited: {}", failure.what()));
  }
}

}  // namespace supple::io
