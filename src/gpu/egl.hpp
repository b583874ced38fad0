// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <optional>
#include <string>
#include <vector>

// No prototypes (nothing links libEGL) and no X11 headers.
#define EGL_EGL_PROTOTYPES 0
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

namespace supple::gpu {

#define SUPPLE_EGL_FUNCTIONS(X)                           \
  X(PFNEGLBINDAPIPROC, BindAPI)                           \
  X(PFNEGLCHOOSECONFIGPROC, ChooseConfig)                 \
  X(PFNEGLCREATECONTEXTPROC, CreateContext)               \
  X(PFNEGLCREATEPBUFFERSURFACEPROC, CreatePbufferSurface) \
  X(PFNEGLDESTROYCONTEXTPROC, DestroyContext)             \
  X(PFNEGLDESTROYSURFACEPROC, DestroySurface)             \
  X(PFNEGLGETCURRENTCONTEXTPROC, GetCurrentContext)       \
  X(PFNEGLGETDISPLAYPROC, GetDisplay)                     \
  X(PFNEGLGETERRORPROC, GetError)                         \
  X(PFNEGLGETPROCADDRESSPROC, GetProcAddress)             \
  X(PFNEGLINITIALIZEPROC, Initialize)                     \
  X(PFNEGLMAKECURRENTPROC, MakeCurrent)                   \
  X(PFNEGLQUERYSTRINGPROC, QueryString)

/// libEGL and libGLESv2, opened once and never closed: drivers do not survive being unloaded.
struct Egl {
#define SUPPLE_EGL_MEMBER(type, name) type name = nullptr;
  SUPPLE_EGL_FUNCTIONS(SUPPLE_EGL_MEMBER)
#undef SUPPLE_EGL_MEMBER
  void* gles = nullptr;

  [[nodiscard]] static Result<const Egl*> load();
  /// A function of OpenGL ES by its whole name, or null.
  [[nodiscard]] void* function(const char* name) const;
};

/// An initialised display, never terminated: every caller that opens the same display gets the same
/// handle, so terminating it would end the contexts of others, and drivers do not survive being
/// unloaded.
class Display {
 public:
  /// Empty if EGL cannot initialise it.
  [[nodiscard]] static std::optional<Display> open(const Egl& egl, EGLDisplay handle);

  [[nodiscard]] EGLDisplay handle() const { return m_handle; }
  [[nodiscard]] bool has(const char* extension) const;

 private:
  Display(const Egl& egl, EGLDisplay handle) : m_egl(&egl), m_handle(handle) {}
  const Egl* m_egl;
  EGLDisplay m_handle;
};

/// A way to reach a GPU.
struct DisplayChoice {
  EGLDisplay handle;
  std::string found_by;
};

/// Whether it is "", "software", "mesa" or a number.
[[nodiscard]] bool is_device_name(const std::string& device);

/// All ways that match a request, best first: vendor drivers, then Mesa's, software last.
[[nodiscard]] std::vector<DisplayChoice> display_choices(const Egl& egl, const std::string& device);

/// Whether a list of words contains this one.
[[nodiscard]] bool has_word(const char* words, const std::string& word);

}  // namespace supple::gpu
