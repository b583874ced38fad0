// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/io/gltf.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace supple::io::testing {

using Json = nlohmann::json;

inline std::filesystem::path assets() {
  return std::filesystem::path(SUPPLE_SOURCE_DIR) / ".." / "shared" / "assets";
}

/// A small .gltf or .glb made by hand: what the reader sees is written here, not by our writer.
class HandMade {
 public:
  Json json{{"asset", {{"version", "2.0"}}}};
  Bytes binary;

  template <class T>
  std::size_t view(const std::vector<T>& values) {
    while (binary.size() % 4 != 0) binary.push_back(std::byte{0});
    json["bufferViews"].push_back(
        {{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", values.size() * sizeof(T)}});
    const auto* data = reinterpret_cast<const std::byte*>(values.data());
    binary.insert(binary.end(), data, data + values.size() * sizeof(T));
    json["buffers"] = Json::array({{{"byteLength", binary.size()}}});
    return json["bufferViews"].size() - 1;
  }

  template <class T>
  std::size_t accessor(const std::vector<T>& values, int component, const std::string& type,
                       std::size_t width) {
    json["accessors"].push_back({{"bufferView", view(values)},
                                 {"componentType", component},
                                 {"count", values.size() / width},
                                 {"type", type}});
    return json["accessors"].size() - 1;
  }
  std::size_t floats(const std::vector<float>& values, const std::string& type, std::size_t width) {
    return accessor(values, 5126, type, width);
  }

  /// One mesh of one primitive on one node of the default scene.
  void show(Json primitive) {
    json["meshes"] = Json::array({{{"name", "part"}, {"primitives", Json::array({primitive})}}});
    json["nodes"] = Json::array({{{"name", "body"}, {"mesh", 0}}});
    json["scenes"] = Json::array({{{"nodes", Json::array({0})}}});
    json["scene"] = 0;
  }

  [[nodiscard]] Bytes glb() const {
    std::string text = json.dump();
    while (text.size() % 4 != 0) text.push_back(' ');
    Bytes data = binary;
    while (data.size() % 4 != 0) data.push_back(std::byte{0});
    Bytes bytes;
    const auto word = [&](std::size_t value) {
      const auto narrow = static_cast<std::uint32_t>(value);
      const auto* raw = reinterpret_cast<const std::byte*>(&narrow);
      bytes.insert(bytes.end(), raw, raw + 4);
    };
    word(0x46546C67);
    word(2);
    word(12 + 8 + text.size() + (data.empty() ? 0 : 8 + data.size()));
    word(text.size());
    word(0x4E4F534A);
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
    if (data.empty()) return bytes;
    word(data.size());
    word(0x004E4942);
    bytes.insert(bytes.end(), data.begin(), data.end());
    return bytes;
  }

  [[nodiscard]] Result<GltfAsset> read() const { return read_gltf(glb(), "hand.glb"); }
};

/// A square of two triangles in the plane z = 0, counter-clockwise from +z.
inline HandMade square() {
  HandMade file;
  const auto positions = file.floats({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, "VEC3", 3);
  const auto indices =
      file.accessor(std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3}, 5123, "SCALAR", 1);
  file.show({{"attributes", {{"POSITION", positions}}}, {"indices", indices}});
  return file;
}

/// The JSON and binary chunks of a .glb, taken apart without our reader.
inline std::pair<Json, Bytes> take_apart(const Bytes& glb) {
  std::uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, 4);
  const std::string text(reinterpret_cast<const char*>(glb.data()) + 20, length);
  const std::size_t start = 20 + length + 8;
  return {Json::parse(text),
          start < glb.size() ? Bytes(glb.begin() + static_cast<std::ptrdiff_t>(start), glb.end())
                             : Bytes()};
}

}  // namespace supple::io::testing
