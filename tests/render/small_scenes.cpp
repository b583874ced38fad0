// SPDX-License-Identifier: Apache-2.0
#include "render/small_scenes.hpp"

#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numbers>

namespace supple::render::testing {

using geometry::Index;
using geometry::Vec3;

io::GltfPrimitive sphere(int rings) {
  io::GltfPrimitive primitive;
  const int sides = 2 * rings;
  for (int r = 0; r <= rings; ++r) {
    for (int s = 0; s <= sides; ++s) {
      const double down = std::numbers::pi * r / rings;
      const double around = 2 * std::numbers::pi * s / sides;
      primitive.positions.emplace_back(std::sin(down) * std::sin(around), std::cos(down),
                                       std::sin(down) * std::cos(around));
      primitive.texcoords.emplace_back(double(s) / sides, double(r) / rings);
    }
  }
  primitive.normals = primitive.positions;
  for (int r = 0; r < rings; ++r) {
    for (int s = 0; s < sides; ++s) {
      const auto a = static_cast<Index>(r * (sides + 1) + s);
      const auto b = static_cast<Index>(a + sides + 1);
      primitive.triangles.push_back({a, b, static_cast<Index>(b + 1)});
      primitive.triangles.push_back({a, static_cast<Index>(b + 1), static_cast<Index>(a + 1)});
    }
  }
  primitive.material = 0;
  return primitive;
}

io::GltfPrimitive square() {
  io::GltfPrimitive primitive;
  primitive.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  primitive.normals.assign(4, Vec3::UnitZ());
  primitive.texcoords = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  primitive.triangles = {{0, 1, 2}, {0, 2, 3}};
  primitive.material = 0;
  return primitive;
}

io::GltfAsset asset_of(io::GltfPrimitive primitive) {
  io::GltfAsset asset;
  asset.name = "test";
  asset.meshes.resize(1);
  asset.meshes[0].primitives.push_back(std::move(primitive));
  asset.nodes.resize(1);
  asset.nodes[0].mesh = 0;
  asset.parents_first = {0};
  asset.scene_roots = {0};
  asset.materials = {"look"};
  return asset;
}

io::GltfMaterials looks(const io::GltfMaterial& material, std::vector<io::Image> images) {
  io::GltfMaterials result;
  result.materials = {material};
  result.images = std::move(images);
  return result;
}

Moment at_rest(const io::GltfAsset& asset) {
  const io::GltfPose pose = io::rest_pose(asset);
  return {io::world_matrices(asset, pose), pose.weights, {}};
}

View front_view(double half) {
  View view;
  view.camera.height_angle = 0.4;
  view.camera.eye = Vec3(0, 0, half / std::tan(0.2));
  view.camera.near_plane = 0.5;
  view.camera.far_plane = 50;
  view.key_direction = Vec3(-0.48, 0.6, 0.64);
  view.radius = 3;
  view.floor = -1;
  return view;
}

RendererSettings plain_settings(int side) {
  RendererSettings settings;
  settings.width = side;
  settings.height = side;
  settings.look.backdrop = {Backdrop::Kind::Colour, Eigen::Vector3d::Zero()};
  settings.look.tone_map = false;
  settings.look.ground = false;
  settings.look.sky = 0;
  settings.look.key = 1;
  return settings;
}

namespace {

std::string key_of(const RendererSettings& s) {
  const Look& look = s.look;
  const Eigen::Vector3d& c = look.backdrop.colour;
  return fmt::format("{} {} {} {} / {} {} {} {} / {} {} {} {} {} {}", s.width, s.height, s.samples,
                     s.shadow_map, static_cast<int>(look.backdrop.kind), c.x(), c.y(), c.z(),
                     look.key, look.sky, look.softness, look.openness, look.ground, look.tone_map);
}

}  // namespace

io::Image draw(const Shown& shown, const View& view, const RendererSettings& settings) {
  io::Image nothing{
      static_cast<std::size_t>(settings.width), static_cast<std::size_t>(settings.height), {}};
  nothing.rgba.resize(4 * nothing.width * nothing.height);
  const auto give_up = [&](const Error& error) {
    ADD_FAILURE() << error.describe();
    return nothing;
  };
  // Contexts and shaders take longer than pictures: they are made once.
  static const auto context = gpu::Context::create();
  if (!context.ok()) return give_up(context.error());
  if (auto current = context->make_current(); !current.ok()) return give_up(current.error());
  static std::map<std::string, Renderer> renderers;
  const std::string key = key_of(settings);
  auto known = renderers.find(key);
  if (known == renderers.end()) {
    auto made = Renderer::create(*context, settings);
    if (!made.ok()) return give_up(made.error());
    known = renderers.emplace(key, *std::move(made)).first;
  }
  auto scene = DrawnAsset::create(*context, *shown.asset, *shown.materials, shown.flesh);
  if (!scene.ok()) return give_up(scene.error());
  scene->show(shown.moment);
  auto image = known->second.draw(*scene, view);
  return image.ok() ? *std::move(image) : give_up(image.error());
}

Pixel pixel(const io::Image& image, int x, int y) {
  const std::size_t place =
      4 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x));
  return {image.rgba[place], image.rgba[place + 1], image.rgba[place + 2], image.rgba[place + 3]};
}

std::array<double, 2> project(const View& view, const RendererSettings& settings,
                              const Vec3& point) {
  const double aspect = double(settings.width) / settings.height;
  const Eigen::Vector4d clip =
      view.camera.projection(aspect) * view.camera.view() * point.homogeneous();
  return {0.5 * (1 + clip.x() / clip.w()) * settings.width,
          0.5 * (1 - clip.y() / clip.w()) * settings.height};
}

double to_linear(int srgb) {
  const double c = srgb / 255.0;
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

int to_srgb(double linear) {
  const double c = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
  return static_cast<int>(std::lround(255 * std::clamp(c, 0.0, 1.0)));
}

Difference difference(const io::Image& a, const io::Image& b) {
  Difference result;
  EXPECT_EQ(a.rgba.size(), b.rgba.size());
  constexpr int kFar = 24;
  for (std::size_t i = 0; i < std::min(a.rgba.size(), b.rgba.size()); i += 4) {
    int most = 0;
    for (std::size_t c = i; c < i + 4; ++c) {
      const int apart = std::abs(int{a.rgba[c]} - int{b.rgba[c]});
      result.mean += apart;
      most = std::max(most, apart);
    }
    if (most > kFar) result.far_pixels += 1;
  }
  result.mean /= static_cast<double>(a.rgba.size());
  result.far_pixels /= static_cast<double>(a.rgba.size()) / 4;
  return result;
}

}  // namespace supple::render::testing
