// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/gpu/gl.hpp"

#include <memory>
#include <string>

namespace supple::gpu {

struct ContextRequest {
  /// Which GPU: "" uses the environment variable SUPPLE_GPU, or else the best available; "software"
  /// is Mesa's rasteriser, "mesa" whatever Mesa finds without a display, and a number counts EGL's
  /// devices from 0.
  std::string device;
};

/// The driver's description of itself.
struct ContextNames {
  std::string vendor, renderer, version;
  std::string found_by;  ///< "EGL device 0", "surfaceless Mesa", ...
};

/// An OpenGL ES context through EGL without a window or display, hence without a default
/// framebuffer. 3.2 or 3.1 if the driver supports it (compute shaders), otherwise 3.0.
///
/// libEGL and libGLESv2 are opened by the first call of create(), never linked: programs start even
/// if they are absent. A context is current on one thread at a time, set by make_current();
/// create() makes it current on the calling thread. Use it and every object made with it only on
/// that thread, and destroy objects before their context. create() may be called by any thread.
class Context {
 public:
  [[nodiscard]] static Result<Context> create(const ContextRequest& request = {});
  ~Context();
  Context(Context&&) noexcept;
  Context& operator=(Context&&) noexcept;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] Result<void> make_current() const;

  /// Lives as long as the context; its address survives moves of the context.
  [[nodiscard]] const Gl& gl() const;
  [[nodiscard]] const ContextNames& names() const;
  [[nodiscard]] bool is_software() const;  ///< a rasteriser on the CPU: slow, and exact
  [[nodiscard]] bool has_compute() const;  ///< OpenGL ES 3.1: compute shaders, storage buffers
  [[nodiscard]] bool has_extension(const std::string& name) const;

 private:
  struct State;
  struct Choice;
  explicit Context(std::unique_ptr<State> state);
  [[nodiscard]] static Result<Context> open(const Choice& choice);
  void ask_driver();
  std::unique_ptr<State> m_state;
};

/// The error since the last call, by name ("GL_OUT_OF_MEMORY while `doing`"): for the end of an
/// upload or a frame, not for every call.
[[nodiscard]] Result<void> check_gl(const Gl& gl, const std::string& doing);

}  // namespace supple::gpu
