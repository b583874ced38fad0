// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/gltf_samples.hpp"

#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>
#include <meshoptimizer.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace supple::io::testing {

/// A bumpy sheet with every attribute that characters have. Vertices know their number (_ID), which
/// codecs keep exactly, so that they are found again in any order.
struct Sheet {
  std::vector<float> positions, normals, texcoords, weights;
  std::vector<std::uint8_t> colours, joints;
  std::vector<std::uint16_t> ids;
  std::vector<std::uint32_t> indices;

  explicit Sheet(unsigned seed, std::uint32_t columns = 9, std::uint32_t rows = 7) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(0, 1);
    for (std::uint32_t i = 0; i < columns * rows; ++i) {
      const auto x = static_cast<float>(i % columns);
      const auto y = static_cast<float>(i / columns);
      positions.insert(positions.end(), {x, y, unit(random)});
      const float turn = 6.28F * unit(random);
      normals.insert(normals.end(), {0.6F * std::cos(turn), 0.6F * std::sin(turn), 0.8F});
      texcoords.insert(texcoords.end(), {unit(random), unit(random)});
      const float weight = unit(random);
      weights.insert(weights.end(), {weight, 1 - weight, 0, 0});
      for (int k = 0; k < 4; ++k) colours.push_back(static_cast<std::uint8_t>(random() % 256));
      for (int k = 0; k < 4; ++k) joints.push_back(static_cast<std::uint8_t>(random() % 2));
      ids.push_back(static_cast<std::uint16_t>(i));
    }
    for (std::uint32_t y = 0; y + 1 < rows; ++y) {
      for (std::uint32_t x = 0; x + 1 < columns; ++x) {
        const std::uint32_t a = y * columns + x;
        indices.insert(indices.end(), {a, a + 1, a + columns + 1, a, a + columns + 1, a + columns});
      }
    }
  }
  [[nodiscard]] std::size_t vertices() const { return ids.size(); }
};

template <class T>
std::size_t accessor_without_bytes(HandMade& file, const std::vector<T>& values, int component,
                                   const std::string& type, std::size_t width) {
  file.json["accessors"].push_back(
      {{"componentType", component}, {"count", values.size() / width}, {"type", type}});
  return file.json["accessors"].size() - 1;
}

template <class T>
void add_draco_attribute(draco::Mesh& mesh, draco::GeometryAttribute::Type type,
                         draco::DataType data_type, const std::vector<T>& values,
                         std::uint32_t id) {
  const std::size_t width = values.size() / mesh.num_points();
  draco::GeometryAttribute attribute;
  attribute.Init(type, nullptr, static_cast<std::uint8_t>(width), data_type, false,
                 static_cast<std::int64_t>(width * sizeof(T)), 0);
  const int place = mesh.AddAttribute(attribute, true, mesh.num_points());
  for (std::uint32_t v = 0; v < mesh.num_points(); ++v) {
    mesh.attribute(place)->SetAttributeValue(draco::AttributeValueIndex(v),
                                             values.data() + v * width);
  }
  mesh.attribute(place)->set_unique_id(id);
}

constexpr int kPositionBits = 14;

/// The sheet as Draco's own encoder writes it. Unique ids are not in order, as files have them.
inline Bytes draco_bytes(const Sheet& sheet, bool sequential) {
  draco::Mesh mesh;
  mesh.set_num_points(static_cast<std::uint32_t>(sheet.vertices()));
  for (std::uint32_t i = 0; i < sheet.indices.size(); i += 3) {
    draco::Mesh::Face face;
    for (std::uint32_t k = 0; k < 3; ++k) face[k] = draco::PointIndex(sheet.indices[i + k]);
    mesh.AddFace(face);
  }
  using Attribute = draco::GeometryAttribute;
  add_draco_attribute(mesh, Attribute::POSITION, draco::DT_FLOAT32, sheet.positions, 3);
  add_draco_attribute(mesh, Attribute::NORMAL, draco::DT_FLOAT32, sheet.normals, 1);
  add_draco_attribute(mesh, Attribute::TEX_COORD, draco::DT_FLOAT32, sheet.texcoords, 4);
  add_draco_attribute(mesh, Attribute::COLOR, draco::DT_UINT8, sheet.colours, 0);
  add_draco_attribute(mesh, Attribute::GENERIC, draco::DT_UINT8, sheet.joints, 7);
  add_draco_attribute(mesh, Attribute::GENERIC, draco::DT_FLOAT32, sheet.weights, 5);
  add_draco_attribute(mesh, Attribute::GENERIC, draco::DT_UINT16, sheet.ids, 6);
  draco::Encoder encoder;
  encoder.SetEncodingMethod(sequential ? draco::MESH_SEQUENTIAL_ENCODING
                                       : draco::MESH_EDGEBREAKER_ENCODING);
  encoder.SetAttributeQuantization(Attribute::POSITION, kPositionBits);
  encoder.SetAttributeQuantization(Attribute::NORMAL, 10);
  encoder.SetAttributeQuantization(Attribute::TEX_COORD, 12);
  encoder.SetAttributeQuantization(Attribute::GENERIC, 12);
  draco::EncoderBuffer buffer;
  if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok()) return {};
  const auto* data = reinterpret_cast<const std::byte*>(buffer.data());
  return {data, data + buffer.size()};
}

/// A file of one mesh, 'part', that is only there compressed.
inline HandMade draco_file(const Sheet& sheet, const Bytes& compressed) {
  HandMade file;
  const std::size_t view = file.view(compressed);
  Json attributes;
  attributes["POSITION"] = accessor_without_bytes(file, sheet.positions, 5126, "VEC3", 3);
  file.json["accessors"].back()["min"] = {0, 0, 0};
  file.json["accessors"].back()["max"] = {8, 6, 1};
  attributes["NORMAL"] = accessor_without_bytes(file, sheet.normals, 5126, "VEC3", 3);
  attributes["TEXCOORD_0"] = accessor_without_bytes(file, sheet.texcoords, 5126, "VEC2", 2);
  attributes["COLOR_0"] = accessor_without_bytes(file, sheet.colours, 5121, "VEC4", 4);
  file.json["accessors"].back()["normalized"] = true;
  attributes["JOINTS_0"] = accessor_without_bytes(file, sheet.joints, 5121, "VEC4", 4);
  attributes["WEIGHTS_0"] = accessor_without_bytes(file, sheet.weights, 5126, "VEC4", 4);
  attributes["_ID"] = accessor_without_bytes(file, sheet.ids, 5123, "SCALAR", 1);
  const std::size_t indices = accessor_without_bytes(file, sheet.indices, 5125, "SCALAR", 1);
  const Json ids = Json::parse(
      R"({"POSITION":3,"NORMAL":1,"TEXCOORD_0":4,"COLOR_0":0,"JOINTS_0":7,"WEIGHTS_0":5,"_ID":6})");
  file.show({{"attributes", attributes},
             {"indices", indices},
             {"extensions",
              {{"KHR_draco_mesh_compression", {{"bufferView", view}, {"attributes", ids}}}}}});
  file.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  file.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  return file;
}

/// A buffer view of a fallback buffer, whose content is compressed elsewhere in the file.
inline std::size_t meshopt_view(HandMade& file, const std::vector<unsigned char>& compressed,
                                std::size_t count, std::size_t stride, const char* mode,
                                const char* filter) {
  const std::size_t stored = file.view(compressed);
  Json extension = file.json["bufferViews"][stored];
  extension["byteStride"] = stride;
  extension["count"] = count;
  extension["mode"] = mode;
  extension["filter"] = filter;
  Json view{{"buffer", 1}, {"byteOffset", 0}, {"byteLength", count * stride}};
  view["extensions"]["EXT_meshopt_compression"] = extension;
  if (std::string(mode) == "ATTRIBUTES") view["byteStride"] = stride;
  file.json["bufferViews"][stored] = view;
  return stored;
}

/// Values and their unused places up to whole words, `stride` bytes each.
template <class T>
std::vector<unsigned char> meshopt_attribute(const std::vector<T>& values, std::size_t stride) {
  const std::size_t count = values.size() * sizeof(T) / stride;
  std::vector<unsigned char> bytes(meshopt_encodeVertexBufferBound(count, stride));
  bytes.resize(
      meshopt_encodeVertexBuffer(bytes.data(), bytes.size(), values.data(), count, stride));
  return bytes;
}

/// The fallback buffer, and the extension's name.
inline void finish_meshopt(HandMade& file) {
  std::size_t largest = 4;
  for (const Json& view : file.json["bufferViews"]) {
    largest = std::max(largest, view["byteLength"].get<std::size_t>());
  }
  file.json["buffers"].push_back(
      {{"byteLength", largest},
       {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}});
  // Filtered normals are integers.
  file.json["extensionsUsed"] = {"EXT_meshopt_compression", "KHR_mesh_quantization"};
  file.json["extensionsRequired"] = file.json["extensionsUsed"];
}

/// The sheet with all its attributes in meshopt's encoding: plain floats, filtered normals, and
/// indices in either mode.
inline HandMade meshopt_file(const Sheet& sheet, bool as_triangles, int normal_bits = 12) {
  HandMade file;
  const std::size_t count = sheet.vertices();
  const auto add = [&](std::size_t view, int component, const char* type, std::size_t items) {
    file.json["accessors"].push_back(
        {{"bufferView", view}, {"componentType", component}, {"count", items}, {"type", type}});
    return file.json["accessors"].size() - 1;
  };
  const auto plain = [&](const auto& values, std::size_t stride) {
    return meshopt_view(file, meshopt_attribute(values, stride), count, stride, "ATTRIBUTES",
                        "NONE");
  };
  Json attributes;
  attributes["POSITION"] = add(plain(sheet.positions, 12), 5126, "VEC3", count);
  file.json["accessors"].back()["min"] = {0, 0, 0};
  file.json["accessors"].back()["max"] = {8, 6, 1};
  std::vector<float> four(4 * count);
  for (std::size_t i = 0; i < 3 * count; ++i) four[4 * (i / 3) + i % 3] = sheet.normals[i];
  std::vector<std::int16_t> octahedral(4 * count);
  meshopt_encodeFilterOct(octahedral.data(), count, 8, normal_bits, four.data());
  attributes["NORMAL"] = add(
      meshopt_view(file, meshopt_attribute(octahedral, 8), count, 8, "ATTRIBUTES", "OCTAHEDRAL"),
      5122, "VEC3", count);
  file.json["accessors"].back()["normalized"] = true;
  std::vector<std::uint32_t> exponential(2 * count);
  meshopt_encodeFilterExp(exponential.data(), count, 8, 15, sheet.texcoords.data());
  attributes["TEXCOORD_0"] = add(
      meshopt_view(file, meshopt_attribute(exponential, 8), count, 8, "ATTRIBUTES", "EXPONENTIAL"),
      5126, "VEC2", count);
  attributes["COLOR_0"] = add(plain(sheet.colours, 4), 5121, "VEC4", count);
  file.json["accessors"].back()["normalized"] = true;
  std::vector<std::uint16_t> ids(2 * count);
  for (std::size_t i = 0; i < count; ++i) ids[2 * i] = sheet.ids[i];
  attributes["_ID"] = add(plain(ids, 4), 5123, "SCALAR", count);
  const std::size_t corners = sheet.indices.size();
  std::vector<unsigned char> bytes(as_triangles ? meshopt_encodeIndexBufferBound(corners, count)
                                                : meshopt_encodeIndexSequenceBound(corners, count));
  meshopt_encodeIndexVersion(1);
  bytes.resize(
      as_triangles
          ? meshopt_encodeIndexBuffer(bytes.data(), bytes.size(), sheet.indices.data(), corners)
          : meshopt_encodeIndexSequence(bytes.data(), bytes.size(), sheet.indices.data(), corners));
  const std::size_t indices =
      add(meshopt_view(file, bytes, corners, 2, as_triangles ? "TRIANGLES" : "INDICES", "NONE"),
          5123, "SCALAR", corners);
  file.show({{"attributes", attributes}, {"indices", indices}});
  return file;
}

}  // namespace supple::io::testing
