// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/document.hpp"

#include "supple/io/gltf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

namespace supple::io::gltf {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kGlbMagic = 0x46546C67;   // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;  // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;
constexpr std::size_t kGlbHeaderSize = 12;
constexpr std::size_t kChunkHeaderSize = 8;
/// A .glb counts its bytes in 32 bits.
constexpr std::size_t kGlbLimit = std::numeric_limits<std::uint32_t>::max();
/// Buffers are joined at multiples of this, so that no accessor loses its alignment.
constexpr std::size_t kAlignment = 4;
/// nlohmann-json writes and copies by recursion: deeper input would exhaust the stack later.
constexpr int kDeepestJson = 200;
/// Objects and lists, the most of any file: two bytes of text ("{}") take a hundred in memory.
constexpr std::size_t kMostJsonLists = 1'000'000;
/// Numbers, texts and all else in them: three bytes ("",) take eighty. 300,000 nodes with matrices
/// have five million.
constexpr std::size_t kMostJsonValues = 8'000'000;

std::uint32_t load_u32(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

void append_u32(Bytes& bytes, std::size_t value) {
  const auto word = static_cast<std::uint32_t>(value);
  const auto* data = reinterpret_cast<const std::byte*>(&word);
  bytes.insert(bytes.end(), data, data + sizeof word);
}

std::size_t padded_to_words(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

Result<void> parse_json(std::string_view text, Json& json) {
  SUPPLE_TRY_VOID(check_json_size(text));
  try {
    json = Json::parse(text.begin(), text.end());
  } catch (const std::exception& failure) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    constexpr std::string_view kBeginnings = "{[\xef";  // the last one of a byte order mark
    if (first < text.size() && kBeginnings.find(text[first]) == std::string_view::npos) {
      return bad_input("not a glTF file: a .glb begins with the letters glTF, a .gltf with {");
    }
    // "[json.exception.parse_error.101] parse error at line 1, ...": the tag adds nothing.
    std::string_view what = failure.what();
    if (what.starts_with('[')) what.remove_prefix(std::min(what.find(']') + 2, what.size()));
    return bad_input(fmt::format("invalid JSON: {}", what));
  }
  if (!json.is_object()) return bad_input("the JSON is not an object");
  return {};
}

/// The chunks of a .glb, or the whole of a .gltf as JSON.
struct Container {
  std::string_view json;
  std::optional<std::span<const std::byte>> binary;
};

Result<Container> split_glb(std::span<const std::byte> bytes) {
  if (bytes.size() < kGlbHeaderSize) return bad_input("a .glb header needs 12 bytes");
  if (const std::uint32_t version = load_u32(bytes, 4); version != 2) {
    return bad_input(fmt::format("binary glTF of version {}; only version 2 can be read", version));
  }
  const std::size_t length = load_u32(bytes, 8);
  if (length > bytes.size() || length < kGlbHeaderSize) {
    return bad_input(fmt::format("truncated: the header announces {} bytes, the file has {}",
                                 length, bytes.size()));
  }
  Container container;
  bool have_json = false;
  for (std::size_t offset = kGlbHeaderSize; offset < length;) {
    if (length - offset < kChunkHeaderSize) return bad_input("truncated chunk header");
    const std::size_t size = load_u32(bytes, offset);
    const std::uint32_t type = load_u32(bytes, offset + 4);
    offset += kChunkHeaderSize;
    if (size > length - offset) return bad_input("a chunk extends beyond the end of the file");
    const auto chunk = bytes.subspan(offset, size);
    if (!have_json && type != kJsonChunk) return bad_input("the first chunk is not JSON");
    if (type == kJsonChunk && !have_json) container.json = as_text(chunk);
    if (type == kBinaryChunk && !container.binary) container.binary = chunk;
    have_json = true;
    offset += std::min(padded_to_words(size), length - offset);
  }
  if (!have_json) return bad_input("a .glb without a JSON chunk");
  return container;
}

Result<void> check_version(const Json& json) {
  const Json* asset = find(json, "asset");
  if (asset == nullptr) return bad_input("no 'asset' entry: this is not glTF 2.0");
  const std::string version = get_string(*asset, "version");
  if (!version.starts_with("2.")) {
    return bad_input(fmt::format("glTF version '{}'; only 2.x can be read", version));
  }
  const std::string least = get_string(*asset, "minVersion");
  if (!least.empty() && least != "2.0") {
    return bad_input(fmt::format("the file requires glTF {}; only 2.0 can be read", least));
  }
  return {};
}

Result<Bytes> decode_base64(std::string_view text) {
  static constexpr auto kValues = [] {
    std::array<int, 256> values{};
    values.fill(-1);
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < kDigits.size(); ++i) {
      values[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
    }
    return values;
  }();
  while (text.ends_with('=')) text.remove_suffix(1);
  Bytes bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) return bad_input("a data: URI contains invalid base64");
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::byte>((bits >> static_cast<unsigned>(count)) & 0xFFU));
  }
  return bytes;
}

Result<std::string> decode_percent(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      c = static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    }
    if (c == '\0') return bad_input("a URI contains a zero byte");
    decoded.push_back(c);
  }
  return decoded;
}

/// Resolves a relative URI, following links, if the result is inside `directory`.
Result<fs::path> resolve_inside(const std::string& uri, const fs::path& directory) {
  SUPPLE_TRY(const std::string decoded, decode_percent(uri));
  const fs::path relative(decoded);
  const std::size_t colon = decoded.find(':');
  if (relative.is_absolute() || colon < decoded.find('/')) {
    return bad_input(fmt::format("'{}' is not a relative path", uri));
  }
  if (directory.empty()) {
    return bad_input(fmt::format("'{}' lies outside the file and no directory was given", uri));
  }
  std::error_code failure;
  const fs::path root = fs::canonical(directory, failure);
  if (failure) return io_error(fmt::format("cannot open '{}'", directory.string()));
  const fs::path target = fs::weakly_canonical(root / relative, failure);
  const auto border = std::mismatch(root.begin(), root.end(), target.begin(), target.end()).first;
  if (failure || border != root.end()) {
    return bad_input(fmt::format("'{}' leads out of the file's own directory", uri));
  }
  // ".ssh/id" and ".env" are never textures, but they may lie beside an untrusted file.
  const fs::path inside = target.lexically_relative(root);
  const bool hidden = std::any_of(inside.begin(), inside.end(), [](const fs::path& segment) {
    return segment.string().starts_with('.') && segment != ".";
  });
  if (hidden) {
    return bad_input(
        fmt::format("'{}' is a hidden file, which a glTF file may not refer to; rename it", uri));
  }
  return target;
}

/// EXT_meshopt_compression: a buffer without bytes, only for views that are compressed elsewhere.
bool is_fallback(const Json& buffer) {
  const Json* extensions = find(buffer, "extensions");
  const Json* meshopt = extensions == nullptr ? nullptr : find(*extensions, kMeshoptExtension);
  const Json* fallback = meshopt == nullptr ? nullptr : find(*meshopt, "fallback");
  return fallback != nullptr && fallback->is_boolean() && fallback->get<bool>();
}

/// The bytes of buffer `index`, exactly as many as it declares.
Result<Bytes> load_buffer(const Json& buffer, std::size_t index, const Container& container,
                          const fs::path& directory) {
  const std::string where = fmt::format("buffer {}", index);
  SUPPLE_TRY(const std::size_t length, get_integer(buffer, "byteLength", kGlbLimit, where));
  Bytes bytes;
  if (const std::string uri = get_string(buffer, "uri"); !uri.empty()) {
    SUPPLE_TRY(bytes, fetch(uri, directory, kGlbLimit).during("reading " + where));
  } else if (is_fallback(buffer)) {
    return bytes;
  } else if (index == 0 && container.binary) {
    bytes.assign(container.binary->begin(), container.binary->end());
  } else {
    return bad_input(fmt::format("{} has no data: neither a URI nor a binary chunk", where));
  }
  if (bytes.size() < length) {
    return bad_input(fmt::format("{} is truncated: {} bytes of {}", where, bytes.size(), length));
  }
  bytes.resize(length);
  return bytes;
}

Result<void> shift_view(Json& view, const std::vector<std::size_t>& starts,
                        std::string_view where) {
  SUPPLE_TRY(const std::size_t buffer, get_integer(view, "buffer", starts.size(), where));
  SUPPLE_TRY(const std::size_t offset, get_integer(view, "byteOffset", kGlbLimit, where, 0));
  view["buffer"] = 0;
  if (offset + starts[buffer] > 0) view["byteOffset"] = offset + starts[buffer];
  return {};
}

/// Merges all buffers into one. Only buffer views refer to buffers, so only they change.
Result<void> join_buffers(GltfDocument& document, const Container& container) {
  Json& json = document.json;
  SUPPLE_TRY(const Json* buffers, find_array(json, "buffers", "document"));
  if (buffers->empty()) return {};
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < buffers->size(); ++i) {
    SUPPLE_TRY(Bytes bytes, load_buffer((*buffers)[i], i, container, document.directory));
    document.binary.resize(padded_to_words(document.binary.size()));
    starts.push_back(document.binary.size());
    if (bytes.size() > kGlbLimit - document.binary.size()) {
      return bad_input("the buffers together exceed 4 GiB, the limit of a .glb");
    }
    if (i == 0) {
      document.binary = std::move(bytes);
    } else {
      document.binary.insert(document.binary.end(), bytes.begin(), bytes.end());
    }
  }
  if (starts.size() > 1) {
    SUPPLE_TRY(const Json* views, find_array(json, "bufferViews", "document"));
    for (std::size_t i = 0; i < views->size(); ++i) {
      const std::string where = fmt::format("buffer view {}", i);
      Json& view = json["bufferViews"][i];
      SUPPLE_TRY_VOID(shift_view(view, starts, where));
      if (const Json* extensions = find(view, "extensions");
          extensions != nullptr && find(*extensions, kMeshoptExtension) != nullptr) {
        SUPPLE_TRY_VOID(shift_view(view["extensions"][kMeshoptExtension], starts, where));
      }
    }
  }
  Json only = (*buffers)[0];
  only.erase("uri");
  only["byteLength"] = document.binary.size();
  json["buffers"] = Json::array({std::move(only)});
  return {};
}

}  // namespace

Result<Bytes> fetch(const std::string& uri, const fs::path& directory, std::size_t limit) {
  if (uri.starts_with("data:")) {
    const std::size_t comma = uri.find(',');
    const std::string_view head = std::string_view(uri).substr(0, comma);
    if (comma == std::string::npos || !head.ends_with(";base64")) {
      return bad_input("a data: URI that is not base64");
    }
    return decode_base64(std::string_view(uri).substr(comma + 1));
  }
  SUPPLE_TRY(const fs::path path, resolve_inside(uri, directory));
  return read_file(path, limit);
}

Result<GltfDocument> open_document(std::span<const std::byte> bytes,
                                   const fs::path& base_directory) {
  Container container;
  if (bytes.size() >= 4 && load_u32(bytes, 0) == kGlbMagic) {
    SUPPLE_TRY(container, split_glb(bytes));
  } else {
    container.json = as_text(bytes);
  }
  GltfDocument document;
  document.directory = base_directory;
  SUPPLE_TRY_VOID(parse_json(container.json, document.json));
  SUPPLE_TRY_VOID(check_version(document.json));
  SUPPLE_TRY_VOID(join_buffers(document, container));
  return document;
}

Result<Bytes> to_glb(const Json& json, std::span<const std::byte> data) {
  std::string text = json.dump();
  text.resize(padded_to_words(text.size()), ' ');
  const std::size_t binary = padded_to_words(data.size());
  const std::size_t size = kGlbHeaderSize + kChunkHeaderSize + text.size() +
                           (binary > 0 ? kChunkHeaderSize + binary : 0);
  if (size > kGlbLimit) return bad_input("the result exceeds 4 GiB, the limit of a .glb");
  Bytes bytes;
  bytes.reserve(size);
  append_u32(bytes, kGlbMagic);
  append_u32(bytes, 2);
  append_u32(bytes, size);
  append_u32(bytes, text.size());
  append_u32(bytes, kJsonChunk);
  const auto chunk = as_bytes(text);
  bytes.insert(bytes.end(), chunk.begin(), chunk.end());
  if (binary > 0) {
    append_u32(bytes, binary);
    append_u32(bytes, kBinaryChunk);
    bytes.insert(bytes.end(), data.begin(), data.end());
    bytes.resize(size);
  }
  return bytes;
}

}  // namespace supple::io::gltf

namespace supple::io {

Result<void> check_json_size(std::string_view text) {
  int depth = 0;
  std::size_t lists = 0;
  std::size_t values = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > gltf::kDeepestJson) {
        return bad_input(fmt::format("JSON nested deeper than {} levels", gltf::kDeepestJson));
      }
      if (++lists > gltf::kMostJsonLists) {
        return bad_input(
            fmt::format("JSON of more than {} objects and lists; split the file, or merge its "
                        "nodes",
                        gltf::kMostJsonLists));
      }
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ',' && ++values > gltf::kMostJsonValues) {
      return bad_input(
          fmt::format("JSON of more than {} values; split the file, or move numbers "
                      "to its buffer",
                      gltf::kMostJsonValues));
    }
  }
  return {};
}

}  // namespace supple::io
