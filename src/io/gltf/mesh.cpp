// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace supple::io::gltf {
namespace {

using geometry::Index;
using geometry::Triangle;
using geometry::Vec3;

enum Mode { kTriangles = 4, kStrip = 5, kFan = 6 };

/// The accessor of an attribute, if the primitive has one.
Result<std::optional<std::size_t>> attribute(const Json& attributes, const char* name,
                                             const AccessorReader& accessors) {
  return find_integer(attributes, name, accessors.count(), "attributes");
}

/// Elements of attribute `name`: `count` of them, each `width` wide (0: any). Empty if absent.
Result<std::optional<Elements>> read_attribute(const Json& attributes, const char* name,
                                               std::size_t width, std::optional<std::size_t> count,
                                               AccessorReader& accessors) {
  SUPPLE_TRY(const auto accessor, attribute(attributes, name, accessors));
  if (!accessor) return std::optional<Elements>();
  Result<Elements> read =
      width == 0 ? accessors.numbers(*accessor) : accessors.numbers(*accessor, width);
  SUPPLE_TRY(Elements elements, std::move(read).during(fmt::format("reading attribute {}", name)));
  if (count && elements.count != *count) {
    return bad_input(
        fmt::format("attribute {} has {} elements, POSITION has {}", name, elements.count, *count));
  }
  return std::optional<Elements>(std::move(elements));
}

template <class Vector>
std::vector<Vector> as_vectors(const std::optional<Elements>& elements) {
  std::vector<Vector> vectors;
  if (!elements) return vectors;
  vectors.reserve(elements->count);
  for (std::size_t i = 0; i < elements->count; ++i) {
    vectors.emplace_back(Eigen::Map<const Vector>(elements->values.data() + i * elements->width));
  }
  return vectors;
}

/// An attribute of fixed width as vectors; empty if absent.
template <class Vector>
Result<std::vector<Vector>> read_vectors(const Json& attributes, const char* name,
                                         std::optional<std::size_t> count,
                                         AccessorReader& accessors) {
  SUPPLE_TRY(const auto elements,
             read_attribute(attributes, name, Vector::SizeAtCompileTime, count, accessors));
  return as_vectors<Vector>(elements);
}

Result<std::vector<Eigen::Vector4d>> read_colours(const Json& attributes, std::size_t count,
                                                  AccessorReader& accessors) {
  SUPPLE_TRY(const auto elements, read_attribute(attributes, "COLOR_0", 0, count, accessors));
  if (!elements || elements->width == 4) return as_vectors<Eigen::Vector4d>(elements);
  if (elements->width != 3) {
    return bad_input(fmt::format("attribute COLOR_0 has {} channels", elements->width));
  }
  std::vector<Eigen::Vector4d> colours;
  for (const Vec3& rgb : as_vectors<Vec3>(elements)) colours.emplace_back(rgb.homogeneous());
  return colours;
}

/// All sets JOINTS_n / WEIGHTS_n, side by side.
Result<void> read_influences(const Json& attributes, AccessorReader& accessors,
                             GltfPrimitive& primitive) {
  const std::size_t count = primitive.positions.size();
  std::vector<std::vector<std::uint32_t>> joints;
  std::vector<std::vector<double>> weights;
  for (std::size_t set = 0;; ++set) {
    const std::string joints_name = fmt::format("JOINTS_{}", set);
    const std::string weights_name = fmt::format("WEIGHTS_{}", set);
    SUPPLE_TRY(const auto accessor, attribute(attributes, joints_name.c_str(), accessors));
    SUPPLE_TRY(auto elements,
               read_attribute(attributes, weights_name.c_str(), 4, count, accessors));
    if (accessor.has_value() != elements.has_value()) {
      return bad_input(fmt::format("{} and {} must come together", joints_name, weights_name));
    }
    if (!accessor) break;
    SUPPLE_TRY(
        auto indices,
        accessors.integers(*accessor, 4).during(fmt::format("reading attribute {}", joints_name)));
    if (indices.size() != 4 * count) {
      return bad_input(fmt::format("attribute {} has {} elements, POSITION has {}", joints_name,
                                   indices.size() / 4, count));
    }
    joints.push_back(std::move(indices));
    weights.push_back(std::move(elements->values));
  }
  primitive.influences = 4 * joints.size();
  for (std::size_t vertex = 0; vertex < count; ++vertex) {
    for (std::size_t set = 0; set < joints.size(); ++set) {
      for (std::size_t k = 4 * vertex; k < 4 * vertex + 4; ++k) {
        if (weights[set][k] < 0) {
          return bad_input(fmt::format("vertex {} has a negative weight", vertex));
        }
        primitive.joints.push_back(joints[set][k]);
        primitive.weights.push_back(weights[set][k]);
      }
    }
  }
  return {};
}

Result<void> read_custom_attributes(const Json& attributes, AccessorReader& accessors,
                                    GltfPrimitive& primitive) {
  for (const auto& [name, unused] : attributes.items()) {
    if (!name.starts_with('_')) continue;
    SUPPLE_TRY(const auto elements,
               read_attribute(attributes, name.c_str(), 0, primitive.positions.size(), accessors));
    GltfAttribute attribute{name, elements->width, {}};
    attribute.values.reserve(elements->values.size());
    for (const double value : elements->values) {
      attribute.values.push_back(static_cast<float>(value));
    }
    primitive.attributes.push_back(std::move(attribute));
  }
  return {};
}

/// The index list, or 0, 1, 2, ... if the primitive has none.
Result<std::vector<std::uint32_t>> read_indices(const Json& json, std::size_t vertices,
                                                AccessorReader& accessors) {
  SUPPLE_TRY(const auto accessor, find_integer(json, "indices", accessors.count(), "primitive"));
  std::vector<std::uint32_t> indices;
  if (accessor) {
    SUPPLE_TRY(indices, accessors.integers(*accessor, 1).during("reading indices"));
  } else {
    indices.resize(vertices);
    for (std::size_t i = 0; i < vertices; ++i) indices[i] = static_cast<std::uint32_t>(i);
  }
  const auto bad = std::find_if(indices.begin(), indices.end(),
                                [&](std::uint32_t index) { return index >= vertices; });
  if (bad != indices.end()) {
    return bad_input(
        fmt::format("index {} names vertex {} of {}", bad - indices.begin(), *bad, vertices));
  }
  return indices;
}

/// Strips and fans (glTF 2.0, 3.7.2.1) become triangles; their degenerate joints are dropped.
Result<std::vector<Triangle>> make_triangles(const std::vector<std::uint32_t>& indices,
                                             std::size_t mode) {
  std::vector<Triangle> triangles;
  const auto corner = [&](std::size_t i) { return static_cast<Index>(indices[i]); };
  if (mode == kTriangles) {
    if (indices.size() % 3 != 0) {
      return bad_input(fmt::format("{} indices do not form whole triangles", indices.size()));
    }
    triangles.reserve(indices.size() / 3);
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      triangles.push_back({corner(i), corner(i + 1), corner(i + 2)});
    }
    return triangles;
  }
  for (std::size_t i = 0; i + 2 < indices.size(); ++i) {
    const bool odd = i % 2 == 1;
    const Triangle t =
        mode == kFan ? Triangle{corner(i + 1), corner(i + 2), corner(0)}
                     : Triangle{corner(i), corner(i + (odd ? 2 : 1)), corner(i + (odd ? 1 : 2))};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
  }
  return triangles;
}

Result<void> read_targets(const Json& json, AccessorReader& accessors, GltfPrimitive& primitive) {
  SUPPLE_TRY(const Json* targets, find_array(json, "targets", "primitive"));
  const std::size_t count = primitive.positions.size();
  for (std::size_t i = 0; i < targets->size(); ++i) {
    const Json& attributes = (*targets)[i];
    if (!attributes.is_object())
      return bad_input(fmt::format("morph target {} is not an object", i));
    const auto read = [&]() -> Result<GltfMorphTarget> {
      GltfMorphTarget target;
      SUPPLE_TRY(target.positions, read_vectors<Vec3>(attributes, "POSITION", count, accessors));
      SUPPLE_TRY(target.normals, read_vectors<Vec3>(attributes, "NORMAL", count, accessors));
      SUPPLE_TRY(target.tangents, read_vectors<Vec3>(attributes, "TANGENT", count, accessors));
      return target;
    };
    SUPPLE_TRY(auto target, read().during(fmt::format("reading morph target {}", i)));
    primitive.targets.push_back(std::move(target));
  }
  return {};
}

Result<void> read_vertices(const Json& json, const Json& attributes, AccessorReader& accessors,
                           GltfPrimitive& primitive) {
  SUPPLE_TRY(primitive.positions, read_vectors<Vec3>(attributes, "POSITION", {}, accessors));
  const std::size_t count = primitive.positions.size();
  SUPPLE_TRY(primitive.normals, read_vectors<Vec3>(attributes, "NORMAL", count, accessors));
  SUPPLE_TRY(primitive.tangents,
             read_vectors<Eigen::Vector4d>(attributes, "TANGENT", count, accessors));
  SUPPLE_TRY(primitive.texcoords,
             read_vectors<Eigen::Vector2d>(attributes, "TEXCOORD_0", count, accessors));
  SUPPLE_TRY(primitive.colours, read_colours(attributes, count, accessors));
  SUPPLE_TRY_VOID(read_influences(attributes, accessors, primitive));
  SUPPLE_TRY_VOID(read_custom_attributes(attributes, accessors, primitive));
  return read_targets(json, accessors, primitive);
}

Result<GltfPrimitive> read_primitive(const Json& json, const std::string& where,
                                     std::size_t material_count, AccessorReader& accessors,
                                     std::vector<std::string>& warnings) {
  GltfPrimitive primitive;
  SUPPLE_TRY(const std::size_t mode, get_integer(json, "mode", kFan + 1, "primitive", kTriangles));
  SUPPLE_TRY(primitive.material, find_integer(json, "material", material_count, "primitive"));
  const Json* attributes = find(json, "attributes");
  if (attributes == nullptr || !attributes->is_object()) {
    return bad_input("'attributes' is missing");
  }
  const bool drawn = mode >= kTriangles && find(*attributes, "POSITION") != nullptr;
  if (!drawn) {
    warnings.push_back(fmt::format("skipped {}: it has {}", where,
                                   mode < kTriangles ? "points or lines" : "no positions"));
    primitive.targets.resize(array_size(json, "targets"));
    return primitive;
  }
  SUPPLE_TRY_VOID(read_vertices(json, *attributes, accessors, primitive));
  SUPPLE_TRY(const auto indices, read_indices(json, primitive.positions.size(), accessors));
  SUPPLE_TRY_VOID(accessors.spend(3 * sizeof(Index) * indices.size()));
  SUPPLE_TRY(primitive.triangles, make_triangles(indices, mode));
  return primitive;
}

/// Names by the convention that Blender, three.js and others share: mesh.extras.targetNames.
void read_target_names(const Json& json, std::size_t count, const std::string& where,
                       GltfMesh& mesh, std::vector<std::string>& warnings) {
  mesh.target_names.resize(count);
  const Json* extras = find(json, "extras");
  const Json* names = extras == nullptr ? nullptr : find(*extras, "targetNames");
  if (names == nullptr || !names->is_array()) return;
  if (names->size() != count) {
    warnings.push_back(
        fmt::format("{} has {} morph targets but {} target names", where, count, names->size()));
  }
  for (std::size_t i = 0; i < std::min(count, names->size()); ++i) {
    if ((*names)[i].is_string()) mesh.target_names[i] = (*names)[i].get<std::string>();
  }
}

}  // namespace

Result<GltfMesh> read_mesh(const Json& json, std::size_t index, std::size_t material_count,
                           AccessorReader& accessors, std::vector<std::string>& warnings) {
  GltfMesh mesh;
  mesh.name = get_string(json, "name");
  const std::string where = called("mesh", index, mesh.name);
  SUPPLE_TRY(const Json* primitives, find_array(json, "primitives", where));
  if (primitives->empty()) return bad_input(fmt::format("{} has no primitives", where));
  for (std::size_t i = 0; i < primitives->size(); ++i) {
    const std::string what = fmt::format("{}, primitive {}", where, i);
    SUPPLE_TRY(auto primitive,
               read_primitive((*primitives)[i], what, material_count, accessors, warnings)
                   .during("reading " + what));
    mesh.primitives.push_back(std::move(primitive));
    if (mesh.primitives[i].targets.size() != mesh.primitives[0].targets.size()) {
      return bad_input(fmt::format("{} has {} morph targets, primitive 0 has {}", what,
                                   mesh.primitives[i].targets.size(),
                                   mesh.primitives[0].targets.size()));
    }
  }
  const std::size_t targets = mesh.primitives[0].targets.size();
  SUPPLE_TRY(mesh.weights, get_numbers(json, "weights", targets, where));
  if (targets == 0 && !mesh.weights.empty()) {
    return bad_input(fmt::format("{} has weights but no morph targets", where));
  }
  mesh.weights.resize(targets, 0.0);
  read_target_names(json, targets, where, mesh, warnings);
  return mesh;
}

}  // namespace supple::io::gltf
