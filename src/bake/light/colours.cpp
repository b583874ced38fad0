// SPDX-License-Identifier: Apache-2.0
#include "bake/light/colours.hpp"

#include "supple/core/files.hpp"
#include "supple/io/gltf_editor.hpp"
#include "supple/io/radiance_image.hpp"
#include "supple/light/environment.hpp"

#include <algorithm>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

namespace supple::bake::detail {
namespace {

using Eigen::Vector3f;

constexpr double kWhiteFloor = 0.9;  // what it sends out upwards, at the chosen exposure
constexpr double kSunRadius = 0.00465;

/// Irradiance of an unoccluded surface, over pi: what it would send out if it were white.
Eigen::Vector3d open_radiance(const light::Coefficients& light, const geometry::Vec3& normal) {
  light::Coefficients received = light;
  for (int i = 0; i < static_cast<int>(light.rows()); ++i) {
    received.row(i) *= light::cosine_lobe(light::degree(i)) / std::numbers::pi;
  }
  return light::evaluate(received, normal);
}

Result<light::Environment> environment_of(const LightSettings& settings) {
  const LightSky& sky = settings.sky;
  light::Environment environment;
  if (!sky.map.empty()) {
    SUPPLE_TRY(const Bytes bytes, read_file(sky.map));
    SUPPLE_TRY(io::RadianceImage image, io::read_hdr_panorama(bytes, sky.map));
    environment.map = light::RadianceMap{image.width, image.height, std::move(image.rgb)};
    SUPPLE_TRY_VOID(environment.validate().during("reading '" + sky.map + "'"));
    return environment;
  }
  light::SkySettings clear;
  clear.sun = sky.sun;
  clear.turbidity = sky.turbidity;
  SUPPLE_TRY(environment.sky, light::ClearSky::make(clear));
  if (sky.sun_strength > 0) {
    const geometry::Vec3 open =
        open_radiance(environment.coefficients(settings.transfer.order), geometry::Vec3::UnitY());
    const double strength = sky.sun_strength * std::numbers::pi * open.mean();
    // A little warmer than the sky, as the sun is.
    environment.discs.push_back(light::Disc::with_irradiance(
        sky.sun.normalized(), kSunRadius, strength * geometry::Vec3(1.05, 1, 0.92)));
  }
  return environment;
}

/// What a vertex sends out, over what its material multiplies again.
Vector3f without_base(Vector3f colour, const io::GltfAsset& asset,
                      const io::GltfPrimitive& primitive) {
  if (primitive.material) {
    const Eigen::Vector4d& base = asset.base_colours[*primitive.material];
    for (int i = 0; i < 3; ++i) {
      colour[i] = base[i] > 0 ? colour[i] / static_cast<float>(base[i]) : 0;
    }
  }
  return colour.cwiseMax(0.0F).cwiseMin(1.0F);
}

/// A sheet is drawn with one colour: that of its brighter side.
Vector3f brighter(const light::TransferVectors& front, const light::TransferVectors& back,
                  std::size_t vertex, const Eigen::MatrixX3f& light) {
  const Vector3f first = front.radiance(vertex, light);
  if (back.vertex_count() == 0) return first;
  const Vector3f second = back.radiance(vertex, light);
  return first.sum() >= second.sum() ? first : second;
}

io::GltfAttribute kept_albedo(const io::GltfPrimitive& primitive) {
  io::GltfAttribute attribute{kAlbedoAttribute, 3, {}};
  for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
    const Eigen::Vector4d colour =
        primitive.colours.empty() ? Eigen::Vector4d::Ones().eval() : primitive.colours[v];
    for (int i = 0; i < 3; ++i) attribute.values.push_back(static_cast<float>(colour[i]));
  }
  return attribute;
}

bool has_kept_albedo(const io::GltfPrimitive& primitive) {
  return std::any_of(primitive.attributes.begin(), primitive.attributes.end(),
                     [](const io::GltfAttribute& a) { return a.name == kAlbedoAttribute; });
}

}  // namespace

Result<BakeLight> make_bake_light(const LightSettings& settings) {
  SUPPLE_TRY(const light::Environment environment, environment_of(settings));
  const light::Coefficients whole = environment.coefficients(settings.transfer.order);
  // A small sun rings in few bands; what takes that away takes some of its brightness, too.
  const double window = whole(0, 0) > 0 ? light::window_against_ringing(whole) : 0;
  BakeLight made;
  made.coefficients = light::windowed(whole, window);
  made.exposure = settings.sky.exposure;
  if (made.exposure == 0) {
    const double floor = open_radiance(made.coefficients, geometry::Vec3::UnitY()).maxCoeff();
    made.exposure = floor > 0 ? kWhiteFloor / floor : 1;
  }
  made.coefficients *= made.exposure;
  return made;
}

Result<io::GltfAsset> colour_gltf(const io::GltfAsset& asset, const LitSurface& surface,
                                  const light::TransferField& rest,
                                  const light::Coefficients& light) {
  const Eigen::MatrixX3f radiance = light.cast<float>();
  io::GltfEditor editor(asset);
  std::set<std::pair<std::size_t, std::size_t>> done;  // a mesh that several nodes show is one
  for (const LitPiece& piece : surface.pieces()) {
    if (!done.insert({piece.mesh, piece.primitive}).second) continue;
    const io::GltfPrimitive& primitive = asset.meshes[piece.mesh].primitives[piece.primitive];
    const auto& front = piece.moves ? rest.front : rest.surroundings_front;
    const auto& back = piece.moves ? rest.back : rest.surroundings_back;
    std::vector<Eigen::Vector4d> colours;
    for (std::size_t v = 0; v < piece.count; ++v) {
      const Vector3f sent = brighter(front, back, piece.first + v, radiance);
      const Vector3f colour = without_base(sent, asset, primitive);
      const double alpha = primitive.colours.empty() ? 1 : primitive.colours[v].w();
      colours.emplace_back(colour.x(), colour.y(), colour.z(), alpha);
    }
    if (!has_kept_albedo(primitive)) {
      SUPPLE_TRY_VOID(editor.set_attribute(piece.mesh, piece.primitive, kept_albedo(primitive)));
    }
    SUPPLE_TRY_VOID(editor.set_colours(piece.mesh, piece.primitive, colours));
  }
  return std::move(editor).finish();
}

}  // namespace supple::bake::detail
