// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/document.hpp"

#include "supple/core/base64.hpp"
#include "supple/io/gltf.hpp"

#include <fmt/format.h>

#include <exception>

namespace supple::io {
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
