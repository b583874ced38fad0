// SPDX-License-Identifier: Apache-2.0
#include "io/gltf_document.hpp"

#include "supple/io/gltf.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <exception>

namespace supple::io {
namespace {

std::string encode_base64(const Bytes& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits <<= 8U;
      if (i + k < bytes.size()) bits |= static_cast<std::uint32_t>(bytes[i + k]);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool padding = i + k > bytes.size();
      text += padding ? '=' : kDigits[(bits >> (18 - 6 * k)) & 63U];
    }
  }
  return text;
}

}  // namespace

Result<std::string> write_gltf_text(const GltfAsset& asset) try {
  Json json = asset.document->json;
  if (!asset.document->binary.empty()) {
    json["buffers"][0]["uri"] =
        "data:application/octet-stream;base64," + encode_base64(asset.document->binary);
  }
  return json.dump() + "\n";
} catch (const std::exception& failure) {
  return bad_input(fmt::format("cannot be written: {}", failure.what())).at(asset.name);
}

}  // namespace supple::io
