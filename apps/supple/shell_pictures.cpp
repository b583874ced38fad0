// SPDX-License-Identifier: Apache-2.0
#include "shell_pictures.hpp"

#include "render_framing.hpp"
#include "render_subject.hpp"
#include "stroke_font.hpp"

#include "supple/core/check.hpp"
#include "supple/io/gltf_materials.hpp"
#include "supple/io/gltf_pose.hpp"
#include "supple/render/renderer.hpp"
#include "supple/render/scene.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::app {
namespace {

using geometry::Vec3;

Canvas to_canvas(const io::Image& image) {
  Canvas canvas(static_cast<int>(image.width), static_cast<int>(image.height));
  std::size_t byte = 0;
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) {
      for (Eigen::Index c = 0; c < 3; ++c) {
        canvas.at(x, y)[c] = from_srgb8(image.rgba[byte + static_cast<std::size_t>(c)]);
      }
      byte += 4;
    }
  }
  return canvas;
}

render::View make_view(const std::vector<Vec3>& all, const Shot& shot) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : all) box.extend(p);
  const std::vector<Vec3>& seen = shot.frame.empty() ? all : shot.frame;
  render::View view;
  view.camera = render::frame(seen, shot.direction, static_cast<double>(shot.width) / shot.height);
  view.key_direction = render::key_direction(shot.direction);
  view.centre = box.center();
  view.radius = 0.5 * box.diagonal().norm();
  const double away = (view.camera.eye - view.centre).norm();
  view.camera.near_plane =
      std::max(0.02 * away, std::min(view.camera.near_plane, away - 2 * view.radius));
  view.camera.far_plane = away + 8 * view.radius;
  return view;
}

Result<render::Renderer> make_renderer(const gpu::Context& context, const Shot& shot) {
  render::RendererSettings settings;
  settings.width = shot.width;
  settings.height = shot.height;
  return render::Renderer::create(context, settings);
}

void fill(Canvas& canvas, const Colour& colour) {
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) canvas.at(x, y) = colour;
  }
}

void lay(Canvas& canvas, const Canvas& picture, int left, int top) {
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) canvas.blend(left + x, top + y, picture.at(x, y), 1);
  }
}

TextStyle caption_style() {
  TextStyle style;
  style.height = 14;
  style.weight = 1.6F;
  style.colour = from_oklch(0.28F, 0.01F, 260);
  return style;
}

}  // namespace

Result<ShellStudio> ShellStudio::create() {
  SUPPLE_TRY(gpu::Context context, gpu::Context::create());
  ShellStudio studio;
  studio.m_context = std::make_shared<const gpu::Context>(std::move(context));
  return studio;
}

Result<Canvas> ShellStudio::draw(const io::SkinnedModel& model, const Shot& shot,
                                 const std::vector<PlacedHandle>& handles) const {
  SUPPLE_TRY(io::GltfAsset asset, io::make_gltf(model));
  io::GltfMaterials materials = io::read_materials(asset);
  std::vector<std::size_t> nodes;
  nodes.reserve(handles.size());
  for (const PlacedHandle& handle : handles) nodes.push_back(add_handle_node(asset, handle.look));
  if (!handles.empty()) materials.materials.push_back(handle_material());
  SUPPLE_TRY(render::Scene scene, render::Scene::create(*m_context, asset, materials, nullptr));
  SUPPLE_TRY(render::Renderer renderer, make_renderer(*m_context, shot));
  render::Moment moment;
  moment.world = io::world_matrices(asset, io::rest_pose(asset));
  for (std::size_t k = 0; k < nodes.size(); ++k) moment.world[nodes[k]] = handles[k].world;
  scene.show(moment);
  std::vector<Vec3> all;
  for (const io::SkinnedPart& part : model.parts) {
    all.insert(all.end(), part.positions.begin(), part.positions.end());
  }
  SUPPLE_TRY(const io::Image image, renderer.draw(scene, make_view(all, shot)));
  return to_canvas(image);
}

Result<std::vector<Canvas>> ShellStudio::draw(const RenderSubject& subject,
                                              const std::vector<double>& times,
                                              const Shot& shot) const {
  io::GltfMaterials materials = io::read_materials(subject.asset());
  if (subject.has_handles()) materials.materials.push_back(handle_material());
  SUPPLE_TRY(render::Scene scene,
             render::Scene::create(*m_context, subject.asset(), materials,
                                   subject.flesh() ? subject.flesh()->asset() : nullptr));
  SUPPLE_TRY(render::Renderer renderer, make_renderer(*m_context, shot));
  FramingSettings settings;
  settings.direction = shot.direction;
  settings.aspect = static_cast<double>(shot.width) / shot.height;
  const Framing framing(subject, times, settings);
  std::vector<Canvas> pictures;
  pictures.reserve(times.size());
  for (const double time : times) {
    scene.show(subject.moment(subject.wrapped(time), Deformation::Full));
    SUPPLE_TRY(const io::Image image, renderer.draw(scene, framing.view(time)));
    pictures.push_back(to_canvas(image));
  }
  return pictures;
}

const char* method_name(ShellMethod method) {
  const ByMethod<const char*> names{{"linear modes", "warped", "rotation-strain", "nonlinear"}};
  return names[method];
}

Colour method_colour(ShellMethod method) {
  const ByMethod<Colour> colours{{from_oklch(0.55F, 0.19F, 27), from_oklch(0.52F, 0.16F, 255),
                                  from_oklch(0.68F, 0.14F, 70), from_oklch(0.56F, 0.13F, 150)}};
  return colours[method];
}

Canvas picture_row(const std::vector<Canvas>& pictures, const std::vector<std::string>& captions) {
  SUPPLE_CHECK(!pictures.empty() && pictures.size() == captions.size());
  constexpr int kGap = 4;
  const bool labelled = std::any_of(captions.begin(), captions.end(),
                                    [](const std::string& text) { return !text.empty(); });
  const int caption = labelled ? 34 : 0;
  int width = -kGap;
  for (const Canvas& picture : pictures) width += picture.width() + kGap;
  Canvas row(width, pictures.front().height() + caption);
  fill(row, Colour::Ones());
  const TextStyle style = caption_style();
  int left = 0;
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    lay(row, pictures[k], left, 0);
    const float indent =
        0.5F * (static_cast<float>(pictures[k].width()) - text_width(captions[k], style));
    draw_text(row, static_cast<float>(left) + indent, static_cast<float>(pictures[k].height()) + 23,
              captions[k], style);
    left += pictures[k].width() + kGap;
  }
  return row;
}

Canvas picture_column(const std::vector<Canvas>& rows, const std::vector<CaptionWord>& legend) {
  constexpr int kGap = 4;
  const int foot = legend.empty() ? 0 : 40;
  int width = 0;
  int height = -kGap;
  for (const Canvas& row : rows) {
    width = std::max(width, row.width());
    height += row.height() + kGap;
  }
  Canvas column(width, height + foot);
  fill(column, Colour::Ones());
  int top = 0;
  for (const Canvas& row : rows) {
    lay(column, row, (width - row.width()) / 2, top);
    top += row.height() + kGap;
  }
  TextStyle style = caption_style();
  constexpr float kBetween = 30;
  float length = -kBetween;
  for (const CaptionWord& word : legend) length += text_width(word.text, style) + kBetween;
  float x = 0.5F * (static_cast<float>(width) - length);
  for (const CaptionWord& word : legend) {
    style.colour = word.colour;
    x += draw_text(column, x, static_cast<float>(top) + 22, word.text, style) + kBetween;
  }
  return column;
}

}  // namespace supple::app
