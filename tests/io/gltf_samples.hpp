// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/io/gltf.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace supple::io::testing {

using Json = nlohmann::json;

/// A small .gltf or .glb made by hand: its bytes are written here, not by our writer.
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
  void show(const Json& primitive) {
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

  /// The same as text, the buffer in a data: address.
  [[nodiscard]] std::string gltf() const {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string uri = "data:application/octet-stream;base64,";
    for (std::size_t i = 0; i < binary.size(); i += 3) {
      std::uint32_t bits = 0;
      for (std::size_t k = i; k < i + 3; ++k) {
        bits = bits << 8U | (k < binary.size() ? std::to_integer<std::uint32_t>(binary[k]) : 0U);
      }
      for (std::size_t k = 0; k < 4; ++k) {
        uri += k > binary.size() - i ? '=' : kDigits[bits >> (18U - 6U * k) & 63U];
      }
    }
    Json whole = json;
    whole["buffers"][0]["uri"] = uri;
    return whole.dump();
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

/// A square with two joints, a sparse morph target, a custom attribute, a strip beside it, and a
/// clip of every interpolation: one of everything that the reader knows.
inline HandMade rigged_square() {
  HandMade file = square();
  Json& primitive = file.json["meshes"][0]["primitives"][0];
  const std::vector<std::uint8_t> joints{0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
  const std::vector<std::uint8_t> weights{128, 127, 0, 0, 128, 127, 0, 0,
                                          128, 127, 0, 0, 128, 127, 0, 0};
  primitive["attributes"]["JOINTS_0"] = file.accessor(joints, 5121, "VEC4", 4);
  primitive["attributes"]["WEIGHTS_0"] = file.accessor(weights, 5121, "VEC4", 4);
  file.json["accessors"].back()["normalized"] = true;
  primitive["attributes"]["_MASK"] = file.floats({0, 0.25, 0.5, 1}, "SCALAR", 1);
  const auto places = file.view(std::vector<std::uint16_t>{1, 3});
  const auto moves = file.view(std::vector<float>{5, 6, 7, 8, 9, 10});
  file.json["accessors"].push_back(
      {{"componentType", 5126},
       {"count", 4},
       {"type", "VEC3"},
       {"sparse",
        {{"count", 2},
         {"indices", {{"bufferView", places}, {"componentType", 5123}}},
         {"values", {{"bufferView", moves}}}}}});
  primitive["targets"] = Json::array({{{"POSITION", file.json["accessors"].size() - 1}}});
  file.json["meshes"][0]["weights"] = {0.5};
  file.json["meshes"][0]["extras"] = {{"targetNames", {"bulge"}}};
  Json strip = primitive;
  strip.erase("indices");
  strip["mode"] = 5;
  file.json["meshes"][0]["primitives"].push_back(strip);
  std::vector<float> identities(32, 0);
  for (const std::size_t i : {0, 5, 10, 15, 16, 21, 26, 31}) identities[i] = 1;
  file.json["nodes"] = Json::parse(R"([{"mesh":0,"skin":0},{"children":[2],"scale":[1,2,1]},
    {"name":"tip","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1]}])");
  file.json["scenes"][0]["nodes"] = {0, 1};
  file.json["skins"] = Json::array(
      {{{"joints", {1, 2}}, {"inverseBindMatrices", file.floats(identities, "MAT4", 16)}}});
  const auto times = file.floats({0, 1}, "SCALAR", 1);
  const auto turns = file.floats({0, 0, 0, 1, 0, 0, 0.6F, 0.8F}, "VEC4", 4);
  const auto spline = file.floats(std::vector<float>(18, 0.5F), "VEC3", 3);
  file.json["animations"] = Json::array({Json::parse(
      R"({"name":"clip","samplers":[{},{"interpolation":"STEP"},{"interpolation":"CUBICSPLINE"}],
    "channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}},
                {"sampler":1,"target":{"node":0,"path":"weights"}},
                {"sampler":2,"target":{"node":1,"path":"translation"}}]})")});
  Json& samplers = file.json["animations"][0]["samplers"];
  for (Json& sampler : samplers) sampler["input"] = times;
  samplers[0]["output"] = turns;
  samplers[1]["output"] = times;
  samplers[2]["output"] = spline;
  return file;
}

}  // namespace supple::io::testing
