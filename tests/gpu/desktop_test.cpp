// SPDX-License-Identifier: Apache-2.0
// The chunks in desktop OpenGL, which Context does not open.
#include "gpu/egl.hpp"

#include "supple/gpu/context.hpp"
#include "supple/gpu/objects.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <memory>
#include <set>
#include <string>

namespace supple::gpu {
namespace {

/// OpenGL 3.3 or newer, core profile, on the first display of EGL that has it.
class DesktopContext {
 public:
  /// Null where there is none.
  static std::unique_ptr<DesktopContext> create() {
    const auto egl = Egl::load();
    if (!egl.ok()) return nullptr;
    for (const DisplayChoice& choice : display_choices(**egl, "")) {
      const auto display = Display::open(**egl, choice.handle);
      if (!display || !display->has("EGL_KHR_surfaceless_context")) continue;
      auto made = std::unique_ptr<DesktopContext>(new DesktopContext(**egl, display->handle()));
      if (made->m_context != EGL_NO_CONTEXT) return made;
    }
    return nullptr;
  }
  ~DesktopContext() {
    if (m_context != EGL_NO_CONTEXT) {
      m_egl.MakeCurrent(m_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      m_egl.DestroyContext(m_display, m_context);
    }
    m_egl.BindAPI(EGL_OPENGL_ES_API);
  }
  DesktopContext(const DesktopContext&) = delete;
  DesktopContext& operator=(const DesktopContext&) = delete;

  [[nodiscard]] const Gl& gl() const { return m_gl; }
  [[nodiscard]] std::string version() const {
    return reinterpret_cast<const char*>(m_gl.GetString(GL_VERSION));
  }
  [[nodiscard]] bool has_extension(const std::string& name) const {
    return m_extensions.contains(name);
  }

 private:
  DesktopContext(const Egl& egl, EGLDisplay display) : m_egl(egl), m_display(display) {
    const std::array<EGLint, 5> wanted{EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                       EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    egl.ChooseConfig(display, wanted.data(), &config, 1, &count);
    const std::array<EGLint, 7> core{EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
    if (egl.BindAPI(EGL_OPENGL_API) == EGL_FALSE || count == 0) return;
    m_context = egl.CreateContext(display, config, EGL_NO_CONTEXT, core.data());
    if (m_context == EGL_NO_CONTEXT) return;
    egl.MakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, m_context);
#define SUPPLE_GL_LOAD(type, name) m_gl.name = std::bit_cast<type>(egl.GetProcAddress("gl" #name));
    SUPPLE_GL_FUNCTIONS(SUPPLE_GL_LOAD)
#undef SUPPLE_GL_LOAD
    GLint extensions = 0;
    m_gl.GetIntegerv(GL_NUM_EXTENSIONS, &extensions);
    for (GLint i = 0; i < extensions; ++i) {
      m_extensions.insert(
          reinterpret_cast<const char*>(m_gl.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i))));
    }
  }

  const Egl& m_egl;
  EGLDisplay m_display;
  EGLContext m_context = EGL_NO_CONTEXT;
  Gl m_gl;
  std::set<std::string> m_extensions;
};

constexpr const char* kVertex = R"(
in vec3 position;
in vec3 normal;
in vec4 tangent;
in uvec4 joints;
in vec4 weights;
uniform mat4 view_projection;
out vec3 world_normal;
out vec3 world_tangent;
void main() {
  vec3 displacement, normal_change, turn, p = position, n = normal, t = tangent.xyz;
  supple_modal_sum(gl_VertexID, gl_InstanceID, displacement, normal_change, turn);
  supple_warp(turn, displacement, n, t);
  supple_displace(displacement, normal_change, p, n, t);
  supple_skin(supple_blend(joints, weights, gl_InstanceID), p, n, t);
  world_normal = n;
  world_tangent = t;
  gl_Position = view_projection * vec4(p, 1.0);
}
)";

constexpr const char* kFragment = R"(
in vec3 world_normal;
in vec3 world_tangent;
out vec4 colour;
void main() { colour = vec4(world_normal + world_tangent, 1.0); }
)";

/// Links the chunks for both encodings of shapes, with and without warping.
void expect_links(const Gl& gl, const std::string& version, const std::string& modal_sum) {
  for (const auto& [floats, linear] : {std::pair{false, false}, {true, false}, {false, true}}) {
    SCOPED_TRACE(version + ", " + modal_sum + (floats ? ", float" : ", 16 bit") +
                 (linear ? ", linear" : ""));
    ShaderSource vertex("host", version);
    if (floats) vertex.define("SUPPLE_FLOAT_SHAPES");
    if (linear) vertex.define("SUPPLE_LINEAR");
    vertex.chunk(modal_sum).chunk("warping").chunk("surface").chunk("skinning").text(kVertex);
    const auto program = Program::link(gl, vertex, ShaderSource("host", version).text(kFragment));
    ASSERT_TRUE(program.ok()) << program.error().describe();
    EXPECT_GE(program->uniform("supple_coefficients"), 0);
    EXPECT_GE(program->uniform("supple_palette"), 0);
    EXPECT_EQ(program->uniform("supple_shapes") >= 0, modal_sum == "modal_texture");
  }
}

class DesktopOpenGl : public ::testing::TestWithParam<const char*> {};

TEST_P(DesktopOpenGl, LinksTheChunks) {
  const std::string version = GetParam();
  const auto context = DesktopContext::create();
  if (!context) GTEST_SKIP() << "EGL has no desktop OpenGL 3.3 here";
  ASSERT_EQ(context->version().find("OpenGL ES"), std::string::npos) << context->version();
  if (version == "300 es" && !context->has_extension("GL_ARB_ES3_compatibility")) {
    GTEST_SKIP() << context->version() << " knows no GLSL ES 3.00";
  }
  expect_links(context->gl(), version, "modal_texture");
  expect_links(context->gl(), version, "modal_attributes");
  EXPECT_TRUE(check_gl(context->gl(), "linking").ok());
}

INSTANTIATE_TEST_SUITE_P(Versions, DesktopOpenGl, ::testing::Values("330 core", "300 es"));

}  // namespace
}  // namespace supple::gpu
