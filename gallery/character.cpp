// SPDX-License-Identifier: Apache-2.0
#include "gallery/character.hpp"

#include "supple/bake/asset_file.hpp"
#include "supple/bake/mesh_fit.hpp"
#include "supple/core/log.hpp"
#include "supple/io/gltf_editor.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstring>
#include <fstream>

namespace supple::gallery {
namespace {

namespace fs = std::filesystem;
using GltfJson = nlohmann::json;

/// The JSON of a .glb: it follows the file header of 12 bytes and the chunk header of 8.
Result<std::string> read_json_chunk(const fs::path& path) {
  const Error broken = bad_input(
      fmt::format("'{}' is not a binary glTF 2.0 file: its header is damaged", path.string()));
  SUPPLE_TRY_VOID(check_plain_file(path));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return io_error(fmt::format("cannot read '{}'", path.string()));
  const auto size = static_cast<std::uint64_t>(file.tellg());
  if (size == 0) {
    return bad_input("the file is empty; export or copy it again").at(path.string());
  }
  file.seekg(0);
  std::array<std::uint32_t, 5> words{};
  if (!file.read(reinterpret_cast<char*>(words.data()), sizeof words)) return broken;
  const std::array<char, 4> magic{'g', 'l', 'T', 'F'};
  const bool is_glb = std::memcmp(words.data(), magic.data(), magic.size()) == 0;
  const std::uint64_t length = words[3];
  if (!is_glb || words[1] != 2 || length > size - sizeof words) return broken;
  std::string text(length, ' ');
  if (!file.read(text.data(), static_cast<std::streamsize>(length))) return broken;
  return text;
}

bool names_files(const GltfJson& document) {
  for (const char* list : {"buffers", "images"}) {
    const auto entries = document.find(list);
    if (entries == document.end() || !entries->is_array()) continue;
    for (const GltfJson& entry : *entries) {
      if (!entry.is_object()) continue;
      const auto uri = entry.find("uri");
      if (uri == entry.end() || !uri->is_string()) continue;
      if (!uri->get_ref<const std::string&>().starts_with("data:")) return true;
    }
  }
  return false;
}

}  // namespace

Result<bool> needs_packing(const fs::path& character) {
  if (character.extension() != ".glb") {
    SUPPLE_TRY_VOID(pack_character(character));  // fails now rather than later
    return true;
  }
  SUPPLE_TRY(const std::string text, read_json_chunk(character));
  SUPPLE_TRY_VOID(
      io::check_json_size(text).during(fmt::format("reading '{}'", character.string())));
  const GltfJson document = GltfJson::parse(text, nullptr, false);
  if (!document.is_object()) {
    return bad_input(
        fmt::format("'{}' is not a glTF 2.0 file: its JSON is damaged", character.string()));
  }
  return names_files(document);
}

Result<Bytes> pack_character(const fs::path& character) {
  SUPPLE_TRY(const Bytes bytes, read_file(character));
  const fs::path parent = character.parent_path();
  SUPPLE_TRY(const io::GltfAsset asset,
             io::read_gltf(bytes, character.string(), parent.empty() ? "." : parent));
  io::GltfEditor editor(asset);
  SUPPLE_TRY_VOID(editor.embed_images());
  SUPPLE_TRY(const io::GltfAsset packed, std::move(editor).finish());
  return io::write_gltf(packed);
}

Result<void> check_flesh(const fs::path& character, const fs::path& flesh) {
  SUPPLE_TRY(bake::AssetFile file, bake::open_asset(flesh));
  SUPPLE_TRY(const io::GltfAsset asset, io::read_gltf(character));
  if (const auto pair = file.file.check_pair(asset.bake_id); !pair.ok()) {
    log::warn("{}", pair.error().describe());
  }
  SUPPLE_TRY(const bake::FittedMesh fitted,
             bake::fit_to_mesh(file.file, asset)
                 .during(fmt::format("applying it to '{}'", character.string())));
  if (!fitted.note.empty()) log::warn("{}", fitted.note);
  return {};
}

}  // namespace supple::gallery
