// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_materials.hpp"

#include "io/gltf/document.hpp"
#include "supple/io/image_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::io {
namespace {

using gltf::find;

double number(const Json& object, const char* key, double fallback) {
  const Json* value = find(object, key);
  if (value == nullptr || !value->is_number()) return fallback;
  const double result = value->get<double>();
  return std::isfinite(result) ? result : fallback;
}

bool flag(const Json& object, const char* key) {
  const Json* value = find(object, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::optional<std::size_t> index(const Json& object, const char* key, std::size_t limit) {
  const auto value = gltf::find_integer(object, key, limit, "material");
  return value.ok() ? *value : std::nullopt;
}

const Json& member(const Json& object, const char* key) {
  static const Json kNone;
  const Json* value = find(object, key);
  return value == nullptr ? kNone : *value;
}

const Json* element(const Json& array, std::size_t place) {
  return array.is_array() && place < array.size() ? &array[place] : nullptr;
}

template <int N>
Eigen::Matrix<double, N, 1> vector(const Json& object, const char* key,
                                   const Eigen::Matrix<double, N, 1>& fallback) {
  const auto numbers = gltf::get_numbers(object, key, N, "material");
  if (!numbers.ok() || numbers->empty()) return fallback;
  return Eigen::Map<const Eigen::Matrix<double, N, 1>>(numbers->data());
}

GltfWrap wrap(const Json& sampler, const char* key) {
  constexpr double kClamp = 33071;
  constexpr double kMirror = 33648;
  const double code = number(sampler, key, 0);
  return code == kClamp ? GltfWrap::Clamp : code == kMirror ? GltfWrap::Mirror : GltfWrap::Repeat;
}

/// offset, then rotation, then scale act on (u, v, 1) from the right, as the extension specifies.
Eigen::Matrix<double, 2, 3> transform_of(const Json& extension) {
  const Eigen::Vector2d offset = vector<2>(extension, "offset", Eigen::Vector2d::Zero());
  const Eigen::Vector2d scale = vector<2>(extension, "scale", Eigen::Vector2d::Ones());
  const double angle = number(extension, "rotation", 0);
  Eigen::Matrix2d turn;  // counter-clockwise in a picture whose v runs down
  turn << std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle);
  Eigen::Matrix<double, 2, 3> result;
  result.leftCols<2>() = turn * scale.asDiagonal();
  result.col(2) = offset;
  return result;
}

class MaterialReader {
 public:
  explicit MaterialReader(const GltfAsset& asset) : m_asset(asset), m_json(asset.document->json) {}

  GltfMaterials read() {
    m_result.images.resize(gltf::array_size(m_json, "images"));
    m_used.resize(m_result.images.size());
    const Json& materials = member(m_json, "materials");
    m_result.materials.resize(m_asset.materials.size());
    for (std::size_t m = 0; m < m_result.materials.size(); ++m) {
      m_result.materials[m].name = m_asset.materials[m];
      if (const Json* json = element(materials, m)) material(*json, m_result.materials[m]);
    }
    for (std::size_t i = 0; i < m_used.size(); ++i) {
      if (m_used[i]) load(i);
    }
    return std::move(m_result);
  }

 private:
  void warn(std::string text) { m_result.warnings.push_back(std::move(text)); }

  void material(const Json& json, GltfMaterial& out) {
    const Json& surface = member(json, "pbrMetallicRoughness");
    out.base_colour = vector<4>(surface, "baseColorFactor", Eigen::Vector4d::Ones());
    out.metallic = std::clamp(number(surface, "metallicFactor", 1), 0.0, 1.0);
    out.roughness = std::clamp(number(surface, "roughnessFactor", 1), 0.0, 1.0);
    out.emissive = vector<3>(json, "emissiveFactor", Eigen::Vector3d::Zero());
    const std::string alpha = gltf::get_string(json, "alphaMode");
    out.alpha = alpha == "MASK"    ? GltfAlpha::Mask
                : alpha == "BLEND" ? GltfAlpha::Blend
                                   : GltfAlpha::Opaque;
    out.alpha_cutoff = number(json, "alphaCutoff", 0.5);
    out.double_sided = flag(json, "doubleSided");
    const Json& extensions = member(json, "extensions");
    out.unlit = find(extensions, "KHR_materials_unlit") != nullptr;
    out.emissive *=
        number(member(extensions, "KHR_materials_emissive_strength"), "emissiveStrength", 1);
    out.base_colour_texture = texture(surface, "baseColorTexture", out);
    out.metallic_roughness_texture = texture(surface, "metallicRoughnessTexture", out);
    out.normal_texture = texture(json, "normalTexture", out);
    out.occlusion_texture = texture(json, "occlusionTexture", out);
    out.emissive_texture = texture(json, "emissiveTexture", out);
    out.normal_scale = number(member(json, "normalTexture"), "scale", 1);
    out.occlusion_strength =
        std::clamp(number(member(json, "occlusionTexture"), "strength", 1), 0.0, 1.0);
  }

  std::optional<GltfTexture> texture(const Json& parent, const char* key,
                                     const GltfMaterial& material) {
    const Json* use = find(parent, key);
    if (use == nullptr) return {};
    const Json& textures = member(m_json, "textures");
    const auto place = index(*use, "index", textures.is_array() ? textures.size() : 0);
    const auto image =
        place ? index(textures[*place], "source", m_result.images.size()) : std::nullopt;
    if (!image) {
      warn(fmt::format("material '{}': its {} is not a PNG or JPEG; ignored", material.name, key));
      return {};
    }
    GltfTexture result;
    result.image = *image;
    const Json* sampler = nullptr;
    const Json& samplers = member(m_json, "samplers");
    if (const auto s = index(textures[*place], "sampler", samplers.size())) {
      sampler = element(samplers, *s);
    }
    if (sampler != nullptr) {
      constexpr double kNearest = 9728;
      result.wrap_u = wrap(*sampler, "wrapS");
      result.wrap_v = wrap(*sampler, "wrapT");
      result.nearest = number(*sampler, "magFilter", 0) == kNearest;
    }
    const Json& extension = member(member(*use, "extensions"), "KHR_texture_transform");
    if (extension.is_object()) result.transform = transform_of(extension);
    if (number(extension, "texCoord", number(*use, "texCoord", 0)) != 0) {
      warn(fmt::format("material '{}': its {} uses a second set of texture coordinates; ignored",
                       material.name, key));
      return {};
    }
    m_used[result.image] = true;
    return result;
  }

  [[nodiscard]] Result<Bytes> bytes_of(const Json& image) const {
    const std::string uri = gltf::get_string(image, "uri");
    constexpr std::size_t kLargestImage = std::size_t{1} << 30U;
    if (!uri.empty()) return gltf::fetch(uri, m_asset.document->directory, kLargestImage);
    const Json& views = member(m_json, "bufferViews");
    const auto place = index(image, "bufferView", views.is_array() ? views.size() : 0);
    if (!place) return bad_input("neither a URI nor a buffer view");
    const std::size_t all = m_asset.document->binary.size();
    const std::string where = fmt::format("buffer view {}", *place);
    SUPPLE_TRY(const std::size_t begin,
               gltf::get_integer(views[*place], "byteOffset", all + 1, where, 0));
    SUPPLE_TRY(const std::size_t length,
               gltf::get_integer(views[*place], "byteLength", all - begin + 1, where));
    const auto first = m_asset.document->binary.begin() + static_cast<std::ptrdiff_t>(begin);
    return Bytes(first, first + static_cast<std::ptrdiff_t>(length));
  }

  void load(std::size_t place) {
    const Json& json = m_json.at("images").at(place);
    auto decoded = [&]() -> Result<Image> {
      SUPPLE_TRY(const Bytes bytes, bytes_of(json));
      ImageLimits limits;
      limits.pixels = std::min(limits.pixels, m_pixels_left);
      return read_image(bytes, limits);
    }();
    if (decoded.ok()) {
      m_pixels_left -= decoded->width * decoded->height;
      m_result.images[place] = *std::move(decoded);
      return;
    }
    std::string name = gltf::get_string(json, "name");
    if (name.empty()) name = fmt::format("{}", place + 1);
    warn(fmt::format("image '{}' is shown white: {}", name, decoded.error().message()));
  }

  const GltfAsset& m_asset;
  const Json& m_json;
  GltfMaterials m_result;
  std::vector<bool> m_used;
  std::size_t m_pixels_left = std::size_t{1} << 28;  ///< for all images together: 1 GB
};

}  // namespace

GltfMaterials read_materials(const GltfAsset& asset) {
  return MaterialReader(asset).read();
}

}  // namespace supple::io
