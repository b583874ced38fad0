// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/mesh_codecs.hpp"
#include "io/gltf/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>

namespace supple::io::gltf {
namespace {

/// A flat mesh shrinks to a thousandth; anything beyond is an attack.
constexpr std::size_t kBudgetPerCompressedByte = 1024;
constexpr std::size_t kDecodingBase = std::size_t{256} << 20U;

constexpr std::size_t kByteLimit = std::size_t{1} << 32U;  // a .glb counts its bytes in 32 bits
constexpr std::size_t kElementLimit = std::size_t{1} << 31U;
constexpr std::size_t kLargestStride = 256;
constexpr std::size_t kDracoIds = std::size_t{1} << 31U;
constexpr std::size_t kUnsignedIndices = 5125;
constexpr std::size_t kVertexTarget = 34962;
constexpr std::size_t kIndexTarget = 34963;

const Json* extension_of(const Json& object, const char* name) {
  const Json* extensions = find(object, "extensions");
  return extensions == nullptr ? nullptr : find(*extensions, name);
}

void drop_extension(Json& object, const char* name) {
  if (extension_of(object, name) == nullptr) return;
  object["extensions"].erase(name);
  if (object["extensions"].empty()) object.erase("extensions");
}

/// From extensionsUsed or extensionsRequired; neither may be empty.
void drop_name(Json& json, const char* list, const char* name) {
  if (array_size(json, list) == 0) return;
  Json kept = Json::array();
  for (const Json& entry : json[list]) {
    if (entry != name) kept.push_back(entry);
  }
  if (kept.empty()) {
    json.erase(list);
  } else {
    json[list] = std::move(kept);
  }
}

/// Calls `use(primitive, where)` for every primitive until one fails.
template <class Use>
Result<void> for_each_primitive(Json& json, Use&& use) {
  for (std::size_t m = 0; m < array_size(json, "meshes"); ++m) {
    Json& mesh = json["meshes"][m];
    for (std::size_t p = 0; p < array_size(mesh, "primitives"); ++p) {
      const std::string where =
          fmt::format("{}, primitive {}", called("mesh", m, get_string(mesh, "name")), p);
      SUPPLE_TRY_VOID(use(mesh["primitives"][p], where));
    }
  }
  return {};
}

bool names_accessor(const Json& accessors, const std::set<std::size_t>& wanted) {
  if (!accessors.is_object()) return false;
  return std::any_of(accessors.begin(), accessors.end(), [&](const Json& accessor) {
    return accessor.is_number_unsigned() && wanted.contains(accessor.get<std::size_t>());
  });
}

/// "mesh 'body', primitive 0": what first shows the content of a buffer view.
std::string user_of(Json& json, std::size_t view) {
  std::set<std::size_t> accessors;
  for (std::size_t a = 0; a < array_size(json, "accessors"); ++a) {
    const Json* used = find(json["accessors"][a], "bufferView");
    if (used != nullptr && *used == view) accessors.insert(a);
  }
  std::string user = fmt::format("buffer view {}", view);
  (void)for_each_primitive(json, [&](const Json& primitive, const std::string& where) {
    const Json* attributes = find(primitive, "attributes");
    bool uses = attributes != nullptr && names_accessor(*attributes, accessors);
    uses = uses || names_accessor(Json{{"indices", primitive.value("indices", Json())}}, accessors);
    for (std::size_t t = 0; t < array_size(primitive, "targets"); ++t) {
      uses = uses || names_accessor(primitive["targets"][t], accessors);
    }
    if (!uses) return Result<void>();
    user = fmt::format("{} ({})", where, user);
    return Result<void>(bad_input("found"));  // stops the search
  });
  return user;
}

/// Weights that sum to 1 again, as glTF demands: Draco rounds each of them. Sums that are farther
/// away were like that before.
void normalise_weights(const std::vector<std::string>& names,
                       const std::vector<DracoAttribute>& attributes, DracoMesh& mesh) {
  constexpr float kLargestRounding = 0.02F;  // of eight numbers of 8 bits
  std::vector<std::byte*> sets;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const ElementType& type = attributes[i].type;
    if (names[i].starts_with("WEIGHTS_") && type.component == Component::Float && type.rows == 4) {
      sets.push_back(mesh.attributes[i].data());
    }
  }
  std::array<float, 4> weights{};
  for (std::size_t v = 0; v < mesh.vertices; ++v) {
    float sum = 0;
    for (const std::byte* set : sets) {
      std::memcpy(weights.data(), set + v * sizeof weights, sizeof weights);
      for (const float weight : weights) sum += weight;
    }
    if (!(std::abs(sum - 1) <= kLargestRounding)) continue;
    for (std::byte* set : sets) {
      std::memcpy(weights.data(), set + v * sizeof weights, sizeof weights);
      for (float& weight : weights) weight /= sum;
      std::memcpy(set + v * sizeof weights, weights.data(), sizeof weights);
    }
  }
}

class Decompressor {
 public:
  explicit Decompressor(GltfDocument& document)
      : m_document(document),
        m_json(document.json),
        m_views(array_size(document.json, "bufferViews")),
        m_budget(document.binary.size()) {}

  Result<std::vector<std::string>> run() {
    SUPPLE_TRY_VOID(decode_views());
    SUPPLE_TRY_VOID(for_each_primitive(m_json, [&](Json& primitive, const std::string& where) {
      return decode_primitive(primitive).during("reading " + where);
    }));
    remove_extensions();
    std::vector<std::string> notes;
    if (!m_decoded.empty()) {
      SUPPLE_TRY_VOID(rebuild());
      SUPPLE_TRY_VOID(refresh_bounds());
    }
    note(m_meshopt_views, "buffer views", kMeshoptExtension, notes);
    note(m_draco_primitives, "primitives", kDracoExtension, notes);
    return notes;
  }

 private:
  static void note(std::size_t count, const char* what, const char* extension,
                   std::vector<std::string>& notes) {
    if (count == 0) return;
    notes.push_back(
        fmt::format("meshes are compressed with {} ({}: {}); they are decoded, and what is written "
                    "from this file is not compressed",
                    extension, what, count));
  }

  /// The bytes of a view, decoded or as they are in the file.
  Result<std::span<const std::byte>> bytes_of(const Json& view, const std::string& where) const {
    SUPPLE_TRY(const std::size_t offset, get_integer(view, "byteOffset", kByteLimit, where, 0));
    SUPPLE_TRY(const std::size_t size, get_integer(view, "byteLength", kByteLimit, where));
    if (offset + size > m_document.binary.size()) {
      return bad_input(fmt::format("{} extends beyond the end of its buffer ({} + {} of {} bytes)",
                                   where, offset, size, m_document.binary.size()));
    }
    return std::span<const std::byte>(m_document.binary).subspan(offset, size);
  }

  Result<void> decode_views() {
    for (std::size_t i = 0; i < m_views; ++i) {
      Json& view = m_json["bufferViews"][i];
      const Json* extension = extension_of(view, kMeshoptExtension);
      if (extension == nullptr) continue;
      Result<Bytes> decoded = decode_view(view, *extension);
      if (!decoded.ok()) {
        return Result<void>(std::move(decoded).error()).during("reading " + user_of(m_json, i));
      }
      m_decoded[i] = std::move(decoded).value();
      ++m_meshopt_views;
    }
    return {};
  }

  Result<Bytes> decode_view(const Json& view, const Json& extension) {
    const std::string where = kMeshoptExtension;
    SUPPLE_TRY(const auto compressed, bytes_of(extension, where));
    MeshoptView described;
    SUPPLE_TRY(described.count, get_integer(extension, "count", kElementLimit, where));
    SUPPLE_TRY(described.stride, get_integer(extension, "byteStride", kLargestStride + 1, where));
    described.mode = get_string(extension, "mode");
    described.filter = get_string(extension, "filter");
    if (described.filter.empty()) described.filter = "NONE";
    SUPPLE_TRY(const std::size_t size, get_integer(view, "byteLength", kByteLimit, "buffer view"));
    if (size != described.count * described.stride) {
      return bad_input(fmt::format("{} elements of {} bytes are not the {} bytes of the view",
                                   described.count, described.stride, size));
    }
    return decode_meshopt(compressed, described, m_budget);
  }

  Result<void> decode_primitive(Json& primitive) {
    const Json* extension = extension_of(primitive, kDracoExtension);
    if (extension == nullptr) return {};
    SUPPLE_TRY(const std::size_t mode, get_integer(primitive, "mode", 7, "primitive", 4));
    if (mode != 4 && mode != 5) {
      return bad_input(
          fmt::format("{} is for triangles and strips, not for mode {}", kDracoExtension, mode));
    }
    if (find(primitive, "attributes") == nullptr || !primitive["attributes"].is_object() ||
        find(*extension, "attributes") == nullptr || !(*extension)["attributes"].is_object()) {
      return bad_input(fmt::format("{}: 'attributes' is missing", kDracoExtension));
    }
    SUPPLE_TRY(const bool complete, has_fallback(primitive, *extension));
    if (complete) {  // the same mesh uncompressed, and exact
      drop_extension(primitive, kDracoExtension);
      return {};
    }
    SUPPLE_TRY_VOID(replace_primitive(primitive, Json(*extension)));
    ++m_draco_primitives;
    return {};
  }

  /// Whether every compressed accessor has plain bytes too.
  Result<bool> has_fallback(const Json& primitive, const Json& extension) const {
    const std::size_t count = array_size(m_json, "accessors");
    const auto filled = [&](const Json& owner, const char* key) -> Result<bool> {
      SUPPLE_TRY(const auto accessor, find_integer(owner, key, count, "primitive"));
      return accessor && find(m_json["accessors"][*accessor], "bufferView") != nullptr &&
             !m_filled.contains(*accessor);
    };
    SUPPLE_TRY(bool complete, filled(primitive, "indices"));
    for (const auto& [name, id] : extension["attributes"].items()) {
      SUPPLE_TRY(const bool one, filled(primitive["attributes"], name.c_str()));
      complete = complete && one;
    }
    return complete;
  }

  Result<void> replace_primitive(Json& primitive, const Json& extension) {
    const std::size_t accessors = array_size(m_json, "accessors");
    std::vector<std::string> names;
    std::vector<DracoAttribute> wanted;
    for (const auto& [name, unused] : extension["attributes"].items()) {
      DracoAttribute attribute;
      SUPPLE_TRY(const std::size_t id,
                 get_integer(extension["attributes"], name.c_str(), kDracoIds, kDracoExtension));
      attribute.id = static_cast<std::uint32_t>(id);
      SUPPLE_TRY(const std::size_t accessor,
                 get_integer(primitive["attributes"], name.c_str(), accessors, "attributes"));
      SUPPLE_TRY(attribute.type,
                 element_type(m_json["accessors"][accessor], fmt::format("accessor {}", accessor)));
      names.push_back(name);
      wanted.push_back(attribute);
    }
    SUPPLE_TRY(const std::size_t view,
               get_integer(extension, "bufferView", m_views, kDracoExtension));
    const std::string where = fmt::format("buffer view {}", view);
    SUPPLE_TRY(const auto compressed, bytes_of(m_json["bufferViews"][view], where));
    SUPPLE_TRY(DracoMesh mesh, decode_draco(compressed, wanted, m_budget));
    normalise_weights(names, wanted, mesh);
    for (std::size_t i = 0; i < names.size(); ++i) {
      SUPPLE_TRY_VOID(put_attribute(primitive["attributes"], names[i], wanted[i].type,
                                    std::move(mesh.attributes[i]), mesh.vertices)
                          .during(fmt::format("reading attribute {}", names[i])));
    }
    SUPPLE_TRY_VOID(put_indices(primitive, view, mesh));
    drop_extension(primitive, kDracoExtension);
    return {};
  }

  Result<void> put_attribute(Json& attributes, const std::string& name, const ElementType& type,
                             Bytes bytes, std::size_t vertices) {
    const std::size_t accessor = own_accessor(attributes, name.c_str());
    Json& json = m_json["accessors"][accessor];
    SUPPLE_TRY(const std::size_t count, get_integer(json, "count", kElementLimit, "accessor"));
    if (count != vertices) {
      return bad_input(fmt::format("accessor {} announces {} vertices, the Draco data has {}",
                                   accessor, count, vertices));
    }
    Json view{{"buffer", 0}, {"target", kVertexTarget}};
    const std::size_t stride = padded_to_word(type.element_size());
    if (stride != type.element_size()) view["byteStride"] = stride;
    json["bufferView"] = add_view(std::move(view), std::move(bytes));
    json.erase("byteOffset");
    return {};
  }

  /// A list of triangles, whatever the mode: Draco keeps no strips. It takes the place of the
  /// compressed view, so that none is left without a use.
  Result<void> put_indices(Json& primitive, std::size_t draco_view, const DracoMesh& mesh) {
    SUPPLE_TRY(const std::size_t mode, get_integer(primitive, "mode", 7, "primitive", 4));
    if (find(primitive, "indices") == nullptr) {
      m_json["accessors"].push_back({{"type", "SCALAR"}, {"count", mesh.indices.size()}});
      primitive["indices"] = m_json["accessors"].size() - 1;
    }
    const std::size_t accessor = own_accessor(primitive, "indices");
    Json& json = m_json["accessors"][accessor];
    SUPPLE_TRY(const std::size_t count, get_integer(json, "count", kElementLimit, "indices"));
    if (mode == 4 && count != mesh.indices.size()) {
      return bad_input(fmt::format("accessor {} announces {} indices, the Draco data has {}",
                                   accessor, count, mesh.indices.size()));
    }
    if (mode == 5) primitive["mode"] = 4;
    json["count"] = mesh.indices.size();
    json["componentType"] = kUnsignedIndices;
    json["type"] = "SCALAR";
    for (const char* key : {"byteOffset", "min", "max", "normalized"}) json.erase(key);
    const auto content = std::as_bytes(std::span(mesh.indices));
    Bytes bytes(content.begin(), content.end());
    Json view{{"buffer", 0}, {"target", kIndexTarget}};
    if (m_decoded.contains(draco_view)) {
      json["bufferView"] = add_view(std::move(view), std::move(bytes));
    } else {
      m_kept_source.emplace(draco_view, std::move(view));
      m_decoded[draco_view] = std::move(bytes);
      json["bufferView"] = draco_view;
    }
    return {};
  }

  /// The accessor that `owner` names, or a copy of it if another primitive has filled it: two
  /// meshes may announce the same numbers and contain different vertices.
  std::size_t own_accessor(Json& owner, const char* key) {
    auto accessor = owner[key].get<std::size_t>();
    if (m_filled.contains(accessor)) {
      Json copy = m_json["accessors"][accessor];
      m_json["accessors"].push_back(std::move(copy));
      accessor = m_json["accessors"].size() - 1;
      owner[key] = accessor;
    }
    m_filled.insert(accessor);
    return accessor;
  }

  std::size_t add_view(Json view, Bytes bytes) {
    m_json["bufferViews"].push_back(std::move(view));
    const std::size_t index = m_json["bufferViews"].size() - 1;
    m_decoded[index] = std::move(bytes);
    return index;
  }

  /// All views one after another: nothing compressed stays behind.
  Result<void> rebuild() {
    Bytes binary;
    Json& views = m_json["bufferViews"];
    for (std::size_t i = 0; i < views.size(); ++i) {
      const auto decoded = m_decoded.find(i);
      std::span<const std::byte> bytes;
      if (const auto source = m_kept_source.find(i); source != m_kept_source.end()) {
        views[i] = source->second;
      }
      if (decoded != m_decoded.end()) {
        bytes = decoded->second;
      } else {
        SUPPLE_TRY(bytes, bytes_of(views[i], fmt::format("buffer view {}", i)));
        SUPPLE_TRY_VOID(m_budget.spend(bytes.size()));
      }
      binary.resize(padded_to_word(binary.size()));
      views[i]["buffer"] = 0;
      views[i]["byteOffset"] = binary.size();
      views[i]["byteLength"] = bytes.size();
      binary.insert(binary.end(), bytes.begin(), bytes.end());
      if (decoded != m_decoded.end()) m_document.decompressed += bytes.size();
    }
    if (binary.size() >= kByteLimit) {
      return bad_input("the decoded meshes exceed 4 GiB, the limit of a .glb");
    }
    m_document.binary = std::move(binary);
    Json& buffers = m_json["buffers"];
    if (!buffers.is_array() || buffers.empty()) buffers = Json::array({Json::object()});
    buffers[0]["byteLength"] = m_document.binary.size();
    return {};
  }

  /// Codecs round: what an accessor says of its least and largest numbers no longer holds exactly.
  Result<void> refresh_bounds() {
    AccessorReader reader(m_document);
    for (std::size_t a = 0; a < array_size(m_json, "accessors"); ++a) {
      Json& accessor = m_json["accessors"][a];
      if (!accessor.is_object() || !accessor.contains("min") || !accessor.contains("max")) continue;
      SUPPLE_TRY(const auto view, find_integer(accessor, "bufferView",
                                               array_size(m_json, "bufferViews"), "accessor"));
      if (!view || !m_decoded.contains(*view)) continue;
      SUPPLE_TRY(const Elements stored, reader.stored(a));
      if (stored.count == 0) continue;
      Json low = Json::array();
      Json high = Json::array();
      for (std::size_t c = 0; c < stored.width; ++c) {
        double least = stored.values[c];
        double largest = least;
        for (std::size_t i = 1; i < stored.count; ++i) {
          least = std::min(least, stored.values[i * stored.width + c]);
          largest = std::max(largest, stored.values[i * stored.width + c]);
        }
        low.push_back(least);
        high.push_back(largest);
      }
      accessor["min"] = std::move(low);
      accessor["max"] = std::move(high);
    }
    return {};
  }

  void remove_extensions() {
    for (std::size_t i = 0; i < array_size(m_json, "bufferViews"); ++i) {
      drop_extension(m_json["bufferViews"][i], kMeshoptExtension);
    }
    for (std::size_t i = 0; i < array_size(m_json, "buffers"); ++i) {
      drop_extension(m_json["buffers"][i], kMeshoptExtension);
    }
    for (const char* name : {kDracoExtension, kMeshoptExtension}) {
      drop_name(m_json, "extensionsUsed", name);
      drop_name(m_json, "extensionsRequired", name);
    }
  }

  GltfDocument& m_document;
  Json& m_json;
  std::size_t m_views;
  DecodingBudget m_budget;
  std::map<std::size_t, Bytes> m_decoded;     // by view
  std::map<std::size_t, Json> m_kept_source;  // views that held Draco data, and what they become
  std::set<std::size_t> m_filled;             // accessors with decoded content
  std::size_t m_meshopt_views = 0;
  std::size_t m_draco_primitives = 0;
};

}  // namespace

DecodingBudget::DecodingBudget(std::size_t compressed)
    : m_left(kDecodingBase + kBudgetPerCompressedByte * compressed) {}

Result<void> DecodingBudget::spend(std::size_t bytes) {
  if (bytes > m_left) {
    return bad_input("the compressed data announces far more than the file can contain");
  }
  m_left -= bytes;
  return {};
}

Error codec_missing(const char* extension, const char* package) {
  return bad_input(
      fmt::format("compressed with {}, but this program was built without its library; install {} "
                  "and build again, or export the file without mesh compression",
                  extension, package));
}

Result<std::vector<std::string>> decompress(GltfDocument& document) {
  return Decompressor(document).run();
}

}  // namespace supple::io::gltf
