// SPDX-License-Identifier: Apache-2.0
#include "supple/render/renderer.hpp"

#include "render/small_scenes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace supple::render::testing {
namespace {

using geometry::Vec3;

constexpr double kRoundingSteps = 1.5;  ///< of 255: the picture's own, and the shader's arithmetic

TEST(Renderer, ShowsUnlitColoursAsTheyAre) {
  io::GltfMaterial look;
  look.unlit = true;
  look.base_colour = Eigen::Vector4d(to_linear(120), to_linear(200), to_linear(50), 1);
  const io::GltfAsset asset = asset_of(square());
  const io::GltfMaterials materials = looks(look);
  RendererSettings settings = plain_settings(64);
  settings.look.tone_map = true;
  const io::Image image =
      draw({&asset, &materials, nullptr, at_rest(asset)}, front_view(), settings);
  EXPECT_EQ(pixel(image, 32, 32), (Pixel{120, 200, 50, 255}));
  EXPECT_EQ(pixel(image, 1, 1), (Pixel{0, 0, 0, 255}));
  // The square ends at 1 of 1.25: pixels 6.4 to 57.6.
  EXPECT_EQ(pixel(image, 8, 32)[1], 200);
  EXPECT_EQ(pixel(image, 4, 32)[1], 0);
}

/// glTF 2.0, appendix B, times pi: a dielectric or a metal in the light of one direction.
double reflected(const Vec3& n, const Vec3& v, const Vec3& l, double colour, double metallic,
                 double roughness) {
  const double n_l = n.dot(l);
  if (n_l <= 0) return 0;
  const Vec3 h = (l + v).normalized();
  const double a2 = std::pow(roughness, 4);
  const double n_h = n.dot(h);
  const double n_v = n.dot(v);
  const double f = n_h * n_h * (a2 - 1) + 1;
  const double distribution = a2 / (std::numbers::pi * f * f);
  const double visibility = 0.5 / (n_l * std::sqrt(n_v * n_v * (1 - a2) + a2) +
                                   n_v * std::sqrt(n_l * n_l * (1 - a2) + a2));
  const double f0 = 0.04 * (1 - metallic) + colour * metallic;
  const double fresnel = f0 + (1 - f0) * std::pow(1 - v.dot(h), 5);
  const double diffuse = (1 - fresnel) * (1 - metallic) * colour / std::numbers::pi;
  return std::numbers::pi * n_l * (diffuse + fresnel * distribution * visibility);
}

void expect_formula(double metallic, double roughness) {
  constexpr double kColour = 0.55;
  io::GltfMaterial look;
  look.base_colour = Eigen::Vector4d(kColour, kColour, kColour, 1);
  look.metallic = metallic;
  look.roughness = roughness;
  const io::GltfAsset asset = asset_of(sphere(128));
  const io::GltfMaterials materials = looks(look);
  RendererSettings settings = plain_settings(160);
  const View view = front_view();
  const io::Image image = draw({&asset, &materials, nullptr, at_rest(asset)}, view, settings);
  int lit = 0;
  for (int y = 4; y < 160; y += 12) {
    for (int x = 4; x < 160; x += 12) {
      // Where the ray of the pixel's middle meets the sphere.
      const double scale = std::tan(0.2);
      const Vec3 ray =
          Vec3((x + 0.5 - 80) / 80 * scale, -(y + 0.5 - 80) / 80 * scale, -1).normalized();
      const double b = view.camera.eye.dot(ray);
      const double root = b * b - view.camera.eye.squaredNorm() + 1;
      if (root < 0.15) continue;  // the rim is a polygon's
      const Vec3 n = view.camera.eye + (-b - std::sqrt(root)) * ray;
      // Near the terminator the sphere's own shadow begins.
      if (std::abs(n.dot(view.key_direction)) < 0.2) continue;
      const double expected = reflected(n, -ray, view.key_direction, kColour, metallic, roughness);
      const Pixel seen = pixel(image, x, y);
      EXPECT_NEAR(seen[0], to_srgb(expected), kRoundingSteps + 1) << x << " " << y;
      // The key light is a little warm: green and blue get less of the same.
      EXPECT_LE(seen[2], seen[0]);
      lit += expected > 0.05 ? 1 : 0;
    }
  }
  EXPECT_GT(lit, 20);
}

TEST(Renderer, LightsASphereByTheFormulaOfGltf) {
  expect_formula(0, 0.9);
  expect_formula(0, 0.45);
  expect_formula(1, 0.6);
}

TEST(Renderer, ShowsTheShapeOfWhatHasNoMaterial) {
  // In the light of pictures the brightest place stays well below white, the dark side above black.
  io::GltfAsset asset = asset_of(sphere());
  asset.meshes[0].primitives[0].material.reset();
  const io::GltfMaterials materials;
  RendererSettings settings = plain_settings(100);
  settings.look = Look{};
  settings.look.ground = false;
  View view = front_view();
  view.key_direction = key_direction({});
  const io::Image image = draw({&asset, &materials, nullptr, at_rest(asset)}, view, settings);
  int darkest = 255;
  int brightest = 0;
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) {
      if (std::hypot(x - 49.5, y - 49.5) > 36) continue;  // of 40
      darkest = std::min(darkest, pixel(image, x, y)[1]);
      brightest = std::max(brightest, pixel(image, x, y)[1]);
    }
  }
  EXPECT_GT(brightest, 190);
  EXPECT_LT(brightest, 235);
  EXPECT_GT(darkest, 40);
  EXPECT_LT(darkest, 130);
}

TEST(Renderer, ShadowFallsWhereGeometrySays) {
  // A small square lying 0.5 above the ground, seen from above and in front.
  io::GltfPrimitive plate = square();
  for (Vec3& p : plate.positions) p = Vec3(0.3 * p.x(), 0.5, -0.3 * p.y());
  plate.normals.assign(4, Vec3::UnitY());
  const io::GltfAsset asset = asset_of(plate);
  io::GltfMaterial look;
  look.double_sided = true;
  const io::GltfMaterials materials = looks(look);
  RendererSettings settings = plain_settings(200);
  settings.look.ground = true;
  settings.look.softness = 0.002;
  settings.look.openness = 1e-3;
  settings.look.backdrop.colour = Eigen::Vector3d::Constant(0.5);
  View view;
  view.camera.axes = view_axes({0, 50});
  view.camera.eye = 6 * view.camera.axes.row(2).transpose();
  view.camera.height_angle = 0.5;
  view.key_direction = Vec3(-0.6, 0.8, 0);
  view.floor = 0;
  view.radius = 1.2;
  const io::Image image = draw({&asset, &materials, nullptr, at_rest(asset)}, view, settings);
  const auto ground = [&](double x, double z) {
    const auto place = project(view, settings, Vec3(x, 0, z));
    return pixel(image, static_cast<int>(place[0]), static_cast<int>(place[1]))[0];
  };
  // The light comes from -x: the shadow is moved by 0.5 * 0.6 / 0.8 to +x.
  const double moved = 0.375;
  const int bright = to_srgb(0.5);
  for (const double z : {-0.2, 0.0, 0.2}) {
    EXPECT_LE(ground(moved + 0.24, z), 3) << z;
    EXPECT_NEAR(ground(moved + 0.36, z), bright, kRoundingSteps) << z;
  }
  for (const double x : {0.2, 0.4, 0.6}) {
    EXPECT_LE(ground(x, 0.24), 3) << x;
    EXPECT_NEAR(ground(x, 0.36), bright, kRoundingSteps) << x;
  }
  EXPECT_NEAR(ground(-0.9, 0), bright, kRoundingSteps);
}

TEST(Renderer, LitSurfacesDoNotShadowThemselves) {
  // A sphere in full light from the camera: acne would show as dark specks.
  io::GltfMaterial look;
  look.metallic = 0;
  look.base_colour = Eigen::Vector4d(0.5, 0.5, 0.5, 1);
  const io::GltfMaterials materials = looks(look);
  View view = front_view();
  view.key_direction = Vec3::UnitZ();
  const RendererSettings settings = plain_settings(200);
  io::GltfPrimitive flat = sphere(24);
  flat.normals.clear();
  for (const io::GltfAsset& asset : {asset_of(sphere(24)), asset_of(flat)}) {
    const io::Image image = draw({&asset, &materials, nullptr, at_rest(asset)}, view, settings);
    for (int y = 0; y < 200; ++y) {
      for (int x = 0; x < 200; ++x) {
        if (std::hypot(x - 99.5, y - 99.5) > 64) continue;  // of 80
        EXPECT_GT(to_linear(pixel(image, x, y)[0]), 0.25) << x << " " << y;
      }
    }
  }
}

TEST(Renderer, TrianglesSmallerThanAPixelDoNotShadowThemselves) {
  // Most pixels have several triangles, and none covers a pixel's middle for certain. Far from the
  // world's origin, where a factor on positions shows.
  constexpr double kColour = 0.5;
  io::GltfMaterial look;
  look.metallic = 0;
  look.base_colour = Eigen::Vector4d(kColour, kColour, kColour, 1);
  const io::GltfMaterials materials = looks(look);
  const Vec3 centre(-2, 1, 3);
  io::GltfPrimitive ball = sphere(96);
  for (Vec3& p : ball.positions) p += centre;
  const io::GltfAsset asset = asset_of(ball);
  View view = front_view();
  view.camera.eye += centre;
  view.centre += centre;
  view.key_direction = Vec3(-0.8, 0.36, 0.48);
  RendererSettings settings = plain_settings(100);
  settings.samples = 4;
  const io::Image image = draw({&asset, &materials, nullptr, at_rest(asset)}, view, settings);
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) {
      const double right = (x - 49.5) / 40;
      const double up = (49.5 - y) / 40;
      const double square = 1 - right * right - up * up;
      if (square < 0.15) continue;  // the rim, which perspective and the background blur
      const double lit = view.key_direction.dot(Vec3(right, up, std::sqrt(square)));
      if (lit < 0.3) continue;
      EXPECT_GT(to_linear(pixel(image, x, y)[0]), 0.85 * kColour * lit) << x << " " << y;
    }
  }
}

io::Image four_colours() {
  return {2, 2, {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 0, 255}};
}

TEST(Renderer, PutsTexturesTheRightWayUpAndRepeatsThem) {
  io::GltfMaterial look;
  look.unlit = true;
  look.base_colour_texture = io::GltfTexture{};
  look.base_colour_texture->nearest = true;
  const io::GltfAsset asset = asset_of(square());
  const RendererSettings settings = plain_settings(64);
  const auto corner = [&](const io::GltfMaterial& material, int x, int y) {
    const io::GltfMaterials materials = looks(material, {four_colours()});
    return pixel(draw({&asset, &materials, nullptr, at_rest(asset)}, front_view(), settings), x, y);
  };
  EXPECT_EQ(corner(look, 16, 16), (Pixel{255, 0, 0, 255}));
  EXPECT_EQ(corner(look, 48, 16), (Pixel{0, 255, 0, 255}));
  EXPECT_EQ(corner(look, 16, 48), (Pixel{0, 0, 255, 255}));
  EXPECT_EQ(corner(look, 48, 48), (Pixel{255, 255, 0, 255}));
  // Half a picture to the right: columns change places where it repeats, and stay green where the
  // edge goes on.
  look.base_colour_texture->transform(0, 2) = 0.5;
  EXPECT_EQ(corner(look, 16, 16), (Pixel{0, 255, 0, 255}));
  EXPECT_EQ(corner(look, 48, 16), (Pixel{255, 0, 0, 255}));
  look.base_colour_texture->wrap_u = io::GltfWrap::Clamp;
  EXPECT_EQ(corner(look, 48, 16), (Pixel{0, 255, 0, 255}));
  look.base_colour_texture->wrap_u = io::GltfWrap::Mirror;
  EXPECT_EQ(corner(look, 48, 16), (Pixel{0, 255, 0, 255}));
}

TEST(Renderer, BendsLightByMapsOfNormals) {
  // A map that is the same everywhere tilts all normals to +u, with tangents and without.
  const double tilt = 0.5;
  const auto byte = [](double x) {
    return static_cast<std::uint8_t>(std::lround(255 * (0.5 + 0.5 * x)));
  };
  const io::Image map{1, 1, {byte(std::sin(tilt)), 128, byte(std::cos(tilt)), 255}};
  io::GltfMaterial look;
  look.metallic = 0;
  look.normal_texture = io::GltfTexture{};
  const io::GltfMaterials materials = looks(look, {map});
  look.normal_texture.reset();
  const io::GltfMaterials without = looks(look);
  io::GltfPrimitive primitive = square();
  const RendererSettings settings = plain_settings(64);
  View view = front_view();
  view.key_direction = Vec3(0.6, 0, 0.8);
  const auto centre = [&](const io::GltfAsset& asset, const io::GltfMaterials& look_of) {
    return to_linear(
        pixel(draw({&asset, &look_of, nullptr, at_rest(asset)}, view, settings), 32, 32)[0]);
  };
  const io::GltfAsset derived = asset_of(primitive);
  primitive.tangents.assign(4, Eigen::Vector4d(1, 0, 0, 1));
  const io::GltfAsset given = asset_of(primitive);
  const Vec3 tilted(std::sin(tilt), 0, std::cos(tilt));
  const Vec3 ray = Vec3::UnitZ();
  const double expected = reflected(tilted, ray, view.key_direction, 1, 0, 1);
  EXPECT_NEAR(centre(given, materials), expected, 0.012);
  EXPECT_NEAR(centre(derived, materials), expected, 0.012);
  EXPECT_NEAR(centre(given, without), reflected(ray, ray, view.key_direction, 1, 0, 1), 0.012);
}

TEST(Renderer, CutsMasksAndBlendsInLinearLight) {
  const io::GltfAsset asset = asset_of(square());
  io::GltfMaterial look;
  look.unlit = true;
  look.base_colour = Eigen::Vector4d(1, 1, 1, 0.4);
  const RendererSettings settings = plain_settings(64);
  const auto centre = [&] {
    const io::GltfMaterials materials = looks(look);
    return pixel(draw({&asset, &materials, nullptr, at_rest(asset)}, front_view(), settings), 32,
                 32)[0];
  };
  EXPECT_EQ(centre(), 255);
  look.alpha = io::GltfAlpha::Blend;
  EXPECT_NEAR(centre(), to_srgb(0.4), kRoundingSteps);
  look.alpha = io::GltfAlpha::Mask;
  EXPECT_EQ(centre(), 0);
  look.alpha_cutoff = 0.3;
  EXPECT_EQ(centre(), 255);
}

TEST(Renderer, ShowsBacksOfDoubleSidedMaterialsOnly) {
  io::GltfPrimitive turned = square();
  for (geometry::Triangle& t : turned.triangles) std::swap(t[0], t[1]);
  const io::GltfAsset asset = asset_of(turned);
  io::GltfMaterial look;
  look.unlit = true;
  const RendererSettings settings = plain_settings(64);
  const auto centre = [&] {
    const io::GltfMaterials materials = looks(look);
    return pixel(draw({&asset, &materials, nullptr, at_rest(asset)}, front_view(), settings), 32,
                 32)[0];
  };
  EXPECT_EQ(centre(), 0);
  look.double_sided = true;
  EXPECT_EQ(centre(), 255);
}

TEST(Renderer, LeavesTransparentBackdropsOpen) {
  io::GltfMaterial look;
  look.unlit = true;
  look.base_colour = Eigen::Vector4d(to_linear(140), to_linear(180), to_linear(90), 1);
  const io::GltfAsset asset = asset_of(square());
  const io::GltfMaterials materials = looks(look);
  RendererSettings settings = plain_settings(63);
  settings.look.backdrop.kind = Backdrop::Kind::Transparent;
  const io::Image image =
      draw({&asset, &materials, nullptr, at_rest(asset)}, front_view(), settings);
  EXPECT_EQ(pixel(image, 1, 1)[3], 0);
  EXPECT_EQ(pixel(image, 31, 31), (Pixel{140, 180, 90, 255}));
  // Along the edge coverage changes, the colour does not.
  int edges = 0;
  for (int x = 0; x < 63; ++x) {
    const Pixel p = pixel(image, x, 31);
    if (p[3] == 0 || p[3] == 255) continue;
    EXPECT_NEAR(p[1], 180, 3);
    ++edges;
  }
  EXPECT_GE(edges, 1);
}

TEST(Renderer, RefusesPicturesLargerThanTheGpuDraws) {
  const auto context = gpu::Context::create();
  ASSERT_TRUE(context.ok()) << context.error().describe();
  RendererSettings settings;
  settings.width = 1 << 20;
  const auto renderer = Renderer::create(*context, settings);
  ASSERT_FALSE(renderer.ok());
  EXPECT_NE(renderer.error().message().find("1048576 x 720"), std::string::npos);
}

/// A renderer and a scene of a test's own.
struct Stage {
  Result<gpu::Context> context = gpu::Context::create();
  RendererSettings settings = plain_settings(64);
  Result<Renderer> renderer = Renderer::create(context.value(), settings);
};

TEST(Renderer, CoverageIsTheSilhouetteWhateverTheMaterial) {
  Stage stage;
  io::GltfMaterial look;
  look.base_colour = Eigen::Vector4d(0, 0, 0, 1);  // black on black
  const io::GltfAsset asset = asset_of(square());
  DrawnAsset scene = DrawnAsset::create(*stage.context, asset, looks(look), nullptr).value();
  scene.show(at_rest(asset));
  const std::vector<std::uint8_t> covered = stage.renderer->coverage(scene, front_view()).value();
  ASSERT_EQ(covered.size(), 64U * 64U);
  // The square ends at 1 of 1.25: pixels 6.4 to 57.6.
  double sum = 0;
  for (const std::uint8_t c : covered) sum += c / 255.0;
  EXPECT_NEAR(sum, 51.2 * 51.2, 0.03 * 51.2 * 51.2);
  EXPECT_EQ(covered[64 * 32 + 32], 255);
  EXPECT_EQ(covered[64 * 32 + 2], 0);
  EXPECT_EQ(covered[64 * 2 + 32], 0);
}

TEST(Renderer, PaintCoversMaterialsUntilItIsTakenAway) {
  Stage stage;
  io::GltfMaterial look;
  look.unlit = true;
  look.base_colour = Eigen::Vector4d(0, 1, 0, 1);
  const io::GltfAsset asset = asset_of(square());
  DrawnAsset scene = DrawnAsset::create(*stage.context, asset, looks(look), nullptr).value();
  scene.show(at_rest(asset));
  const auto middle = [&] {
    return pixel(stage.renderer->draw(scene, front_view()).value(), 32, 32);
  };
  const Pixel plain = middle();
  EXPECT_EQ(plain, (Pixel{0, 255, 0, 255}));
  scene.paint(std::vector<Eigen::Vector3f>(4, Eigen::Vector3f(1, 0, 0)));
  const Pixel painted = middle();
  EXPECT_GT(painted[0], 60);
  EXPECT_LT(painted[1], painted[0] / 2);
  // Too few colours for the square: it keeps its material.
  scene.paint(std::vector<Eigen::Vector3f>(3, Eigen::Vector3f(1, 0, 0)));
  EXPECT_EQ(middle(), plain);
  scene.paint({});
  EXPECT_EQ(middle(), plain);
}

TEST(Renderer, ColoursOfPaintGoFromVertexToVertex) {
  Stage stage;
  const io::GltfAsset asset = asset_of(square());
  DrawnAsset scene = DrawnAsset::create(*stage.context, asset, looks({}), nullptr).value();
  scene.show(at_rest(asset));
  const Eigen::Vector3f red(1, 0, 0);
  const Eigen::Vector3f blue(0, 0, 1);
  scene.paint(std::vector<Eigen::Vector3f>{red, blue, blue, red});  // left to right
  const io::Image image = stage.renderer->draw(scene, front_view()).value();
  EXPECT_GT(pixel(image, 9, 32)[0], 2 * pixel(image, 9, 32)[2]);
  EXPECT_GT(pixel(image, 54, 32)[2], 2 * pixel(image, 54, 32)[0]);
}

TEST(Renderer, LookOfTheNextPictureCanChange) {
  Stage stage;
  const io::GltfAsset asset = asset_of(square());
  DrawnAsset scene = DrawnAsset::create(*stage.context, asset, looks({}), nullptr).value();
  scene.show(at_rest(asset));
  Look look = stage.settings.look;
  look.backdrop.colour = Eigen::Vector3d(1, 1, 1);
  stage.renderer->set_look(look);
  EXPECT_EQ(pixel(stage.renderer->draw(scene, front_view()).value(), 1, 1),
            (Pixel{255, 255, 255, 255}));
}

/// A sphere half in water, from above and from below: what is on the viewer's side of the surface
/// stays as it is, the rest shows through it. Two colours of the sphere tell how much of it.
TEST(Renderer, WaterCoversTheOtherSideWithoutHidingIt) {
  const io::GltfAsset asset = asset_of(sphere());
  const auto picture = [&](double grey, const View& view) {
    io::GltfMaterial look;
    look.unlit = true;
    look.base_colour = Eigen::Vector4d(grey, grey, grey, 1);
    const io::GltfMaterials materials = looks(look);
    return draw({&asset, &materials, nullptr, at_rest(asset)}, view, plain_settings(96));
  };
  int points = 0;
  for (const double pitch : {30.0, 50.0, 75.0, -30.0, -50.0, -75.0}) {
    View dry;
    dry.camera = frame(std::vector<Vec3>{{-1, -1, -1}, {1, 1, 1}, {-1, 1, 1}, {1, -1, -1}},
                       {28, pitch}, 1, 0.3);
    const io::Image dark = picture(0.1, dry);
    const Vec3 level = Vec3(dry.camera.eye.x(), 0, dry.camera.eye.z()).normalized();
    for (const double surface : {-0.5, 0.5}) {
      View wet = dry;
      wet.water = surface;
      const io::Image dark_wet = picture(0.1, wet);
      const io::Image bright_wet = picture(0.9, wet);
      for (const double height : {-0.75, -0.25, 0.25, 0.75}) {
        const Vec3 point = std::sqrt(1 - height * height) * level + Vec3(0, height, 0);
        // Away from the rim of the sphere, where a pixel shows the background too.
        if (point.dot((dry.camera.eye - point).normalized()) < 0.5) continue;
        const auto projected = project(dry, plain_settings(96), point);
        const auto at = [&](const io::Image& image) {
          const auto& [x, y] = projected;
          return to_linear(pixel(image, static_cast<int>(x), static_cast<int>(y))[0]);
        };
        const double shows = (at(bright_wet) - at(dark_wet)) / 0.8;
        if ((height - surface) * (dry.camera.eye.y() - surface) > 0) {
          EXPECT_NEAR(shows, 1, 0.02) << pitch << " degrees, at " << height;
          EXPECT_NEAR(at(dark_wet), at(dark), 0.01) << pitch << " degrees, at " << height;
        } else {
          EXPECT_GT(shows, 0.4) << pitch << " degrees, at " << height;
          EXPECT_LT(shows, 0.85) << pitch << " degrees, at " << height;
        }
        ++points;
      }
    }
  }
  EXPECT_GT(points, 20);
}

}  // namespace
}  // namespace supple::render::testing
