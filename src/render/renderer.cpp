// SPDX-License-Identifier: Apache-2.0
#include "supple/render/renderer.hpp"

#include "render/drawn_asset_data.hpp"
#include "render/frame_setup.hpp"
#include "render/shaders.hpp"
#include "render/targets.hpp"
#include "render/uniforms.hpp"

#include "supple/gpu/objects.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace supple::render {

using Eigen::Matrix4d;
using Eigen::Vector2d;
using Eigen::Vector3f;
using geometry::Mat3;
using geometry::Vec3;
using gpu::Program;
using gpu::ShaderSource;

namespace {

enum Pass { ShadowPass, NormalPass, PicturePass, CoveragePass };
constexpr std::size_t kPasses = 4;
enum FleshKind { NoFlesh, ShortFlesh, FloatFlesh };
constexpr std::size_t kKinds = 6;  ///< combinations of flesh path and unwarped shells

}  // namespace

struct Renderer::State {
  const gpu::Gl* gl = nullptr;
  RendererSettings settings;
  Targets targets;
  std::array<std::array<Program, kKinds>, kPasses>
      surfaces;  ///< by pass and kind, compiled on demand
  Program backdrop, ground, ground_normals, water, openness, blur;
  gpu::VertexArray no_vertices;

  // State of the frame being drawn:
  const DrawnAsset::Data* scene = nullptr;
  const View* view = nullptr;
  ShadowCamera shadow;
  Matrix4d view_projection;

  [[nodiscard]] Result<void> link_fixed();
  [[nodiscard]] Result<Program*> surface_program(Pass pass, FleshKind kind);
  void set_light(const Uniforms& uniforms) const;
  void set_depth_range(const Uniforms& uniforms) const;
  void set_backdrop(const Uniforms& uniforms) const;
  void set_material(const Uniforms& uniforms, const SceneMaterial& material) const;
  void draw_item(const Uniforms& uniforms, const SceneItem& item, Pass pass) const;
  [[nodiscard]] Result<void> draw_items(Pass pass, const std::vector<const SceneItem*>& items);
  [[nodiscard]] std::vector<const SceneItem*> items_with(io::GltfAlpha alpha) const;
  void draw_ground(const Program& program, Pass pass) const;
  void draw_water() const;
  void bind(Unit unit, GLuint texture, GLuint sampler = 0) const;
  void begin(const DrawnAsset& scene, const View& view);
  [[nodiscard]] Result<void> draw_all(Pass pass);
  [[nodiscard]] Result<void> shadow_pass();
  [[nodiscard]] Result<void> openness_pass();
  [[nodiscard]] Result<void> picture_pass();
  [[nodiscard]] bool transparent() const {
    return settings.look.backdrop.kind == Backdrop::Kind::Transparent;
  }
};

Result<void> Renderer::State::link_fixed() {
  using namespace shaders;
  const ShaderSource screen = ShaderSource("full screen").text(kFullScreenVertex);
  const ShaderSource plane = ShaderSource("ground").text(kGroundVertex);
  const auto fragment = [](const char* name, std::initializer_list<std::string_view> texts) {
    ShaderSource source(name);
    for (const std::string_view text : texts) source.text(text);
    return source;
  };
  SUPPLE_TRY(backdrop,
             Program::link(*gl, screen,
                           fragment("backdrop", {kScreen, kLight, kBackdrop, kBackdropMain})));
  SUPPLE_TRY(ground, Program::link(*gl, plane,
                                   fragment("ground", {kScreen, kLight, kBackdrop, kGroundMain})));
  SUPPLE_TRY(water, Program::link(*gl, plane,
                                  fragment("water", {kScreen, kLight, kBackdrop, kWaterMain})));
  SUPPLE_TRY(ground_normals,
             Program::link(*gl, plane, fragment("ground normals", {kGroundNormals})));
  SUPPLE_TRY(openness, Program::link(*gl, screen, fragment("openness", {kScreen, kOpenness})));
  SUPPLE_TRY(blur, Program::link(*gl, screen, fragment("openness blur", {kScreen, kOpennessBlur})));
  return {};
}

Result<Program*> Renderer::State::surface_program(Pass pass, FleshKind kind) {
  Program& program = surfaces[pass][2 * std::size_t{kind} + (scene->linear ? 1 : 0)];
  if (program) return &program;
  ShaderSource vertex("surface");
  vertex.chunk("surface").chunk("skinning");
  if (kind != NoFlesh) {
    vertex.define("FLESH");
    if (scene->linear) vertex.define("SUPPLE_LINEAR");
    scene->flesh->add_to(vertex);
  }
  vertex.text(shaders::kSurfaceVertex);
  ShaderSource fragment("material");
  fragment.text(shaders::kMaterial);
  if (pass == ShadowPass) fragment.text(shaders::kCutOut);
  if (pass == NormalPass) fragment.text(shaders::kNormals);
  if (pass == CoveragePass) fragment.text(shaders::kCoverage);
  if (pass == PicturePass) {
    fragment.text(shaders::kScreen).text(shaders::kLight).text(shaders::kSurface);
  }
  SUPPLE_TRY(program, Program::link(*gl, vertex, fragment, {{}, attribute_places()}));
  return &program;
}

void Renderer::State::bind(Unit unit, GLuint texture, GLuint sampler) const {
  gl->ActiveTexture(GL_TEXTURE0 + unit);
  gl->BindTexture(GL_TEXTURE_2D, texture);
  gl->BindSampler(unit, sampler);
}

void Renderer::State::set_light(const Uniforms& uniforms) const {
  const Look& look = settings.look;
  uniforms.set("u_eye", view->camera.eye);
  uniforms.set("u_key_direction", view->key_direction);
  uniforms.set("u_key", Vec3(look.key * Vec3(1.0, 0.965, 0.92)));
  uniforms.set("u_sky", look.sky);
  uniforms.set("u_bounce", colours_of(look.backdrop).pool);
  // Behind the subject, on the opposite side of the picture from the key light.
  const Mat3& axes = view->camera.axes;
  const Vec3 rim = 0.75 * axes.row(0) - 0.75 * axes.row(2);
  uniforms.set("u_rim_direction", Vec3((rim + 0.55 * Vec3::UnitY()).normalized()));
  uniforms.set("u_tone", look.tone_map ? 1 : 0);
  uniforms.set("u_back", Vec3(axes.row(2).transpose()));
  set_depth_range(uniforms);
  uniforms.set("u_shadow_matrix", shadow.to_map);
  uniforms.set("u_shadow_axes", shadow.axes);
  uniforms.set("u_shadow_scale",
               Vec3(shadow.width, shadow.width / targets.shadow_size(), look.softness));
}

void Renderer::State::set_depth_range(const Uniforms& uniforms) const {
  uniforms.set("u_depth_range", Vector2d(view->camera.near_plane, view->camera.far_plane));
}

void Renderer::State::set_backdrop(const Uniforms& uniforms) const {
  const BackdropColours colours = colours_of(settings.look.backdrop);
  uniforms.set("u_pool", colours.pool);
  uniforms.set("u_horizon", colours.horizon);
  uniforms.set("u_top", colours.top);
  uniforms.set("u_reach", 4.5 * view->radius);
  uniforms.set("u_centre", view->centre);
}

void Renderer::State::set_material(const Uniforms& uniforms, const SceneMaterial& material) const {
  const io::GltfMaterial& look = material.look;
  std::array<Vector3f, 2 * kMaterialTextures> transforms;
  for (std::size_t i = 0; i < kMaterialTextures; ++i) {
    const SceneTexture& texture = material.textures[i];
    const bool there = texture.used && texture.texture != 0;
    bind(static_cast<Unit>(i), there ? texture.texture : scene->white.id(),
         there ? texture.sampler.id() : 0);
    transforms[2 * i] = texture.transform.row(0).transpose().cast<float>();
    transforms[2 * i + 1] = texture.transform.row(1).transpose().cast<float>();
  }
  uniforms.set_all("u_transforms", transforms);
  uniforms.set("u_base_factor", look.base_colour);
  uniforms.set("u_factors", Eigen::Vector4d(look.metallic, look.roughness, look.normal_scale,
                                            look.occlusion_strength));
  uniforms.set("u_emissive_factor", Vec3(look.emissive));
  uniforms.set("u_alpha_mode", static_cast<int>(look.alpha));
  uniforms.set("u_alpha_cutoff", look.alpha_cutoff);
  uniforms.set("u_has_normal_map", material.textures[NormalMap].used);
  uniforms.set("u_unlit", look.unlit);
}

void Renderer::State::draw_item(const Uniforms& uniforms, const SceneItem& item, Pass pass) const {
  const ScenePrimitive& primitive = scene->primitives[item.primitive];
  const SceneMaterial& material = scene->material_of(item);
  set_material(uniforms, material);
  uniforms.set("u_world", item.world);
  const Mat3 linear = item.world.topLeftCorner<3, 3>();
  const bool mirrored = !item.skin && linear.determinant() < 0;
  Mat3 normals;  // cofactors: the inverse transpose up to a factor, even for a singular matrix
  normals.col(0) = linear.col(1).cross(linear.col(2));
  normals.col(1) = linear.col(2).cross(linear.col(0));
  normals.col(2) = linear.col(0).cross(linear.col(1));
  uniforms.set("u_world_normal", mirrored ? Mat3(-normals) : normals);
  uniforms.set("u_influences", item.skin ? primitive.influences : 0);
  uniforms.set("u_first_vertex", scene->flesh_acts ? primitive.first_vertex : -1);
  uniforms.set("u_vertices", primitive.vertices);
  uniforms.set("u_active_targets", item.active_targets);
  uniforms.set("u_has_normals", primitive.has_normals);
  uniforms.set("u_has_tangents", primitive.has_tangents);
  if (item.skin) scene->skins[*item.skin].palette.bind(Palette);
  if (primitive.targets > 0) {
    bind(Morphs, primitive.morphs.id());
    item.weights.bind(MorphWeights);
  }
  gl->FrontFace(mirrored ? GL_CW : GL_CCW);
  const bool both_sides = material.look.double_sided || primitive.shell || pass == ShadowPass;
  gl->BindVertexArray(primitive.array.id());
  scene->bind_colours(item);
  if (primitive.influences == 0) {
    gl->VertexAttribI4ui(Joints0, 0, 0, 0, 0);
    gl->VertexAttribI4ui(Joints1, 0, 0, 0, 0);
  }
  const auto draw = [&] {
    gl->DrawElements(GL_TRIANGLES, primitive.corners, GL_UNSIGNED_INT, nullptr);
  };
  gl->Enable(GL_CULL_FACE);
  if (both_sides && pass == PicturePass && material.look.alpha == io::GltfAlpha::Blend) {
    gl->CullFace(GL_FRONT);  // back faces first
    draw();
  } else if (both_sides) {
    gl->Disable(GL_CULL_FACE);
  }
  gl->CullFace(GL_BACK);
  draw();
}

Result<void> Renderer::State::draw_items(Pass pass, const std::vector<const SceneItem*>& items) {
  if (items.empty()) return {};
  const FleshKind kind = !scene->flesh_acts                 ? NoFlesh
                         : scene->flesh->has_float_shapes() ? FloatFlesh
                                                            : ShortFlesh;
  SUPPLE_TRY(Program * program, surface_program(pass, kind));
  const Uniforms uniforms(*gl, *program);
  name_units(uniforms);
  if (kind != NoFlesh) {
    scene->flesh->bind(*program, Shapes);
    scene->coefficients.bind(Coefficients);
  }
  uniforms.set("u_view_projection", pass == ShadowPass ? shadow.view_projection : view_projection);
  uniforms.set("u_view_axes", view->camera.axes);
  if (pass == PicturePass) {
    set_light(uniforms);
    uniforms.set("u_coverage", !transparent() && targets.samples() > 1);
  }
  for (const SceneItem* item : items) draw_item(uniforms, *item, pass);
  gl->Disable(GL_CULL_FACE);
  gl->FrontFace(GL_CCW);
  return {};
}

std::vector<const SceneItem*> Renderer::State::items_with(io::GltfAlpha alpha) const {
  std::vector<const SceneItem*> items;
  items.reserve(scene->items.size());
  for (const SceneItem& item : scene->items) {
    if (scene->material_of(item).look.alpha == alpha) items.push_back(&item);
  }
  return items;
}

void Renderer::State::draw_ground(const Program& program, Pass pass) const {
  if (!settings.look.ground) return;
  const Uniforms uniforms(*gl, program);
  name_units(uniforms);
  uniforms.set("u_view_projection", view_projection);
  uniforms.set("u_view_axes", view->camera.axes);
  uniforms.set("u_ground", Vec3(view->centre.x(), view->floor, view->centre.z()));
  uniforms.set("u_extent", 4.6 * view->radius);
  if (pass == PicturePass) {
    set_light(uniforms);
    set_backdrop(uniforms);
    uniforms.set("u_catcher", transparent());
  }
  gl->Enable(GL_CULL_FACE);  // invisible from below
  gl->BindVertexArray(no_vertices.id());
  gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  gl->Disable(GL_CULL_FACE);
}

void Renderer::State::draw_water() const {
  if (!view->water) return;
  const Uniforms uniforms(*gl, water);
  name_units(uniforms);
  uniforms.set("u_view_projection", view_projection);
  uniforms.set("u_ground", Vec3(view->centre.x(), *view->water, view->centre.z()));
  uniforms.set("u_extent", 4.6 * view->radius);
  uniforms.set("u_ripple", 0.3 * view->radius);
  set_light(uniforms);
  set_backdrop(uniforms);
  gl->BindVertexArray(no_vertices.id());
  gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

Result<void> Renderer::State::draw_all(Pass pass) {
  for (const auto alpha : {io::GltfAlpha::Opaque, io::GltfAlpha::Mask, io::GltfAlpha::Blend}) {
    SUPPLE_TRY_VOID(draw_items(pass, items_with(alpha)));
  }
  return {};
}

Result<void> Renderer::State::shadow_pass() {
  targets.begin_shadow();
  gl->Enable(GL_DEPTH_TEST);
  gl->Enable(GL_POLYGON_OFFSET_FILL);
  gl->PolygonOffset(1.1F, 2);
  SUPPLE_TRY_VOID(draw_all(ShadowPass));
  gl->Disable(GL_POLYGON_OFFSET_FILL);
  return {};
}

Result<void> Renderer::State::openness_pass() {
  targets.begin_normals();
  gl->Enable(GL_DEPTH_TEST);
  SUPPLE_TRY_VOID(draw_items(NormalPass, items_with(io::GltfAlpha::Opaque)));
  SUPPLE_TRY_VOID(draw_items(NormalPass, items_with(io::GltfAlpha::Mask)));
  draw_ground(ground_normals, NormalPass);
  gl->Disable(GL_DEPTH_TEST);
  gl->BindVertexArray(no_vertices.id());
  const Camera& camera = view->camera;
  const Matrix4d projection =
      camera.projection(static_cast<double>(targets.width()) / targets.height());
  const auto screen_pass = [&](const Program& program, std::size_t into, std::size_t from,
                               int across) {
    targets.begin_openness(into);
    const Uniforms uniforms(*gl, program);
    bind(PictureDepth, targets.depth());
    bind(NormalMap, targets.normals());
    bind(Openness, targets.openness(from));
    uniforms.set("u_depth", int{PictureDepth});
    uniforms.set("u_normals", int{NormalMap});
    uniforms.set("u_source", int{Openness});
    set_depth_range(uniforms);
    uniforms.set("u_lens", Vector2d(projection(0, 0), projection(1, 1)));
    uniforms.set("u_radius", settings.look.openness * view->radius);
    Eigen::Vector4d subject = camera.view() * view->centre.homogeneous();
    subject.w() = view->radius;
    uniforms.set("u_subject", subject);
    gl->Uniform2i(program.uniform("u_step"), across, 1 - across);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
  };
  screen_pass(openness, 0, 1, 0);
  screen_pass(blur, 1, 0, 1);
  screen_pass(blur, 0, 1, 0);
  return {};
}

Result<void> Renderer::State::picture_pass() {
  targets.begin_picture();
  bind(ShadowCompare, targets.shadow(), targets.compare_sampler());
  bind(ShadowDepth, targets.shadow(), targets.depth_sampler());
  bind(Openness, targets.openness(0));
  bind(PictureDepth, targets.depth());
  gl->Disable(GL_DEPTH_TEST);
  if (!transparent()) {
    const Uniforms uniforms(*gl, backdrop);
    name_units(uniforms);
    set_light(uniforms);
    set_backdrop(uniforms);
    uniforms.set("u_unproject", Matrix4d(view_projection.inverse()));
    gl->BindVertexArray(no_vertices.id());
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
  }
  gl->Enable(GL_DEPTH_TEST);
  SUPPLE_TRY_VOID(draw_items(PicturePass, items_with(io::GltfAlpha::Opaque)));
  if (!transparent()) gl->Enable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  SUPPLE_TRY_VOID(draw_items(PicturePass, items_with(io::GltfAlpha::Mask)));
  gl->Disable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  gl->Enable(GL_BLEND);
  gl->BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  draw_ground(ground, PicturePass);
  gl->DepthMask(GL_FALSE);
  std::vector<const SceneItem*> clear = items_with(io::GltfAlpha::Blend);
  const auto nearness = [&](const SceneItem* item) {
    const Vec3 centre =
        item->skin ? view->centre
                   : Vec3((item->world * scene->primitives[item->primitive].centre.homogeneous())
                              .head<3>());
    return view->camera.axes.row(2).dot(centre);
  };
  std::stable_sort(clear.begin(), clear.end(), [&](const SceneItem* a, const SceneItem* b) {
    return nearness(a) < nearness(b);
  });
  SUPPLE_TRY_VOID(draw_items(PicturePass, clear));
  draw_water();
  gl->Disable(GL_BLEND);
  gl->DepthMask(GL_TRUE);
  return {};
}

Renderer::Renderer(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Result<Renderer> Renderer::create(const gpu::Context& context, const RendererSettings& settings) {
  auto state = std::make_unique<State>();
  state->gl = &context.gl();
  state->settings = settings;
  SUPPLE_TRY(state->targets, Targets::create(context, settings.width, settings.height,
                                             settings.samples, settings.shadow_map));
  state->no_vertices = gpu::VertexArray(context.gl());
  SUPPLE_TRY_VOID(state->link_fixed());
  return Renderer(std::move(state));
}

void Renderer::set_look(const Look& look) {
  m_state->settings.look = look;
}

int Renderer::samples() const {
  return m_state->targets.samples();
}

void Renderer::State::begin(const DrawnAsset& shown, const View& seen) {
  scene = &shown.data();
  view = &seen;
  shadow = shadow_camera(seen);
  const double aspect = static_cast<double>(targets.width()) / targets.height();
  view_projection = seen.camera.projection(aspect) * seen.camera.view();
}

Result<io::Image> Renderer::draw(const DrawnAsset& scene, const View& view) {
  State& state = *m_state;
  state.begin(scene, view);
  SUPPLE_TRY_VOID(state.shadow_pass());
  SUPPLE_TRY_VOID(state.openness_pass());
  SUPPLE_TRY_VOID(state.picture_pass());
  SUPPLE_TRY_VOID(gpu::check_gl(*state.gl, "drawing a picture"));
  SUPPLE_TRY(io::Image image, state.targets.read());
  if (state.transparent()) {
    divide_by_alpha(image);
  } else {
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  }
  return image;
}

Result<std::vector<std::uint8_t>> Renderer::coverage(const DrawnAsset& scene, const View& view) {
  State& state = *m_state;
  state.begin(scene, view);
  state.targets.begin_picture();
  state.gl->Enable(GL_DEPTH_TEST);
  SUPPLE_TRY_VOID(state.draw_all(CoveragePass));
  SUPPLE_TRY_VOID(gpu::check_gl(*state.gl, "drawing a silhouette"));
  SUPPLE_TRY(const io::Image image, state.targets.read());
  std::vector<std::uint8_t> covered;
  covered.reserve(image.width * image.height);
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) covered.push_back(image.rgba[i]);
  return covered;
}

}  // namespace supple::render
