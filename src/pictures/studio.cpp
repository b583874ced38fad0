// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/studio.hpp"

#include "supple/core/log.hpp"
#include "supple/io/gltf_materials.hpp"
#include "supple/io/gltf_pose.hpp"
#include "supple/pictures/framing.hpp"
#include "supple/plot/sheet.hpp"
#include "supple/render/drawn_asset.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace supple::pictures {
namespace {

using geometry::Vec3;

render::View model_view(const std::vector<Vec3>& all, const Shot& shot) {
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

render::RendererSettings size_of(const Shot& shot) {
  render::RendererSettings settings;
  settings.width = shot.width;
  settings.height = shot.height;
  return settings;
}

}  // namespace

Result<Studio> Studio::create() {
  SUPPLE_TRY(gpu::Context context, gpu::Context::create());
  Studio studio;
  studio.m_context = std::make_unique<const gpu::Context>(std::move(context));
  return studio;
}

Result<render::Renderer*> Studio::renderer(const render::RendererSettings& settings) {
  const auto room = [](const render::RendererSettings& s) {
    return std::tuple(s.width, s.height, s.samples, s.shadow_map);
  };
  if (!m_renderer || room(m_settings) != room(settings)) {
    m_renderer.reset();  // its buffers make room for the next one's
    SUPPLE_TRY(render::Renderer made, render::Renderer::create(*m_context, settings));
    m_renderer = std::make_unique<render::Renderer>(std::move(made));
    m_settings = settings;
  }
  m_renderer->set_look(settings.look);
  return m_renderer.get();
}

Result<render::DrawnAsset> Studio::make_scene(const Subject& subject) const {
  io::GltfMaterials materials = io::read_materials(subject.asset());
  for (const std::string& warning : materials.warnings) log::warn("{}", warning);
  if (subject.has_handles()) materials.materials.push_back(handle_material());
  return render::DrawnAsset::create(*m_context, subject.asset(), materials,
                                    subject.soft() ? subject.soft()->asset() : nullptr);
}

Result<io::Image> Studio::draw(const io::SkinnedModel& model, const Shot& shot,
                               const std::vector<PlacedHandle>& handles) {
  SUPPLE_TRY(io::GltfAsset asset, io::make_gltf(model));
  io::GltfMaterials materials = io::read_materials(asset);
  std::vector<std::size_t> nodes;
  nodes.reserve(handles.size());
  for (const PlacedHandle& handle : handles) nodes.push_back(add_handle_node(asset, handle.look));
  if (!handles.empty()) materials.materials.push_back(handle_material());
  SUPPLE_TRY(render::DrawnAsset scene,
             render::DrawnAsset::create(*m_context, asset, materials, nullptr));
  SUPPLE_TRY(render::Renderer * renderer, this->renderer(size_of(shot)));
  render::Moment moment;
  moment.world = io::world_matrices(asset, io::rest_pose(asset));
  for (std::size_t k = 0; k < nodes.size(); ++k) moment.world[nodes[k]] = handles[k].world;
  scene.show(moment);
  std::vector<Vec3> all;
  for (const io::SkinnedPart& part : model.parts) {
    all.insert(all.end(), part.positions.begin(), part.positions.end());
  }
  return renderer->draw(scene, model_view(all, shot));
}

Result<std::vector<io::Image>> Studio::draw(const Subject& subject,
                                            const std::vector<double>& times, const Shot& shot) {
  SUPPLE_TRY(render::DrawnAsset scene, make_scene(subject));
  SUPPLE_TRY(render::Renderer * renderer, this->renderer(size_of(shot)));
  FramingSettings settings;
  settings.direction = shot.direction;
  settings.aspect = static_cast<double>(shot.width) / shot.height;
  const Framing framing(subject, times, settings);
  std::vector<io::Image> images;
  images.reserve(times.size());
  for (const double time : times) {
    scene.show(subject.moment(subject.wrapped(time), Deformation::Full));
    SUPPLE_TRY(io::Image image, renderer->draw(scene, framing.view(time)));
    images.push_back(std::move(image));
  }
  return images;
}

Result<plot::Drawing> tile_of(const io::Image& image) {
  SUPPLE_TRY(const Bytes png, io::write_png(image));
  return plot::picture_of(png, static_cast<int>(image.width), static_cast<int>(image.height));
}

}  // namespace supple::pictures
