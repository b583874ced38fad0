// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

namespace supple::io::gltf {
namespace {

using geometry::Vec3;

constexpr int kArrayBuffer = 34962;
constexpr int kElementArrayBuffer = 34963;
constexpr int kUnsignedShort = 5123;
constexpr int kUnsignedInt = 5125;
constexpr int kFloat = 5126;
constexpr std::size_t kWord = 4;
constexpr std::array<const char*, 5> kTypes{"", "SCALAR", "VEC2", "VEC3", "VEC4"};

const char* type_of(std::size_t width) {
  return width == 16 ? "MAT4" : kTypes[width];
}

/// Adds to a list of the document that may not exist yet. Returns the new item's index.
std::size_t append_item(Json& json, const char* list, Json item) {
  Json& items = json[list];
  items.push_back(std::move(item));
  return items.size() - 1;
}

Result<std::vector<float>> as_floats(std::span<const double> values) {
  std::vector<float> floats;
  floats.reserve(values.size());
  for (const double value : values) {
    const auto narrow = static_cast<float>(value);
    if (!std::isfinite(narrow)) {
      return bad_input(fmt::format("{} does not fit in a glTF number", value));
    }
    floats.push_back(narrow);
  }
  return floats;
}

/// Lowest and highest value of each component, exactly as stored.
void add_bounds(Json& accessor, std::span<const float> values, std::size_t width) {
  std::vector<float> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width));
  std::vector<float> high = low;
  for (std::size_t i = width; i < values.size(); ++i) {
    low[i % width] = std::min(low[i % width], values[i]);
    high[i % width] = std::max(high[i % width], values[i]);
  }
  accessor["min"] = std::vector<double>(low.begin(), low.end());
  accessor["max"] = std::vector<double>(high.begin(), high.end());
}

std::span<const double> as_numbers(const std::vector<Vec3>& vectors) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return {vectors.empty() ? nullptr : vectors.front().data(), 3 * vectors.size()};
}

}  // namespace

std::size_t append_view(GltfDocument& document, std::span<const std::byte> bytes, int target) {
  Bytes& binary = document.binary;
  binary.resize((binary.size() + kWord - 1) / kWord * kWord);
  Json view{{"buffer", 0}, {"byteOffset", binary.size()}, {"byteLength", bytes.size()}};
  if (target != 0) view["target"] = target;
  binary.insert(binary.end(), bytes.begin(), bytes.end());
  Json& buffers = document.json["buffers"];
  if (buffers.empty()) buffers.push_back(Json::object());
  buffers[0]["byteLength"] = binary.size();
  return append_item(document.json, "bufferViews", std::move(view));
}

Result<std::size_t> append_floats(GltfDocument& document, std::span<const double> values,
                                  std::size_t width, Use use) {
  SUPPLE_TRY(const std::vector<float> floats, as_floats(values));
  Json accessor{
      {"componentType", kFloat}, {"count", values.size() / width}, {"type", type_of(width)}};
  add_bounds(accessor, floats, width);
  accessor["bufferView"] = append_view(document, std::as_bytes(std::span(floats)),
                                       use == Use::Vertices ? kArrayBuffer : 0);
  return append_item(document.json, "accessors", std::move(accessor));
}

Result<std::size_t> append_vectors(GltfDocument& document, const std::vector<Vec3>& vectors) {
  return append_floats(document, as_numbers(vectors), 3, Use::Vertices);
}

Result<std::size_t> append_sparse(GltfDocument& document, const std::vector<Vec3>& vectors) {
  std::vector<std::uint32_t> places;
  std::vector<Vec3> moved;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (vectors[i].isZero(0)) continue;
    places.push_back(static_cast<std::uint32_t>(i));
    moved.push_back(vectors[i]);
  }
  if (moved.empty()) {  // a sparse accessor must change at least one element
    places.push_back(0);
    moved.emplace_back(Vec3::Zero());
  }
  constexpr std::size_t kSparseBytes = 16;
  constexpr std::size_t kDenseBytes = 12;
  if (kSparseBytes * moved.size() >= kDenseBytes * vectors.size()) {
    return append_vectors(document, vectors);
  }
  SUPPLE_TRY(const std::vector<float> all, as_floats(as_numbers(vectors)));
  SUPPLE_TRY(const std::vector<float> values, as_floats(as_numbers(moved)));
  Json accessor{{"componentType", kFloat}, {"count", vectors.size()}, {"type", kTypes[3]}};
  add_bounds(accessor, all, 3);
  const std::size_t index_view = append_view(document, std::as_bytes(std::span(places)));
  const std::size_t value_view = append_view(document, std::as_bytes(std::span(values)));
  accessor["sparse"] = {{"count", places.size()},
                        {"indices", {{"bufferView", index_view}, {"componentType", kUnsignedInt}}},
                        {"values", {{"bufferView", value_view}}}};
  return append_item(document.json, "accessors", std::move(accessor));
}

std::size_t append_triangles(GltfDocument& document,
                             const std::vector<geometry::Triangle>& triangles) {
  static_assert(sizeof(geometry::Triangle) == 3 * sizeof(std::uint32_t));
  const std::size_t view =
      append_view(document, std::as_bytes(std::span(triangles)), kElementArrayBuffer);
  return append_item(document.json, "accessors",
                     {{"bufferView", view},
                      {"componentType", kUnsignedInt},
                      {"count", 3 * triangles.size()},
                      {"type", "SCALAR"}});
}

std::size_t append_joints(GltfDocument& document, const std::vector<std::uint16_t>& joints) {
  const std::size_t view = append_view(document, std::as_bytes(std::span(joints)), kArrayBuffer);
  return append_item(document.json, "accessors",
                     {{"bufferView", view},
                      {"componentType", kUnsignedShort},
                      {"count", joints.size() / 4},
                      {"type", "VEC4"}});
}

void drop_unused_samplers(Json& animation) {
  if (find(animation, "channels") == nullptr || find(animation, "samplers") == nullptr) return;
  std::map<std::size_t, std::size_t> moved;
  Json kept = Json::array();
  for (Json& channel : animation["channels"]) {
    const auto sampler = channel["sampler"].get<std::size_t>();
    if (!moved.contains(sampler)) {
      moved[sampler] = kept.size();
      kept.push_back(animation["samplers"][sampler]);
    }
    channel["sampler"] = moved[sampler];
  }
  animation["samplers"] = std::move(kept);
}

}  // namespace supple::io::gltf
