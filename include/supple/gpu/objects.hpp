// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/gpu/gl.hpp"
#include "supple/gpu/shader_source.hpp"

#include <bit>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace supple::gpu {

/// Owns one object of OpenGL; empty when default-constructed or moved from. Its context must be
/// current at construction and destruction.
template <class Kind>
class Object {
 public:
  Object() = default;
  explicit Object(const Gl& gl) : m_gl(&gl), m_id(Kind::make(gl)) {}
  ~Object() {
    if (m_id != 0) Kind::free(*m_gl, m_id);
  }
  Object(Object&& other) noexcept
      : m_gl(std::exchange(other.m_gl, nullptr)), m_id(std::exchange(other.m_id, 0)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(m_gl, other.m_gl);
    std::swap(m_id, other.m_id);
    return *this;
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  [[nodiscard]] GLuint id() const { return m_id; }
  explicit operator bool() const { return m_id != 0; }

 private:
  const Gl* m_gl = nullptr;
  GLuint m_id = 0;
};

namespace detail {
template <auto Generate, auto Delete>
struct Kind {
  static GLuint make(const Gl& gl) {
    GLuint id = 0;
    (gl.*Generate)(1, &id);
    return id;
  }
  static void free(const Gl& gl, GLuint id) { (gl.*Delete)(1, &id); }
};
struct ProgramKind {
  static GLuint make(const Gl& gl) { return gl.CreateProgram(); }
  static void free(const Gl& gl, GLuint id) { gl.DeleteProgram(id); }
};
}  // namespace detail

using Buffer = Object<detail::Kind<&Gl::GenBuffers, &Gl::DeleteBuffers>>;
using Texture = Object<detail::Kind<&Gl::GenTextures, &Gl::DeleteTextures>>;
using Sampler = Object<detail::Kind<&Gl::GenSamplers, &Gl::DeleteSamplers>>;
using Framebuffer = Object<detail::Kind<&Gl::GenFramebuffers, &Gl::DeleteFramebuffers>>;
using Renderbuffer = Object<detail::Kind<&Gl::GenRenderbuffers, &Gl::DeleteRenderbuffers>>;
using VertexArray = Object<detail::Kind<&Gl::GenVertexArrays, &Gl::DeleteVertexArrays>>;
using Query = Object<detail::Kind<&Gl::GenQueries, &Gl::DeleteQueries>>;

/// A new buffer with these bytes. Leaves it bound to `target`.
template <class T>
[[nodiscard]] Buffer make_buffer(const Gl& gl, GLenum target, std::span<const T> data,
                                 GLenum usage = GL_STATIC_DRAW) {
  Buffer buffer(gl);
  gl.BindBuffer(target, buffer.id());
  gl.BufferData(target, static_cast<GLsizeiptr>(data.size_bytes()), data.data(), usage);
  return buffer;
}

/// A new buffer of this many uninitialised bytes. Leaves it bound to `target`.
[[nodiscard]] Buffer make_empty_buffer(const Gl& gl, GLenum target, std::size_t bytes,
                                       GLenum usage = GL_DYNAMIC_COPY);

/// A byte offset into the bound buffer, in the form that OpenGL expects.
[[nodiscard]] inline const void* buffer_offset(std::size_t bytes) {
  return std::bit_cast<const void*>(bytes);
}

/// Linked shaders. Errors name the chunk and its line, not positions in the joined text.
class Program {
 public:
  struct Options {
    /// Written to transform feedback buffer 0, interleaved, in this order.
    std::vector<std::string> captured;
    /// Locations of vertex attributes; the linker chooses the others.
    std::vector<std::pair<std::string, GLuint>> attributes;
  };

  Program() = default;
  [[nodiscard]] static Result<Program> link(const Gl& gl, const ShaderSource& vertex,
                                            const ShaderSource& fragment, const Options& options);
  [[nodiscard]] static Result<Program> link(const Gl& gl, const ShaderSource& vertex,
                                            const ShaderSource& fragment) {
    return link(gl, vertex, fragment, {});
  }
  [[nodiscard]] static Result<Program> compute(const Gl& gl, const ShaderSource& source);

  void use() const { m_gl->UseProgram(m_object.id()); }
  [[nodiscard]] GLuint id() const { return m_object.id(); }
  explicit operator bool() const { return static_cast<bool>(m_object); }
  /// -1 if it does not exist or the compiler removed it; setting that location does nothing.
  [[nodiscard]] GLint uniform(const char* name) const {
    return m_gl->GetUniformLocation(m_object.id(), name);
  }

 private:
  explicit Program(const Gl& gl) : m_gl(&gl), m_object(gl) {}
  [[nodiscard]] Result<void> attach(GLenum stage, const ShaderSource& source);
  [[nodiscard]] Result<void> finish(const ShaderSource& named);
  const Gl* m_gl = nullptr;
  Object<detail::ProgramKind> m_object;
};

}  // namespace supple::gpu
