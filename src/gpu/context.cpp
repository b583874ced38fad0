// SPDX-License-Identifier: Apache-2.0
#include "supple/gpu/context.hpp"

#include "gpu/egl.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

namespace supple::gpu {

struct Context::State {
  const Egl* egl = nullptr;
  std::optional<Display> display;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;  // if the driver needs one
  Gl gl;
  ContextNames names;
  std::set<std::string> extensions;
  bool software = false;
  bool compute = false;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (context == EGL_NO_CONTEXT) return;
    if (egl->GetCurrentContext() == context) {
      egl->MakeCurrent(display->handle(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    }
    if (surface != EGL_NO_SURFACE) egl->DestroySurface(display->handle(), surface);
    egl->DestroyContext(display->handle(), context);
  }
};

/// A way to reach a GPU, as listed by display_choices().
struct Context::Choice {
  const Egl& egl;
  const DisplayChoice& way;
};

namespace {

constexpr const char* kHowToChoose =
    "SUPPLE_GPU (in the environment) may be a device number, 'mesa' or 'software'; if unset, the "
    "best one is used. If there is no driver, install Mesa's software rasteriser: apt install "
    "libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri";

std::string text_of(const Gl& gl, GLenum name) {
  const GLubyte* text = gl.GetString(name);
  if (text == nullptr) return {};
  return {text, text + std::char_traits<char>::length(reinterpret_cast<const char*>(text))};
}

/// Null if the display has no suitable one.
EGLConfig choose_config(const Egl& egl, const Display& display, EGLint surfaces) {
  const std::array<EGLint, 5> wanted{EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE,
                                     surfaces, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  egl.ChooseConfig(display.handle(), wanted.data(), &config, 1, &count);
  return count > 0 ? config : nullptr;
}

EGLContext create_newest(const Egl& egl, const Display& display, EGLConfig config) {
  for (const EGLint minor : {2, 1, 0}) {
    const std::array<EGLint, 5> version{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION,
                                        minor, EGL_NONE};
    EGLContext context =
        egl.CreateContext(display.handle(), config, EGL_NO_CONTEXT, version.data());
    if (context != EGL_NO_CONTEXT) return context;
  }
  return EGL_NO_CONTEXT;
}

void load_functions(const Egl& egl, Gl& gl) {
#define SUPPLE_GL_LOAD(type, name) gl.name = std::bit_cast<type>(egl.function("gl" #name));
  SUPPLE_GL_FUNCTIONS(SUPPLE_GL_LOAD)
#undef SUPPLE_GL_LOAD
}

bool sounds_like_software(const std::string& renderer) {
  const std::array<const char*, 4> names{"llvmpipe", "softpipe", "swrast", "SwiftShader"};
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return renderer.find(name) != std::string::npos; });
}

}  // namespace

Context::Context(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Context::~Context() = default;
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;

const Gl& Context::gl() const {
  return m_state->gl;
}
const ContextNames& Context::names() const {
  return m_state->names;
}
bool Context::is_software() const {
  return m_state->software;
}
bool Context::has_compute() const {
  return m_state->compute;
}
bool Context::has_extension(const std::string& name) const {
  return m_state->extensions.count(name) > 0;
}

Result<void> Context::make_current() const {
  const State& s = *m_state;
  if (s.egl->BindAPI(EGL_OPENGL_ES_API) == EGL_TRUE &&
      s.egl->MakeCurrent(s.display->handle(), s.surface, s.surface, s.context) == EGL_TRUE) {
    return {};
  }
  return io_error("the OpenGL ES context of " + s.names.found_by +
                  " cannot be made current on this thread; is it current on another?");
}

Result<Context> Context::open(const Choice& choice) {
  auto state = std::make_unique<State>();
  const Egl& egl = choice.egl;
  state->egl = &egl;
  state->names.found_by = choice.way.found_by;
  state->display = Display::open(egl, choice.way.handle);
  if (!state->display.has_value()) return io_error("EGL cannot initialise it");
  const Display& display = *state->display;
  egl.BindAPI(EGL_OPENGL_ES_API);
  const bool surfaceless = display.has("EGL_KHR_surfaceless_context");
  EGLConfig config = choose_config(egl, display, surfaceless ? 0 : EGL_PBUFFER_BIT);
  if (config == nullptr && !(surfaceless && display.has("EGL_KHR_no_config_context"))) {
    return io_error("no configuration for OpenGL ES 3");
  }
  state->context = create_newest(egl, display, config);
  if (state->context == EGL_NO_CONTEXT) return io_error("no OpenGL ES 3.0 context");
  if (!surfaceless) {
    const std::array<EGLint, 5> size{EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    state->surface = egl.CreatePbufferSurface(display.handle(), config, size.data());
  }
  Context context(std::move(state));
  SUPPLE_TRY_VOID(context.make_current());
  context.ask_driver();
  return context;
}

void Context::ask_driver() {
  State& s = *m_state;
  load_functions(*s.egl, s.gl);
  s.names.vendor = text_of(s.gl, GL_VENDOR);
  s.names.renderer = text_of(s.gl, GL_RENDERER);
  s.names.version = text_of(s.gl, GL_VERSION);
  s.software = sounds_like_software(s.names.renderer);
  GLint major = 0;
  GLint minor = 0;
  s.gl.GetIntegerv(GL_MAJOR_VERSION, &major);
  s.gl.GetIntegerv(GL_MINOR_VERSION, &minor);
  s.compute = major > 3 || (major == 3 && minor >= 1);
  GLint count = 0;
  s.gl.GetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i) {
    s.extensions.insert(
        reinterpret_cast<const char*>(s.gl.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i))));
  }
}

Result<Context> Context::create(const ContextRequest& request) {
  SUPPLE_TRY(const Egl* egl, Egl::load());
  std::string device = request.device;
  if (const char* variable = std::getenv("SUPPLE_GPU"); device.empty() && variable != nullptr) {
    device = variable;
  }
  if (!is_device_name(device)) {
    return bad_input("unknown kind of GPU '" + device + "'. " + kHowToChoose);
  }
  std::string tried;
  for (const DisplayChoice& choice : display_choices(*egl, device)) {
    auto context = open({*egl, choice});
    if (context.ok()) {
      if (device != "software" || context->is_software()) return context;
      tried += "\n  " + choice.found_by + ": " + context->names().renderer +
               " is not a software rasteriser";
      continue;
    }
    tried += "\n  " + choice.found_by + ": " + context.error().message();
  }
  if (tried.empty()) tried = "\n  EGL has no such device";
  return io_error("no OpenGL ES 3 context" + (device.empty() ? "" : " on '" + device + "'") +
                  ". Tried:" + tried + "\n" + kHowToChoose);
}

Result<void> check_gl(const Gl& gl, const std::string& doing) {
  const GLenum code = gl.GetError();
  if (code == GL_NO_ERROR) return {};
  while (gl.GetError() != GL_NO_ERROR) {  // later errors follow from the first
  }
  switch (code) {
    case GL_OUT_OF_MEMORY:
      return io_error("the GPU does not have enough memory for " + doing);
    case GL_INVALID_ENUM:
      return io_error("GL_INVALID_ENUM at " + doing + ": the driver lacks a feature");
    case GL_INVALID_VALUE:
      return io_error("GL_INVALID_VALUE at " + doing + ": larger than the driver allows");
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return io_error("GL_INVALID_FRAMEBUFFER_OPERATION at " + doing);
    default:
      return io_error("GL_INVALID_OPERATION at " + doing);
  }
}

}  // namespace supple::gpu
